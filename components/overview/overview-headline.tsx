import type { DeliveryReport } from "../../server/insights/schemas.ts";
import { Delta, Metric } from "../charts/metric.tsx";
import { Card } from "../ui/card.tsx";
import { formatDuration, formatNumber, formatPercent } from "../ui/format.ts";
import { undelivered } from "./overview-data.ts";

/** The four figures that say how it goes, each against the period before. Undefined while loading. */
export function OverviewHeadline({
  report: now,
  before: then,
}: {
  report: DeliveryReport | undefined;
  before: DeliveryReport | undefined;
}) {
  const rate = now?.totals.deliveryRate ?? null;
  const latency = now?.latencyMs.sent?.p50 ?? null;
  return (
    <Card className="mb-4 grid grid-cols-2 divide-x divide-line max-lg:[&>*:nth-child(-n+2)]:border-b max-lg:[&>*:nth-child(even)]:border-r-0 lg:grid-cols-4">
      <Metric
        label="Messages accepted"
        loading={!now}
        value={now ? formatNumber(now.totals.accepted) : ""}
        delta={<Delta current={now?.totals.accepted ?? null} previous={then?.totals.accepted ?? null} />}
      />
      <Metric
        label="Delivery rate"
        loading={!now}
        value={rate === null ? "–" : formatPercent(rate)}
        delta={<Delta current={rate} previous={then?.totals.deliveryRate ?? null} better="up" points />}
      />
      <Metric
        label="Accepted to sent, median"
        loading={!now}
        value={latency === null ? "–" : formatDuration(latency)}
        delta={<Delta current={latency} previous={then?.latencyMs.sent?.p50 ?? null} better="down" />}
        note={now?.latencyMs.sent ? `p99 ${formatDuration(now.latencyMs.sent.p99)}` : null}
      />
      <Metric
        label="Not delivered"
        loading={!now}
        value={now ? formatNumber(undelivered(now.totals)) : ""}
        delta={
          <Delta
            current={now ? undelivered(now.totals) : null}
            previous={then ? undelivered(then.totals) : null}
            better="down"
          />
        }
      />
    </Card>
  );
}
