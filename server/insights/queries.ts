import type { Ctx } from "../kernel/ctx.ts";
import { queryInTenant } from "../kernel/db.ts";
import type { Db } from "../kernel/db.ts";
import type { Scope } from "../operations/authorize.ts";
import { Conditions } from "../operations/conditions.ts";

const dimensions =
  "tenant_id, hour, kind, environment_id, application_id, unit_id, channel, notification_type, notification_subtype, region, connection_id, status, code, latency";

const summaryDimensions =
  "tenant_id, grain, kind, at, environment_id, application_id, unit_id, channel, connection_id, status, code, latency";
const noConnection = "'00000000-0000-0000-0000-000000000000'";

/** Moves up to `limit` deltas into the rollups and summaries; returns how many (worker's role). */
export async function callFoldMetrics(db: Db, limit: number): Promise<number> {
  const result = await db.pool.query<{ folded: number }>(
    `WITH taken AS (
       DELETE FROM metric_deltas WHERE (tenant_id, id) IN (
         SELECT tenant_id, id FROM metric_deltas ORDER BY id LIMIT $1 FOR UPDATE SKIP LOCKED)
       RETURNING ${dimensions}, count
     ), folded AS (
       INSERT INTO metric_rollups (${dimensions}, count)
       SELECT tenant_id, hour, kind, environment_id, application_id, unit_id, channel, notification_type,
         notification_subtype, region, coalesce(connection_id, ${noConnection}), status, code, latency, sum(count)
       FROM taken GROUP BY 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14
       ORDER BY 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14
       ON CONFLICT (${dimensions}) DO UPDATE SET count = metric_rollups.count + excluded.count
     ), summed AS (
       INSERT INTO metric_summaries (${summaryDimensions}, count)
       SELECT tenant_id, grain, shape.kind, date_trunc(grain, hour, 'UTC'), environment_id, application_id, unit_id, channel,
         shape.connection_id, shape.status, shape.code, shape.latency, sum(count)
       FROM taken CROSS JOIN (VALUES ('hour'), ('day')) AS grains(grain) CROSS JOIN LATERAL (VALUES
         (taken.kind, coalesce(taken.connection_id, ${noConnection}), taken.status, taken.code, -1::smallint),
         ('latency', ${noConnection}, taken.status, '', taken.latency),
         ('call', coalesce(taken.connection_id, ${noConnection}), '', '', taken.latency)
       ) AS shape(kind, connection_id, status, code, latency)
       WHERE CASE shape.kind
         WHEN 'latency' THEN taken.kind = 'status' AND taken.status IN ('sent', 'delivered') AND taken.latency >= 0
         WHEN 'call' THEN taken.kind = 'attempt' AND taken.latency >= 0
         ELSE true END
       GROUP BY 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12
       ORDER BY 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12
       ON CONFLICT (${summaryDimensions}) DO UPDATE SET count = metric_summaries.count + excluded.count
     )
     SELECT count(*)::int AS folded FROM taken`,
    [limit],
  );
  return result.rows[0]?.folded ?? 0;
}

export interface CountFilter {
  from: Date;
  to: Date;
  environmentId?: string | undefined;
  unitId?: string | undefined;
  applicationId?: string | undefined;
  channel?: string | undefined;
}

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/**
 * Counted notifications of a period (whole hours): summaries and unfolded counts. `coarse`: whole days (UTC) come as
 * one, the rest by the hour.
 */
