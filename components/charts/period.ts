import type { Interval } from "../../server/insights/schemas.ts";
import { dateFormat } from "../ui/intl.ts";

export const periods = ["24h", "7d", "30d"] as const;
export type Period = (typeof periods)[number];

export const periodLabel: Record<Period | "1h", string> = {
  "1h": "Last hour",
  "24h": "Last 24 hours",
  "7d": "Last 7 days",
  "30d": "Last 30 days",
};

/** The steps of a chart's course. Five minutes are those of the last hour, counted from its start. */
export type Step = Interval | "five_minutes";

const minute = 60_000;
const hour = 3_600_000;
const day = 24 * hour;
const hours: Record<Period, number> = { "24h": 24, "7d": 7 * 24, "30d": 30 * 24 };

/** Length of a period in milliseconds. */
export function periodLength(period: Period): number {
  return hours[period] * hour;
}

/** The minute that a moment is in, both in milliseconds since 1970. */
export const startOfMinute = (moment: number) => Math.floor(moment / minute) * minute;

/*
 * Hours are told on the viewer's clock; days, weeks and months are those of UTC, in which figures are counted and billed, and say so.
 * So every day has 24 hours, and a day on which clocks change has 23 or 25 bars of an hour, each with its own offset.
 */

/** Which clock a chart's course is told by, for people. */
export function clockOf(interval: Step): string {
  return {
    five_minutes: "Steps of five minutes on your clock",
    hour: "Hours on your clock",
    day: "Days of UTC",
    week: "Weeks of UTC",
    month: "Months of UTC",
  }[interval];
}

/** Where a bucket ends that starts at an instant. */
export function endOf(start: number, interval: Step): number {
  if (interval !== "month") return start + { five_minutes: 5 * minute, hour, day, week: 7 * day }[interval];
  const at = new Date(start);
  return Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1, 1);
}

type Options = Intl.DateTimeFormatOptions;
const text = (at: number, options: Options) => dateFormat(options).format(at);
const dayMonth: Options = { day: "numeric", month: "short" };

/** `hour`s of more than a day and a half are told by their days, else by the clock. @param zone for tests */
export function formatTick(start: number, interval: Step, span: number, zone?: string): string {
  if (interval === "month") return text(start, { month: "short", year: "2-digit", timeZone: "UTC" });
  if (interval === "five_minutes") return text(start, { hour: "numeric", minute: "2-digit", timeZone: zone });
  if (interval !== "hour") return text(start, { ...dayMonth, timeZone: "UTC" });
  return text(start, { ...(span > 1.5 * day ? dayMonth : { hour: "numeric" }), timeZone: zone });
}

/** Where hours of several days have their ticks: at the first of each day on the viewer's clock, be it midnight or not. */
export function dayTicks(starts: readonly number[], zone?: string): number[] {
  const dates = starts.map((start) => text(start, { dateStyle: "short", timeZone: zone }));
  return starts.filter((_, index) => index > 0 && dates[index] !== dates[index - 1]);
}

/** What the bucket from `start` to `end` is, in words that stand alone. */
export function formatBucket(start: number, end: number, interval: Step, zone?: string): string {
  const last = end - 1;
  const year: Options = { timeZone: "UTC", year: "numeric" };
  if (interval === "month" && end <= endOf(start, "month"))
    return `${text(start, { ...year, month: "long" })} (UTC)`;
  if (interval === "hour" || interval === "five_minutes") {
    const clock = (at: number) => text(at, { hour: "2-digit", minute: "2-digit", timeZone: zone });
    const offset = (at: number) =>
      dateFormat({ timeZoneName: "shortOffset", timeZone: zone }, "en")
        .formatToParts(at)
        .find(({ type }) => type === "timeZoneName")?.value ?? "";
    const date = (at: number) => text(at, { weekday: "short", ...dayMonth, timeZone: zone });
    const until =
      date(end) === date(start) || end - start <= hour ? clock(end) : `${date(end)}, ${clock(end)}`;
    const changes = offset(start) !== offset(end);
    return `${date(start)}, ${clock(start)}${changes ? ` ${offset(start)}` : ""} – ${until} ${offset(end)}`;
  }
  return last - start < day
    ? `${text(start, { weekday: "short", ...dayMonth, timeZone: "UTC" })} (UTC)`
    : `${text(start, { ...dayMonth, timeZone: "UTC" })} – ${text(last, { ...year, ...dayMonth })} (UTC)`;
}

/** The start of a bucket as tables and files say it: in UTC. */
export function utcStart(start: number, interval: Step): string {
  const iso = new Date(start).toISOString();
  if (interval === "hour" || interval === "five_minutes") return iso.slice(0, 16).replace("T", " ");
  return iso.slice(0, interval === "month" ? 7 : 10);
}

export const utcHead: Record<Step, string> = {
  five_minutes: "Start (UTC)",
  hour: "Start (UTC)",
  day: "Day (UTC)",
  week: "Week from (UTC)",
  month: "Month (UTC)",
};
