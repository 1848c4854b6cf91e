import type { Ctx } from "../kernel/ctx.ts";
import { queryInTenant } from "../kernel/db.ts";
import type { Scope } from "../operations/authorize.ts";
import { scopeSql } from "../operations/conditions.ts";

/** The enabled rules of an environment that name one of the connections, those that are looked at first in front; 200 at most. */
export function namedByRules(
  ctx: Ctx,
  environmentId: string,
  connectionIds: readonly string[],
): Promise<{ connectionId: string; ruleId: string }[]> {
  return queryInTenant(
    ctx,
    `SELECT DISTINCT member->>'connectionId' AS "connectionId", r.id AS "ruleId", r.priority
     FROM rule_facts r, jsonb_array_elements(r.tiers) AS tier, jsonb_array_elements(tier) AS member
     WHERE r.tenant_id = $1 AND r.environment_id = $2 AND r.enabled AND member->>'connectionId' = ANY ($3::text[])
     ORDER BY r.priority LIMIT 200`,
    [ctx.tenantId, environmentId, connectionIds],
  );
}

/** The visible messages that wait for connections, by connection and application; of each connection the first `most` are looked at. */
export function selectWaiting(
  ctx: Ctx,
  scopes: Required<Scope>[] | null,
  of: { environmentId: string; connectionIds: readonly string[]; most: number },
): Promise<{ connectionId: string; applicationId: string; count: number; oldestAt: Date; more: boolean }[]> {
  const values: unknown[] = [ctx.tenantId, of.environmentId, of.connectionIds, of.most];
  const visible = scopeSql(scopes, "n", values);
  return queryInTenant(
    ctx,
    `SELECT w.connection_id AS "connectionId", n.application_id AS "applicationId", count(*)::int AS count,
            min(n.created_at) AS "oldestAt", bool_or(w.position = $4) AS more
     FROM unnest($3::uuid[]) AS c(id)
     CROSS JOIN LATERAL (
       SELECT connection_id, notification_id, due_at, row_number() OVER () AS position FROM (
         SELECT connection_id, notification_id, due_at FROM waiting_messages
         WHERE tenant_id = $1 AND connection_id = c.id ORDER BY priority, notification_id LIMIT $4) AS first) w
     CROSS JOIN LATERAL (
       SELECT application_id, unit_id, environment_id, created_at, due_at, open_attempt FROM notifications
       WHERE tenant_id = $1 AND id BETWEEN w.notification_id AND w.notification_id ORDER BY id LIMIT 1) n
     WHERE n.environment_id = $2 AND n.due_at = w.due_at AND n.open_attempt IS NULL AND ${visible}
     GROUP BY 1, 2`,
    values,
  );
}
