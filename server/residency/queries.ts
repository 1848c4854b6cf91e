import { auditEvent } from "../audit/record-audit.ts";
import type { Ctx } from "../kernel/ctx.ts";
import { queryInTenant } from "../kernel/db.ts";
import type { Tx } from "../kernel/db.ts";

/** Connections and shorteners by processing region. */
export function selectUses(
  ctx: Pick<Ctx, "db" | "tenantId">,
): Promise<{ kind: "connection" | "shortener"; name: string; region: string }[]> {
  return queryInTenant(
    ctx,
    `SELECT 'connection' AS kind, name, processing_region AS region FROM connection_facts WHERE tenant_id = $1
     UNION ALL
     SELECT 'shortener', e.name, s.processing_region FROM shortener_facts s
     JOIN environment_facts e ON e.tenant_id = s.tenant_id AND e.id = s.environment_id
     WHERE s.tenant_id = $1 AND s.processing_region IS NOT NULL
     ORDER BY 1, 2`,
    [ctx.tenantId],
  );
}

/** The newest permission of each region. */
export function selectPermissions(
  ctx: Pick<Ctx, "db" | "tenantId">,
): Promise<{ region: string; at: Date; by: string; reason: string }[]> {
  return queryInTenant(
    ctx,
    `SELECT DISTINCT ON (data ->> 'region') data ->> 'region' AS region, at, actor_name AS by, data ->> 'reason' AS reason
     FROM audit_facts WHERE tenant_id = $1 AND target_type = 'tenant' AND action = 'residency.transfer_allowed'
     ORDER BY data ->> 'region', id DESC`,
    [ctx.tenantId],
  );
}

/**
 * Replaces the regions and writes an audit event with the reason for each change: the database accepts neither without
 * the other. All other settings, including those of other domains, stay as they are.
 */
export async function changeTransferRegions(
  ctx: Ctx,
  tx: Tx,
  regions: readonly string[],
  changes: readonly { region: string; reason: string }[],
): Promise<void> {
  const entries = changes.map((data) => {
    const { event, mac } = auditEvent(ctx, {
      action: regions.includes(data.region) ? "residency.transfer_allowed" : "residency.transfer_withdrawn",
      targetType: "tenant",
      targetId: ctx.tenantId,
      data,
      before: { allowed: !regions.includes(data.region) },
      after: { allowed: regions.includes(data.region) },
    });
    return { ...event, mac: mac.toString("hex") };
  });
  await tx.$executeRaw`SELECT change_transfer_regions(${regions}::text[], ${JSON.stringify(entries)}::jsonb)`;
}
