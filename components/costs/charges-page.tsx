"use client";

import { Coins, X } from "lucide-react";
import { useMemo } from "react";
import type { ListedEntry } from "../../server/costs/schemas.ts";
import { DataTable, type DataColumn } from "../data-table/data-table.tsx";
import { Pager } from "../data-table/pager.tsx";
import { PageFrame } from "../layout/page-frame.tsx";
import { PageHeader } from "../layout/page-header.tsx";
import { channelLabel, ChannelMark } from "../messages/channel.tsx";
import { usePortal } from "../portal/portal-context.tsx";
import { Period } from "../reports/period-text.tsx";
import { dimensionLabel, FilterChips, filterNames } from "../reports/report-filters.tsx";
import { QueryFailed } from "../trpc/query-failed.tsx";
import { Button } from "../ui/button.tsx";
import { cn } from "../ui/cn.ts";
import { NoMatch, NothingYet } from "../ui/empty-state.tsx";
import { formatMoney, plural } from "../ui/format.ts";
import { Link } from "../ui/link.tsx";
import { AbsoluteTime } from "../ui/time.tsx";
import { useCharges } from "./use-charges.ts";

const kindLabel = { message: "Attempt", platform_fee: "Platform fee" } as const;
const muted = (value: string | null) => (
  <bdi className="block max-w-48 truncate text-left text-ink-muted" title={value ?? undefined}>
    {value ?? "–"}
  </bdi>
);

function columnsOf(linkOf: ((entry: ListedEntry) => string) | null): DataColumn<ListedEntry>[] {
  return [
    {
      id: "at",
      label: "Time",
      fixed: true,
      skeleton: "w-28",
      cell: (row) => <AbsoluteTime value={row.at} withYear />,
    },
    {
      id: "amount",
      label: "Amount",
      fixed: true,
      align: "right",
      skeleton: "w-16",
      cell: (row) => formatMoney(row.amount, row.currency),
    },
    {
      id: "kind",
      label: "For",
      skeleton: "w-20",
      cell: (row) =>
        row.kind === "message" ? `${kindLabel.message} ${String(row.attempt)}` : kindLabel[row.kind],
    },
    {
      id: "source",
      label: "Price",
      skeleton: "w-20",
      cell: (row) => muted(row.kind === "platform_fee" ? null : row.source),
    },
    {
      id: "channel",
      label: "Channel",
      skeleton: "w-16",
      cell: (row) => <ChannelMark channel={row.channel} />,
    },
    { id: "provider", label: "Provider", skeleton: "w-24", cell: (row) => muted(row.provider) },
    { id: "application", label: "Application", skeleton: "w-24", cell: (row) => muted(row.application) },
    { id: "template", label: "Template", skeleton: "w-28", cell: (row) => muted(row.template) },
    { id: "country", label: "Country", skeleton: "w-10", cell: (row) => muted(row.country) },
    {
      id: "message",
      label: "Message",
      skeleton: "w-20",
      cell: (row) =>
        linkOf ? (
          <Link
            href={linkOf(row)}
            className="font-mono text-xs underline decoration-line-strong underline-offset-2 hover:decoration-ink"
          >
            …{row.notificationId.slice(-8)}
          </Link>
        ) : (
          <code className="font-mono text-xs text-ink-muted" title={row.notificationId}>
            …{row.notificationId.slice(-8)}
          </code>
        ),
    },
  ];
}

