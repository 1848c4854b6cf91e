import type { Ctx } from "../kernel/ctx.ts";
import { queryInTenant } from "../kernel/db.ts";
import type { RoutingRule } from "./choose-route.ts";

export function selectRules(
  ctx: Pick<Ctx, "db" | "tenantId">,
  environmentId: string,
): Promise<(Omit<RoutingRule, "tiers"> & { tiers: unknown })[]> {
  return queryInTenant(
    ctx,
    `SELECT id, region, application_id AS "applicationId", channel, notification_type AS "notificationType",
            notification_subtype AS "notificationSubtype", priority, tiers
     FROM routing_rules WHERE tenant_id = $1 AND environment_id = $2 AND enabled ORDER BY id LIMIT 10000`,
    [ctx.tenantId, environmentId],
  );
}
