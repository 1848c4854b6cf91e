/** A count of measurements whose value is at most 2^(bucket/4) ms. */
export interface HistogramEntry {
  latency: number;
  count: number;
}

/**
 * The q-quantile (0 < q < 1) in ms of a histogram sorted by bucket, interpolated within its bucket; null when empty. A
 * bucket is a quarter of an octave wide, so the answer is within a fifth of the true one.
 */
export function quantile(entries: readonly HistogramEntry[], q: number): number | null {
  const total = entries.reduce((sum, entry) => sum + entry.count, 0);
  if (total <= 0) return null;
  let left = q * total;
  for (const entry of entries) {
    if (left <= entry.count) {
      const upper = 2 ** (entry.latency / 4);
      const lower = entry.latency === 0 ? 0 : 2 ** ((entry.latency - 1) / 4);
      return Math.round((lower + (upper - lower) * Math.max(0, left / entry.count)) * 10) / 10;
    }
    left -= entry.count;
  }
  const last = entries.at(-1);
  return last ? Math.round(2 ** (last.latency / 4) * 10) / 10 : null;
}
