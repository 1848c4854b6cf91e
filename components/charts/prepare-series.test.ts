import { describe, expect, test } from "vitest";
import { prepareSeries, toCsv, topOf } from "./prepare-series.ts";

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
