/** Calls to providers, by connection. */
import type { Ctx } from "../kernel/ctx.ts";
import { queryFigures } from "../kernel/replica.ts";
import type { Scope } from "../operations/authorize.ts";
import { rollupSource } from "./rollup-source.ts";

type TenantDb = Pick<Ctx, "db" | "tenantId">;

export interface CallFilter {
  from: Date;
  to: Date;
  bucket: "hour" | "day";
  connectionIds: string[];
  channel: string | undefined;
  environmentId: string | undefined;
}

function source(
  ctx: TenantDb,
  scopes: Required<Scope>[] | null,
  { connectionIds, bucket, ...filter }: CallFilter,
  store: "counts" | "reasons",
) {
  const { from, where } = rollupSource(store, ctx.tenantId, scopes, filter, {
    fine: bucket === "hour",
    by: ["provider"],
  });
  where.and(`k.connection_id = ANY (${where.bind(connectionIds)}::uuid[])`);
  return { from, where, at: `date_trunc('${bucket}', r.at, 'UTC')` };
}

/** Calls by bucket, connection, outcome and code. */
export async function selectCalls(
  ctx: TenantDb,
  scopes: Required<Scope>[] | null,
  filter: CallFilter,
): Promise<{ at: Date; connectionId: string; outcome: string; code: string; count: number }[]> {
  const sent = source(ctx, scopes, filter, "counts");
  const failed = source(ctx, scopes, filter, "reasons");
  const rows = await Promise.all([
    queryFigures<{ at: Date; connectionId: string; outcome: string; code: string; count: number }>(
      ctx,
      `SELECT ${sent.at} AS at, k.connection_id, 'sent' AS outcome, '' AS code, sum(r.calls_sent)::float8 AS count
       FROM ${sent.from} WHERE ${sent.where.sql} GROUP BY 1, 2 HAVING sum(r.calls_sent) > 0`,
      sent.where.values,
    ),
    queryFigures<{ at: Date; connectionId: string; outcome: string; code: string; count: number }>(
      ctx,
      `SELECT ${failed.at} AS at, k.connection_id, r.status AS outcome, r.code, sum(r.count)::float8 AS count
       FROM ${failed.from} WHERE ${failed.where.sql} AND r.status IN ('not_sent', 'unknown') GROUP BY 1, 2, 3, 4`,
      failed.where.values,
    ),
  ]);
  return rows.flat();
}

/** Durations of calls by bucket and connection, as counts by latency bucket, fastest first. */
export function selectDurations(
  ctx: TenantDb,
  scopes: Required<Scope>[] | null,
  filter: CallFilter,
): Promise<{ at: Date; connectionId: string; latency: number; count: number }[]> {
  const { from, where, at } = source(ctx, scopes, filter, "counts");
  return queryFigures(
    ctx,
    `SELECT ${at} AS at, k.connection_id, (entry >> 40)::int AS latency, sum(entry & 1099511627775)::float8 AS count
     FROM ${from} CROSS JOIN LATERAL unnest(r.call_ms) AS entry WHERE ${where.sql} GROUP BY 1, 2, 3 ORDER BY latency`,
    where.values,
  );
}
