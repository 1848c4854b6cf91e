import type { Scope } from "../access/authorize.ts";
import { scopeSql } from "../access/scope-sql.ts";
import type { Ctx } from "../kernel/ctx.ts";
import { queryInTenant } from "../kernel/db.ts";

export interface ConnectionRow {
  id: string;
  unit_id: string | null;
  name: string;
  adapter: string;
  channels: string[];
  credentials: Buffer;
  settings: unknown;
  senders: unknown;
  rate_per_second: number | null;
  max_concurrency: number;
  price_list: unknown;
  processing_region: string;
  enabled: boolean;
  updated_at: Date;
  data_key: Buffer;
}

/** All connections of the tenant, with the tenant's sealed data key. */
export function selectConnections(ctx: Pick<Ctx, "db" | "tenantId">): Promise<ConnectionRow[]> {
  return queryInTenant<ConnectionRow>(
    ctx,
    `SELECT c.id, c.unit_id, c.name, c.adapter, c.channels, c.credentials, c.settings, c.senders, c.rate_per_second,
            c.max_concurrency, c.price_list, c.processing_region, c.enabled, c.updated_at, t.data_key
     FROM provider_connections c JOIN tenants t ON t.id = c.tenant_id
     WHERE c.tenant_id = $1 ORDER BY c.name LIMIT 1000`,
    [ctx.tenantId],
  );
}

export async function findConnectionTenant(db: Ctx["db"], connectionId: string): Promise<string | null> {
  const result = await db.pool.query<{ tenant_id: string | null }>(
    "SELECT find_connection_tenant($1) AS tenant_id",
    [connectionId],
  );
  return result.rows[0]?.tenant_id ?? null;
}

export interface HealthRow {
  connection_id: string;
  outcome: string;
  code: string;
  count: string;
}

/** Attempts since `since` by connection, outcome and code, of the messages that the caller may know of. */
export function selectAttemptCounts(
  ctx: Pick<Ctx, "db" | "tenantId">,
  scopes: Required<Scope>[] | null,
  since: Date,
  environmentId: string | undefined,
): Promise<HealthRow[]> {
  const values: unknown[] = [ctx.tenantId, since];
  const visible = scopeSql(
    scopes,
    { unit: "unit_id", application: "application_id", environment: "environment_id" },
    values,
  );
  const here =
    environmentId === undefined ? "" : `AND environment_id = $${String(values.push(environmentId))}`;
  const where = `WHERE tenant_id = $1 AND kind = 'attempt' AND ${visible} ${here}`;
  return queryInTenant<HealthRow>(
    ctx,
    `SELECT connection_id, status AS outcome, code, sum(count)::text AS count FROM (
       SELECT connection_id, status, code, count FROM metric_summaries ${where} AND grain = 'hour' AND at >= $2
       UNION ALL
       SELECT connection_id, status, code, count FROM metric_deltas ${where} AND hour >= $2
     ) counted WHERE connection_id IS NOT NULL GROUP BY connection_id, status, code`,
    values,
  );
}
