import type {
  DeliveryCounts,
  DeliveryReport,
  OutcomeCounts,
  OverviewReport,
} from "../../server/insights/schemas.ts";
import { underWay } from "../overview/overview-data.ts";

type Told = Pick<DeliveryReport, "totals" | "series" | "interval" | "to">;

/** The report of a connection has the simulator's messages as any other's, so that here they are not told apart. */
export const outcomesOf = (counts: DeliveryCounts): OutcomeCounts => ({
  ...counts,
  underWay: underWay(counts),
  simulated: 0,
});

/** The course of the period before, as far as it is compared: the hour that is not over is held against nothing. */
export function comparedCourse(
  report: Told,
  before: Told | undefined,
  endOfHour: number,
): Told["series"] | undefined {
  return runs(report, endOfHour) ? before?.series.slice(0, -1) : before?.series;
}

/**
 * What of the totals is held against the period before. Of a course by hours it is those that are over; in a longer one an hour more or
 * less does not show. Null: nothing is over yet.
 */
export function comparedTotals(report: Told, before: Told, endOfHour: number): OverviewReport["compared"] {
  if (!runs(report, endOfHour)) return { now: outcomesOf(report.totals), then: outcomesOf(before.totals) };
  if (report.series.length < 2) return null;
  return { now: withoutLast(report), then: withoutLast(before) };
}

const runs = ({ interval, to }: Told, endOfHour: number) =>
  interval === "hour" && Date.parse(to) >= endOfHour;

function withoutLast({ totals, series }: Told): OutcomeCounts {
  const [all, last] = [outcomesOf(totals), series.at(-1)];
  if (!last) return all;
  const part = outcomesOf(last);
  return Object.fromEntries(
    (Object.keys(all) as (keyof OutcomeCounts)[]).map((name) => [name, all[name] - part[name]]),
  ) as unknown as OutcomeCounts;
}
