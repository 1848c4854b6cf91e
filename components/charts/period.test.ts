import { describe, expect, test } from "vitest";
import { dayTicks, endOf, formatBucket, formatTick, utcStart } from "./period.ts";

const hour = 3_600_000;
const zone = "Europe/Berlin";
/** The hours between two moments, as a report gives them. */
const hoursBetween = (from: string, to: string) =>
  Array.from(
    { length: (Date.parse(to) - Date.parse(from)) / hour },
    (_, index) => Date.parse(from) + index * hour,
  );

describe("days on which clocks change", () => {
  // A day in Berlin begins at 22:00 or 23:00 of the day before in UTC.
  test.each([
    ["23 hours", "2026-03-28T23:00:00Z", "2026-03-29T22:00:00Z", 23],
    ["25 hours", "2026-10-24T22:00:00Z", "2026-10-25T23:00:00Z", 25],
  ])("a day of %s has as many bars, each with a name of its own", (_, from, to, count) => {
    const hours = hoursBetween(from, to);
    expect(hours).toHaveLength(count);
    const names = hours.map((start) => formatBucket(start, endOf(start, "hour"), "hour", zone));
    expect(new Set(names).size).toBe(count);
    // One tick for the day, at its first hour.
    expect(dayTicks([Date.parse(from) - hour, ...hours, Date.parse(to)], zone)).toEqual([
      Date.parse(from),
      Date.parse(to),
    ]);
  });

  test("the hour that comes twice is told apart by its offset, and the one that is left out is not there", () => {
    const name = (start: string) =>
      formatBucket(Date.parse(start), Date.parse(start) + hour, "hour", zone).replaceAll(/\s/g, " ");
    expect(name("2026-10-25T00:00:00Z")).toMatch(/0?2:00( AM)? GMT\+2 – 0?2:00( AM)? GMT\+1$/);
    expect(name("2026-10-25T01:00:00Z")).toMatch(/0?2:00( AM)? – 0?3:00( AM)? GMT\+1$/);
    expect(name("2026-03-29T01:00:00Z")).toMatch(/0?3:00( AM)? – 0?4:00( AM)? GMT\+2$/);
    expect(name("2026-03-29T00:00:00Z")).toMatch(/0?1:00( AM)? GMT\+1 – 0?3:00( AM)? GMT\+2$/);
  });

  test("a zone of half an hour keeps its minutes", () => {
    expect(formatBucket(Date.UTC(2026, 0, 5), Date.UTC(2026, 0, 5, 1), "hour", "Asia/Kolkata")).toMatch(
      /5:30.*6:30/,
    );
  });
});

describe("days, weeks and months are those of UTC, wherever one looks", () => {
  const at = Date.UTC(2026, 9, 25);
  test("and say so", () => {
    expect(formatBucket(at, endOf(at, "day"), "day", zone)).toMatch(/25.*\(UTC\)$/);
    expect(formatBucket(at, endOf(at, "week"), "week", zone)).toMatch(
      /25.*31.*2026 \(UTC\)$|Oct 25.*Oct 31.*\(UTC\)$/,
    );
    const month = Date.UTC(2026, 1, 1);
    expect(formatBucket(month, endOf(month, "month"), "month", zone)).toMatch(/February 2026 \(UTC\)$/);
  });
  test("axis and table name the same day", () => {
    expect(formatTick(at, "day", 30 * 24 * hour, "America/Los_Angeles")).toContain("25");
    expect(utcStart(at, "day")).toBe("2026-10-25");
    expect(utcStart(at, "month")).toBe("2026-10");
    expect(utcStart(at, "hour")).toBe("2026-10-25 00:00");
  });
  test("a month ends where the next one begins", () => {
    for (const [start, next] of [
      ["2026-01-01", "2026-02-01"],
      ["2026-02-01", "2026-03-01"],
      ["2028-02-01", "2028-03-01"],
      ["2026-12-01", "2027-01-01"],
    ] as const)
      expect(endOf(Date.parse(start), "month")).toBe(Date.parse(next));
  });
});

describe("the steps of the last hour", () => {
  const at = Date.UTC(2026, 10, 25, 13, 55);
  test("are told to the minute, on the viewer's clock", () => {
    expect(endOf(at, "five_minutes")).toBe(at + 5 * 60_000);
    expect(formatTick(at, "five_minutes", hour, zone)).toMatch(/2:55|14:55/);
    expect(formatBucket(at, endOf(at, "five_minutes"), "five_minutes", zone)).toMatch(
      /(14|0?2):55.* – (15|0?3):00/,
    );
    expect(utcStart(at, "five_minutes")).toBe("2026-11-25 13:55");
  });
});
