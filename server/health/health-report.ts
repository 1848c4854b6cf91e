import type { z } from "zod";
import { selectCalls, selectDurations } from "../insights/call-counts.ts";
import { quantile } from "../insights/histogram.ts";
import type { HistogramEntry } from "../insights/histogram.ts";
import type { Ctx } from "../kernel/ctx.ts";
import { visibleScopes } from "../operations/authorize.ts";
import type { HealthReport, healthReportQuerySchema } from "./schemas.ts";
import { visibleConnections } from "./visible-connections.ts";

const hour = 3_600_000;
const day = 24 * hour;
const lengths = { "24h": day, "7d": 7 * day, "30d": 30 * day } as const;
/** Lines that can be told apart in one chart. */
const drawn = 6;

interface Counted {
  outcome: string;
  count: number;
}

/**
 * Outcomes and durations of calls over the caller's connections, from the counts that are kept beside the messages. The
 * last 24 hours and 7 days by the hour, 30 days by the day.
 */
export async function healthReport(
  ctx: Ctx,
  input: z.output<typeof healthReportQuerySchema>,
): Promise<HealthReport> {
  const connections = await visibleConnections(ctx, input.connectionId);
  const bucket = input.range === "30d" ? "day" : "hour";
  const step = bucket === "hour" ? hour : day;
  const to = new Date(Math.ceil(ctx.now().getTime() / step) * step);
  const from = new Date(to.getTime() - lengths[input.range]);
  const filter = {
    from,
    to,
    bucket,
    connectionIds: connections.map(({ id }) => id),
    channel: input.channel,
    environmentId: input.environmentId,
  } as const;
  const scopes = visibleScopes(ctx, "providers:read");
  const [calls, durations] = await Promise.all([
    selectCalls(ctx, scopes, filter),
    selectDurations(ctx, scopes, filter),
  ]);
  const ats = Array.from(
    { length: lengths[input.range] / step },
    (_, index) => from.getTime() + index * step,
  );
  const callsAt = groupBy(calls, (row) => row.at.getTime());
  const durationsAt = groupBy(durations, (row) => row.at.getTime());
  const callsOf = groupBy(calls, (row) => row.connectionId);
  const durationsOf = groupBy(durations, (row) => row.connectionId);
  const busiest = connections
    .filter(({ id }) => callsOf.has(id))
    .map(({ id, name }) => ({ id, name, ...outcomes(callsOf.get(id)), ...percentiles(durationsOf.get(id)) }))
    .sort((a, b) => b.sent + b.notSent + b.unknown - (a.sent + a.notSent + a.unknown));
  const failed = calls.filter((row) => row.outcome !== "sent");
  return {
    from: from.toISOString(),
    to: to.toISOString(),
    bucket,
    series: ats.map((at) => {
      const { p50Ms, p95Ms } = percentiles(durationsAt.get(at));
      return { at: new Date(at).toISOString(), ...outcomes(callsAt.get(at)), p50Ms, p95Ms };
    }),
    connections: busiest,
    durations: busiest.slice(0, drawn).map(({ id, name }) => {
      const own = groupBy(durationsOf.get(id) ?? [], (row) => row.at.getTime());
      return { id, name, p95Ms: ats.map((at) => quantile(merged(own.get(at)), 0.95)) };
    }),
    errors: [...groupBy(failed, (row) => row.code)]
      .map(([code, rows]) => {
        const at = groupBy(rows, (row) => row.at.getTime());
        return { code, total: sum(rows), counts: ats.map((moment) => sum(at.get(moment))) };
      })
      .sort((a, b) => b.total - a.total)
      .slice(0, 50),
  };
}

function groupBy<T, K>(rows: readonly T[], keyOf: (row: T) => K): Map<K, T[]> {
  const groups = new Map<K, T[]>();
  for (const row of rows) {
    const group = groups.get(keyOf(row));
    if (group) group.push(row);
    else groups.set(keyOf(row), [row]);
  }
  return groups;
}

const sum = (rows: readonly { count: number }[] = []) => rows.reduce((total, row) => total + row.count, 0);

function outcomes(rows: readonly Counted[] = []) {
  const of = (outcome: string) => sum(rows.filter((row) => row.outcome === outcome));
  return { sent: of("sent"), notSent: of("not_sent"), unknown: of("unknown") };
}

/** One entry for each latency bucket, fastest first. */
function merged(rows: readonly HistogramEntry[] = []): HistogramEntry[] {
  return [...groupBy(rows, (row) => row.latency)]
    .map(([latency, entries]) => ({ latency, count: sum(entries) }))
    .sort((a, b) => a.latency - b.latency);
}

function percentiles(rows: readonly HistogramEntry[] | undefined) {
  const entries = merged(rows);
  const [p50Ms, p95Ms, p99Ms] = [0.5, 0.95, 0.99].map((q) => quantile(entries, q));
  return { p50Ms: p50Ms ?? null, p95Ms: p95Ms ?? null, p99Ms: p99Ms ?? null };
}
