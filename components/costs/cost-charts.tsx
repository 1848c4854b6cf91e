"use client";

import { useRouter } from "next/navigation";
import type { CostReport, Dimension } from "../../server/insights/schemas.ts";
import { ChartCard, Legend } from "../charts/chart-card.tsx";
import { Delta } from "../charts/metric.tsx";
import { clockOf, endOf, utcHead, utcStart } from "../charts/period.ts";
import { prepareSeries } from "../charts/prepare-series.ts";
import { TimeSeriesChart } from "../charts/time-series-chart.tsx";
import { usePortal } from "../portal/portal-context.tsx";
import { chargesBehind } from "../reports/charge-links.ts";
import { within } from "../reports/message-links.ts";
import { canNarrow, dimensionLabel } from "../reports/report-filters.tsx";
import { GroupName, LoadingRows, useFold } from "../reports/long-table.tsx";
import { Button } from "../ui/button.tsx";
import { Card, CardHeader } from "../ui/card.tsx";
import { cn } from "../ui/cn.ts";
import { formatMoney, formatNumber, formatPercent } from "../ui/format.ts";
import { Link } from "../ui/link.tsx";
import { courseOf, idOf } from "./cost-course.ts";
import { formatSum } from "./cost-headline.tsx";
import { amountOf, areComparable, averageOf, chargedOf } from "./use-costs.ts";
import type { Shown, useCosts } from "./use-costs.ts";
import { numberFormat } from "../ui/intl.ts";

type Group = CostReport["groups"][number];

/** By what a report is told apart; while another one is loading that is not what the page says. */
const dimensionOf = (report: CostReport | undefined, asked: Dimension): Dimension =>
  (Object.keys(report?.groups[0]?.key ?? {})[0] as Dimension | undefined) ?? asked;

