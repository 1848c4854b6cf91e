import { tenantConnections } from "../connections/load-connection.ts";
import { channelSchema } from "../kernel/channel.ts";
import type { Ctx } from "../kernel/ctx.ts";
import { visibleScopes } from "../operations/authorize.ts";
import { getCatalogue } from "../tenancy/catalogue.ts";
import { latencyOf, merged } from "./delivery-report.ts";
import type { Measure } from "./delivery-report.ts";
import { quantile } from "./histogram.ts";
import { selectCounts, selectLatencies, selectReasons, selectRecent } from "./queries.ts";
import type { RecentRow } from "./queries.ts";
import { groupRows, readFilter, timeline } from "./report-period.ts";
import type { RollupFilter } from "./rollup-source.ts";
import type { Counter } from "./rollup-store.ts";
import type { OutcomeCounts, OverviewQuery, OverviewReport } from "./schemas.ts";
import type { OverviewPeriod } from "./vocabulary.ts";

const minute = 60_000;
const hour = 60 * minute;
const lengths: Record<OverviewPeriod, number> = {
  "1h": hour,
  "24h": 24 * hour,
  "7d": 7 * 24 * hour,
  "30d": 30 * 24 * hour,
};
/** Of the course of the last hour. */
const stepMs = 5 * minute;
/** So many messages of two hours are read one by one, and no more. */
export const mostRead = 100_000;

const failing = ["failed", "rejected", "expired", "undetermined"] as const;
const ends = ["delivered", ...failing, "canceled"] as const;
const counted = [...ends, "sentWithoutReceipt", "simulated"] as const;

type Given = Omit<OutcomeCounts, "underWay">;
const nothing = Object.fromEntries(["accepted", ...counted].map((name) => [name, 0])) as unknown as Given;
/** What is at no end yet is what of the accepted ones is left. */
const withUnderWay = (counts: Given): OutcomeCounts => ({
  ...counts,
  underWay: Math.max(0, counts.accepted - counted.reduce((sum, name) => sum + counts[name], 0)),
});

/** What the figures are read with. */
interface Asked {
  filter: RollupFilter;
  /** Connections that reach nobody, of which is told apart. */
  simulators: string[];
}
type Figures = Omit<OverviewReport, "from" | "to" | "sandbox" | "wholeHours">;

/**
 * What became of the messages accepted in a period that ends now, and in the one before it. The last hour is read from the messages, to
 * the minute; longer periods, and an hour with more than mostRead, from the rollups, by whole hours.
 */
export async function overviewReport(ctx: Ctx, input: OverviewQuery): Promise<OverviewReport> {
  const [{ environments }, connections] = await Promise.all([getCatalogue(ctx), tenantConnections(ctx)]);
  const sandbox = environments.find(({ id }) => id === input.environmentId)?.kind === "sandbox";
  const simulators = sandbox
    ? []
    : [...connections.values()].filter(({ adapter }) => adapter.name === "simulator").map(({ id }) => id);
  const ask = async (to: number, length: number): Promise<Asked> => ({
    filter: await readFilter(ctx, { from: new Date(to - length), to: new Date(to) }, input),
    simulators,
  });
  const now = ctx.now().getTime();
  const endOfHour = Math.ceil(now / hour) * hour;
  const recent = await ask(Math.ceil(now / minute) * minute, hour);
  const byMinute = input.period === "1h" && (await isReadable(ctx, recent.filter));
  // The clock hour that runs may have just begun.
  const asked = byMinute
    ? recent
    : await ask(endOfHour, input.period === "1h" ? 2 * hour : lengths[input.period]);
  const figures = byMinute ? await recentFigures(ctx, asked) : await storedFigures(ctx, asked);
  const { from, to } = asked.filter;
  const wholeHours = input.period === "1h" && !byMinute;
  return {
    from: from.toISOString(),
    to: to.toISOString(),
    sandbox,
    ...figures,
    compared: wholeHours ? null : figures.compared,
    wholeHours,
  };
}

