/** Statements that move live pointers: each works on all templates of a promotion at once. */
import type { Tx } from "../kernel/db.ts";

/** A template whose pointer is not what a promotion expects, and its present state. */
export interface MovedRow {
  templateId: string;
  name: string;
  archived: boolean;
  /** The version that the promotion expects; null: none. */
  expected: number | null;
  /** The live version; null: none. */
  version: number | null;
  /** The promotion that deployed it; null: a save or a deployment did, or nothing is live. */
  promotionId: string | null;
  promotionState: string | null;
  requestedBy: string | null;
}

/**
 * Templates of a promotion whose pointer is not where the promotion needs it: before a deployment what it was at the
 * request (and the template in use), before a rollback what the deployment made of it. At most 50, by name.
 */
export async function selectMoved(
  tx: Tx,
  tenantId: string,
  promotionId: string,
  before: "deployment" | "rollback",
): Promise<MovedRow[]> {
  const expected = before === "deployment" ? "i.previous_version" : "i.version";
  const moved =
    before === "deployment"
      ? "(d.version IS DISTINCT FROM i.previous_version OR t.archived_at IS NOT NULL)"
      : "(d.version IS DISTINCT FROM i.version OR d.promotion_id IS DISTINCT FROM i.promotion_id)";
  return tx.$queryRawUnsafe<MovedRow[]>(
    `SELECT t.id AS "templateId", t.name, t.archived_at IS NOT NULL AS archived, ${expected} AS expected, d.version,
            d.promotion_id AS "promotionId", p.state AS "promotionState", p.requested_by_name AS "requestedBy"
     FROM promotion_items i
     JOIN template_facts t ON t.tenant_id = i.tenant_id AND t.id = i.template_id
     LEFT JOIN template_pointers d
       ON d.tenant_id = i.tenant_id AND d.template_id = i.template_id AND d.environment_id = i.to_environment_id
     LEFT JOIN promotions p ON p.tenant_id = d.tenant_id AND p.id = d.promotion_id
     WHERE i.tenant_id = $1::uuid AND i.promotion_id = $2::uuid AND ${moved}
     ORDER BY t.name, t.id LIMIT 50`,
    tenantId,
    promotionId,
  );
}

/**
 * Notes what a promotion moves, with what its target has now. Left out is a template that another promotion into the same
 * stage holds, waiting for one that is just being requested, and one that another promotion has just brought there. Answers
 * how many were noted.
 */
export async function insertItems(
  tx: Tx,
  row: { tenantId: string; promotionId: string; toEnvironmentId: string },
  items: readonly { templateId: string; version: number }[],
): Promise<number> {
  return tx.$executeRawUnsafe(
    `INSERT INTO promotion_items
       (tenant_id, promotion_id, template_id, to_environment_id, version, previous_version, previous_promotion_id)
     SELECT $1::uuid, $2::uuid, n.template_id, $3::uuid, n.version, d.version, d.promotion_id
     FROM unnest($4::uuid[], $5::int[]) AS n (template_id, version)
     LEFT JOIN template_pointers d
       ON d.tenant_id = $1::uuid AND d.template_id = n.template_id AND d.environment_id = $3::uuid
     WHERE d.version IS DISTINCT FROM n.version
     ORDER BY n.template_id
     ON CONFLICT (tenant_id, to_environment_id, template_id) WHERE open DO NOTHING`,
    row.tenantId,
    row.promotionId,
    row.toEnvironmentId,
    items.map((item) => item.templateId),
    items.map((item) => item.version),
  );
}

/** The open promotions into a stage that hold some of the templates, and which; at most 50 templates, by name. */
export async function selectHolding(
  tx: Tx,
  tenantId: string,
  toEnvironmentId: string,
  templateIds: readonly string[],
  exceptPromotionId: string,
): Promise<{ templateId: string; name: string; promotionId: string; state: string; requestedBy: string }[]> {
  return tx.$queryRawUnsafe(
    `SELECT t.id AS "templateId", t.name, p.id AS "promotionId", p.state, p.requested_by_name AS "requestedBy"
     FROM promotion_items i
     JOIN promotions p ON p.tenant_id = i.tenant_id AND p.id = i.promotion_id
     JOIN template_facts t ON t.tenant_id = i.tenant_id AND t.id = i.template_id
     WHERE i.tenant_id = $1::uuid AND i.to_environment_id = $2::uuid AND i.open AND i.template_id = ANY($3::uuid[])
       AND i.promotion_id <> $4::uuid
     ORDER BY t.name, t.id LIMIT 50`,
    tenantId,
    toEnvironmentId,
    templateIds,
    exceptPromotionId,
  );
}
