"use client";

import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { Ban, Download, UsersRound } from "lucide-react";
import dynamic from "next/dynamic";
import { parseAsString, parseAsStringLiteral, useQueryStates } from "nuqs";
import { useMemo, useState } from "react";
import type { SuppressedAddress } from "../../server/consent/schemas.ts";
import { suppressionReasons } from "../../server/consent/vocabulary.ts";
import { DataTable, type DataColumn } from "../data-table/data-table.tsx";
import { ChoiceFilter } from "../data-table/filter-menu.tsx";
import { LoadMore } from "../data-table/load-more.tsx";
import { SearchBox } from "../data-table/search-box.tsx";
import { NewImport } from "../imports/new-import.tsx";
import { PageFrame } from "../layout/page-frame.tsx";
import { PageHeader } from "../layout/page-header.tsx";
import { ChannelFilter } from "../messages/channel-filter.tsx";
import { ChannelMark, channels } from "../messages/channel.tsx";
import { usePortal } from "../portal/portal-context.tsx";
import { useTRPC } from "../trpc/client.tsx";
import { errorCode } from "../trpc/error-text.ts";
import { QueryFailed } from "../trpc/query-failed.tsx";
import { Badge } from "../ui/badge.tsx";
import { Button } from "../ui/button.tsx";
import { Card } from "../ui/card.tsx";
import { cn } from "../ui/cn.ts";
import { NoMatch, NothingYet } from "../ui/empty-state.tsx";
import { Link } from "../ui/link.tsx";
import { MaskedValue } from "../ui/masked-value.tsx";
import { AbsoluteTime, RelativeTime } from "../ui/time.tsx";
import { suppressionWords } from "./suppression-words.ts";

const AddSuppressionsDialog = dynamic(() =>
  import("./add-suppressions-dialog.tsx").then((module) => module.AddSuppressionsDialog),
);
const RemoveSuppressionDialog = dynamic(() =>
  import("./remove-suppression-dialog.tsx").then((module) => module.RemoveSuppressionDialog),
);

const parsers = {
  q: parseAsString.withDefault(""),
  channel: parseAsStringLiteral(channels),
  reason: parseAsStringLiteral(suppressionReasons),
};

/** Addresses that nothing is sent to, whatever was agreed to. */
export function SuppressionsPage() {
  const { tenant, environment, can, canIn } = usePortal();
  const trpc = useTRPC();
  const [{ q: wanted, channel, reason }, setValues] = useQueryStates(parsers, { history: "push" });
  const [adding, setAdding] = useState(false);
  const [removing, setRemoving] = useState<SuppressedAddress | null>(null);
  const revealed = can("content:reveal");
  const q = revealed ? wanted : "";
  const everybody = canIn("consent:read", null);
  // Letter by letter, a search by what an address begins with would tell the whole of it.
  const byBeginning = revealed && everybody;
  const query = useInfiniteQuery(
    trpc.suppressions.list.infiniteQueryOptions(
      {
        environmentId: environment.id,
        channel: channel ?? undefined,
        reason: reason ?? undefined,
        ...(q === "" ? {} : byBeginning ? { prefix: q } : { address: q }),
      },
      {
        getNextPageParam: (page) => page.nextCursor,
        placeholderData: keepPreviousData,
        enabled: everybody || q !== "",
        retry: (failures, error) => errorCode(error) !== "invalid_request" && failures < 2,
      },
    ),
  );
  const mayRemove = canIn("consent:write", null);
  const columns = useMemo(
    () => columnsOf({ revealed, onRemove: mayRemove ? setRemoving : null }),
    [revealed, mayRemove],
  );
  const rows = query.data?.pages.flatMap((page) => page.data);
  const filtered = q !== "" || channel !== null || reason !== null;
  return (
    <PageFrame>
      <PageHeader
        title="Suppressions"
        description={
          environment.kind === "sandbox"
            ? "Addresses that nothing is sent to in the sandbox. They don't count anywhere else."
            : "Addresses that nothing is sent to, regardless of consent. Shared by all environments except the sandbox."
        }
        actions={
          <>
            {everybody ? (
              <Button asChild>
                <a href={`/${tenant.slug}/suppressions/export?environmentId=${environment.id}`} download>
                  <Download aria-hidden /> Export
                </a>
              </Button>
            ) : null}
            {canIn("consent:write", null) ? <NewImport kinds={["suppressions"]} /> : null}
            {can("consent:write") ? (
              <Button variant="primary" onClick={() => setAdding(true)}>
                Add addresses
              </Button>
            ) : null}
          </>
        }
      />
      <div className="mb-3 flex flex-wrap items-center gap-2">
        {revealed ? (
          <SearchBox
            value={q}
            onChange={(next) => void setValues({ q: next === "" ? null : next })}
            label={byBeginning ? "Start of an address" : "A full address"}
            placeholder={byBeginning ? "Address starts with…" : "Full address"}
            className="min-w-0 flex-1 basis-56 sm:max-w-xs"
          />
        ) : null}
        <ChoiceFilter
          label="Reason"
          value={reason}
          onChange={(next) => void setValues({ reason: next })}
          options={suppressionReasons.map((value) => ({ value, label: suppressionWords[value].label }))}
        />
        <ChannelFilter value={channel} onChange={(next) => void setValues({ channel: next })} />
      </div>
      {!everybody && q === "" ? (
        <Card>
          <NothingYet
            icon={UsersRound}
            title={revealed ? "Look up an address" : "You don't have access to this list"}
          >
            Addresses don't belong to teams, so the full list needs a role in the whole organisation.{" "}
            {revealed
              ? "You can still search for a full address."
              : "Searching for an address needs permission to see addresses."}
          </NothingYet>
        </Card>
      ) : query.isError && (!rows || errorCode(query.error) === "invalid_request") ? (
        <Card>
          {errorCode(query.error) === "invalid_request" ? (
            <NoMatch
              what="addresses"
              hint="Enter the full address: an e-mail address, or a number with its country code."
              onClear={() => void setValues({ q: null, channel: null, reason: null })}
            />
          ) : (
            <QueryFailed what="the suppressions" query={query} />
          )}
        </Card>
      ) : (
        <div className={cn("transition-opacity", query.isPlaceholderData && "opacity-60")}>
          <DataTable
            id="suppressions"
            label="Suppressions"
            columns={columns}
            rows={rows}
            rowId={(row) => row.id}
            rowLabel={(row) => row.address}
            empty={
              filtered ? (
                <NoMatch
                  what="suppressed addresses"
                  hint="Try another start of the address, or remove a filter."
                  onClear={() => void setValues({ q: null, channel: null, reason: null })}
                />
              ) : (
                <NothingYet icon={Ban} title="No suppressed addresses">
                  Addresses that don't exist, that complained or that you add appear here. Nothing is sent to
                  them.
                </NothingYet>
              )
            }
            compact={(row) => (
              <CompactRow row={row} revealed={revealed} onRemove={mayRemove ? setRemoving : null} />
            )}
            footer={<LoadMore query={query} />}
          />
        </div>
      )}
      {adding ? <AddSuppressionsDialog onClose={() => setAdding(false)} /> : null}
      {removing ? (
        <RemoveSuppressionDialog
          suppression={removing}
          revealed={revealed}
          onClose={() => setRemoving(null)}
        />
      ) : null}
    </PageFrame>
  );
}

