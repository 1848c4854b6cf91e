"use client";

import { useRouter } from "next/navigation";
import { ChartCard, Legend } from "../charts/chart-card.tsx";
import { clockOf, endOf } from "../charts/period.ts";
import { prepareSeries, type Bucket, type Series } from "../charts/prepare-series.ts";
import { TimeSeriesChart } from "../charts/time-series-chart.tsx";
import {
  bucketTable,
  noneUndelivered,
  outcomeBuckets,
  outcomeSeries,
  troubleSeries,
  undelivered,
} from "../overview/overview-data.ts";
import { usePortal } from "../portal/portal-context.tsx";
import { boundsOf, isCounted, messagesBehind, within, type Counted } from "../reports/message-links.ts";
import { formatCompact, formatDuration, formatNumber, formatPercent } from "../ui/format.ts";
import { comparedCourse } from "./compared.ts";
import type { useDelivery } from "./use-delivery.ts";

const latencySeries: readonly Series[] = [
  { key: "sentP50", label: "To sent, median", color: "var(--chart-1)" },
  { key: "sentP95", label: "To sent, 95th percentile", color: "var(--chart-4)" },
  { key: "deliveredP50", label: "To delivered, median", color: "var(--chart-5)" },
  { key: "deliveredP95", label: "To delivered, 95th percentile", color: "var(--chart-2)" },
];
const rateSeries: readonly Series[] = [
  { key: "rate", label: "Delivered, % of completed", color: "var(--chart-1)" },
];

/** What became of messages over time, how many arrived, and how long it took; each point leads to its messages. */
export function DeliveryCharts({ delivery }: { delivery: ReturnType<typeof useDelivery> }) {
  const { view, current, previous, bounds } = delivery;
  const { environment, href, can } = usePortal();
  const router = useRouter();
  const report = current.data;
  // Of the figures that are shown, which may still be those before a change.
  const interval = report?.interval ?? delivery.interval;
  const outcomes = report
    ? outcomeBuckets(report, comparedCourse(report, previous.data, delivery.endOfHour))
    : [];
  const rates: Bucket[] = (report?.series ?? []).map((each) => ({
    start: Date.parse(each.at),
    // In percent, so that the axis has round numbers.
    values: { rate: each.deliveryRate === null ? null : each.deliveryRate * 100 },
  }));
  const latencies: Bucket[] = (report?.series ?? []).map((each) => ({
    start: Date.parse(each.at),
    values: {
      sentP50: each.sentP50Ms,
      sentP95: each.sentP95Ms,
      deliveredP50: each.deliveredP50Ms,
      deliveredP95: each.deliveredP95Ms,
    },
  }));
  const measured = latencies.some(({ values }) => values.sentP50 !== null);
  const file = `${environment.slug}-${view.period}`;
  const linkTo = (counted: Counted, from: number, to: number) => {
    const query = can("notifications:read")
      ? messagesBehind(view, within(report ? boundsOf(report) : bounds, { from, to }), counted)
      : null;
    return query && href("/messages", query);
  };
  /** What a click in a chart leads to: the messages of the bar that was hit, else of the whole bucket. */
  const open = can("notifications:read")
    ? (whole: Counted, ofSeries: (key: string) => Counted | null = () => null) =>
        (from: number, to: number, series?: string) => {
          const link = linkTo((series === undefined ? null : ofSeries(series)) ?? whole, from, to);
          if (link) router.push(link);
        }
    : () => undefined;
  const hrefOf = (counted: Counted) => (start: number) => linkTo(counted, start, endOf(start, interval));
  const outcome = (key: string) => (isCounted(key) ? key : null);
  const present = prepareSeries(outcomes, outcomeSeries).series;

  return (
    <div className="mb-4 grid gap-4 lg:grid-cols-2">
      <ChartCard
        className="lg:col-span-2"
        title="Volume"
        description={`Accepted messages by outcome. ${clockOf(interval)}`}
        state={!report ? "loading" : "ready"}
        emptyText="No messages accepted in this period."
        fileName={`delivery-${file}`}
        table={bucketTable(outcomes, present, interval, {
          previousLabel: "Previous period",
          hrefOf: hrefOf("accepted"),
        })}
        legend={
          <Legend
            items={
              outcomes.some((each) => (each.previous ?? 0) > 0)
                ? [...present, { label: "Previous period", color: "var(--chart-previous)", dashed: true }]
                : present
            }
          />
        }
      >
        <TimeSeriesChart
          label="Messages over time by outcome"
          buckets={outcomes}
          series={outcomeSeries}
          kind="bars"
          interval={interval}
          formatValue={formatNumber}
          formatAxis={formatCompact}
          showTotal
          previousLabel="Previous period"
          onPick={open("accepted", outcome)}
        />
      </ChartCard>
      <ChartCard
        title="Not delivered"
        description="Undelivered messages by status"
        state={!report ? "loading" : undelivered(report.totals) === 0 ? "empty" : "ready"}
        emptyText={noneUndelivered(report?.totals)}
        fileName={`not-delivered-${file}`}
        table={bucketTable(outcomes, troubleSeries, interval, { hrefOf: hrefOf("undelivered") })}
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
          onPick={open("undelivered", outcome)}
        />
      </ChartCard>
      <ChartCard
        title="Delivery rate"
        description="Delivered as a share of delivered, failed, expired and undetermined messages"
        state={!report ? "loading" : rates.some(({ values }) => values.rate !== null) ? "ready" : "empty"}
        emptyText="No messages completed in this period."
        fileName={`delivery-rate-${file}`}
        table={bucketTable(rates, rateSeries, interval, { hrefOf: hrefOf("ended") })}
        height={200}
      >
        <TimeSeriesChart
          label="Delivery rate over time"
          buckets={rates}
          series={rateSeries}
          kind="lines"
          interval={interval}
          formatValue={(value) => formatPercent(value / 100)}
          formatAxis={(value) => formatPercent(value / 100, 0)}
          most={100}
          height={200}
          onPick={open("ended")}
        />
      </ChartCard>
      <ChartCard
        className="lg:col-span-2"
        title="Latency"
        description="From acceptance, or the scheduled time, to sent and delivered. Accurate to 20%"
        state={!report ? "loading" : measured ? "ready" : "empty"}
        emptyText="No messages sent in this period."
        fileName={`latency-${file}`}
        table={bucketTable(latencies, latencySeries, interval, { hrefOf: hrefOf("sent") })}
        legend={<Legend items={prepareSeries(latencies, latencySeries, interval, "highest").series} />}
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
          onPick={open("sent")}
        />
      </ChartCard>
    </div>
  );
}
