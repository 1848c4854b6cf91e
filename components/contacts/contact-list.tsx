"use client";

import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { Contact as ContactIcon } from "lucide-react";
import dynamic from "next/dynamic";
import { useMemo, useState } from "react";
import type { Contact, ContactGroup } from "../../server/contacts/schemas.ts";
import { contactLimits } from "../../server/contacts/vocabulary.ts";
import { DataTable, type DataColumn } from "../data-table/data-table.tsx";
import { LoadMore } from "../data-table/load-more.tsx";
import { SearchBox } from "../data-table/search-box.tsx";
import { usePortal } from "../portal/portal-context.tsx";
import { useTRPC } from "../trpc/client.tsx";
import { QueryFailed } from "../trpc/query-failed.tsx";
import { Button } from "../ui/button.tsx";
import { Card } from "../ui/card.tsx";
import { cn } from "../ui/cn.ts";
import { NoMatch, NothingYet } from "../ui/empty-state.tsx";
import { MaskedValue } from "../ui/masked-value.tsx";
import { RelativeTime } from "../ui/time.tsx";
import { GroupMenu, useGroupNames } from "./group-menu.tsx";
import { titleOf } from "./contact-words.ts";

const BulkBar = dynamic(() => import("./bulk-bar.tsx").then((module) => module.BulkBar));

const pageSize = 50;

/** Contacts, all or those of a group: searched, chosen, and changed together. */
export function ContactList({
  search,
  groupId,
  group: given = null,
  onSearch,
  onGroup,
  onAdd,
}: {
  search: string;
  groupId: string | null;
  /** The static group that is given. */
  group?: Pick<ContactGroup, "id" | "name"> | null;
  onSearch: (search: string) => void;
  /** Left out where the group is given. */
  onGroup?: (groupId: string | null) => void;
  onAdd?: (() => void) | undefined;
}) {
  const { can, canIn, href } = usePortal();
  const trpc = useTRPC();
  const writes = can("contacts:write");
  const revealed = canIn("content:reveal", null);
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const [named] = useGroupNames(onGroup && groupId ? [groupId] : []);
  const query = useInfiniteQuery(
    trpc.contacts.list.infiniteQueryOptions(
      { limit: pageSize, ...(search ? { search } : {}), ...(groupId ? { groupId } : {}) },
      { getNextPageParam: (page) => page.nextCursor, placeholderData: keepPreviousData },
    ),
  );
  const rows = query.data?.pages.flatMap((page) => page.data);
  const columns = useMemo(() => columnsOf(revealed), [revealed]);
  const group = given ?? (named?.kind === "static" ? named : null);
  const full = search !== "" && rows?.length === pageSize;
  return (
    <>
      <div className="mb-3 flex flex-wrap items-center gap-2">
        <SearchBox
          className="min-w-0 flex-1 basis-56 sm:max-w-md"
          value={search}
          onChange={onSearch}
          label="Search contacts"
          placeholder={revealed ? "Name, address or external ID" : "Name or external ID"}
        />
        {onGroup ? (
          <GroupMenu
            label="Group"
            multiple={false}
            selected={groupId ? [groupId] : []}
            onChange={([value]) => {
              setChosen(new Set());
              onGroup(value ?? null);
            }}
          />
        ) : null}
      </div>
      {chosen.size > 0 ? (
        <BulkBar contactIds={[...chosen]} group={group} onDone={() => setChosen(new Set())} />
      ) : null}
      {query.isError && !rows ? (
        <Card>
          <QueryFailed what="contacts" query={query} />
        </Card>
      ) : (
        <div className={cn("transition-opacity", query.isPlaceholderData && "opacity-60")}>
          <DataTable
            id="contacts"
            label="Contacts"
            columns={columns}
            rows={rows?.length === 0 && query.hasNextPage ? undefined : rows}
            rowId={(row) => row.id}
            rowLabel={(row) => `Open ${titleOf(row)}`}
            hrefOf={(row) => href(`/contacts/${row.id}`)}
            selection={
              writes
                ? {
                    selected: chosen,
                    onSelect: (these, on) => setChosen((before) => withThese(before, these, on)),
                    label: (row) => `Select ${titleOf(row)}`,
                  }
                : undefined
            }
            empty={
              search !== "" || groupId ? (
                <NoMatch
                  what="contacts"
                  hint={
                    search === ""
                      ? "This group is empty."
                      : revealed
                        ? "Search by the start of a name, address or external ID."
                        : "Search by the start of a name or external ID."
                  }
                  onClear={() => {
                    onSearch("");
                    onGroup?.(null);
                  }}
                />
              ) : (
                <NothingYet
                  icon={ContactIcon}
                  title="No contacts yet"
                  action={
                    onAdd ? (
                      <Button variant="primary" onClick={onAdd}>
                        Add contact
                      </Button>
                    ) : null
                  }
                >
                  Add contacts one by one, import them, or sync them through the API. Then group them and send
                  broadcasts.
                </NothingYet>
              )
            }
            compact={(row) => (
              <span className="grid gap-1">
                <span className="truncate font-medium">{titleOf(row)}</span>
                <span className="flex min-w-0 items-center justify-between gap-3 text-sm text-ink-muted">
                  <MaskedValue value={addressesOf(row)} masked={!revealed} className="min-w-0 truncate" />
                  <span className="shrink-0">{[row.region, row.language].filter(Boolean).join(" / ")}</span>
                </span>
              </span>
            )}
            footer={
              query.hasNextPage ? (
                <LoadMore query={query}>{rows?.length === 0 ? "Search further" : "Load more"}</LoadMore>
              ) : full ? (
                <p className="border-t border-line px-4 py-2.5 text-center text-xs text-ink-muted">
                  The first {pageSize} matches. Type more to narrow the search.
                </p>
              ) : null
            }
          />
        </div>
      )}
    </>
  );
}

