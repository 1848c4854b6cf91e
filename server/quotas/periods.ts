/** Days and calendar months in UTC, as numbers that cost nothing to compare. */
export type Period = "day" | "month";

const dayMs = 86_400_000;

/** The day of a moment: how many there were since 1970. */
export function dayOf(at: number): number {
  return Math.floor(at / dayMs);
}

/** The first day of the month that a day is in. */
export function monthStart(day: number): number {
  const date = new Date(day * dayMs);
  return dayOf(Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 1));
}

/** When the day, or its month, is over. */
export function endOf(period: Period, day: number): Date {
  if (period === "day") return new Date((day + 1) * dayMs);
  const date = new Date(day * dayMs);
  return new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1));
}

/** e.g. "2027-01-31", as the database has it. */
export function dateOf(day: number): string {
  return new Date(day * dayMs).toISOString().slice(0, 10);
}
