import { describe, expect, test } from "vitest";
import { mostDrawn, othersLabel, prepareSeries, toCsv, topOf } from "./prepare-series.ts";

const series = [
  { key: "delivered", label: "Delivered", color: "var(--chart-1)" },
  { key: "failed", label: "Failed", color: "var(--chart-2)" },
];

describe("what a chart draws", () => {
  test("a bucket without a measurement is a gap, not a zero", () => {
    const { points } = prepareSeries(
      [
        { start: 0, values: { delivered: 4 } },
        { start: 3_600_000, values: {} },
      ],
      series,
    );
    expect(points.map((point) => point.delivered)).toEqual([4, null]);
  });

  test("a series that never occurs is not in the legend", () => {
    const prepared = prepareSeries([{ start: 0, values: { delivered: 4, failed: 0 } }], series);
    expect(prepared.series.map((each) => each.key)).toEqual(["delivered"]);
  });

  test("a rate that is zero all the time is drawn, one that was never measured is not", () => {
    const rates = [null, 0, 0].map((delivered, index) => ({ start: index, values: { delivered } }));
    const prepared = prepareSeries(rates, series, "hour", "highest");
    expect(prepared.series.map(({ key }) => key)).toEqual(["delivered"]);
    expect(prepared.points.map(({ delivered }) => delivered)).toEqual([null, 0, 0]);
  });

  test("the groups beyond the largest n are counted, never lost", () => {
    const groups = [1, 5, 3, 2].map((count) => ({ label: String(count), count }));
    expect(topOf(groups, 2)).toEqual({
      top: [
        { label: "5", count: 5 },
        { label: "3", count: 3 },
      ],
      restCount: 3,
      restGroups: 2,
    });
  });
});

describe("however many buckets there are", () => {
  const hour = 3_600_000;
  const many = (count: number) =>
    Array.from({ length: count }, (_, index) => ({
      start: index * hour,
      values: { delivered: index % 7, failed: index % 3 === 0 ? null : index },
      previous: 1,
    }));

  test.each([0, 1, 10, mostDrawn])("%i of them are drawn one by one", (count) => {
    const { points, each } = prepareSeries(many(count), series);
    expect(each).toBe(1);
    expect(points).toHaveLength(count);
    expect(points.every(({ start, end }) => end - start === hour)).toBe(true);
  });

  test("10,000 are joined to as many as a screen has room for, and nothing is lost", () => {
    const buckets = many(10_000);
    const { points, each } = prepareSeries(buckets, series);
    expect(points.length).toBeLessThanOrEqual(mostDrawn);
    expect(each).toBe(20);
    const sum = (values: (number | null | undefined)[]) =>
      values.reduce<number>((total, value) => total + (value ?? 0), 0);
    for (const key of ["delivered", "failed"] as const)
      expect(sum(points.map((point) => point[key]))).toBe(sum(buckets.map(({ values }) => values[key])));
    expect(sum(points.map(({ previous }) => previous))).toBe(10_000);
    expect(points[0]?.start).toBe(0);
    expect(points.at(-1)?.end).toBe(10_000 * hour);
    // Without holes: each begins where the one before ends.
    for (const [index, point] of points.entries())
      if (index > 0) expect(point.start).toBe(points[index - 1]?.end);
  });

  test("of measurements the highest shows, as a sum of percentiles is none; where none is, the gap stays", () => {
    const buckets = many(1_000).map((bucket, index) => ({
      ...bucket,
      values: { delivered: index < 2 ? null : index },
    }));
    const { points } = prepareSeries(buckets, series, "hour", "highest");
    expect(points.slice(0, 3).map(({ delivered }) => delivered)).toEqual([null, 3, 5]);
  });

  test("a bucket ends with its month, however long that is", () => {
    const months = [0, 1, 2].map((month) => ({
      start: Date.UTC(2026, month, 1),
      values: { delivered: 1 },
    }));
    const ends = prepareSeries(months, series, "month").points.map(({ end }) => end);
    expect(ends).toEqual([1, 2, 3].map((month) => Date.UTC(2026, month, 1)));
  });
});

test("the series of all others says how many they are", () => {
  expect(othersLabel(194, false)).toBe("194 others");
  expect(othersLabel(194, true)).toBe("All others (more than 194)");
});

describe("the CSV behind a chart", () => {
  test("quotes what needs quoting and leaves gaps empty", () => {
    expect(
      toCsv(
        ["reason", "count"],
        [
          ['says "no", twice', 3],
          ["none", null],
        ],
      ),
    ).toBe('reason,count\r\n"says ""no"", twice",3\r\nnone,');
  });

  test("a text cannot become a formula in a spreadsheet", () => {
    expect(toCsv(["reason"], [["=1+1"], ["@sum"]])).toBe("reason\r\n'=1+1\r\n'@sum");
  });
});
