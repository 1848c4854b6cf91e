export const periods = ["24h", "7d", "30d"] as const;
export type Period = (typeof periods)[number];

export const periodLabel: Record<Period, string> = {
  "24h": "Last 24 hours",
  "7d": "Last 7 days",
  "30d": "Last 30 days",
};

const hours: Record<Period, number> = { "24h": 24, "7d": 7 * 24, "30d": 30 * 24 };

/** Length of a period in milliseconds. */
export function periodLength(period: Period): number {
  return hours[period] * 3_600_000;
}

/** Text for an axis: clock time within a day, otherwise the date (days are UTC's). `moment` in epoch milliseconds. */
export function formatTick(moment: number, period: Period): string {
  const options: Intl.DateTimeFormatOptions =
    period === "24h" ? { hour: "numeric" } : { day: "numeric", month: "short", timeZone: "UTC" };
  return new Intl.DateTimeFormat(undefined, options).format(moment);
}

/** Text for the hovered bucket, with its end when it is longer than an instant. */
export function formatBucket(start: number, length: number): string {
  const day = new Intl.DateTimeFormat(undefined, { weekday: "short", day: "numeric", month: "short" });
  const clock = new Intl.DateTimeFormat(undefined, { hour: "2-digit", minute: "2-digit" });
  if (length >= 86_400_000)
    return new Intl.DateTimeFormat(undefined, {
      ...{ weekday: "short", day: "numeric", month: "short", timeZone: "UTC" },
    }).format(start);
  return `${day.format(start)}, ${clock.format(start)} – ${clock.format(start + length)}`;
}
