"use client";

import { useQuery } from "@tanstack/react-query";
import type { inferRouterOutputs } from "@trpc/server";
import { UserMinus, Users } from "lucide-react";
import { useMemo, useState } from "react";
import type { AppRouter } from "../../server/trpc/root.ts";
import { DataTable, type DataColumn } from "../data-table/data-table.tsx";
import { PageFrame } from "../layout/page-frame.tsx";
import { PageHeader } from "../layout/page-header.tsx";
import { usePortal } from "../portal/portal-context.tsx";
import { useTRPC } from "../trpc/client.tsx";
import { QueryFailed } from "../trpc/query-failed.tsx";
import { Button } from "../ui/button.tsx";
import { NothingYet } from "../ui/empty-state.tsx";
import { RelativeTime } from "../ui/time.tsx";
import { RemoveMemberDialog } from "./remove-member-dialog.tsx";

export type Member = inferRouterOutputs<AppRouter>["members"]["list"]["data"][number];

/** The people of the organisation, or of the reader's team, with their roles; and what ends when somebody leaves. */
export function MembersPage() {
  const { tenant, units, user, canIn } = usePortal();
  const trpc = useTRPC();
  const query = useQuery(trpc.members.list.queryOptions());
  const [leaving, setLeaving] = useState<Member | null>(null);
  const mayRemove = canIn("members:manage", null);

  const columns = useMemo<DataColumn<Member>[]>(() => {
    const place = (unitId: string | null) => units.find((each) => each.id === unitId)?.name ?? tenant.name;
    return [
      {
        id: "name",
        label: "Name",
        fixed: true,
        skeleton: "w-32",
        className: "max-w-60",
        cell: (row) => <span className="block truncate font-medium">{row.name}</span>,
      },
      {
        id: "email",
        label: "E-mail",
        skeleton: "w-40",
        className: "max-w-72",
        cell: (row) => <span className="block truncate text-ink-muted">{row.email}</span>,
      },
      {
        id: "roles",
        label: "Roles",
        skeleton: "w-32",
        cell: (row) =>
          row.assignments.map((each) => `${each.roleName}, ${place(each.unitId)}`).join("; ") || "none",
      },
      {
        id: "seen",
        label: "Last seen",
        skeleton: "w-16",
        cell: (row) =>
          row.lastSeenAt ? (
            <RelativeTime value={row.lastSeenAt} className="text-ink-muted" />
          ) : (
            <span className="text-ink-faint">never</span>
          ),
      },
      {
        id: "actions",
        label: "Actions",
        hideLabel: true,
        fixed: true,
        align: "right",
        skeleton: "w-6",
        className: "w-24",
        cell: (row) =>
          mayRemove && row.id !== user.id ? (
            <Button size="sm" aria-label={`Remove ${row.name}`} onClick={() => setLeaving(row)}>
              <UserMinus aria-hidden /> Remove…
            </Button>
          ) : null,
      },
    ];
  }, [mayRemove, tenant.name, units, user.id]);

  return (
    <PageFrame>
      <PageHeader
        title="Members"
        description="Who may use the portal, and with which roles."
        environmentScoped={false}
      />
      {query.isError && !query.data ? (
        <QueryFailed what="the members" error={query.error} onRetry={() => void query.refetch()} />
      ) : (
        <DataTable
          id="members"
          label="Members"
          columns={columns}
          rows={query.data?.data}
          rowId={(row) => row.id}
          rowLabel={(row) => row.name}
          skeletonRows={4}
          empty={
            <NothingYet icon={Users} title="No members">
              Nobody has a role in your team.
            </NothingYet>
          }
          compact={(row) => (
            <span className="flex items-center justify-between gap-3">
              <span className="min-w-0">
                <span className="block truncate font-medium">{row.name}</span>
                <span className="block truncate text-xs text-ink-muted">{row.email}</span>
              </span>
              {columns.at(-1)?.cell(row)}
            </span>
          )}
        />
      )}
      {leaving ? (
        <RemoveMemberDialog
          member={leaving}
          others={(query.data?.data ?? []).filter((each) => each.id !== leaving.id)}
          onClose={() => setLeaving(null)}
        />
      ) : null}
    </PageFrame>
  );
}
