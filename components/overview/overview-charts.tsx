"use client";

import { useRouter } from "next/navigation";
import type { OverviewReport } from "../../server/insights/schemas.ts";
import type { OverviewPeriod } from "../../server/insights/vocabulary.ts";
import { ChartCard, Legend } from "../charts/chart-card.tsx";
import { clockOf } from "../charts/period.ts";
import { prepareSeries } from "../charts/prepare-series.ts";
import { RankedBars } from "../charts/ranked-bars.tsx";
import { TimeSeriesChart } from "../charts/time-series-chart.tsx";
import { channelLabel } from "../messages/channel.tsx";
import { boundsOf, within } from "../reports/message-links.ts";
import { statusFace } from "../messages/status.ts";
import { usePortal } from "../portal/portal-context.tsx";
import { formatCompact, formatDuration, formatNumber, formatPercent, humanize } from "../ui/format.ts";
import {
  bucketTable,
  latencyBuckets,
  latencySeries,
  noneUndelivered,
  outcomeSeries,
  overviewBuckets,
  troubleSeries,
} from "./overview-data.ts";
import { deliveryRate, figureOf, messagesOf, messagesOfReason, type Figure } from "./overview-figures.ts";

/** What happened over time, why some messages did not arrive, how long it took, and through which channels. */
export function OverviewCharts({
  report,
  view,
}: {
  report: OverviewReport | undefined;
  view: { period: OverviewPeriod; application: string | null; channel: string | null };
}) {
  const { can, environment, href } = usePortal();
  const router = useRouter();
  const outcomes = report ? overviewBuckets(report) : [];
  const latencies = report ? latencyBuckets(report) : [];
  const volumeState = !report ? "loading" : report.totals.accepted === 0 ? "empty" : "ready";
  const measured = latencies.some((bucket) => bucket.values.p50 !== null);
  const failures = report?.failures ?? [];
  const failureName = (code: string, status: string) =>
    code === "" ? statusFace(status).label : humanize(code);
  const present = prepareSeries(outcomes, outcomeSeries).series;
  const readable = report !== undefined && can("notifications:read");
  const hadTraffic = (report?.previous.totals.accepted ?? 0) > 0;
  const step = report?.step ?? "hour";
  const open = (figure: Figure) =>
    readable
      ? (from: number, to: number) =>
          router.push(
            href("/messages", messagesOf(report, within(boundsOf(report), { from, to }), view, figure)),
          )
      : undefined;
  const list = (query: Record<string, string> | null) =>
    readable && query ? href("/messages", query) : undefined;

  return (
    <div className="mb-4 grid grid-cols-1 gap-4 lg:grid-cols-3">
      <ChartCard
        className="lg:col-span-2"
        title="Volume"
        description={`Accepted messages by outcome. ${clockOf(step)}`}
        state={volumeState}
        emptyText="No messages accepted in this period."
        fileName={`volume-${environment.slug}-${view.period}`}
        table={bucketTable(outcomes, present, step, { previousLabel: "Previous period" })}
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
          interval={step}
          formatValue={formatNumber}
          formatAxis={formatCompact}
          showTotal
          previousLabel="Previous period"
          onPick={open("accepted")}
        />
      </ChartCard>
      <ChartCard
        title="By channel"
        description="Share of accepted messages"
        state={!report ? "loading" : report.channels.length === 0 ? "empty" : "ready"}
        emptyText="No messages accepted in this period."
        fileName={`channels-${environment.slug}-${view.period}`}
        table={{
          header: ["Channel", "Accepted", "Delivered", "Failed"],
          rows: (report?.channels ?? []).map((each) => [
            channelLabel(each.channel),
            each.accepted,
            each.delivered,
            each.failed,
          ]),
        }}
        height={200}
      >
        <RankedBars
          color="var(--chart-1)"
          groups={(report?.channels ?? []).map((each) => {
            const rate = deliveryRate(each);
            return {
              key: each.channel,
              label: channelLabel(each.channel),
              hint: rate === null ? undefined : `${formatPercent(rate)} delivered`,
              count: each.accepted,
              href:
                report && list(messagesOf(report, report, { ...view, channel: each.channel }, "accepted")),
            };
          })}
        />
      </ChartCard>
      <ChartCard
        className="lg:col-span-2"
        title="Not delivered"
        description="Undelivered messages by status"
        state={!report ? "loading" : figureOf(report.totals, "undelivered") === 0 ? "empty" : "ready"}
        emptyText={noneUndelivered(report?.totals)}
        fileName={`not-delivered-${environment.slug}-${view.period}`}
        table={bucketTable(outcomes, troubleSeries, step)}
        legend={<Legend items={prepareSeries(outcomes, troubleSeries).series} />}
        height={200}
      >
        <TimeSeriesChart
          label="Undelivered messages over time"
          buckets={outcomes.map(({ start, values }) => ({ start, values }))}
          series={troubleSeries}
          kind="bars"
          interval={step}
          formatValue={formatNumber}
          formatAxis={formatCompact}
          height={200}
          showTotal
          onPick={open("undelivered")}
        />
      </ChartCard>
      <ChartCard
        title="Reasons for failure"
        description="By reason code"
        state={!report ? "loading" : failures.length === 0 ? "empty" : "ready"}
        emptyText={noneUndelivered(report?.totals)}
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
            href: report && list(messagesOfReason(report, view, each)),
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
        table={bucketTable(latencies, latencySeries, step)}
        legend={<Legend items={latencySeries} />}
        height={200}
      >
        <TimeSeriesChart
          label="Latency over time"
          buckets={latencies}
          series={latencySeries}
          kind="lines"
          interval={step}
          formatValue={formatDuration}
          height={200}
        />
      </ChartCard>
    </div>
  );
}
