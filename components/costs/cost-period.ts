import { dateFormat } from "../ui/intl.ts";
/** Periods of the cost page. Costs are counted by days and months of UTC. */

const day = 86_400_000;

/** "month": this one; "2026-10": that one; else so many days or months up to now. */
export const costPeriods = ["month", "30d", "90d", "12m"] as const;
export type CostPeriod = (typeof costPeriods)[number] | `${number}-${number}`;

const isMonth = (period: string): boolean => /^\d{4}-(0[1-9]|1[0-2])$/.test(period);

/** What a link says, when it can be read. By whichever name, the month that is not over is this one. */
export function readCostPeriod(text: string, now: Date): CostPeriod | null {
  if (text === now.toISOString().slice(0, 7)) return "month";
  return isMonth(text) || costPeriods.some((each) => each === text) ? (text as CostPeriod) : null;
}

const hour = 3_600_000;
const monthStart = (now: Date, back: number) => Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - back, 1);
const startOfDay = (at: number) => Math.floor(at / day) * day;

/**
 * A period's bounds, those of the one before it, which is as long (or the month before), and how fine its course is. A day that is not
 * over is held against as many hours of its like.
 */
export function boundsOf(
  period: CostPeriod,
  now: Date,
): { from: Date; to: Date; before: { from: Date; to: Date }; interval: "day" | "month" } {
  const of = (from: number, to: number, before: number, interval: "day" | "month" = "day") => ({
    from: new Date(from),
    to: new Date(to),
    before: { from: new Date(before), to: new Date(from) },
    interval,
  });
  const tomorrow = startOfDay(now.getTime()) + day;
  const left = tomorrow - (Math.floor(now.getTime() / hour) + 1) * hour;
  const upToNow = (days: number) => {
    const bounds = of(tomorrow - days * day, tomorrow, tomorrow - 2 * days * day);
    return { ...bounds, before: { ...bounds.before, to: new Date(+bounds.before.to - left) } };
  };
  switch (period) {
    case "month": {
      // As much of the month before as has passed of this one.
      const from = monthStart(now, 0);
      const before = monthStart(now, 1);
      const bounds = of(from, tomorrow, before);
      return {
        ...bounds,
        before: { from: new Date(before), to: new Date(Math.min(from, before + (tomorrow - from) - left)) },
      };
    }
    case "30d":
      return upToNow(30);
    case "90d":
      return upToNow(90);
    case "12m": {
      // Up to the same day a year ago, as the running month is not over either.
      const bounds = of(monthStart(now, 11), tomorrow, monthStart(now, 23), "month");
      const yearAgo = Date.UTC(now.getUTCFullYear() - 1, now.getUTCMonth(), now.getUTCDate() + 1);
      return {
        ...bounds,
        before: { from: bounds.before.from, to: new Date(Math.min(+bounds.from, yearAgo - left)) },
      };
    }
    default: {
      const [year = 0, month = 1] = period.split("-").map(Number);
      return of(Date.UTC(year, month - 1, 1), Date.UTC(year, month, 1), Date.UTC(year, month - 2, 1));
    }
  }
}

/** The month whose statement belongs to a period: the one that is chosen, else this one. */
export function statementMonth(period: CostPeriod, now: Date): string {
  return isMonth(period) ? period : now.toISOString().slice(0, 7);
}

/** This month and the twelve before it, as periods with what people call them. */
export function monthChoices(now: Date): { value: CostPeriod; label: string }[] {
  return Array.from({ length: 12 }, (_, index) => {
    const start = new Date(monthStart(now, index + 1));
    return {
      value: start.toISOString().slice(0, 7) as CostPeriod,
      label: dateFormat({ month: "long", year: "numeric", timeZone: "UTC" }).format(start),
    };
  });
}

/**
 * What a month will come to: what it has come to, and for each day left the mean of that weekday in the last two weeks. Null with
 * less than three whole days to go by.
 * @param days sums of whole days (UTC) before today, the oldest first
 * @param soFar of this month, today included; @param today of today alone
 */
export function forecastMonth(
  days: readonly { at: Date; amount: number }[],
  { soFar, today, now }: { soFar: number; today: number; now: Date },
): number | null {
  const recent = days.filter(({ at }) => at.getTime() < startOfDay(now.getTime())).slice(-14);
  const spent = recent.findIndex(({ amount }) => amount > 0);
  const known = spent < 0 ? [] : recent.slice(spent);
  if (known.length < 3) return null;
  const mean = (some: readonly { amount: number }[]) =>
    some.reduce((sum, { amount }) => sum + amount, 0) / some.length;
  const expected = (at: Date) => {
    const same = known.filter((each) => each.at.getUTCDay() === at.getUTCDay());
    return mean(same.length > 0 ? same : known);
  };
  const end = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1);
  let sum = soFar + Math.max(0, expected(now) - today);
  for (let at = startOfDay(now.getTime()) + day; at < end; at += day) sum += expected(new Date(at));
  return sum;
}
