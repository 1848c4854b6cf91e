"use client";

import Link from "next/link";
import type { CostReport } from "../../server/insights/schemas.ts";
import { ChartCard, Legend } from "../charts/chart-card.tsx";
import { Delta } from "../charts/metric.tsx";
import { prepareSeries } from "../charts/prepare-series.ts";
import type { Series } from "../charts/prepare-series.ts";
import { TimeSeriesChart } from "../charts/time-series-chart.tsx";
import { usePortal } from "../portal/portal-context.tsx";
import { canNarrow, dimensionLabel } from "../reports/report-filters.tsx";
import { Button } from "../ui/button.tsx";
import { Card, CardHeader } from "../ui/card.tsx";
import { formatMoney, formatNumber, formatPercent } from "../ui/format.ts";
import { formatSum } from "./cost-headline.tsx";
import { amountOf, chargedOf } from "./use-costs.ts";
import type { Shown, useCosts } from "./use-costs.ts";

/** Groups that are told apart in the chart; all others are one. */
const drawn = 6;
const colors = [1, 4, 2, 3, 5, 6].map((number) => `var(--chart-${String(number)})`);
type Group = CostReport["groups"][number];

/** Costs over time by group, the groups as a table, and which connections have no prices. */
export function CostCharts({
  costs,
  shown,
  before,
}: {
  costs: ReturnType<typeof useCosts>;
  shown: Shown | null;
  before: CostReport | undefined;
}) {
  const { view, setView, bounds, current } = costs;
  const { environment, href, can } = usePortal();
  const report = current.data;
  const idOf = ({ key }: Group) => key[view.by]?.value ?? "none";
  const groups = report?.groups ?? [];
  const top = groups.slice(0, drawn);
  const others = groups.length > drawn || report?.moreGroups === true;
  const series: Series[] = [
    ...top.map((group, index) => ({
      key: idOf(group),
      label: group.key[view.by]?.label ?? "",
      color: colors[index] ?? "var(--chart-8)",
    })),
    ...(others ? [{ key: "others", label: "Others", color: "var(--chart-8)" }] : []),
  ];
  const buckets =
    report && shown
      ? report.series.map((point) => {
          const values: Record<string, number | null> = {};
          let rest = Number(amountOf(point, shown));
          for (const group of top) {
            const mine = group.series.find(({ at }) => at === point.at);
            const amount = mine ? Number(amountOf(mine, shown)) : 0;
            values[idOf(group)] = amount;
            rest -= amount;
          }
          if (others) values.others = Math.max(0, Number(rest.toFixed(6)));
          return { start: Date.parse(point.at), values };
        })
      : [];
  const money = (value: number) => (shown ? formatSum(value, shown.currency) : "");
  const present = prepareSeries(buckets, series).series;
  const state = !report || !shown ? "loading" : "ready";
  const narrows = canNarrow(view.by);

  return (
    <div className="grid gap-4">
      <ChartCard
        title={`Costs by ${dimensionLabel[view.by].toLowerCase()}`}
        description={bounds.interval === "month" ? "Months of UTC" : "Days of UTC"}
        state={state}
        emptyText="Nothing was charged in this period."
        fileName={`costs-${environment.slug}-${costs.period}`}
        table={{
          header: [
            bounds.interval === "month" ? "Month (UTC)" : "Day (UTC)",
            ...series.map(({ label }) => `${label}${shown ? `, ${shown.currency}` : ""}`),
          ],
          rows: buckets.map((bucket) => [
            new Date(bucket.start).toISOString().slice(0, bounds.interval === "month" ? 7 : 10),
            ...series.map(({ key }) => bucket.values[key] ?? 0),
          ]),
        }}
        legend={<Legend items={present} />}
      >
        <TimeSeriesChart
          label={`Costs over time by ${dimensionLabel[view.by].toLowerCase()}`}
          buckets={buckets}
          series={series}
          kind="bars"
          period="30d"
          formatValue={money}
          formatAxis={(value) =>
            shown
              ? new Intl.NumberFormat(undefined, {
                  ...{ style: "currency", currency: shown.currency, notation: "compact" },
                  maximumFractionDigits: 1,
                }).format(value)
              : ""
          }
          showTotal
        />
      </ChartCard>
      <Card className="min-w-0">
        <CardHeader
          title={`By ${dimensionLabel[view.by].toLowerCase()}`}
          description={
            narrows ? "Choose one to see only its costs, then look by something else" : "The largest first"
          }
        />
        <div className="overflow-x-auto pb-2" tabIndex={0} role="region" aria-label="Costs by group">
          <table className="w-full text-sm tabular">
            <thead>
              <tr className="border-y border-line text-left text-xs text-ink-muted">
                <th scope="col" className="px-4 py-2 font-medium">
                  {dimensionLabel[view.by]}
                </th>
                {["Total", "Share", "Against the period before", "Charged", "Average", "Estimated"].map(
                  (name) => (
                    <th key={name} scope="col" className="px-4 py-2 text-right font-medium whitespace-nowrap">
                      {name}
                    </th>
                  ),
                )}
              </tr>
            </thead>
            <tbody>
              {report && shown
                ? groups.map((group) => (
                    <GroupRow
                      key={idOf(group)}
                      group={group}
                      label={group.key[view.by]?.label ?? ""}
                      shown={shown}
                      whole={Number(amountOf({ costs: report.totals, own: report.own }, shown))}
                      then={before?.groups.find((each) => idOf(each) === idOf(group))}
                      onChoose={
                        narrows && group.key[view.by]?.value
                          ? () =>
                              void setView({
                                [view.by]: group.key[view.by]?.value ?? null,
                              })
                          : undefined
                      }
                    />
                  ))
                : null}
            </tbody>
          </table>
        </div>
        {report?.moreGroups ? (
          <p className="px-4 pb-3 text-xs text-ink-muted">
            The {formatNumber(groups.length)} largest; narrow the page to see others.
          </p>
        ) : null}
      </Card>
      {report?.unpriced.some(({ sent, charged }) => charged < sent) ? (
        <Card>
          <CardHeader
            title="Without a price"
            description="Tries that providers took and that are in no figure on this page: no price was reported, and no price list has one"
          />
          <ul className="divide-y divide-line border-t border-line text-sm">
            {report.unpriced
              .filter(({ sent, charged }) => charged < sent)
              .map(({ connectionId, provider, sent, charged }) => (
                <li
                  key={connectionId}
                  className="flex flex-wrap items-center justify-between gap-2 px-4 py-2.5"
                >
                  <span>{provider}</span>
                  <span className="flex items-center gap-3 text-ink-muted tabular">
                    {formatNumber(sent - charged)} of {formatNumber(sent)} (
                    {formatPercent((sent - charged) / sent)})
                    {can("providers:manage") ? (
                      <Button asChild size="sm">
                        <Link href={href(`/providers/${connectionId}`)}>Price list</Link>
                      </Button>
                    ) : null}
                  </span>
                </li>
              ))}
          </ul>
        </Card>
      ) : null}
    </div>
  );
}

