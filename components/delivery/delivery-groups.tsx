"use client";

import type { DeliveryGroup } from "../../server/insights/schemas.ts";
import { Delta } from "../charts/metric.tsx";
import { usePortal } from "../portal/portal-context.tsx";
import { countOf, messagesBehind, within, type Counted } from "../reports/message-links.ts";
import { canNarrow, dimensionLabel } from "../reports/report-filters.tsx";
import { GroupName, LoadingRows, useFold } from "../reports/long-table.tsx";
import { simulatedMeaning } from "../messages/status.ts";
import { Badge } from "../ui/badge.tsx";
import { Card, CardHeader } from "../ui/card.tsx";
import { cn } from "../ui/cn.ts";
import { formatDuration, formatNumber, formatPercent } from "../ui/format.ts";
import { Link } from "../ui/link.tsx";
import type { useDelivery } from "./use-delivery.ts";

/** The groups of a report side by side; a name narrows, a count leads to its messages. */
export function DeliveryGroups({ delivery }: { delivery: ReturnType<typeof useDelivery> }) {
  const { view, setView, bounds, current, previous } = delivery;
  const { href, can } = usePortal();
  const report = current.data;
  const by = view.by;
  const period = within(bounds);
  const fold = useFold(report?.groups.length ?? 0);
  const idOf = ({ key }: DeliveryGroup) => key[by]?.value ?? "none";
  // A message is accepted before it has a provider.
  const counted: readonly (readonly [Counted, string])[] = [
    ...(by === "provider" ? [] : [["accepted", "Accepted"] as const]),
    ["sent", "Sent"],
    ["delivered", "Delivered"],
    ["undelivered", "Not delivered"],
  ];
  return (
    <Card className="min-w-0">
      <CardHeader
        title={`By ${dimensionLabel[by].toLowerCase()}`}
        description={canNarrow(by) ? "Select a row to filter by it" : undefined}
      />
      <div
        className="overflow-x-auto pb-2 print:overflow-visible"
        tabIndex={0}
        role="region"
        aria-label="Figures by group"
      >
        <table className="w-full min-w-[56rem] text-sm tabular print:min-w-0">
          <thead>
            <tr className="border-y border-line text-left text-xs text-ink-muted">
              <th scope="col" className="px-4 py-2 align-bottom font-medium">
                {dimensionLabel[by]}
              </th>
              {[
                ...counted.map(([, label]) => label),
                "Delivery rate",
                "Change",
                "To sent, median / p95",
                "To delivered, median / p95",
              ].map((name) => (
                <th
                  key={name}
                  scope="col"
                  className="px-3 py-2 text-right align-bottom font-medium last:pr-4"
                >
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {report ? null : <LoadingRows columns={counted.length + 5} />}
            {(report?.groups ?? []).map((group, index) => {
              const label = group.key[by]?.label ?? "";
              const value = group.key[by]?.value;
              const then = previous.data?.groups.find((each) => idOf(each) === idOf(group));
              return (
                <tr
                  key={idOf(group)}
                  className={cn("border-b border-line last:border-0 hover:bg-hover", fold.rowClass(index))}
                >
                  <GroupName
                    label={label}
                    onChoose={canNarrow(by) && value ? () => void setView({ [by]: value }) : undefined}
                  >
                    {by === "provider" && value && value === report?.simulated.connectionId ? (
                      <Badge tone="outline" className="ml-2" title={simulatedMeaning}>
                        Simulated
                      </Badge>
                    ) : null}
                  </GroupName>
                  {counted.map(([what]) => {
                    const count = countOf(group, what);
                    const query = can("notifications:read")
                      ? messagesBehind(view, period, what, { by, key: group.key })
                      : null;
                    return (
                      <td key={what} className="px-3 py-2 text-right last:pr-4">
                        {query && count > 0 ? (
                          <Link
                            href={href("/messages", query)}
                            className="underline decoration-line-strong underline-offset-2 hover:decoration-ink"
                          >
                            {formatNumber(count)}
                          </Link>
                        ) : (
                          formatNumber(count)
                        )}
                      </td>
                    );
                  })}
                  <td className="px-3 py-2 text-right last:pr-4">
                    {group.deliveryRate === null ? "–" : formatPercent(group.deliveryRate)}
                  </td>
                  <td className="px-3 py-2 text-right last:pr-4 whitespace-nowrap">
                    <Delta
                      current={group.deliveryRate}
                      previous={then?.deliveryRate ?? null}
                      better="up"
                      points
                      pending={!previous.data && !previous.isError}
                    />
                  </td>
                  {(["sent", "delivered"] as const).map((what) => (
                    <td key={what} className="px-3 py-2 text-right whitespace-nowrap last:pr-4">
                      {group.latencyMs[what]
                        ? `${formatDuration(group.latencyMs[what].p50)} / ${formatDuration(group.latencyMs[what].p95)}`
                        : "–"}
                    </td>
                  ))}
                </tr>
              );
            })}
          </tbody>
        </table>
      </div>
      {fold.control}
      {report?.moreGroups ? (
        <p className="px-4 pb-3 text-xs text-ink-muted">
          The {formatNumber(report.groups.length)} largest. Add a filter to see others.
        </p>
      ) : null}
    </Card>
  );
}
