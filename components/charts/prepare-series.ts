export type Series = {
  key: string;
  label: string;
  /** A CSS colour from the tokens, such as `var(--chart-1)`. */
  color: string;
};

/** `start` in epoch milliseconds; null is a gap (nothing measured), 0 is a measured zero. */
export type Bucket = { start: number; values: Record<string, number | null>; previous?: number | null };

/** One row as Recharts wants it. */
export type DrawnPoint = { start: number; previous: number | null } & Record<string, number | null>;

/** Flattens buckets for drawing. Series that are zero everywhere are left out, so the legend names what is there. */
export function prepareSeries(buckets: readonly Bucket[], series: readonly Series[]) {
  const present = series.filter((each) => buckets.some((bucket) => (bucket.values[each.key] ?? 0) !== 0));
  const points: DrawnPoint[] = buckets.map((bucket) => ({
    ...Object.fromEntries(present.map((each) => [each.key, bucket.values[each.key] ?? null])),
    start: bucket.start,
    previous: bucket.previous ?? null,
  }));
  const first = buckets[0];
  const second = buckets[1];
  const length = first && second ? second.start - first.start : 3_600_000;
  return { points, series: present, length };
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
