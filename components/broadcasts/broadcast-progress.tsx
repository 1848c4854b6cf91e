"use client";

import { useState } from "react";
import { leftOutReasons } from "../../server/sending/vocabulary.ts";
import type { Broadcast } from "../../server/sending/schemas.ts";
import { statusFace, statusLabel, statusNames } from "../messages/status.ts";
import { usePortal } from "../portal/portal-context.tsx";
import { Card, CardHeader } from "../ui/card.tsx";
import { formatNumber, formatPercent, humanize } from "../ui/format.ts";

/** How far it is, and what became of the recipients. `at`: when this was looked up, ms. */
export function BroadcastProgress({ broadcast, at }: { broadcast: Broadcast; at: number }) {
  const { recipients, released, counts, state, leftOut } = broadcast;
  const { environments } = usePortal();
  const simulated = environments.find(({ slug }) => slug === broadcast.environment)?.kind === "sandbox";
  const rate = useRate(released, at);
  const left = Object.entries(leftOut).toSorted(([, a], [, b]) => b - a);
  const rows = [
    ...statusNames.flatMap((status) => {
      const count = counts[status] ?? 0;
      const face = statusFace(status);
      return count > 0
        ? [
            {
              id: status,
              label: statusLabel(status, simulated),
              hint: face.meaning,
              color: face.color,
              count,
            },
          ]
        : [];
    }),
    ...left.map(([reason, count]) => ({
      id: reason,
      label: "No message",
      hint: leftOutReasons[reason] ?? humanize(reason),
      color: "var(--neutral)",
      count,
    })),
  ];
  const all = Math.max(
    recipients,
    rows.reduce((sum, { count }) => sum + count, 0),
    1,
  );
  return (
    <Card>
      <CardHeader
        title="Progress"
        description={
          state === "listing"
            ? `Listing recipients: ${formatNumber(recipients)} so far`
            : `${formatNumber(released)} of ${formatNumber(recipients)} recipients${
                state === "sending" && rate !== null && rate > 0 ? `, ${formatNumber(rate)} a second` : ""
              }`
        }
      />
      <div className="grid gap-4 px-4 pb-4">
        <div
          role="progressbar"
          aria-label="Recipients processed"
          aria-valuemin={0}
          aria-valuemax={100}
          aria-valuenow={recipients === 0 ? 0 : Math.floor((released / recipients) * 100)}
          className="flex h-2.5 gap-px overflow-hidden rounded-full bg-neutral-soft"
        >
          {rows.map(({ id, color, count }) => (
            <div key={id} style={{ width: `${(count / all) * 100}%`, background: color }} />
          ))}
        </div>
        {rows.length > 0 ? (
          <table className="w-full text-sm">
            <thead className="sr-only">
              <tr>
                <th>Status</th>
                <th>Recipients</th>
                <th>Share</th>
              </tr>
            </thead>
            <tbody>
              {rows.map((row) => (
                <tr key={row.id} className="border-t border-line first:border-0">
                  <td className="py-1.5 pr-3">
                    <span className="inline-flex items-baseline gap-2">
                      <span
                        aria-hidden
                        className="size-2 shrink-0 self-center rounded-full"
                        style={{ background: row.color }}
                      />
                      {row.label}
                      <span className="text-xs text-ink-muted max-sm:hidden">{row.hint}</span>
                    </span>
                  </td>
                  <td className="py-1.5 text-right tabular">{formatNumber(row.count)}</td>
                  <td className="w-16 py-1.5 pl-3 text-right text-ink-muted tabular">
                    {formatPercent(row.count / all)}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        ) : (
          <p className="text-sm text-ink-muted">
            {state === "scheduled" ? "Not started yet." : "No messages yet."}
          </p>
        )}
      </div>
    </Card>
  );
}

/** How many a second, from two looks at it; null before there are two. */
function useRate(released: number, at: number): number | null {
  const [last, setLast] = useState({ released, at });
  const [rate, setRate] = useState<number | null>(null);
  if (at !== last.at) {
    setLast({ released, at });
    setRate(Math.round(((released - last.released) * 1_000) / Math.max(500, at - last.at)));
  }
  return rate;
}
