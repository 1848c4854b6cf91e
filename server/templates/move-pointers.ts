/** The statements with which a promotion moves what is live: each works on all of its templates at once. */
import type { Tx } from "../kernel/db.ts";

/**
 * Locks what the target stage has of a promotion's templates, in the order of their ids, so that two transactions over the
 * same templates wait for each other instead of for ever.
 */
export async function lockPointers(tx: Tx, tenantId: string, promotionId: string): Promise<void> {
  await tx.$executeRaw`
    SELECT 1 FROM promotion_moves i
    JOIN template_deployments d
      ON d.tenant_id = i.tenant_id AND d.template_id = i.template_id AND d.environment_id = i.to_environment_id
    WHERE i.tenant_id = ${tenantId}::uuid AND i.promotion_id = ${promotionId}::uuid
    ORDER BY d.template_id FOR UPDATE OF d`;
}

/**
 * Makes a promotion's versions live in its target. The kill switch of each template stays as it is. Answers how many
 * pointers were moved; fewer than it has templates: something else put one there in the meantime.
 */
export async function movePointers(
  tx: Tx,
  tenantId: string,
  promotionId: string,
  now: Date,
): Promise<number> {
  const updated = await tx.$executeRaw`
    UPDATE template_deployments d SET version = i.version, promotion_id = i.promotion_id, deployed_at = ${now}
    FROM promotion_moves i
    WHERE i.tenant_id = ${tenantId}::uuid AND i.promotion_id = ${promotionId}::uuid
      AND d.tenant_id = i.tenant_id AND d.template_id = i.template_id AND d.environment_id = i.to_environment_id
      AND d.version = i.previous_version`;
  const added = await tx.$executeRaw`
    INSERT INTO template_deployments (tenant_id, template_id, environment_id, version, promotion_id, deployed_at)
    SELECT i.tenant_id, i.template_id, i.to_environment_id, i.version, i.promotion_id, ${now}
    FROM promotion_moves i
    WHERE i.tenant_id = ${tenantId}::uuid AND i.promotion_id = ${promotionId}::uuid AND i.previous_version IS NULL
    ORDER BY i.template_id
    ON CONFLICT DO NOTHING`;
  return updated + added;
}

/**
 * Puts back what a promotion replaced: the version and the promotion that it came by. What was not live before is taken
 * out of the stage again. The kill switch of what stays, stays as it is.
 */
export async function restorePointers(
  tx: Tx,
  tenantId: string,
  promotionId: string,
  now: Date,
): Promise<void> {
  await tx.$executeRaw`
    DELETE FROM template_deployments d USING promotion_moves i
    WHERE i.tenant_id = ${tenantId}::uuid AND i.promotion_id = ${promotionId}::uuid AND i.previous_version IS NULL
      AND d.tenant_id = i.tenant_id AND d.template_id = i.template_id AND d.environment_id = i.to_environment_id`;
  // A forced rollback may find nothing there: what came later was rolled back to nothing itself.
  await tx.$executeRaw`
    INSERT INTO template_deployments (tenant_id, template_id, environment_id, version, promotion_id, deployed_at)
    SELECT i.tenant_id, i.template_id, i.to_environment_id, i.previous_version, i.previous_promotion_id, ${now}
    FROM promotion_moves i
    WHERE i.tenant_id = ${tenantId}::uuid AND i.promotion_id = ${promotionId}::uuid AND i.previous_version IS NOT NULL
    ORDER BY i.template_id
    ON CONFLICT (tenant_id, template_id, environment_id) DO UPDATE
      SET version = excluded.version, promotion_id = excluded.promotion_id, deployed_at = excluded.deployed_at`;
}