/** Charge by charge what a figure of the cost report is the sum of; each leads to its message. */
export function ChargesPage() {
  const { environment, href, can } = usePortal();
  const { view, setView, bounds, entries, names, sums } = useCharges();
  const rows = entries.data?.data;
  const next = entries.data?.nextCursor;
  const narrowed = view.without !== null || filterNames.some((name) => view[name] !== null);
  const clear = () =>
    void setView({
      ...Object.fromEntries(filterNames.map((name) => [name, null])),
      without: null,
      cursor: null,
    });
  const linkOf = useMemo(
    () =>
      can("notifications:read")
        ? ({ environment: env, notificationId }: ListedEntry) =>
            href("/messages", { env, q: notificationId, range: "all", open: notificationId })
        : null,
    [can, href],
  );
  const columns = useMemo(() => columnsOf(linkOf), [linkOf]);
  const query = Object.fromEntries(
    [...filterNames, "everywhere" as const].map((name) => [name, view[name] ? String(view[name]) : null]),
  );

  return (
    <PageFrame wide>
      <PageHeader
        title="Charges"
        description={
          <>
            What was charged in {view.everywhere ? "all environments" : environment.name}, newest first:{" "}
            <Period {...bounds} />
          </>
        }
        back={{ href: href("/costs", query), label: "Costs" }}
        environmentScoped={!view.everywhere}
      />
      {narrowed || view.currency ? (
        <div className="mb-3 flex flex-wrap items-center gap-2">
          <FilterChips
            filters={view}
            names={names}
            onFilter={(name, value) => void setView({ [name]: value, cursor: null })}
          />
          {view.without ? (
            <Button size="sm" onClick={() => void setView({ without: null, cursor: null })}>
              Without: {dimensionLabel[view.without].toLowerCase()} <X aria-label="Remove this filter" />
            </Button>
          ) : null}
          {view.currency ? (
            <Button size="sm" onClick={() => void setView({ currency: null, cursor: null })}>
              Currency: {view.currency} <X aria-label="Remove this filter" />
            </Button>
          ) : null}
        </div>
      ) : null}
      {sums && sums.length > 0 ? (
        <p role="status" className="mb-3 text-sm text-ink-muted tabular">
          {sums
            .map(
              ({ total, currency, charged, platformFees }) =>
                `${formatMoney(total, currency)} in all: ${[
                  charged > 0 ? plural(charged, "charged attempt", "charged attempts") : "",
                  Number(platformFees) > 0 ? `${formatMoney(platformFees, currency)} platform fees` : "",
                ]
                  .filter(Boolean)
                  .join(", ")}`,
            )
            .join(" · ")}
        </p>
      ) : null}
      {entries.isError && !rows ? (
        <QueryFailed what="the charges" query={entries} />
      ) : (
        <div className={cn("transition-opacity", entries.isPlaceholderData && "opacity-60")}>
          <DataTable
            id="charges"
            label="Charges"
            columns={columns}
            rows={rows}
            rowId={(row) => row.id}
            hrefOf={linkOf ?? undefined}
            rowLabel={(row) => `Open the message that cost ${formatMoney(row.amount, row.currency)}`}
            skeletonRows={12}
            empty={
              next ? (
                <p className="px-4 py-10 text-center text-sm text-ink-muted">
                  No matches on this page. Select “Older” to look further back.
                </p>
              ) : narrowed ? (
                <NoMatch what="charges" hint="Remove a filter to see more." onClear={clear} />
              ) : (
                <NothingYet icon={Coins} title="No charges in this period">
                  A message has a cost if its provider reports a price or its connection has a price list.
                </NothingYet>
              )
            }
            compact={(row) => (
              <div className="flex items-start justify-between gap-3">
                <div className="min-w-0">
                  <p className="truncate">
                    <bdi>{row.template ?? row.notificationType}</bdi>
                  </p>
                  <p className="truncate text-xs text-ink-muted">
                    {[
                      row.kind === "message" ? row.provider : kindLabel[row.kind],
                      channelLabel(row.channel),
                      row.country,
                    ]
                      .filter(Boolean)
                      .join(" · ")}
                  </p>
                </div>
                <div className="shrink-0 text-right">
                  <p className="tabular">{formatMoney(row.amount, row.currency)}</p>
                  <AbsoluteTime value={row.at} className="text-xs text-ink-muted" />
                </div>
              </div>
            )}
            footer={
              <Pager cursor={view.cursor} nextCursor={next} onChange={(cursor) => void setView({ cursor })} />
            }
          />
        </div>
      )}
    </PageFrame>
  );
}