/** Costs over time by group, the groups as a table, and which connections have no prices. */
export function CostCharts({ costs, shown }: { costs: ReturnType<typeof useCosts>; shown: Shown | null }) {
  const { view, setView, bounds, current, previous, course } = costs;
  const { environment, href, can } = usePortal();
  const router = useRouter();
  const report = current.data;
  const before =
    report && previous.data && shown && areComparable(report, previous.data, shown)
      ? previous.data
      : undefined;
  const by = dimensionOf(report, view.by);
  const groups = shown
    ? (report?.groups ?? [])
        .filter((group) => Number(amountOf(group, shown)) > 0)
        .sort((a, b) => Number(amountOf(b, shown)) - Number(amountOf(a, shown)))
    : [];
  const { series, buckets, groupOf } =
    report && course.data && shown
      ? courseOf(course.data, report, before, { by: dimensionOf(course.data, view.by), shown })
      : { series: [], buckets: [], groupOf: () => undefined };
  const interval = course.data?.interval ?? bounds.interval;
  const present = prepareSeries(buckets, series).series;
  const narrows = canNarrow(by);
  const whole = { from: bounds.from.getTime(), to: bounds.to.getTime() };
  const linkTo = (period: { from: number; to: number }, group?: Group) => {
    const query = chargesBehind(view, within(whole, period), {
      currency: shown && !shown.own ? shown.currency : undefined,
      ...(group ? { group: { by, key: group.key } } : {}),
    });
    return query && href("/costs/charges", query);
  };
  const all = report && shown ? Number(amountOf({ costs: report.totals, own: report.own }, shown)) : 0;
  const listed = shown ? groups.reduce((sum, group) => sum + Number(amountOf(group, shown)), 0) : 0;
  const fold = useFold(groups.length);
  const hadCosts = buckets.some(({ previous }) => (previous ?? 0) > 0);

  return (
    <div className="grid gap-4">
      <ChartCard
        title={`Costs by ${dimensionLabel[by].toLowerCase()}`}
        description={`${clockOf(interval)}. Select a bar to see its charges`}
        state={course.isError && !course.data ? "failed" : shown && course.data ? "ready" : "loading"}
        onRetry={() => void course.refetch()}
        emptyText="No charges in this period."
        fileName={`costs-${environment.slug}-${costs.period}`}
        table={{
          header: [
            utcHead[interval],
            ...series.map(({ label }) => `${label}${shown ? `, ${shown.currency}` : ""}`),
          ],
          rows: buckets.map(({ start, values }) => [
            utcStart(start, interval),
            ...series.map(({ key }) => values[key] ?? 0),
          ]),
          hrefs: buckets.map(({ start }) => linkTo({ from: start, to: endOf(start, interval) })),
        }}
        legend={
          <Legend
            items={[
              ...present,
              ...(hadCosts
                ? [{ label: "Previous period", color: "var(--chart-previous)", dashed: true }]
                : []),
            ]}
          />
        }
      >
        <TimeSeriesChart
          label={`Costs over time by ${dimensionLabel[by].toLowerCase()}`}
          buckets={buckets}
          series={series}
          kind="bars"
          interval={interval}
          formatValue={(value) => (shown ? formatSum(value, shown.currency) : "")}
          formatAxis={(value) =>
            shown
              ? numberFormat({
                  ...{ style: "currency", currency: shown.currency, notation: "compact" },
                  maximumFractionDigits: 1,
                }).format(value)
              : ""
          }
          showTotal
          previousLabel="Previous period"
          onPick={(from, to, key) => {
            const link = linkTo({ from, to }, key === undefined ? undefined : groupOf(key));
            if (link) router.push(link);
          }}
        />
      </ChartCard>
      <Card className="min-w-0">
        <CardHeader
          title={`By ${dimensionLabel[by].toLowerCase()}`}
          description={
            narrows
              ? "Select a row to filter by it, or a count to see its charges"
              : "Largest first. Select a count to see its charges"
          }
        />
        <div
          className="overflow-x-auto pb-2 print:overflow-visible"
          tabIndex={0}
          role="region"
          aria-label="Costs by group"
        >
          <table className="w-full min-w-[48rem] text-sm tabular print:min-w-0">
            <thead>
              <tr className="border-y border-line text-left text-xs text-ink-muted">
                <th scope="col" className="px-4 py-2 align-bottom font-medium">
                  {dimensionLabel[by]}
                </th>
                {["Total", "Share", "Change", "Charged", "Average", "Estimated"].map((name) => (
                  <th
                    key={name}
                    scope="col"
                    className="px-4 py-2 text-right align-bottom font-medium whitespace-nowrap"
                  >
                    {name}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {shown
                ? groups.map((group, index) => (
                    <GroupRow
                      className={fold.rowClass(index)}
                      key={idOf(group, by)}
                      group={group}
                      label={group.key[by]?.label ?? ""}
                      shown={shown}
                      whole={all}
                      then={before?.groups.find((each) => idOf(each, by) === idOf(group, by))}
                      pending={!previous.data && !previous.isError}
                      link={linkTo(whole, group)}
                      onChoose={
                        narrows && group.key[by]?.value
                          ? () => void setView({ [by]: group.key[by]?.value ?? null })
                          : undefined
                      }
                    />
                  ))
                : null}
              {report ? null : <LoadingRows columns={7} />}
              {report?.moreGroups && shown ? (
                <tr className="text-ink-muted">
                  <th scope="row" className="px-4 py-2 text-left font-normal">
                    All others
                  </th>
                  <td className="px-4 py-2 text-right whitespace-nowrap">
                    {formatSum(Math.max(0, all - listed), shown.currency)}
                  </td>
                  <td className="px-4 py-2 text-right">
                    {all > 0 ? formatPercent(Math.max(0, all - listed) / all) : "–"}
                  </td>
                  <td colSpan={4} />
                </tr>
              ) : null}
            </tbody>
          </table>
        </div>
        {fold.control}
        {report?.moreGroups ? (
          <p className="px-4 pb-3 text-xs text-ink-muted">
            The {formatNumber(groups.length)} largest. Add a filter to see others.
          </p>
        ) : null}
      </Card>
      {report?.unpriced.some(({ sent, charged }) => charged < sent) ? (
        <Card>
          <CardHeader
            title="No price"
            description="Accepted attempts that are missing from these figures: the provider reported no price and no price list has one"
          />
          <ul className="divide-y divide-line border-t border-line text-sm">
            {report.unpriced
              .filter(({ sent, charged }) => charged < sent)
              .map(({ connectionId, provider, sent, charged }) => (
                <li
                  key={connectionId}
                  className="flex flex-wrap items-center justify-between gap-2 px-4 py-2.5"
                >
                  <bdi className="min-w-0 truncate" title={provider}>
                    {provider}
                  </bdi>
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
  className,
  group,
  label,
  shown,
  whole,
  then,
  pending,
  link,
  onChoose,
}: {
  className: string;
  group: Group;
  label: string;
  shown: Shown;
  whole: number;
  then: Group | undefined;
  /** That is still loading. */
  pending: boolean;
  /** To its charges. */
  link: string | null;
  onChoose: (() => void) | undefined;
}) {
  const total = Number(amountOf(group, shown));
  const charged = chargedOf(group, shown);
  const average = averageOf(group, shown);
  const ofMessages = group.costs.filter(({ currency }) => shown.own || currency === shown.currency);
  const estimated = ofMessages.some((each) => Number(each.estimated) > 0);
  const reported = ofMessages.some((each) => Number(each.reported) > 0);
  return (
    <tr className={cn("border-b border-line last:border-0 hover:bg-hover", className)}>
      <GroupName label={label} onChoose={onChoose} />
      <td className="px-4 py-2 text-right whitespace-nowrap">{formatSum(total, shown.currency)}</td>
      <td className="px-4 py-2 text-right">{whole > 0 ? formatPercent(total / whole) : "–"}</td>
      <td className="px-4 py-2 text-right whitespace-nowrap">
        <Delta current={total} previous={then ? Number(amountOf(then, shown)) : null} pending={pending} />
      </td>
      <td className="px-4 py-2 text-right">
        {link ? (
          <Link
            href={link}
            aria-label={`Charges of ${label}`}
            className="underline decoration-line-strong underline-offset-2 hover:decoration-ink"
          >
            {charged === 0 ? "Fees" : formatNumber(charged)}
          </Link>
        ) : (
          formatNumber(charged)
        )}
      </td>
      <td className="px-4 py-2 text-right whitespace-nowrap">
        {average === null ? "–" : formatMoney(average.toFixed(6), shown.currency)}
      </td>
      <td className="px-4 py-2 text-right">
        {!estimated ? (reported ? "no" : "–") : reported ? "partly" : "yes"}
      </td>
    </tr>
  );
}
