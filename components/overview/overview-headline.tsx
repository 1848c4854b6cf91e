"use client";

import type { ReactNode } from "react";
import type { OutcomeCounts, OverviewReport } from "../../server/insights/schemas.ts";
import { Delta, Metric } from "../charts/metric.tsx";
import { usePortal } from "../portal/portal-context.tsx";
import { Card } from "../ui/card.tsx";
import { formatDuration, formatNumber, formatPercent } from "../ui/format.ts";
import { Link } from "../ui/link.tsx";
import { Skeleton } from "../ui/skeleton.tsx";
import { deliveryRate, figureOf, messagesOf, type Figure } from "./overview-figures.ts";

/** What of the accepted messages is in none of the figures above, in the order in which it happens. */
const others: readonly { figure: Figure; label: string; title: string }[] = [
  { figure: "underWay", label: "in progress", title: "Accepted and not completed yet" },
  {
    figure: "sentWithoutReceipt",
    label: "sent without a receipt",
    title: "Sent through a provider that reports no deliveries",
  },
  { figure: "canceled", label: "canceled", title: "Canceled before they were sent" },
  { figure: "simulated", label: "simulated", title: "Carried by a simulator: nobody received them" },
];

/** What is said of figures that stand without a word. */
const spoken: Partial<Record<Figure, string>> = {
  accepted: "messages accepted",
  delivered: "delivered",
  undelivered: "messages not delivered",
  notArrived: "failed, expired or undetermined",
};

/**
 * How it goes: figures with what they are a share of, each against the period before, and each a link to its messages.
 * @param now undefined while loading
 * @param compared what of them is held against what; undefined while loading; null: they are compared with nothing
 * @param sentMs how long it took until messages were sent; null: none was
 * @param hrefOf where a figure's messages are; null: the reader does not see them
 */
export function Headline({
  now,
  compared,
  sentMs,
  sentP50Before,
  hrefOf,
  notes = [],
}: {
  now: OutcomeCounts | undefined;
  compared: OverviewReport["compared"] | undefined;
  sentMs: OverviewReport["sentMs"];
  sentP50Before: number | null;
  hrefOf: (figure: Figure) => string | null;
  notes?: readonly string[];
}) {
  const to = (figure: Figure, children: ReactNode) => {
    const href = hrefOf(figure);
    return href === null ? (
      children
    ) : (
      <Link
        href={href}
        className="rounded-sm underline decoration-line-strong underline-offset-4 hover:decoration-current"
      >
        {children}
      </Link>
    );
  };
  const count = (figure: Figure, label = "") =>
    now
      ? to(
          figure,
          <>
            {formatNumber(figureOf(now, figure))}
            {label === "" ? <span className="sr-only"> {spoken[figure]}</span> : label}
          </>,
        )
      : "";
  const without = { quiet: compared === null, pending: compared === undefined };
  const change = (of: (counts: OutcomeCounts) => number | null) => ({
    current: compared ? of(compared.now) : null,
    previous: compared ? of(compared.then) : null,
    ...without,
  });
  const rate = now ? deliveryRate(now) : null;
  const missed = rate === null ? "" : ` (${formatPercent(1 - rate)})`;
  const rest = others.filter(({ figure }) => now && (figure === "underWay" || figureOf(now, figure) > 0));

  return (
    <Card className="mb-4">
      <div className="grid grid-cols-2 divide-x divide-line max-lg:[&>*:nth-child(-n+2)]:border-b max-lg:[&>*:nth-child(even)]:border-r-0 lg:grid-cols-4">
        <Metric
          label="Accepted"
          loading={!now}
          value={count("accepted")}
          delta={<Delta {...change(({ accepted }) => accepted)} />}
        />
        <Metric
          label="Delivered"
          loading={!now}
          lines={2}
          value={rate === null ? "–" : to("delivered", formatPercent(rate))}
          delta={<Delta {...change(deliveryRate)} better="up" points />}
          note={
            rate === null ? (
              <span>none final yet</span>
            ) : (
              <span>
                {count("delivered")} of {count("final", " final")}
              </span>
            )
          }
        />
        <Metric
          label="Not delivered"
          loading={!now}
          lines={2}
          value={count("undelivered")}
          delta={<Delta {...change((counts) => figureOf(counts, "undelivered"))} better="down" />}
          note={
            <>
              {rate === null ? null : (
                <span>
                  {count("notArrived")} of {count("final", " final")}
                  {missed}
                </span>
              )}
              {now && now.rejected > 0 ? <span>{count("rejected", " rejected before sending")}</span> : null}
            </>
          }
        />
        <Metric
          label="Accepted to sent, median"
          loading={!now}
          value={sentMs ? formatDuration(sentMs.p50) : "–"}
          delta={<Delta current={sentMs?.p50 ?? null} previous={sentP50Before} better="down" {...without} />}
          note={sentMs ? `p99 ${formatDuration(sentMs.p99)}` : null}
        />
      </div>
      {now ? (
        <ul className="flex flex-wrap gap-x-5 gap-y-1 border-t border-line px-4 py-2 text-xs text-ink-muted tabular">
          {rest.map(({ figure, label, title }) => (
            <li key={figure} title={title} className="flex items-center gap-1.5">
              {count(figure, ` ${label}`)}
              <Delta {...change((counts) => figureOf(counts, figure))} quiet />
            </li>
          ))}
          {notes.map((note) => (
            <li key={note}>{note}</li>
          ))}
        </ul>
      ) : (
        <div className="border-t border-line px-4 py-2">
          <Skeleton className="h-4.5 w-32" />
        </div>
      )}
    </Card>
  );
}

/** The headline of the Overview. Undefined while loading. */
export function OverviewHeadline({
  report,
  view,
}: {
  report: OverviewReport | undefined;
  view: { application: string | null; channel: string | null };
}) {
  const { can, href } = usePortal();
  const notes = [
    ...(report?.sandbox ? ["Everything in a sandbox is simulated: nobody receives it."] : []),
    ...(report && !report.sandbox && report.totals.simulated > 0
      ? ["A routing rule uses the simulator: nobody received what is simulated."]
      : []),
    ...(report?.wholeHours
      ? [
          "Too many messages to count by the minute: this clock hour and the one before it are shown, without a comparison.",
        ]
      : []),
  ];
  return (
    <Headline
      now={report?.totals}
      compared={report?.compared}
      sentMs={report?.sentMs ?? null}
      sentP50Before={report?.compared ? report.previous.sentP50Ms : null}
      hrefOf={(figure) =>
        report && can("notifications:read")
          ? href("/messages", messagesOf(report, report, view, figure))
          : null
      }
      notes={notes}
    />
  );
}