/** Whether the messages of a period and of the one before are few enough to be read, by what the rollups say of these hours. */
async function isReadable(ctx: Ctx, filter: RollupFilter): Promise<boolean> {
  const around = {
    ...filter,
    from: new Date(Math.floor((filter.from.getTime() - hour) / hour) * hour),
    to: new Date(Math.ceil(filter.to.getTime() / hour) * hour),
  };
  const [row] = await selectCounts(
    ctx,
    visibleScopes(ctx, "reports:read"),
    around,
    { by: [], interval: null, limit: null },
    { sums: ["accepted"] },
  );
  return (row?.accepted ?? 0) <= mostRead;
}

async function recentFigures(ctx: Ctx, { filter, simulators }: Asked): Promise<Figures> {
  const { from, to } = filter;
  const start = from.getTime();
  const earlier = { ...filter, from: new Date(start - (to.getTime() - start)) };
  const rows = await selectRecent(ctx, visibleScopes(ctx, "reports:read"), earlier, {
    stepMs,
    simulators,
    most: 2 * mostRead,
  });
  const [before, now] = [rows.filter(({ at }) => at < from), rows.filter(({ at }) => at >= from)];
  const stepsAt = (first: number) =>
    Array.from({ length: (to.getTime() - start) / stepMs }, (_, index) => first + index * stepMs);
  const at = groupRows(rows, (row) => String(row.at.getTime()));
  const rowsOf = (step: number) => at.get(String(step)) ?? [];
  const failures = new Map<string, OverviewReport["failures"][number]>();
  for (const { status, code, count, simulated } of now) {
    if (simulated || !failing.some((each) => each === status)) continue;
    const key = `${status} ${code}`;
    failures.set(key, { status, code, count: (failures.get(key)?.count ?? 0) + count });
  }
  const [totals, totalsBefore] = [outcomesOf(now), outcomesOf(before)];
  return {
    step: "five_minutes",
    totals,
    compared: { now: totals, then: totalsBefore },
    sentMs: latencyOf(measured(now)).sent,
    series: stepsAt(start).map((step) => ({
      at: new Date(step).toISOString(),
      ...outcomesOf(rowsOf(step)),
      ...courseOf(measured(rowsOf(step))),
    })),
    channels: [...groupRows(now, ({ channel }) => channel)]
      .map(([, of]) => ({ channel: channelSchema.parse(of[0]?.channel), ...outcomesOf(of) }))
      .sort((a, b) => b.accepted - a.accepted),
    failures: [...failures.values()].sort(mostFirst).slice(0, 50),
    previous: {
      totals: totalsBefore,
      sentP50Ms: latencyOf(measured(before)).sent?.p50 ?? null,
      accepted: stepsAt(earlier.from.getTime()).map((step) => outcomesOf(rowsOf(step)).accepted),
    },
  };
}

type Failure = OverviewReport["failures"][number];
const mostFirst = (a: Failure, b: Failure): number =>
  b.count - a.count || a.status.localeCompare(b.status) || a.code.localeCompare(b.code);

function outcomesOf(rows: readonly RecentRow[]): OutcomeCounts {
  const counts = { ...nothing };
  for (const { status, final, simulated, count } of rows) {
    counts.accepted += count;
    const end = status === "sent" && final ? "sentWithoutReceipt" : ends.find((each) => each === status);
    if (end !== undefined) counts[simulated ? "simulated" : end] += count;
  }
  return withUnderWay(counts);
}

const measured = (rows: readonly RecentRow[]): Measure[] =>
  rows
    .filter(({ latency, simulated }) => latency >= 0 && !simulated)
    .map(({ latency, count }) => ({ measure: "sent", latency, count }));

function courseOf(rows: readonly Measure[]): { sentP50Ms: number | null; sentP95Ms: number | null } {
  const entries = merged(rows, "sent");
  return { sentP50Ms: quantile(entries, 0.5), sentP95Ms: quantile(entries, 0.95) };
}

