"use client";

import { failureMeaning } from "../messages/failure-meaning.ts";
import { statusFace } from "../messages/status.ts";
import { usePortal } from "../portal/portal-context.tsx";
import { messagesOfFailure, within } from "../reports/message-links.ts";
import { Card, CardHeader } from "../ui/card.tsx";
import { formatNumber, formatPercent } from "../ui/format.ts";
import { Link } from "../ui/link.tsx";
import type { useDelivery } from "./use-delivery.ts";

/** Reasons for failure: our code with its meaning, the provider's own, and the way to the messages. */
export function DeliveryFailures({ delivery }: { delivery: ReturnType<typeof useDelivery> }) {
  const { view, bounds, current } = delivery;
  const { href, can } = usePortal();
  const failures = current.data?.failures ?? [];
  if (failures.length === 0) return null;
  const all = failures.reduce((sum, { count }) => sum + count, 0);
  const period = within(bounds);
  return (
    <Card className="mb-4 min-w-0">
      <CardHeader title="Reasons for failure" description="Most frequent first" />
      <div
        className="overflow-x-auto pb-2 print:overflow-visible"
        tabIndex={0}
        role="region"
        aria-label="Reasons for failure"
      >
        <table className="w-full text-sm tabular">
          <thead>
            <tr className="border-y border-line text-left text-xs text-ink-muted">
              {["Reason", "Status", "Provider", "Provider code"].map((name) => (
                <th key={name} scope="col" className="px-4 py-2 font-medium whitespace-nowrap">
                  {name}
                </th>
              ))}
              <th scope="col" className="px-4 py-2 text-right font-medium">
                Messages
              </th>
              <th scope="col" className="px-4 py-2 text-right font-medium">
                Share
              </th>
            </tr>
          </thead>
          <tbody>
            {failures.map((failure) => {
              const { status, code, providerCode, provider, connectionId, count } = failure;
              const query = can("notifications:read") ? messagesOfFailure(view, period, failure) : null;
              return (
                <tr
                  key={[status, code, providerCode, connectionId].join(" ")}
                  className="border-b border-line last:border-0 hover:bg-hover"
                >
                  <th scope="row" className="min-w-56 px-4 py-2 text-left font-normal">
                    {code === "" ? statusFace(status).label : failureMeaning(code)}
                    {code === "" ? null : (
                      <code className="ml-1.5 font-mono text-xs text-ink-muted">{code}</code>
                    )}
                  </th>
                  <td className="px-4 py-2 whitespace-nowrap">{statusFace(status).label}</td>
                  <td className="max-w-56 truncate px-4 py-2" title={provider ?? undefined}>
                    <bdi>{provider ?? "–"}</bdi>
                  </td>
                  <td className="px-4 py-2 font-mono text-xs whitespace-nowrap">{providerCode || "–"}</td>
                  <td className="px-4 py-2 text-right">
                    {query ? (
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
                  <td className="px-4 py-2 text-right">{formatPercent(count / all)}</td>
                </tr>
              );
            })}
          </tbody>
        </table>
      </div>
    </Card>
  );
}
