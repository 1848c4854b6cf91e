import type { CostReport, Dimension } from "../../server/insights/schemas.ts";
import { othersLabel, type Bucket, type Series } from "../charts/prepare-series.ts";
import { amountOf, type Shown } from "./use-costs.ts";

const colors = [1, 4, 2, 3, 5, 6].map((number) => `var(--chart-${String(number)})`);
type Group = CostReport["groups"][number];

/** What tells a group from the others; several may have no value, such as applications that are gone. */
export const idOf = ({ key }: Pick<Group, "key">, by: Dimension): string =>
  key[by]?.value ?? `none ${key[by]?.label ?? ""}`;

/**
 * The course of costs by group: the largest groups one by one, all others as one series that says how many they are, and under it what the
 * period before came to at the same place.
 * @param all of the period, without the course of groups; more than the course tells apart
 */
export function courseOf(
  course: CostReport,
  all: CostReport,
  before: CostReport | undefined,
  { by, shown }: { by: Dimension; shown: Shown },
): { series: Series[]; buckets: Bucket[]; groupOf: (series: string) => Group | undefined } {
  const isCharged = (group: Group) => Number(amountOf(group, shown)) > 0;
  const groups = course.groups.filter(isCharged);
  const others = Math.max(0, all.groups.filter(isCharged).length - groups.length);
  const series: Series[] = groups.map((group, index) => ({
    key: idOf(group, by),
    label: group.key[by]?.label ?? "",
    color: colors[index] ?? "var(--chart-8)",
  }));
  if (others > 0 || course.moreGroups)
    series.push({ key: "others", label: othersLabel(others, all.moreGroups), color: "var(--chart-8)" });
  const courses = groups.map((group) => ({
    id: idOf(group, by),
    at: new Map(group.series.map((point) => [point.at, Number(amountOf(point, shown))])),
  }));
  const earlier = before ? sumsBefore(before, course.interval, shown) : [];
  const buckets = course.series.map((point, index) => {
    const values: Record<string, number | null> = {};
    let rest = Number(amountOf(point, shown));
    for (const { id, at } of courses) {
      const amount = at.get(point.at) ?? 0;
      values[id] = amount;
      rest -= amount;
    }
    values.others = Math.max(0, Number(rest.toFixed(6)));
    return { start: Date.parse(point.at), values, previous: earlier[index] ?? null };
  });
  return { series, buckets, groupOf: (key) => groups.find((group) => idOf(group, by) === key) };
}

/** The course of the period before, in its order, by the days or months of the present one: its report may be finer. */
function sumsBefore(before: CostReport, interval: CostReport["interval"], shown: Shown): number[] {
  const sums = new Map<string, number>();
  for (const point of before.series) {
    const at = point.at.slice(0, interval === "month" ? 7 : 10);
    sums.set(at, (sums.get(at) ?? 0) + Number(amountOf(point, shown)));
  }
  return [...sums.values()];
}