async function storedFigures(ctx: Ctx, { filter, simulators }: Asked): Promise<Figures> {
  const scopes = visibleScopes(ctx, "reports:read");
  const { from, to } = filter;
  const length = to.getTime() - from.getTime();
  const step = length <= 3 * 24 * hour ? "hour" : "day";
  const earlier = { ...filter, from: new Date(from.getTime() - length), to: from };
  // The hour that is not over is held against nothing, and its like in the period before against it neither.
  const running = { ...filter, from: new Date(to.getTime() - hour) };
  const overBefore = { ...earlier, to: new Date(from.getTime() - hour) };
  const restBefore = { ...earlier, from: overBefore.to };
  // Without a simulator a smaller slice answers. A message is accepted before it has a connection: that is counted in the first part.
  const apart = simulators.length > 0;
  const real = apart ? { exceptConnections: simulators } : {};
  const counts = async (part: RollupFilter, by: readonly "channel"[], interval: "hour" | "day" | null) => {
    const grouping = { by, interval, limit: interval === null ? 10 : null };
    const [reached, simulated] = await Promise.all([
      selectCounts(ctx, scopes, { ...part, ...real }, grouping),
      apart ? selectCounts(ctx, scopes, { ...part, amongConnections: simulators }, grouping) : [],
    ]);
    return { reached, simulated };
  };
  const [course, unfinished, before, rest, channels, latencies, latenciesBefore, failures] =
    await Promise.all([
      counts(filter, [], step),
      counts(running, [], null),
      counts(overBefore, [], step),
      counts(restBefore, [], null),
      counts(filter, ["channel"], null),
      selectLatencies(ctx, scopes, { ...filter, ...real }, { by: [], interval: step }),
      selectLatencies(ctx, scopes, { ...earlier, ...real }, { by: [], interval: null }),
      selectReasons(ctx, scopes, { ...filter, ...real }),
    ]);
  const latenciesAt = groupRows(latencies, ({ at }) => String(at?.getTime()));
  const ofChannel = (rows: Stored, channel: string) => rows.filter(({ key }) => key[0] === channel);
  const at = (rows: Stored, start: Date) => rows.filter((row) => row.at?.getTime() === start.getTime());
  const all = ({ reached, simulated }: { reached: Stored; simulated: Stored }) => sumOf(reached, simulated);
  const totals = all(course);
  const then = all(before);
  return {
    step,
    totals,
    compared: { now: less(totals, all(unfinished)), then },
    sentMs: latencyOf(latencies).sent,
    series: timeline(from, to, step).map((start) => ({
      at: start.toISOString(),
      ...sumOf(at(course.reached, start), at(course.simulated, start)),
      ...courseOf(latenciesAt.get(String(start.getTime())) ?? []),
    })),
    channels: channelSchema.options
      .map((channel) => ({
        channel,
        ...sumOf(ofChannel(channels.reached, channel), ofChannel(channels.simulated, channel)),
      }))
      .filter(({ accepted }) => accepted > 0)
      .sort((a, b) => b.accepted - a.accepted),
    failures,
    previous: {
      totals: plus(then, all(rest)),
      sentP50Ms: latencyOf(latenciesBefore).sent?.p50 ?? null,
      accepted: timeline(overBefore.from, overBefore.to, step).map(
        (start) => sumOf(at(before.reached, start), []).accepted,
      ),
    },
  };
}

const each = (one: OutcomeCounts, of: (name: keyof OutcomeCounts) => number): OutcomeCounts =>
  Object.fromEntries(
    (Object.keys(one) as (keyof OutcomeCounts)[]).map((name) => [name, of(name)]),
  ) as unknown as OutcomeCounts;
const plus = (one: OutcomeCounts, other: OutcomeCounts) => each(one, (name) => one[name] + other[name]);
/** Both were read at slightly different moments. */
const less = (one: OutcomeCounts, other: OutcomeCounts) =>
  each(one, (name) => Math.max(0, one[name] - other[name]));

type Stored = readonly (Record<Counter, number> & { at: Date | null; key: string[] })[];

/** @param simulated what was counted at a simulator */
function sumOf(reached: Stored, simulated: Stored): OutcomeCounts {
  const counts = { ...nothing };
  for (const row of reached) {
    counts.accepted += row.accepted;
    counts.sentWithoutReceipt += row.final;
    for (const end of ends) counts[end] += row[end];
  }
  for (const row of simulated) counts.simulated += row.final + ends.reduce((sum, end) => sum + row[end], 0);
  return withUnderWay(counts);
}