function counted(
  ctx: Ctx,
  scopes: Required<Scope>[] | null,
  filter: CountFilter,
  kind: "status" | "latency",
  coarse: boolean,
): { text: string; values: unknown[] } {
  const firstDay = Math.ceil(filter.from.getTime() / dayMs) * dayMs;
  const lastDay = Math.max(firstDay, Math.floor(filter.to.getTime() / dayMs) * dayMs);
  const where = new Conditions([ctx.tenantId, filter.from, filter.to], "tenant_id = $1")
    .given("environment_id = ?", filter.environmentId)
    .given("unit_id = ?", filter.unitId)
    .given("application_id = ?", filter.applicationId)
    .given("channel = ?", filter.channel)
    .within(scopes, "");
  const part = (table: string, at: string, period: string) =>
    `SELECT ${at} AS hour, channel, application_id, connection_id, status, code, latency, count FROM ${table} WHERE ${where.sql} AND ${period}`;
  const summary = (grain: "day" | "hour") => `grain = '${grain}' AND kind = '${kind}'`;
  const parts = [part("metric_deltas", "hour", "kind = 'status' AND hour >= $2 AND hour < $3")];
  if (coarse && lastDay > firstDay) {
    const days = [firstDay, lastDay].map((at) => where.bind(new Date(at)));
    parts.push(
      part(
        "metric_summaries",
        "at",
        `${summary("day")} AND at >= ${days[0] ?? ""} AND at < ${days[1] ?? ""}`,
      ),
      part("metric_summaries", "at", `${summary("hour")} AND at >= $2 AND at < ${days[0] ?? ""}`),
      part("metric_summaries", "at", `${summary("hour")} AND at >= ${days[1] ?? ""} AND at < $3`),
    );
  } else {
    parts.push(part("metric_summaries", "at", `${summary("hour")} AND at >= $2 AND at < $3`));
  }
  return { text: `(${parts.join(" UNION ALL ")})`, values: where.values };
}

/** Counts by time bucket and status. */
export function selectSeries(
  ctx: Ctx,
  scopes: Required<Scope>[] | null,
  filter: CountFilter,
  bucket: "hour" | "day",
): Promise<{ at: Date; status: string; final: boolean; count: number }[]> {
  const source = counted(ctx, scopes, filter, "status", bucket === "day");
  return queryInTenant(
    ctx,
    `SELECT date_trunc('${bucket}', hour, 'UTC') AS at, status, code = 'final' AS final, sum(count)::float8 AS count
     FROM ${source.text} c GROUP BY 1, 2, 3 ORDER BY 1`,
    source.values,
  );
}

/** Counts by one dimension and status. */
export function selectBreakdown(
  ctx: Ctx,
  scopes: Required<Scope>[] | null,
  filter: CountFilter,
  dimension: "channel" | "application_id" | "connection_id",
): Promise<{ key: string | null; status: string; final: boolean; count: number }[]> {
  const source = counted(ctx, scopes, filter, "status", true);
  return queryInTenant(
    ctx,
    `SELECT nullif(${dimension}::text, '00000000-0000-0000-0000-000000000000') AS key, status, code = 'final' AS final, sum(count)::float8 AS count
     FROM ${source.text} c GROUP BY 1, 2, 3`,
    source.values,
  );
}

/** Why messages did not arrive, most frequent first. */
export function selectFailures(
  ctx: Ctx,
  scopes: Required<Scope>[] | null,
  filter: CountFilter,
): Promise<{ status: string; code: string; count: number }[]> {
  const source = counted(ctx, scopes, filter, "status", true);
  return queryInTenant(
    ctx,
    `SELECT status, code, sum(count)::float8 AS count FROM ${source.text} c
     WHERE status IN ('failed', 'rejected', 'expired', 'undetermined') GROUP BY 1, 2 HAVING sum(count) > 0
     ORDER BY 3 DESC LIMIT 50`,
    source.values,
  );
}

/** How long messages took from being accepted, as counts by latency bucket. */
export function selectLatencies(
  ctx: Ctx,
  scopes: Required<Scope>[] | null,
  filter: CountFilter,
  bucket: "hour" | "day" | null,
): Promise<{ at: Date | null; status: "sent" | "delivered"; latency: number; count: number }[]> {
  const source = counted(ctx, scopes, filter, "latency", bucket !== "hour");
  const at = bucket === null ? "NULL::timestamptz" : `date_trunc('${bucket}', hour, 'UTC')`;
  return queryInTenant(
    ctx,
    `SELECT ${at} AS at, status, latency, sum(count)::float8 AS count FROM ${source.text} c
     WHERE status IN ('sent', 'delivered') AND latency >= 0 GROUP BY 1, 2, 3 ORDER BY 1, 3`,
    source.values,
  );
}
