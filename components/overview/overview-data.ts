import type { DeliveryCounts, DeliveryReport, OverviewReport } from "../../server/insights/schemas.ts";
import { utcHead, utcStart, type Step } from "../charts/period.ts";
import type { Bucket, Series } from "../charts/prepare-series.ts";

/** In stacking order: what arrived at the bottom, trouble on top, where the eye compares it. */
export const outcomeSeries: readonly Series[] = [
  { key: "delivered", label: "Delivered", color: "var(--chart-1)" },
  { key: "sentWithoutReceipt", label: "Sent, no receipt", color: "var(--chart-7)" },
  { key: "simulated", label: "Simulated", color: "var(--env-sandbox)" },
  { key: "underWay", label: "In progress", color: "var(--chart-8)" },
  { key: "canceled", label: "Canceled", color: "var(--chart-grid)" },
  { key: "undetermined", label: "Undetermined", color: "var(--chart-6)" },
  { key: "expired", label: "Expired", color: "var(--chart-3)" },
  { key: "rejected", label: "Rejected", color: "var(--chart-5)" },
  { key: "failed", label: "Failed", color: "var(--chart-2)" },
];

export const troubleSeries: readonly Series[] = outcomeSeries.filter((each) =>
  ["failed", "rejected", "expired", "undetermined"].includes(each.key),
);

export const latencySeries: readonly Series[] = [
  { key: "p50", label: "Median", color: "var(--chart-1)" },
  { key: "p95", label: "95th percentile", color: "var(--chart-4)" },
];

/** Accepted, and not yet at an end. */
export function underWay(counts: DeliveryCounts): number {
  const ended =
    counts.delivered +
    counts.sentWithoutReceipt +
    counts.failed +
    counts.rejected +
    counts.expired +
    counts.canceled +
    counts.undetermined;
  return Math.max(0, counts.accepted - ended);
}

/** Messages that did not arrive, whatever the reason; canceled ones were not meant to. */
export function undelivered(counts: DeliveryCounts): number {
  return counts.failed + counts.rejected + counts.expired + counts.undetermined;
}

/** What a chart says of messages that did not arrive, where there are none. */
export function noneUndelivered(counts: { delivered: number } | undefined): string {
  return counts?.delivered === 0
    ? "No messages completed in this period."
    : "All completed messages were delivered.";
}

/** Buckets by outcome; the previous period's accepted messages lie under the same positions. */
export function outcomeBuckets(
  report: DeliveryReport,
  previous: DeliveryReport["series"] | undefined,
): Bucket[] {
  return report.series.map((each, index) => ({
    start: Date.parse(each.at),
    values: {
      delivered: each.delivered,
      sentWithoutReceipt: each.sentWithoutReceipt,
      underWay: underWay(each),
      canceled: each.canceled,
      undetermined: each.undetermined,
      expired: each.expired,
      rejected: each.rejected,
      failed: each.failed,
    },
    previous: previous?.[index]?.accepted ?? null,
  }));
}

/** The same of the Overview's report, which tells simulated ones apart. */
export function overviewBuckets({ series, previous }: OverviewReport): Bucket[] {
  return series.map(({ at, accepted: _, sentP50Ms: _median, sentP95Ms: _high, ...values }, index) => ({
    start: Date.parse(at),
    values,
    previous: previous.accepted[index] ?? null,
  }));
}

export function latencyBuckets(report: OverviewReport): Bucket[] {
  return report.series.map((each) => ({
    start: Date.parse(each.at),
    values: { p50: each.sentP50Ms, p95: each.sentP95Ms },
  }));
}

/** Rows for the table behind a chart: one line a bucket, one column a series. @param hrefOf where a bucket leads */
export function bucketTable(
  buckets: readonly Bucket[],
  series: readonly Series[],
  interval: Step,
  { previousLabel, hrefOf }: { previousLabel?: string; hrefOf?: (start: number) => string | null } = {},
) {
  return {
    header: [
      utcHead[interval],
      ...series.map((each) => each.label),
      ...(previousLabel ? [previousLabel] : []),
    ],
    rows: buckets.map((bucket) => [
      utcStart(bucket.start, interval),
      ...series.map((each) => bucket.values[each.key] ?? null),
      ...(previousLabel ? [bucket.previous ?? null] : []),
    ]),
    ...(hrefOf ? { hrefs: buckets.map(({ start }) => hrefOf(start)) } : {}),
  };
}
