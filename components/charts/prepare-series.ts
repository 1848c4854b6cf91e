import { endOf, type Step } from "./period.ts";

export type Series = {
  key: string;
  label: string;
  /** A CSS colour from the tokens, such as `var(--chart-1)`. */
  color: string;
};

/** `start` in epoch milliseconds; null is a gap (nothing measured), 0 is a measured zero. */
export type Bucket = { start: number; values: Record<string, number | null>; previous?: number | null };

/** One row as Recharts wants it. */
export type DrawnPoint = { start: number; end: number; previous: number | null } & Record<
  string,
  number | null
>;

/** More buckets than this are drawn joined: no screen has room for them side by side. */
export const mostDrawn = 500;

/** What several buckets come to as one: counts and money are added, of measurements the highest shows. */
export type Join = "sum" | "highest";

function joined(values: readonly (number | null | undefined)[], join: Join): number | null {
  const measured = values.filter((value) => typeof value === "number");
  if (measured.length === 0) return null;
  return join === "sum" ? measured.reduce((sum, value) => sum + value, 0) : Math.max(...measured);
}

/**
 * Flattens buckets for drawing. Counts that are zero everywhere are left out, and measurements that were never made, so the legend names
 * what is there: a rate of zero is one. `each`: how many buckets a drawn point stands for.
 */
export function prepareSeries(
  buckets: readonly Bucket[],
  series: readonly Series[],
  interval: Step = "hour",
  join: Join = "sum",
) {
  const present = series.filter(({ key }) =>
    buckets.some(({ values }) =>
      join === "sum" ? (values[key] ?? 0) !== 0 : typeof values[key] === "number",
    ),
  );
  const each = Math.max(1, Math.ceil(buckets.length / mostDrawn));
  const points: DrawnPoint[] = [];
  for (let from = 0; from < buckets.length; from += each) {
    const part = buckets.slice(from, from + each);
    const [first, last] = [part[0], part.at(-1)];
    if (!first || !last) break;
    points.push({
      ...Object.fromEntries(
        present.map(({ key }) => [
          key,
          joined(
            part.map(({ values }) => values[key]),
            join,
          ),
        ]),
      ),
      start: first.start,
      end: endOf(last.start, interval),
      previous: joined(
        part.map(({ previous }) => previous),
        join,
      ),
    });
  }
  return { points, series: present, each };
}

/** The n largest groups, the rest summed as one: "top n of m". */
export function topOf<T extends { label: string; count: number }>(groups: readonly T[], n: number) {
  const sorted = groups.toSorted((a, b) => b.count - a.count);
  const rest = sorted.slice(n);
  return {
    top: sorted.slice(0, n),
    restCount: rest.reduce((sum, each) => sum + each.count, 0),
    restGroups: rest.length,
  };
}

/** How the series is called that all groups beyond the largest are folded into. @param more there are even more than were counted */
export function othersLabel(count: number, more: boolean): string {
  if (count === 0) return "All others";
  return more ? `All others (more than ${String(count)})` : `${String(count)} others`;
}

/** RFC 4180 text; a cell that a spreadsheet would run as a formula gets a leading apostrophe. */
export function toCsv(
  header: readonly string[],
  rows: readonly (readonly (string | number | null)[])[],
): string {
  const cell = (value: string | number | null) => {
    if (value === null) return "";
    if (typeof value === "number") return String(value);
    const safe = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
    return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
  };
  return [header, ...rows].map((row) => row.map(cell).join(",")).join("\r\n");
}
