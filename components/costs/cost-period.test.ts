import { describe, expect, test } from "vitest";
import { boundsOf, forecastMonth, monthChoices, readCostPeriod } from "./cost-period.ts";

const day = 86_400_000;
const iso = ({ from, to }: { from: Date; to: Date }) =>
  [from, to].map((at) => at.toISOString().slice(0, 16).replace("T00:00", ""));

describe("periods of the cost page", () => {
  const now = new Date("2026-11-23T10:20:00Z");

  test("are whole days and months of UTC, with as long a period before", () => {
    const month = boundsOf("month", now);
    expect([iso(month), iso(month.before)]).toEqual([
      ["2026-11-01", "2026-11-24"],
      ["2026-10-01", "2026-10-23T11:00"],
    ]);
    const february = boundsOf("2026-02", now);
    expect([iso(february), iso(february.before)]).toEqual([
      ["2026-02-01", "2026-03-01"],
      ["2026-01-01", "2026-02-01"],
    ]);
    const year = boundsOf("12m", now);
    expect([iso(year), iso(year.before)]).toEqual([
      ["2025-12-01", "2026-11-24"],
      ["2024-12-01", "2025-11-23T11:00"],
    ]);
  });

  test("hold a day that is not over against as many hours", () => {
    expect(iso(boundsOf("30d", now).before)).toEqual(["2026-09-25", "2026-10-24T11:00"]);
    expect(iso(boundsOf("month", new Date("2026-11-01T00:30:00Z")).before)).toEqual([
      "2026-10-01",
      "2026-10-01T01:00",
    ]);
    expect(iso(boundsOf("90d", new Date("2026-11-23T23:59:00Z")).before)).toEqual([
      "2026-05-28",
      "2026-08-26",
    ]);
  });

  test("the running month is this month also where a link names it, so that it is not held against a whole one", () => {
    expect(readCostPeriod("2026-11", now)).toBe("month");
    expect(readCostPeriod("2026-11", new Date("2026-12-01T00:00:00Z"))).toBe("2026-11");
  });

  test("a month that has just begun is not held against the whole month of a year ago", () => {
    const first = boundsOf("12m", new Date("2026-11-01T09:00:00Z"));
    expect([iso(first), iso(first.before)]).toEqual([
      ["2025-12-01", "2026-11-02"],
      ["2024-12-01", "2025-11-01T10:00"],
    ]);
    expect(iso(boundsOf("12m", new Date("2028-02-29T09:00:00Z")).before)).toEqual([
      "2026-03-01",
      "2027-03-01",
    ]);
  });

  test("a long month is never held against more than the whole short one before it", () => {
    expect(iso(boundsOf("month", new Date("2026-03-31T12:00:00Z")).before)).toEqual([
      "2026-02-01",
      "2026-03-01",
    ]);
  });

  test("what a link says is read only when it is one", () => {
    expect(["2026-10", "12m", "2026-13", "x", ""].map((text) => readCostPeriod(text, now))).toEqual([
      "2026-10",
      "12m",
      null,
      null,
      null,
    ]);
    expect(monthChoices(new Date("2026-01-15T00:00:00Z")).map(({ value }) => value)[0]).toBe("2025-12");
  });
});

describe("the forecast of a month", () => {
  const now = new Date("2026-11-23T12:00:00Z");
  const today = Date.UTC(2026, 10, 23);
  const days = (count: number, amount: (at: Date) => number) =>
    Array.from({ length: count }, (_, index) => {
      const at = new Date(today - (count - index) * day);
      return { at, amount: amount(at) };
    });

  test("goes on as each weekday was", () => {
    const weekend = (at: Date) => [0, 6].includes(at.getUTCDay());
    const known = days(14, (at) => (weekend(at) ? 1 : 10));
    // Monday the 23rd with 4 so far; 24 to 27 and 30 are weekdays, 28 and 29 the weekend.
    expect(forecastMonth(known, { soFar: 200, today: 4, now })).toBe(200 + 6 + 5 * 10 + 2 * 1);
  });

  test("is not given with less than three whole days, nor counts days before the first cost", () => {
    expect(
      forecastMonth(
        days(2, () => 5),
        { soFar: 10, today: 0, now },
      ),
    ).toBeNull();
    const late = days(14, (at) => (at.getTime() >= today - 2 * day ? 5 : 0));
    expect(forecastMonth(late, { soFar: 10, today: 0, now })).toBeNull();
  });

  test("never says less than what it has come to", () => {
    expect(
      forecastMonth(
        days(14, () => 1),
        { soFar: 500, today: 90, now },
      ),
    ).toBeGreaterThanOrEqual(500);
  });
});
