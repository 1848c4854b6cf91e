import { tenantConnections } from "../connections/load-connection.ts";
import type { Ctx } from "../kernel/ctx.ts";
import { visibleScopes } from "../operations/authorize.ts";
import { quantile } from "./histogram.ts";
import type { HistogramEntry } from "./histogram.ts";
import { selectCounts, selectFailures, selectLatencies } from "./queries.ts";
import { checkCourses, groupNames, groupRows, readFilter, readPeriod, timeline } from "./report-period.ts";
import type { ReportFilter } from "./report-period.ts";
import type { RollupFilter } from "./rollup-source.ts";
import { counters, nobody } from "./rollup-store.ts";
import type { Counter } from "./rollup-store.ts";
import { simulatedOf } from "./simulated-count.ts";
import type {
  DeliveryCounts,
  DeliveryGroup,
  DeliveryReport,
  DeliveryReportQuery,
  Dimension,
  Interval,
} from "./schemas.ts";

const day = 86_400_000;
/** What a group's course shows. */
const courseSums = ["accepted", "delivered", "failed"] as const;

/**
 * Outcomes of the messages accepted in a period: totals, course over time, by up to three dimensions, why some did not arrive, and
 * how long it took. Reads the rollups that the worker keeps, never the messages. Throws `invalid_request` for periods that cannot be
 * answered.
 * @param input.courses false: groups come without their courses
 */
export async function deliveryReport(
  ctx: Ctx,
  input: DeliveryReportQuery & ReportFilter & { courses?: boolean | undefined },
): Promise<DeliveryReport> {
  const scopes = visibleScopes(ctx, "reports:read");
  const period = readPeriod(ctx, input, (to) => new Date(to.getTime() - day));
  const { from, to, interval } = period;
  const filter = await readFilter(ctx, period, input);
  const by = input.groupBy ?? [];
  const limit = input.limit ?? (input.interval ? 20 : 100);
  const courses = input.interval !== undefined && by.length > 0 && input.courses !== false;
  if (courses) checkCourses(period, limit);
  const [series, latencies, failures, connections, simulated, grouped] = await Promise.all([
    selectCounts(ctx, scopes, filter, { by: [], interval, limit: null }),
    selectLatencies(ctx, scopes, filter, { by: [], interval }),
    selectFailures(ctx, scopes, filter),
    tenantConnections(ctx),
    simulatedOf(ctx, scopes, filter),
    by.length === 0
      ? { groups: [], moreGroups: false }
      : groupsOf(ctx, filter, { by, limit, interval: courses ? interval : null }),
  ]);
  const countsAt = groupRows(series, ({ at }) => String(at?.getTime()));
  const latenciesAt = groupRows(latencies, ({ at }) => String(at?.getTime()));
  return {
    from: from.toISOString(),
    to: to.toISOString(),
    interval,
    totals: countsOf(series),
    simulated,
    latencyMs: latencyOf(latencies),
    series: timeline(from, to, interval).map((at) => {
      const measured = latenciesAt.get(String(at.getTime())) ?? [];
      const of = (measure: Measure["measure"], q: number) => quantile(merged(measured, measure), q);
      return {
        at: at.toISOString(),
        ...countsOf(countsAt.get(String(at.getTime())) ?? []),
        sentP50Ms: of("sent", 0.5),
        sentP95Ms: of("sent", 0.95),
        deliveredP50Ms: of("delivered", 0.5),
        deliveredP95Ms: of("delivered", 0.95),
      };
    }),
    ...grouped,
    failures: failures.map(({ connectionId, ...failure }) => ({
      ...failure,
      connectionId: connectionId === nobody ? null : connectionId,
      provider: connections.get(connectionId)?.name ?? null,
    })),
  };
}

async function groupsOf(
  ctx: Ctx,
  filter: RollupFilter,
  { by, limit, interval }: { by: readonly Dimension[]; limit: number; interval: Interval | null },
): Promise<{ groups: DeliveryGroup[]; moreGroups: boolean }> {
  const scopes = visibleScopes(ctx, "reports:read");
  // One more than asked for tells whether there are more.
  const found = await selectCounts(ctx, scopes, filter, { by, interval: null, limit: limit + 1 });
  const shown = found.slice(0, limit);
  const keys = shown.map(({ key }) => key);
  const [latencies, courses, nameOf] = await Promise.all([
    selectLatencies(ctx, scopes, filter, { by, interval: null }, keys),
    interval === null
      ? []
      : selectCounts(ctx, scopes, filter, { by, interval, limit: null }, { keys, sums: courseSums }),
    groupNames(ctx, by, keys),
  ]);
  const latenciesOf = groupRows(latencies, ({ key }) => JSON.stringify(key));
  const coursesOf = groupRows(courses, ({ key }) => JSON.stringify(key));
  return {
    moreGroups: found.length > limit,
    groups: shown.map((row) => ({
      key: nameOf(row.key),
      ...countsOf([row]),
      latencyMs: latencyOf(latenciesOf.get(JSON.stringify(row.key)) ?? []),
      series: (coursesOf.get(JSON.stringify(row.key)) ?? []).map(({ at, accepted, delivered, failed }) => ({
        at: at?.toISOString() ?? "",
        accepted,
        delivered,
        failed,
      })),
    })),
  };
}

function countsOf(rows: readonly Record<Counter, number>[]): DeliveryCounts {
  const sums = Object.fromEntries(
    counters.map((counter) => [counter, rows.reduce((sum, row) => sum + row[counter], 0)]),
  ) as Record<Counter, number>;
  const { final: sentWithoutReceipt, ...counts } = sums;
  const ended = counts.delivered + counts.failed + counts.expired + counts.undetermined;
  return { ...counts, sentWithoutReceipt, deliveryRate: ended === 0 ? null : counts.delivered / ended };
}

export interface Measure extends HistogramEntry {
  measure: "sent" | "delivered";
}

/** One entry for each bucket, fastest first. */
export function merged(rows: readonly Measure[], measure: Measure["measure"]): HistogramEntry[] {
  const counts = new Map<number, number>();
  for (const row of rows)
    if (row.measure === measure) counts.set(row.latency, (counts.get(row.latency) ?? 0) + row.count);
  return [...counts].map(([latency, count]) => ({ latency, count })).sort((a, b) => a.latency - b.latency);
}

/** Percentiles of what was measured, both kinds. */
export function latencyOf(rows: readonly Measure[]): DeliveryReport["latencyMs"] {
  const of = (measure: Measure["measure"]) => {
    const entries = merged(rows, measure);
    const [p50, p95, p99] = [quantile(entries, 0.5), quantile(entries, 0.95), quantile(entries, 0.99)];
    return p50 === null || p95 === null || p99 === null ? null : { p50, p95, p99 };
  };
  return { sent: of("sent"), delivered: of("delivered") };
}
