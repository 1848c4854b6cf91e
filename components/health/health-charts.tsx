"use client";

import type { HealthReport } from "../../server/health/schemas.ts";
import { ChartCard, Legend } from "../charts/chart-card.tsx";
import type { Period } from "../charts/period.ts";
import { prepareSeries, type Bucket, type Series } from "../charts/prepare-series.ts";
import { RankedBars } from "../charts/ranked-bars.tsx";
import { TimeSeriesChart } from "../charts/time-series-chart.tsx";
import { bucketTable } from "../overview/overview-data.ts";
import { usePortal } from "../portal/portal-context.tsx";
import { formatCompact, formatDuration, formatNumber, formatPercent, humanize } from "../ui/format.ts";

const outcomes: readonly Series[] = [
  { key: "sent", label: "Accepted", color: "var(--chart-1)" },
  { key: "unknown", label: "Not confirmed", color: "var(--chart-6)" },
  { key: "notSent", label: "Not sent", color: "var(--chart-2)" },
];
const percentiles: readonly Series[] = [
  { key: "p50", label: "Median", color: "var(--chart-1)" },
  { key: "p95", label: "95th percentile", color: "var(--chart-4)" },
];
const lines = [1, 2, 3, 4, 5, 6].map((index) => `var(--chart-${String(index)})`);
/** Codes that get a colour of their own; the others are in the table. */
const drawnCodes = 5;

/** How calls went, why some did not send, and how long they took, over time. */
export function HealthCharts({
  report,
  period,
  connectionId,
  channel,
}: {
  report: HealthReport | undefined;
  period: Period;
  connectionId: string | null;
  channel: string | null;
}) {
  const { href } = usePortal();
  const file = (name: string) => `${name}-${period}`;
  const interval = report?.bucket ?? "hour";
  const starts = report?.series.map((each) => Date.parse(each.at)) ?? [];
  const calls: Bucket[] = (report?.series ?? []).map((each, index) => ({
    start: starts[index] ?? 0,
    values: { sent: each.sent, unknown: each.unknown, notSent: each.notSent },
  }));
  const nothing = report?.connections.length === 0;
  const state = !report ? "loading" : nothing ? "empty" : "ready";
  const emptyText = "No calls in this period.";

  const errors = report?.errors ?? [];
  const codes: Series[] = errors.slice(0, drawnCodes).map((error, index) => ({
    key: error.code,
    label: humanize(error.code),
    color: lines[index + 1] ?? "var(--chart-8)",
  }));
  const errorBuckets: Bucket[] = starts.map((start, index) => ({
    start,
    values: Object.fromEntries(errors.map((error) => [error.code, error.counts[index] ?? 0])),
  }));
  const everyCode: Series[] = errors.map((error) => ({
    key: error.code,
    label: humanize(error.code),
    color: "",
  }));

  const single = report?.durations.length === 1;
  const connections: Series[] = single
    ? [...percentiles]
    : (report?.durations ?? []).map((each, index) => ({
        key: each.id,
        label: each.name,
        color: lines[index] ?? "var(--chart-8)",
      }));
  const durations: Bucket[] = starts.map((start, index) => ({
    start,
    values: single
      ? { p50: report.series[index]?.p50Ms ?? null, p95: report.series[index]?.p95Ms ?? null }
      : Object.fromEntries((report?.durations ?? []).map((each) => [each.id, each.p95Ms[index] ?? null])),
  }));

  return (
    <div className="mb-4 grid gap-4 lg:grid-cols-3">
      <ChartCard
        className="lg:col-span-2"
        title="Calls"
        description="Calls to providers by outcome"
        state={state}
        emptyText={emptyText}
        fileName={file("calls")}
        table={bucketTable(calls, outcomes, interval)}
        legend={<Legend items={prepareSeries(calls, outcomes).series} />}
      >
        <TimeSeriesChart
          label="Calls to providers over time by outcome"
          buckets={calls}
          series={outcomes}
          kind="bars"
          interval={interval}
          formatValue={formatNumber}
          formatAxis={formatCompact}
          showTotal
        />
      </ChartCard>
      <ChartCard
        title="By connection"
        description="Calls and share accepted"
        state={state}
        emptyText={emptyText}
        fileName={file("connections")}
        table={{
          header: [
            "Connection",
            "Accepted",
            "Not sent",
            "Not confirmed",
            "Median, ms",
            "95th, ms",
            "99th, ms",
          ],
          rows: (report?.connections ?? []).map((each) => [
            each.name,
            each.sent,
            each.notSent,
            each.unknown,
            each.p50Ms,
            each.p95Ms,
            each.p99Ms,
          ]),
        }}
      >
        <RankedBars
          color="var(--chart-1)"
          groups={(report?.connections ?? []).map((each) => {
            const count = each.sent + each.notSent + each.unknown;
            return {
              key: each.id,
              label: each.name,
              hint: `${formatPercent(each.sent / count)} accepted`,
              count,
              href: href("/health", { connection: each.id, range: period, channel }),
            };
          })}
        />
      </ChartCard>
      <ChartCard
        className="lg:col-span-2"
        title="Errors"
        description="Unsuccessful calls by reason"
        state={!report ? "loading" : errors.length === 0 ? "empty" : "ready"}
        emptyText={nothing ? emptyText : "All calls were accepted in this period."}
        fileName={file("errors")}
        table={bucketTable(errorBuckets, everyCode, interval)}
        legend={<Legend items={codes} />}
        height={200}
      >
        <TimeSeriesChart
          label="Unsuccessful calls over time by reason"
          buckets={errorBuckets}
          series={codes}
          kind="bars"
          interval={interval}
          formatValue={formatNumber}
          formatAxis={formatCompact}
          height={200}
          showTotal
        />
      </ChartCard>
      <ChartCard
        title="Reasons"
        description="Select a reason to see its messages"
        state={!report ? "loading" : errors.length === 0 ? "empty" : "ready"}
        emptyText={nothing ? emptyText : "All calls were accepted in this period."}
        fileName={file("reasons")}
        table={{ header: ["Reason", "Calls"], rows: errors.map((error) => [error.code, error.total]) }}
        height={200}
      >
        <RankedBars
          color="var(--chart-2)"
          groups={errors.map((error) => ({
            key: error.code,
            label: humanize(error.code),
            count: error.total,
            href: href("/messages", { code: error.code, provider: connectionId, channel, range: period }),
          }))}
        />
      </ChartCard>
      <ChartCard
        className="lg:col-span-3"
        title="Duration of calls"
        description={single ? "From the request to the provider’s answer" : "95th percentile by connection"}
        state={state}
        emptyText={emptyText}
        fileName={file("durations")}
        table={bucketTable(durations, connections, interval)}
        legend={<Legend items={connections} />}
        height={200}
      >
        <TimeSeriesChart
          label="Duration of calls over time"
          buckets={durations}
          series={connections}
          kind="lines"
          interval={interval}
          formatValue={formatDuration}
          height={200}
        />
      </ChartCard>
    </div>
  );
}
