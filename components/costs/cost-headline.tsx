import { Delta, Metric } from "../charts/metric.tsx";
import { Card } from "../ui/card.tsx";
import { formatMoney, formatPercent, plural } from "../ui/format.ts";
import { forecastMonth } from "./cost-period.ts";
import { amountOf, areComparable, averageOf, chargedOf } from "./use-costs.ts";
import type { Shown, useCosts } from "./use-costs.ts";
import { numberFormat } from "../ui/intl.ts";

/** Money of a headline: sums in cents, averages as exact as they are. */
export function formatSum(amount: string | number, currency: string): string {
  return numberFormat({ style: "currency", currency }).format(amount as number);
}

/** What a period came to, each figure against the period before. Undefined while loading. */
export function CostHeadline({ costs, shown }: { costs: ReturnType<typeof useCosts>; shown: Shown | null }) {
  const { current, previous, recent, period, now } = costs;
  const report = current.data;
  const loading = !report || !shown;
  const all = report ? { costs: report.totals, own: report.own } : null;
  const before = previous.data ? { costs: previous.data.totals, own: previous.data.own } : null;
  const pending = !previous.data && !previous.isError;
  const total = all && shown ? amountOf(all, shown) : "0";
  const charged = all && shown ? chargedOf(all, shown) : 0;
  const average = all && shown ? averageOf(all, shown) : null;
  const one = report?.totals.find(({ currency }) => currency === shown?.currency);
  const estimated = report && shown ? estimatedShare(report.totals, shown) : null;
  const fees = all && shown ? amountOf(all, shown, "platformFees") : "0";
  const days =
    recent.data && shown
      ? recent.data.series.map((each) => ({ at: new Date(each.at), amount: Number(amountOf(each, shown)) }))
      : [];
  const forecast =
    period === "month" && shown
      ? forecastMonth(days, { soFar: Number(total), today: days.at(-1)?.amount ?? 0, now })
      : null;
  const missing = report?.own && shown?.own ? report.own.withoutRate : [];

  return (
    <>
      <Card className="mb-4 grid grid-cols-2 divide-x divide-line max-lg:[&>*:nth-child(-n+2)]:border-b max-lg:[&>*:nth-child(even)]:border-r-0 lg:grid-cols-4">
        <Metric
          label="Total"
          loading={loading}
          value={shown ? formatSum(total, shown.currency) : ""}
          delta={
            <Delta
              current={Number(total)}
              previous={
                all && before && shown && areComparable(all, before, shown)
                  ? Number(amountOf(before, shown))
                  : null
              }
              pending={pending}
            />
          }
          note={Number(fees) > 0 && shown ? `of it ${formatSum(fees, shown.currency)} platform fees` : null}
        />
        <Metric
          label="Forecast for the month"
          loading={loading || (period === "month" && !recent.data)}
          value={forecast === null || !shown ? "–" : formatSum(forecast, shown.currency)}
          note={
            period !== "month"
              ? "current month only"
              : forecast === null
                ? "needs three full days of costs"
                : "based on the last two weeks"
          }
        />
        <Metric
          label="Average per charged attempt"
          loading={loading}
          value={average === null || !shown ? "–" : formatMoney(average.toFixed(6), shown.currency)}
          delta={
            <Delta
              current={average}
              previous={before && shown ? averageOf(before, shown) : null}
              better="down"
              pending={pending}
            />
          }
          note={
            one?.averagePerSegment && shown
              ? `${formatMoney(one.averagePerSegment, shown.currency)} a segment${shown.own ? ` in ${one.currency}` : ""}`
              : plural(charged, "charged attempt", "charged attempts")
          }
        />
        <Metric
          label="Reported by providers"
          loading={loading}
          value={estimated === null ? "–" : formatPercent(1 - estimated)}
          note={estimated === null ? "no charges" : "the rest is estimated from price lists"}
        />
      </Card>
      {missing.length > 0 ? (
        <p
          role="status"
          className="mb-4 rounded-md border border-line bg-warning-soft px-3 py-2 text-sm text-warning-text"
        >
          Costs in {missing.join(", ")} are not included: there is no rate for part of the period. Add it
          under Settings → Currency.
        </p>
      ) : null}
    </>
  );
}

/** Of what providers charge, the part that is estimated; of several currencies the mean by tries. Null: nothing is charged. */
function estimatedShare(
  totals: readonly { currency: string; messages: string; estimated: string; charged: number }[],
  shown: Shown,
): number | null {
  const some = totals.filter(
    ({ currency, messages }) => Number(messages) > 0 && (shown.own || currency === shown.currency),
  );
  const charged = some.reduce((sum, each) => sum + each.charged, 0);
  if (charged === 0) return null;
  return some.reduce(
    (sum, each) => sum + (Number(each.estimated) / Number(each.messages)) * (each.charged / charged),
    0,
  );
}
