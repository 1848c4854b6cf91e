/** Calls to providers, by connection: summaries, and what is not folded into them yet. */
import type { Ctx } from "../kernel/ctx.ts";
import { queryInTenant } from "../kernel/db.ts";
import type { Scope } from "../operations/authorize.ts";
import { Conditions } from "../operations/conditions.ts";

type TenantDb = Pick<Ctx, "db" | "tenantId">;

export interface CallFilter {
  from: Date;
  to: Date;
  bucket: "hour" | "day";
  connectionIds: string[];
  channel: string | undefined;
  environmentId: string | undefined;
}

/** Summaries of one kind and unfolded counts, of the calls that the caller may see. */
function source(
  ctx: TenantDb,
  scopes: Required<Scope>[] | null,
  filter: CallFilter,
  kind: "attempt" | "call",
): { text: string; values: unknown[] } {
  const where = new Conditions([ctx.tenantId, filter.from, filter.to, filter.connectionIds])
    .and("tenant_id = $1 AND connection_id = ANY ($4::uuid[])")
    .given("channel = ?", filter.channel)
    .given("environment_id = ?", filter.environmentId)
    .within(scopes, "");
  return {
    text: `(SELECT at, connection_id, status, code, latency, count FROM metric_summaries
       WHERE ${where.sql} AND grain = '${filter.bucket}' AND kind = '${kind}' AND at >= $2 AND at < $3
     UNION ALL
     SELECT date_trunc('${filter.bucket}', hour, 'UTC'), connection_id, status, code, latency, count FROM metric_deltas
       WHERE ${where.sql} AND kind = 'attempt' AND hour >= $2 AND hour < $3)`,
    values: where.values,
  };
}

/** Calls by bucket, connection, outcome and code. */
export function selectCalls(
  ctx: TenantDb,
  scopes: Required<Scope>[] | null,
  filter: CallFilter,
): Promise<{ at: Date; connectionId: string; outcome: string; code: string; count: number }[]> {
  const { text, values } = source(ctx, scopes, filter, "attempt");
  return queryInTenant(
    ctx,
    `SELECT at, connection_id AS "connectionId", status AS outcome, code, sum(count)::float8 AS count
     FROM ${text} c GROUP BY 1, 2, 3, 4`,
    values,
  );
}

/** Durations of calls by bucket and connection, as counts by latency bucket, fastest first. */
export function selectDurations(
  ctx: TenantDb,
  scopes: Required<Scope>[] | null,
  filter: CallFilter,
): Promise<{ at: Date; connectionId: string; latency: number; count: number }[]> {
  const { text, values } = source(ctx, scopes, filter, "call");
  return queryInTenant(
    ctx,
    `SELECT at, connection_id AS "connectionId", latency, sum(count)::float8 AS count
     FROM ${text} c WHERE latency >= 0 GROUP BY 1, 2, 3 ORDER BY latency`,
    values,
  );
}