const addressesOf = ({ addresses }: Contact) => {
  const [first] = addresses;
  if (!first) return "No address";
  const more = addresses.length - 1;
  return more > 0 ? `${first.address} + ${String(more)}` : first.address;
};

/** What is chosen, with these or without. As many as one call takes. */
function withThese(chosen: ReadonlySet<string>, these: readonly Contact[], on: boolean): ReadonlySet<string> {
  const next = new Set(chosen);
  for (const { id } of these) {
    if (!on) next.delete(id);
    else if (next.size < contactLimits.items) next.add(id);
  }
  return next;
}

function columnsOf(revealed: boolean): DataColumn<Contact>[] {
  return [
    {
      id: "name",
      label: "Name",
      fixed: true,
      skeleton: "w-40",
      className: "max-w-72",
      cell: (row) => <span className="block truncate font-medium">{titleOf(row)}</span>,
    },
    {
      id: "addresses",
      label: "Addresses",
      skeleton: "w-44",
      className: "max-w-72",
      cell: (row) => <MaskedValue value={addressesOf(row)} masked={!revealed} className="block truncate" />,
    },
    {
      id: "externalId",
      label: "External ID",
      skeleton: "w-24",
      className: "max-w-56",
      cell: (row) => <span className="block truncate text-ink-muted">{row.externalId}</span>,
    },
    { id: "region", label: "Region", skeleton: "w-8", cell: (row) => row.region },
    { id: "language", label: "Language", skeleton: "w-8", cell: (row) => row.language },
    {
      id: "timeZone",
      label: "Time zone",
      skeleton: "w-24",
      hiddenAtFirst: true,
      cell: (row) => row.timeZone,
    },
    {
      id: "updatedAt",
      label: "Updated",
      align: "right",
      skeleton: "w-16",
      cell: (row) => <RelativeTime value={row.updatedAt} className="text-ink-muted" />,
    },
  ];
}
