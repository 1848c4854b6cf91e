"use client";

import { useRouter } from "next/navigation";
import type { DeliveryReport } from "../../server/insights/schemas.ts";
import { ChartCard, Legend } from "../charts/chart-card.tsx";
import { clockOf, type Period } from "../charts/period.ts";
import { prepareSeries } from "../charts/prepare-series.ts";
import { RankedBars } from "../charts/ranked-bars.tsx";
import { TimeSeriesChart } from "../charts/time-series-chart.tsx";
import { boundsOf, within } from "../reports/message-links.ts";
import { statusFace } from "../messages/status.ts";
import { usePortal } from "../portal/portal-context.tsx";
import { formatCompact, formatDuration, formatNumber, formatPercent, humanize } from "../ui/format.ts";
import {
  bucketTable,
  latencyBuckets,
  latencySeries,
  outcomeBuckets,
  outcomeSeries,
  troubleSeries,
  undelivered,
  failuresByCode,
} from "./overview-data.ts";

/** What happened over time, why some messages did not arrive, how long it took, and through which channels. */
export function OverviewCharts({
  report,
  before,
  view,
}: {
  report: DeliveryReport | undefined;
  before: DeliveryReport | undefined;
  view: { period: Period; application: string | null; channel: string | null };
}) {
  const { environment, href } = usePortal();
  const router = useRouter();
  const outcomes = report ? outcomeBuckets(report, before) : [];
  const latencies = report ? latencyBuckets(report) : [];
  const volumeState = !report ? "loading" : report.totals.accepted === 0 ? "empty" : "ready";
  const measured = latencies.some((bucket) => bucket.values.p50 !== null);
  const failures = failuresByCode(report);
  const failureName = (code: string, status: string) =>
    code === "" ? statusFace(status).label : humanize(code);
  const present = prepareSeries(outcomes, outcomeSeries).series;
  const list = (query: Record<string, string | null>) =>
    href("/messages", { application: view.application, channel: view.channel, ...query });
  const hadTraffic = (before?.totals.accepted ?? 0) > 0;
  const range = { range: view.period };
  const interval = report?.interval ?? "hour";
  const periodOf = (from: number, to: number) =>
    within(report ? boundsOf(report) : { from, to }, { from, to });

  return (
    <div className="mb-4 grid gap-4 lg:grid-cols-3">
      <ChartCard
        className="lg:col-span-2"
        title="Volume"
        description={`Accepted messages by outcome. ${clockOf(interval)}`}
        state={volumeState}
        emptyText="No messages accepted in this period."
        fileName={`volume-${environment.slug}-${view.period}`}
        table={bucketTable(outcomes, present, interval, { previousLabel: "Previous period" })}
        legend={
          <Legend
            items={
              hadTraffic
                ? [...present, { label: "Previous period", color: "var(--chart-previous)", dashed: true }]
                : present
            }
          />
        }
      >
        <TimeSeriesChart
          label="Volume over time by outcome"
          buckets={outcomes}
          series={outcomeSeries}
          kind="bars"
          interval={interval}
          formatValue={formatNumber}
          formatAxis={formatCompact}
          showTotal
          previousLabel="Previous period"
          onPick={(from, to) => router.push(list(periodOf(from, to)))}
        />
      </ChartCard>
      <ChartCard
        title="By channel"
        description="Share of accepted messages"
        state={!report ? "loading" : report.groups.length === 0 ? "empty" : "ready"}
        emptyText="No messages accepted in this period."
        fileName={`channels-${environment.slug}-${view.period}`}
        table={{
          header: ["Channel", "Accepted", "Delivered", "Failed"],
          rows: (report?.groups ?? []).map((each) => [
            each.key.channel?.label ?? "",
            each.accepted,
            each.delivered,
            each.failed,
          ]),
        }}
        height={200}
      >
        <RankedBars
          color="var(--chart-1)"
          groups={(report?.groups ?? []).map((each) => ({
            key: each.key.channel?.label ?? "",
            label: each.key.channel?.label ?? "",
            hint: each.deliveryRate === null ? undefined : `${formatPercent(each.deliveryRate)} arrived`,
            count: each.accepted,
            href: list({ channel: each.key.channel?.value ?? "", ...range }),
          }))}
        />
      </ChartCard>
      <ChartCard
        className="lg:col-span-2"
        title="Not delivered"
        description="Undelivered messages by status"
        state={!report ? "loading" : undelivered(report.totals) === 0 ? "empty" : "ready"}
        emptyText="All completed messages were delivered."
        fileName={`not-delivered-${environment.slug}-${view.period}`}
        table={bucketTable(outcomes, troubleSeries, interval)}
        legend={<Legend items={prepareSeries(outcomes, troubleSeries).series} />}
        height={200}
      >
        <TimeSeriesChart
          label="Undelivered messages over time"
          buckets={outcomes.map(({ start, values }) => ({ start, values }))}
          series={troubleSeries}
          kind="bars"
          interval={interval}
          formatValue={formatNumber}
          formatAxis={formatCompact}
          height={200}
          showTotal
          onPick={(from, to) =>
            router.push(
              list({
                ...periodOf(from, to),
                status: "failed,rejected,expired,undetermined",
              }),
            )
          }
        />
      </ChartCard>
      <ChartCard
        title="Reasons for failure"
        description="By reason code"
        state={!report ? "loading" : failures.length === 0 ? "empty" : "ready"}
        emptyText="All completed messages were delivered."
        fileName={`failures-${environment.slug}-${view.period}`}
        table={{
          header: ["Reason", "Status", "Messages"],
          rows: failures.map((each) => [each.code || each.status, each.status, each.count]),
        }}
      >
        <RankedBars
          color="var(--chart-2)"
          groups={failures.map((each) => ({
            key: `${each.status} ${each.code}`,
            label: failureName(each.code, each.status),
            hint: each.code === "" ? undefined : statusFace(each.status).label,
            count: each.count,
            href: list({ status: each.status, code: each.code || null, ...range }),
          }))}
        />
      </ChartCard>
      <ChartCard
        className="lg:col-span-3"
        title="Latency"
        description="From accepted to handed to the provider"
        state={!report ? "loading" : measured ? "ready" : "empty"}
        emptyText="No messages sent in this period."
        fileName={`latency-${environment.slug}-${view.period}`}
        table={bucketTable(latencies, latencySeries, interval)}
        legend={<Legend items={latencySeries} />}
        height={200}
      >
        <TimeSeriesChart
          label="Latency over time"
          buckets={latencies}
          series={latencySeries}
          kind="lines"
          interval={interval}
          formatValue={formatDuration}
          height={200}
        />
      </ChartCard>
    </div>
  );
}
