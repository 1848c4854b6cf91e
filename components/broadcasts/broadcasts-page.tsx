"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { Megaphone, Plus } from "lucide-react";
import { parseAsString, useQueryState } from "nuqs";
import type { BroadcastSummary } from "../../server/sending/schemas.ts";
import { DataTable, type DataColumn } from "../data-table/data-table.tsx";
import { Pager } from "../data-table/pager.tsx";
import { PageFrame } from "../layout/page-frame.tsx";
import { PageHeader } from "../layout/page-header.tsx";
import { usePortal } from "../portal/portal-context.tsx";
import { useTRPC } from "../trpc/client.tsx";
import { QueryFailed } from "../trpc/query-failed.tsx";
import { Button } from "../ui/button.tsx";
import { cn } from "../ui/cn.ts";
import { NothingYet } from "../ui/empty-state.tsx";
import { formatNumber, formatPercent, plural } from "../ui/format.ts";
import { Link } from "../ui/link.tsx";
import { RelativeTime } from "../ui/time.tsx";
import { BroadcastState, isMoving } from "./broadcast-state.tsx";

function progressOf({ released, recipients, state }: BroadcastSummary): string {
  if (recipients === 0) return state === "listing" ? "" : "0";
  if (state === "listing" || state === "ready") return formatNumber(recipients);
  return `${formatNumber(recipients)}, ${formatPercent(released / recipients, 0)}`;
}

const groupsOf = ({ groups }: BroadcastSummary) => groups.map(({ group }) => group).join(", ");

const columns: DataColumn<BroadcastSummary>[] = [
  {
    id: "name",
    label: "Name",
    fixed: true,
    skeleton: "w-40",
    className: "max-w-72",
    cell: (row) => <span className="block truncate">{row.name}</span>,
  },
  { id: "state", label: "State", skeleton: "w-20", cell: (row) => <BroadcastState state={row.state} /> },
  {
    id: "groups",
    label: "Groups",
    skeleton: "w-32",
    className: "max-w-64",
    cell: (row) => <span className="block truncate">{groupsOf(row)}</span>,
  },
  {
    id: "recipients",
    label: "Recipients",
    skeleton: "w-20",
    cell: (row) => <span className="tabular">{progressOf(row)}</span>,
  },
  {
    id: "type",
    label: "Type",
    skeleton: "w-28",
    className: "max-w-56",
    cell: (row) => (
      <span className="block truncate">
        {row.notificationType} / {row.notificationSubtype}
      </span>
    ),
  },
  { id: "by", label: "Created by", skeleton: "w-24", cell: (row) => row.createdBy },
  {
    id: "at",
    label: "Created",
    skeleton: "w-16",
    cell: (row) => <RelativeTime value={row.createdAt} className="text-ink-muted" />,
  },
];

/** Messages to contact groups: what is under way, what waits for somebody, what has ended. */
export function BroadcastsPage() {
  const { can, href, environment } = usePortal();
  const trpc = useTRPC();
  const [cursor, setCursor] = useQueryState("cursor", parseAsString.withOptions({ history: "push" }));
  const query = useQuery(
    trpc.broadcasts.list.queryOptions(
      { environmentId: environment.id, cursor: cursor ?? undefined },
      {
        placeholderData: keepPreviousData,
        refetchInterval: ({ state }) => (state.data?.data.some((row) => isMoving(row.state)) ? 5_000 : false),
      },
    ),
  );
  const create = can("notifications:send") ? (
    <Button asChild variant="primary">
      <Link href={href("/broadcasts/new")}>
        <Plus aria-hidden /> New broadcast
      </Link>
    </Button>
  ) : undefined;

  return (
    <PageFrame wide>
      <PageHeader
        title="Broadcasts"
        description="One message to everyone in a contact group, in their own language."
        actions={create}
      />
      {query.isError && !query.data ? (
        <QueryFailed what="broadcasts" query={query} />
      ) : (
        <div className={cn("transition-opacity", query.isPlaceholderData && "opacity-60")}>
          <DataTable
            id="broadcasts"
            label="Broadcasts"
            columns={columns}
            rows={query.data?.data}
            rowId={(row) => row.id}
            rowLabel={(row) => `Open ${row.name}`}
            hrefOf={(row) => href(`/broadcasts/${row.id}`)}
            skeletonRows={6}
            empty={
              <NothingYet icon={Megaphone} title="No broadcasts yet" action={create}>
                Choose contact groups and a template, review recipients and cost, then send. You can pause at
                any time.
              </NothingYet>
            }
            compact={(row) => (
              <span className="block">
                <span className="flex items-center justify-between gap-3">
                  <span className="truncate">{row.name}</span>
                  <BroadcastState state={row.state} />
                </span>
                <span className="mt-1 block truncate text-sm text-ink-muted">
                  {groupsOf(row)}, {plural(row.recipients, "recipient")},{" "}
                  <RelativeTime value={row.createdAt} />
                </span>
              </span>
            )}
            footer={
              <Pager
                cursor={cursor}
                nextCursor={query.data?.nextCursor}
                onChange={(next) => void setCursor(next)}
              />
            }
          />
        </div>
      )}
    </PageFrame>
  );
}
