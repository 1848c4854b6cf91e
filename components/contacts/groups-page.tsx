"use client";

import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { Plus, UsersRound } from "lucide-react";
import dynamic from "next/dynamic";
import { useRouter } from "next/navigation";
import { parseAsString, useQueryState } from "nuqs";
import { useState } from "react";
import { filterWords } from "../../server/contacts/vocabulary.ts";
import type { ContactGroup } from "../../server/contacts/schemas.ts";
import { DataTable, type DataColumn } from "../data-table/data-table.tsx";
import { LoadMore } from "../data-table/load-more.tsx";
import { SearchBox } from "../data-table/search-box.tsx";
import { PageFrame } from "../layout/page-frame.tsx";
import { PageHeader } from "../layout/page-header.tsx";
import { usePortal } from "../portal/portal-context.tsx";
import { useTRPC } from "../trpc/client.tsx";
import { QueryFailed } from "../trpc/query-failed.tsx";
import { Button } from "../ui/button.tsx";
import { Card } from "../ui/card.tsx";
import { cn } from "../ui/cn.ts";
import { NoMatch, NothingYet } from "../ui/empty-state.tsx";
import { RelativeTime } from "../ui/time.tsx";
import { ContactTabs } from "./contact-tabs.tsx";
import { GroupSize } from "./group-size.tsx";

const GroupDialog = dynamic(() => import("./group-dialog.tsx").then((module) => module.GroupDialog));

const whoOf = ({ filter }: ContactGroup) => (filter ? filterWords(filter) : "Contacts added manually");

const columns: DataColumn<ContactGroup>[] = [
  {
    id: "name",
    label: "Name",
    fixed: true,
    skeleton: "w-40",
    className: "max-w-72",
    cell: (row) => <span className="block truncate font-medium">{row.name}</span>,
  },
  {
    id: "who",
    label: "Members",
    skeleton: "w-64",
    className: "max-w-[36rem]",
    cell: (row) => <span className="block truncate text-ink-muted">{whoOf(row)}</span>,
  },
  {
    id: "size",
    label: "Contacts",
    align: "right",
    skeleton: "w-12",
    cell: (row) => <GroupSize group={row} />,
  },
  {
    id: "updatedAt",
    label: "Changed",
    align: "right",
    skeleton: "w-16",
    cell: (row) => <RelativeTime value={row.updatedAt} className="text-ink-muted" />,
  },
];

/** Groups of contacts. */
export function GroupsPage() {
  const { can, href } = usePortal();
  const router = useRouter();
  const trpc = useTRPC();
  const [q, setQ] = useQueryState("q", parseAsString.withOptions({ history: "push" }));
  const [adding, setAdding] = useState(false);
  const query = useInfiniteQuery(
    trpc.contactGroups.list.infiniteQueryOptions(
      { limit: 50, ...(q ? { search: q } : {}) },
      {
        getNextPageParam: (page) => page.nextCursor,
        placeholderData: keepPreviousData,
        refetchInterval: ({ state }) =>
          state.data?.pages.some((page) => page.data.some(({ size }) => size === null)) ? 3_000 : false,
      },
    ),
  );
  const rows = query.data?.pages.flatMap((page) => page.data);
  const add = can("contacts:write") ? (
    <Button variant="primary" onClick={() => setAdding(true)}>
      <Plus aria-hidden /> Add group
    </Button>
  ) : null;
  return (
    <PageFrame wide>
      <PageHeader
        title="Groups"
        description="Contacts you send broadcasts to."
        environmentScoped={false}
        actions={add}
      />
      <ContactTabs current="groups" />
      <div className="mb-3 flex">
        <SearchBox
          className="min-w-0 flex-1 sm:max-w-md"
          value={q ?? ""}
          onChange={(next) => void setQ(next === "" ? null : next)}
          label="Search groups"
          maxLength={100}
          placeholder="Name"
        />
      </div>
      {query.isError && !rows ? (
        <Card>
          <QueryFailed what="groups" query={query} />
        </Card>
      ) : (
        <div className={cn("transition-opacity", query.isPlaceholderData && "opacity-60")}>
          <DataTable
            id="contact-groups"
            label="Groups"
            columns={columns}
            rows={rows}
            rowId={(row) => row.id}
            rowLabel={(row) => `Open ${row.name}`}
            hrefOf={(row) => href(`/contacts/groups/${row.id}`)}
            skeletonRows={6}
            empty={
              q ? (
                <NoMatch what="groups" hint="Try another part of the name." onClear={() => void setQ(null)} />
              ) : (
                <NothingYet icon={UsersRound} title="No groups yet" action={add}>
                  Add contacts to a group, or use a filter, such as everyone in Germany with the plan “gold”.
                </NothingYet>
              )
            }
            compact={(row) => (
              <span className="grid gap-1">
                <span className="flex items-center justify-between gap-3">
                  <span className="truncate font-medium">{row.name}</span>
                  <GroupSize group={row} />
                </span>
                <span className="truncate text-sm text-ink-muted">{whoOf(row)}</span>
              </span>
            )}
            footer={<LoadMore query={query} />}
          />
        </div>
      )}
      {adding ? (
        <GroupDialog
          onClose={() => setAdding(false)}
          onSaved={(id) => router.push(href(`/contacts/groups/${id}`))}
        />
      ) : null}
    </PageFrame>
  );
}