function GroupRow({
  group,
  label,
  shown,
  whole,
  then,
  onChoose,
}: {
  group: Group;
  label: string;
  shown: Shown;
  whole: number;
  then: Group | undefined;
  onChoose: (() => void) | undefined;
}) {
  const total = Number(amountOf(group, shown));
  const charged = chargedOf(group, shown);
  const messages = Number(amountOf(group, shown, "messages"));
  const ofMessages = group.costs.filter(({ currency }) => shown.own || currency === shown.currency);
  const estimated = ofMessages.some((each) => Number(each.estimated) > 0);
  const reported = ofMessages.some((each) => Number(each.reported) > 0);
  return (
    <tr className="border-b border-line last:border-0 hover:bg-hover">
      <th scope="row" className="max-w-72 px-4 py-2 text-left font-normal">
        {onChoose ? (
          <button
            type="button"
            onClick={onChoose}
            className="max-w-full truncate rounded-sm text-left underline decoration-line-strong underline-offset-2 hover:decoration-ink"
            title={label}
          >
            <bdi>{label}</bdi>
          </button>
        ) : (
          <bdi>{label}</bdi>
        )}
      </th>
      <td className="px-4 py-2 text-right whitespace-nowrap">{formatSum(total, shown.currency)}</td>
      <td className="px-4 py-2 text-right">{whole > 0 ? formatPercent(total / whole) : "–"}</td>
      <td className="px-4 py-2 text-right whitespace-nowrap">
        <Delta current={total} previous={then ? Number(amountOf(then, shown)) : null} />
      </td>
      <td className="px-4 py-2 text-right">{formatNumber(charged)}</td>
      <td className="px-4 py-2 text-right whitespace-nowrap">
        {charged === 0 ? "–" : formatMoney((messages / charged).toFixed(6), shown.currency)}
      </td>
      <td className="px-4 py-2 text-right">
        {!estimated ? (reported ? "no" : "–") : reported ? "partly" : "yes"}
      </td>
    </tr>
  );
}
