"use client";

import type { Objective, ObjectivesView } from "../../server/objectives/schemas.ts";
import { ChartCard } from "../charts/chart-card.tsx";
import { TimeSeriesChart } from "../charts/time-series-chart.tsx";
import { Badge, Dot } from "../ui/badge.tsx";
import { Card } from "../ui/card.tsx";
import { formatDuration, formatNumber, formatPercent, plural } from "../ui/format.ts";
import { ShareMeter } from "../ui/share-meter.tsx";
import { objectiveName, sharePercent } from "./objective-words.ts";

const times = (burn: number | null) => (burn === null ? "–" : `${formatNumber(burn, burn < 10 ? 1 : 0)}×`);

/** One objective: its target, what came of it, and what is left of its error budget. */
export function ObjectiveCard({ objective, of }: { objective: Objective; of: ObjectivesView }) {
  const {
    objective: kind,
    target,
    good,
    missed,
    share,
    budgetUsed,
    budgetLeft,
    burn,
    downSeconds,
  } = objective;
  const all = good + missed;
  const face =
    share === null
      ? ({ tone: "outline", label: "No data yet" } as const)
      : share * 100 >= target
        ? ({ tone: "success", label: "Met" } as const)
        : ({ tone: "danger", label: "Missed" } as const);
  const isCodes = kind === "codes";
  return (
    <Card className="flex flex-col gap-3.5 p-4" aria-label={objectiveName[kind]}>
      <header className="flex flex-wrap items-start justify-between gap-2">
        <div className="min-w-0">
          <h2 className="text-sm font-semibold">{objectiveName[kind]}</h2>
          <p className="mt-0.5 text-xs text-ink-muted">
            Target: {sharePercent(target / 100)}
            {isCodes
              ? ` handed to a provider within ${String(of.codesSeconds)} seconds`
              : " of valid requests accepted"}
          </p>
        </div>
        <Badge tone={face.tone}>
          <Dot tone={face.tone} /> {face.label}
        </Badge>
      </header>
      <div>
        <p className="text-2xl font-semibold tracking-[-0.02em] tabular">
          {share === null ? "–" : sharePercent(share)}
        </p>
        <p className="mt-0.5 text-xs text-ink-muted">
          {all === 0
            ? isCodes
              ? "No one-time codes in the last 30 days. Codes are messages with the class “authentication”"
              : "No send requests through the API in the last 30 days"
            : `${formatNumber(good)} of ${plural(all, isCodes ? "code" : "request")}${
                downSeconds > 0
                  ? `; the service was unavailable for ${formatDuration(downSeconds * 1_000)}`
                  : ""
              }`}
        </p>
      </div>
      {budgetUsed === null || budgetLeft === null ? null : (
        <div className="grid gap-1.5">
          <ShareMeter share={budgetUsed} label={`Error budget used: ${objectiveName[kind]}`} />
          <p className="flex flex-wrap justify-between gap-x-6 text-sm tabular">
            <span>
              {budgetLeft < 0
                ? `Error budget overdrawn by ${formatPercent(-budgetLeft, 0)}`
                : `${formatPercent(budgetLeft, budgetLeft > 0.99 ? 1 : 0)} of the error budget left`}
            </span>
            <span className="text-ink-muted" title="Allowed misses">
              {formatNumber(missed)} missed, {formatNumber(Math.floor(all * (1 - target / 100) + 1e-9))}{" "}
              allowed
            </span>
          </p>
          <p className="text-xs text-ink-muted tabular">
            Burn: {times(burn.hour)} in the last hour, {times(burn.sixHours)} over six hours. At 1×, the
            budget lasts exactly 30 days.
          </p>
        </div>
      )}
      <p className="mt-auto text-xs text-ink-muted">
        {isCodes
          ? `From acceptance to the provider. Measured in steps: up to ${formatNumber(of.codesMeasuredSeconds)} s surely counts as in time. Codes that were never sent count as missed. Canceled codes and codes rejected by consent are not counted.`
          : "Answers to API requests. Errors by the caller are not counted. Minutes without a web process count as missed in proportion."}
      </p>
    </Card>
  );
}

/** What was good and what was missed, by day. */
export function ObjectiveChart({ objective }: { objective: Objective }) {
  const { objective: kind, days, good, missed } = objective;
  const isCodes = kind === "codes";
  const title = isCodes ? "Codes by day" : "Requests by day";
  const series = [
    { key: "good", label: isCodes ? "In time" : "Accepted", color: "var(--chart-1)" },
    { key: "missed", label: isCodes ? "Late or never" : "Missed", color: "var(--danger)" },
  ];
  return (
    <ChartCard
      title={title}
      description={objectiveName[kind]}
      state={good + missed === 0 ? "empty" : "ready"}
      emptyText="No data in these 30 days"
      fileName={`objective-${kind}`}
      table={{
        header: ["Day", ...series.map(({ label }) => label), "Share", "Seconds of downtime"],
        rows: days.map((day) => [
          day.day,
          day.good,
          day.missed,
          day.share === null ? null : sharePercent(day.share),
          day.downSeconds,
        ]),
      }}
    >
      <TimeSeriesChart
        label={title}
        buckets={days.map((day) => ({
          start: Date.parse(day.day),
          values: { good: day.good, missed: day.missed },
        }))}
        series={series}
        kind="bars"
        interval="day"
        formatValue={(value) => formatNumber(value)}
        showTotal
      />
    </ChartCard>
  );
}