type OnRemove = ((row: SuppressedAddress) => void) | null;

function columnsOf({
  revealed,
  onRemove,
}: {
  revealed: boolean;
  onRemove: OnRemove;
}): DataColumn<SuppressedAddress>[] {
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
    { id: "reason", label: "Reason", skeleton: "w-20", cell: (row) => <ReasonBadge reason={row.reason} /> },
    {
      id: "because",
      label: "Because of",
      skeleton: "w-36",
      className: "max-w-64",
      cell: (row) => <Because row={row} />,
    },
    { id: "end", label: "Until", skeleton: "w-16", cell: (row) => <End row={row} /> },
    {
      id: "since",
      label: "Since",
      align: "right",
      skeleton: "w-16",
      cell: (row) => <RelativeTime value={row.createdAt} className="text-ink-muted" />,
    },
    ...(onRemove
      ? [
          {
            id: "actions",
            label: "Actions",
            hideLabel: true,
            fixed: true,
            align: "right" as const,
            skeleton: "w-14",
            cell: (row: SuppressedAddress) => <RemoveButton row={row} onRemove={onRemove} />,
          },
        ]
      : []),
  ];
}

function CompactRow({
  row,
  revealed,
  onRemove,
}: {
  row: SuppressedAddress;
  revealed: boolean;
  onRemove: OnRemove;
}) {
  return (
    <span className="grid gap-1.5">
      <span className="flex min-w-0 items-center justify-between gap-3">
        <MaskedValue value={row.address} masked={!revealed} className="min-w-0 truncate font-medium" />
        <span className="flex shrink-0 items-center gap-1">
          <ReasonBadge reason={row.reason} />
          {onRemove ? <RemoveButton row={row} onRemove={onRemove} /> : null}
        </span>
      </span>
      <span className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm text-ink-muted">
        <ChannelMark channel={row.channel} />
        <Because row={row} />
        {row.expiresAt === null ? null : (
          <span>
            Until <End row={row} />
          </span>
        )}
      </span>
    </span>
  );
}

function ReasonBadge({ reason }: { reason: SuppressedAddress["reason"] }) {
  const tone = {
    hard_bounce: "danger",
    complaint: "danger",
    soft_bounces: "warning",
    manual: "neutral",
  } as const;
  return (
    <Badge tone={tone[reason]} title={suppressionWords[reason].says}>
      {suppressionWords[reason].label}
    </Badge>
  );
}

/** The message that it comes from, or who added it and why. */
function Because({ row }: { row: SuppressedAddress }) {
  const { href, can } = usePortal();
  if (row.notificationId !== null && can("notifications:read")) {
    return (
      <Link
        href={href(`/messages/${row.notificationId}`)}
        className="rounded-sm font-medium text-accent-text hover:underline"
      >
        A message
      </Link>
    );
  }
  const by = row.madeBy ?? "";
  return (
    <span className="block truncate text-ink-muted" title={row.note ?? undefined}>
      {row.note ? `${row.note} (${by})` : by}
    </span>
  );
}

function End({ row }: { row: SuppressedAddress }) {
  if (row.expiresAt === null) return <span className="text-ink-muted">No end</span>;
  return <AbsoluteTime value={row.expiresAt} withYear className="text-ink-muted tabular" />;
}

function RemoveButton({
  row,
  onRemove,
}: {
  row: SuppressedAddress;
  onRemove: (row: SuppressedAddress) => void;
}) {
  return (
    <Button size="sm" variant="ghost" aria-label={`Remove ${row.address}`} onClick={() => onRemove(row)}>
      Remove
    </Button>
  );
}
