import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { testDatabase } from "../testing/database.ts";
import { quantile } from "./histogram.ts";

const database = await testDatabase();

/** The same as the database's latency_bucket(). */
const bucketOf = (ms: number) => Math.ceil(4 * Math.log2(Math.max(ms, 1)) - 1e-9);

function histogramOf(values: number[]) {
  const counts = new Map<number, number>();
  for (const value of values) counts.set(bucketOf(value), (counts.get(bucketOf(value)) ?? 0) + 1);
  return [...counts].map(([latency, count]) => ({ latency, count })).sort((a, b) => a.latency - b.latency);
}

describe("latency quantiles", () => {
  it("are null without measurements", () => {
    expect(quantile([], 0.5)).toBeNull();
    expect(quantile([{ latency: 4, count: 0 }], 0.5)).toBeNull();
  });

  it("are within a fifth of the true value, whatever was measured", () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 2, max: 10_000_000 }), { minLength: 1, maxLength: 300 }),
        fc.constantFrom(0.5, 0.95, 0.99),
        (values, q) => {
          const sorted = [...values].sort((a, b) => a - b);
          const exact = sorted[Math.max(0, Math.ceil(q * sorted.length) - 1)] ?? 0;
          const estimate = quantile(histogramOf(values), q) ?? 0;
          expect(estimate).toBeGreaterThanOrEqual(exact / 1.2 - 0.1);
          expect(estimate).toBeLessThanOrEqual(exact * 1.2 + 0.1);
        },
      ),
    );
  });

  it("never go down as q goes up", () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 100_000 }), { minLength: 1 }), (values) => {
        const entries = histogramOf(values);
        const [p50, p95, p99] = [0.5, 0.95, 0.99].map((q) => quantile(entries, q) ?? 0);
        expect(p50).toBeLessThanOrEqual(p95 ?? 0);
        expect(p95).toBeLessThanOrEqual(p99 ?? 0);
      }),
    );
  });

  it("read the buckets that the database writes", async () => {
    const durations = [0, 0.4, 1, 1.1, 2, 3, 10, 99, 1_000, 60_000, 86_400_000];
    const { rows } = await database.owner.query<{ ms: number; bucket: number }>(
      `SELECT ms::float8, latency_bucket(make_interval(secs => ms / 1000)) AS bucket FROM unnest($1::float8[]) AS ms`,
      [durations],
    );
    for (const { ms, bucket } of rows) {
      expect(2 ** (bucket / 4), `${String(ms)} ms`).toBeGreaterThanOrEqual(ms * 0.999);
      if (bucket > 0) expect(2 ** ((bucket - 1) / 4), `${String(ms)} ms`).toBeLessThan(ms * 1.001);
    }
    const none = await database.owner.query<{ bucket: number }>("SELECT latency_bucket(NULL) AS bucket");
    expect(none.rows[0]?.bucket).toBe(-1);
  });
});
