import { describe, expect, test } from "vitest";
import type { CostReport } from "../../server/insights/schemas.ts";
import { courseOf } from "./cost-course.ts";
import { areComparable, averageOf } from "./use-costs.ts";

const day = (number: number) => new Date(Date.UTC(2026, 9, number)).toISOString();
const sums = (amount: number) => ({
  costs: [
    {
      ...{ currency: "EUR", messages: amount.toFixed(6), platformFees: "0.000000", total: amount.toFixed(6) },
      ...{ reported: "0.000000", estimated: amount.toFixed(6), charged: 1, segments: 0 },
      ...{ averagePerMessage: null, averagePerSegment: null },
    },
  ],
  own: null,
});
const days = [1, 2, 3];
const template = (index: number): CostReport["groups"][number] => ({
  key: { template: { value: `id-${String(index)}`, label: `Template ${String(index)}` } },
  ...sums(200 - index),
  // Nothing on the second day.
  series: [
    { at: day(1), ...sums(150 - index) },
    { at: day(3), ...sums(50) },
  ],
});

/** A report of 200 templates, of which the course tells so many apart. */
function reports(drawn: number) {
  const groups = Array.from({ length: 200 }, (_, index) => template(index));
  const at = (wanted: string) =>
    groups.reduce(
      (sum, { series }) => sum + Number(series.find((point) => point.at === wanted)?.costs[0]?.total ?? 0),
      0,
    );
  const report: CostReport = {
    ...{ from: day(1), to: day(4), interval: "day", totals: [], own: null, unpriced: [] },
    series: days.map((number) => ({ at: day(number), ...sums(at(day(number))) })),
    groups: groups.map((group) => ({ ...group, series: [] })),
    moreGroups: false,
  };
  return {
    all: report,
    course: { ...report, groups: groups.slice(0, drawn), moreGroups: true },
  };
}
const shown = { currency: "EUR", own: false };

describe("costs of 200 templates over time", () => {
  const { all, course } = reports(6);
  const drawn = courseOf(course, all, undefined, { by: "template", shown });

  test("are the largest six and one series of the others that says how many", () => {
    expect(drawn.series).toHaveLength(7);
    expect(drawn.series.at(-1)).toMatchObject({ key: "others", label: "194 others" });
    expect(new Set(drawn.series.map(({ color }) => color)).size).toBe(7);
  });

  test("come to the day's sum, in which a day without costs is a zero and no gap", () => {
    for (const [index, bucket] of drawn.buckets.entries()) {
      const sum = Object.values(bucket.values).reduce<number>((total, value) => total + (value ?? 0), 0);
      expect(sum).toBeCloseTo(Number(all.series[index]?.costs[0]?.total), 6);
    }
    expect(Object.values(drawn.buckets[1]?.values ?? {})).toEqual(Array.from({ length: 7 }, () => 0));
  });

  test("a bar leads to its group, and that of the others to none alone", () => {
    expect(drawn.groupOf("id-3")?.key.template?.label).toBe("Template 3");
    expect(drawn.groupOf("others")).toBeUndefined();
  });
});

test("two groups without a value are two", () => {
  const { all, course } = reports(2);
  course.groups = ["Removed application", "No application"].map((label, index) => ({
    ...template(index),
    key: { application: { value: null, label } },
  }));
  const { series } = courseOf(course, all, undefined, { by: "application", shown });
  expect(new Set(series.map(({ key }) => key)).size).toBe(series.length);
});

test("the period before lies at the same places, also when its report is finer", () => {
  const { all, course } = reports(1);
  const before: CostReport = {
    ...all,
    interval: "hour",
    series: [0, 1, 24, 48].map((hour) => ({
      at: new Date(Date.UTC(2026, 8, 1, hour)).toISOString(),
      ...sums(10),
    })),
  };
  const { buckets } = courseOf(course, all, before, { by: "template", shown });
  expect(buckets.map(({ previous }) => previous)).toEqual([20, 10, 10]);
});

describe("the average of a charged attempt in the organisation's own currency", () => {
  const euros = sums(3).costs[0]!;
  const own = (withoutRate: string[]) => ({
    ...{ currency: "EUR", messages: "3.000000", platformFees: "0.000000", total: "3.000000", withoutRate },
  });
  const both = [euros, { ...euros, currency: "USD", charged: 99 }];

  test("is of the attempts that are in the sum: none is given while some have no rate", () => {
    expect(averageOf({ costs: both, own: own(["USD"]) }, { currency: "EUR", own: true })).toBeNull();
    expect(averageOf({ costs: both, own: own([]) }, { currency: "EUR", own: true })).toBe(0.03);
    expect(averageOf({ costs: both, own: own(["USD"]) }, { currency: "EUR", own: false })).toBe(3);
  });
});

test("two periods are compared in the own currency only where all of both has a rate", () => {
  const own = (withoutRate: string[]) => ({
    own: { currency: "EUR", messages: "3", platformFees: "0", total: "3", withoutRate },
  });
  const inOwn = { currency: "EUR", own: true };
  expect(areComparable(own([]), own([]), inOwn)).toBe(true);
  expect(areComparable(own([]), own(["USD"]), inOwn)).toBe(false);
  expect(areComparable(own(["USD"]), own([]), inOwn)).toBe(false);
  expect(areComparable({ own: null }, { own: null }, { currency: "EUR", own: false })).toBe(true);
});
