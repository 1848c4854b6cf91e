"use client";

import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { Handshake, UsersRound } from "lucide-react";
import { useMemo } from "react";
import type { Channel } from "../../server/kernel/channel.ts";
import type { ConsentEntry } from "../../server/consent/schemas.ts";
import { DataTable, type DataColumn } from "../data-table/data-table.tsx";
import { ChoiceFilter } from "../data-table/filter-menu.tsx";
import { LoadMore } from "../data-table/load-more.tsx";
import { ChannelFilter } from "../messages/channel-filter.tsx";
import { ChannelMark } from "../messages/channel.tsx";
import { usePortal } from "../portal/portal-context.tsx";
import { useTRPC } from "../trpc/client.tsx";
import { QueryFailed } from "../trpc/query-failed.tsx";
import { Card } from "../ui/card.tsx";
import { cn } from "../ui/cn.ts";
import { NoMatch, NothingYet } from "../ui/empty-state.tsx";
import { MaskedValue } from "../ui/masked-value.tsx";
import { RelativeTime } from "../ui/time.tsx";
import { StateBadge } from "./address-consent.tsx";
import { scopeWords, sourceWords, stateWords } from "./consent-words.ts";

type Filters = {
  channel: Channel | null;
  state: ConsentEntry["state"] | null;
  source: ConsentEntry["source"] | null;
};

const optionsOf = <Value extends string>(words: Record<Value, string>) =>
  Object.entries<string>(words).map(([value, label]) => ({ value: value as Value, label }));

/** What was recorded last, of every address. */
export function Ledger({
  filters,
  onFilter,
  onAddress,
}: {
  filters: Filters;
  onFilter: (change: Partial<Filters>) => void;
  onAddress: (address: string) => void;
}) {
  const { can, canIn } = usePortal();
  if (canIn("consent:read", null)) {
    return <Entries filters={filters} onFilter={onFilter} onAddress={onAddress} />;
  }
  return (
    <Card>
      {can("content:reveal") ? (
        <NothingYet icon={UsersRound} title="Look up an address">
          Addresses don't belong to teams, so the full list needs a role in the whole organisation. You can
          still look up single addresses.
        </NothingYet>
      ) : (
        <NothingYet icon={UsersRound} title="You don't have access to this list">
          Addresses don't belong to teams, so the full list needs a role in the whole organisation. Looking up
          one address needs permission to see addresses.
        </NothingYet>
      )}
    </Card>
  );
}

function Entries({
  filters,
  onFilter,
  onAddress,
}: {
  filters: Filters;
  onFilter: (change: Partial<Filters>) => void;
  onAddress: (address: string) => void;
}) {
  const { environment, can } = usePortal();
  const trpc = useTRPC();
  const { channel, state, source } = filters;
  const query = useInfiniteQuery(
    trpc.consent.list.infiniteQueryOptions(
      {
        environmentId: environment.id,
        channel: channel ?? undefined,
        state: state ?? undefined,
        source: source ?? undefined,
      },
      { getNextPageParam: (page) => page.nextCursor, placeholderData: keepPreviousData },
    ),
  );
  const revealed = can("content:reveal");
  const columns = useMemo(() => ledgerColumns(revealed), [revealed]);
  const rows = query.data?.pages.flatMap((page) => page.data);
  return (
    <>
      <div className="mb-3 flex flex-wrap items-center gap-2">
        <ChannelFilter value={channel} onChange={(next) => onFilter({ channel: next })} />
        <ChoiceFilter
          label="What"
          value={state}
          onChange={(next) => onFilter({ state: next })}
          options={optionsOf(stateWords)}
        />
        <ChoiceFilter
          label="Source"
          value={source}
          onChange={(next) => onFilter({ source: next })}
          options={optionsOf(sourceWords)}
        />
      </div>
      {query.isError && !rows ? (
        <Card>
          <QueryFailed what="the consent" query={query} />
        </Card>
      ) : (
        <div className={cn("transition-opacity", query.isPlaceholderData && "opacity-60")}>
          <DataTable
            id="consent"
            label="Consent"
            columns={columns}
            rows={rows}
            rowId={(row) => row.id}
            rowLabel={(row) => `Look up ${row.address}`}
            onOpen={
              revealed ? (row) => (isAddress(row.address) ? onAddress(row.address) : undefined) : undefined
            }
            empty={
              (channel ?? state ?? source) ? (
                <NoMatch
                  what="entries"
                  hint="Remove a filter to see more."
                  onClear={() => onFilter({ channel: null, state: null, source: null })}
                />
              ) : (
                <NothingYet icon={Handshake} title="No consent recorded yet">
                  Opt-ins and opt-outs from the API, replies, providers and the portal appear here.
                </NothingYet>
              )
            }
            compact={(row) => (
              <span className="grid gap-1.5">
                <span className="flex min-w-0 items-center justify-between gap-3">
                  <MaskedValue
                    value={row.address}
                    masked={!revealed}
                    className="min-w-0 truncate font-medium"
                  />
                  <StateBadge state={row.state} />
                </span>
                <span className="flex flex-wrap items-center gap-x-3 text-sm text-ink-muted">
                  <ChannelMark channel={row.channel} />
                  {scopeWords(row)}
                  <RelativeTime value={row.at} className="ml-auto" />
                </span>
              </span>
            )}
            footer={<LoadMore query={query} />}
          />
        </div>
      )}
    </>
  );
}

/** Of who was erased no address is left that could be looked up. */
const isAddress = (text: string) => text !== "[erased]";

function ledgerColumns(revealed: boolean): DataColumn<ConsentEntry>[] {
  return [
    {
      id: "address",
      label: "Address",
      fixed: true,
      skeleton: "w-44",
      className: "max-w-72",
      cell: (row) => <MaskedValue value={row.address} masked={!revealed} className="block truncate" />,
    },
    {
      id: "channel",
      label: "Channel",
      skeleton: "w-16",
      cell: (row) => <ChannelMark channel={row.channel} />,
    },
    { id: "state", label: "What", skeleton: "w-16", cell: (row) => <StateBadge state={row.state} /> },
    { id: "scope", label: "Of", skeleton: "w-28", cell: (row) => scopeWords(row) },
    {
      id: "source",
      label: "Source",
      skeleton: "w-36",
      cell: (row) => <span className="text-ink-muted">{sourceWords[row.source]}</span>,
    },
    {
      id: "at",
      label: "When",
      align: "right",
      skeleton: "w-16",
      cell: (row) => <RelativeTime value={row.at} className="text-ink-muted" />,
    },
  ];
}
