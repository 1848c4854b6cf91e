"use client";

import { useQuery } from "@tanstack/react-query";
import { Plus } from "lucide-react";
import dynamic from "next/dynamic";
import { parseAsString, useQueryState } from "nuqs";
import { useMemo, useState } from "react";
import { DataTable, type DataColumn } from "../data-table/data-table.tsx";
import { usePanelHref } from "../data-table/use-panel-href.ts";
import { PageFrame } from "../layout/page-frame.tsx";
import { PageHeader } from "../layout/page-header.tsx";
import type { ListedRole } from "../members/use-grantable.ts";
import { usePortal } from "../portal/portal-context.tsx";
import { useTRPC } from "../trpc/client.tsx";
import { QueryFailed } from "../trpc/query-failed.tsx";
import { Badge } from "../ui/badge.tsx";
import { Button } from "../ui/button.tsx";
import { plural } from "../ui/format.ts";
import { RolePanel } from "./role-panel.tsx";

const RoleDialog = dynamic(() => import("./role-dialog.tsx").then((module) => module.RoleDialog));

function heldBy({ held }: ListedRole): string {
  if (!held) return "–";
  const parts = [
    ...(held.members > 0 ? [plural(held.members, "member")] : []),
    ...(held.keys > 0 ? [plural(held.keys, "key")] : []),
    ...(held.invitations > 0 ? [plural(held.invitations, "invitation")] : []),
    ...(held.groups > 0 ? [plural(held.groups, "group or rule", "groups or rules")] : []),
  ];
  return parts.join(", ") || "nobody";
}

/** The roles of the organisation: those that come with it and its own. */
export function RolesPage() {
  const panelHref = usePanelHref();
  const { canIn } = usePortal();
  const trpc = useTRPC();
  const query = useQuery(trpc.roles.list.queryOptions());
  const [open, setOpen] = useQueryState("open", parseAsString.withOptions({ history: "push" }));
  /** A role to begin from, or nothing. */
  const [creating, setCreating] = useState<{ from: ListedRole | null } | null>(null);
  const mayChange = canIn("members:manage", null);
  const shown = query.data?.data.find((role) => role.key === open);

  const columns = useMemo<DataColumn<ListedRole>[]>(
    () => [
      {
        id: "name",
        label: "Role",
        fixed: true,
        skeleton: "w-32",
        className: "max-w-60",
        cell: (row) => (
          <span className="flex items-center gap-2">
            <span className="truncate font-medium">{row.name}</span>
            {row.builtIn ? null : <Badge tone="outline">Custom</Badge>}
          </span>
        ),
      },
      {
        id: "permissions",
        label: "Permissions",
        skeleton: "w-16",
        cell: (row) => <span className="text-ink-muted tabular">{row.permissions.length}</span>,
      },
      {
        id: "description",
        label: "Description",
        skeleton: "w-48",
        className: "max-w-96",
        cell: (row) => <span className="block truncate text-ink-muted">{row.description || "–"}</span>,
      },
      {
        id: "held",
        label: "Assigned to",
        skeleton: "w-24",
        cell: (row) => <span className="text-ink-muted">{heldBy(row)}</span>,
      },
    ],
    [],
  );

  return (
    <PageFrame>
      <PageHeader
        title="Roles"
        description="Sets of permissions for people and keys, assigned in one team or the whole organisation."
        environmentScoped={false}
        actions={
          mayChange ? (
            <Button variant="primary" onClick={() => setCreating({ from: null })}>
              <Plus aria-hidden /> New role
            </Button>
          ) : null
        }
      />
      {query.isError && !query.data ? (
        <QueryFailed what="the roles" query={query} />
      ) : (
        <DataTable
          id="roles"
          label="Roles"
          columns={columns}
          rows={query.data?.data}
          rowId={(row) => row.key}
          rowLabel={(row) => row.name}
          hrefOf={(row) => panelHref(row.key)}
          onOpen={(row) => void setOpen(row.key)}
          openId={open}
          skeletonRows={9}
          empty={null}
          compact={(row) => (
            <span className="flex items-center justify-between gap-3">
              <span className="min-w-0">
                <span className="block truncate font-medium">{row.name}</span>
                <span className="block text-xs text-ink-muted">
                  {plural(row.permissions.length, "permission")}, {heldBy(row)}
                </span>
              </span>
              {row.builtIn ? null : <Badge tone="outline">Custom</Badge>}
            </span>
          )}
        />
      )}
      {shown ? (
        <RolePanel
          key={shown.key}
          role={shown}
          mayChange={mayChange}
          onDuplicate={() => setCreating({ from: shown })}
          onClose={() => void setOpen(null)}
        />
      ) : null}
      {creating ? (
        <RoleDialog
          from={creating.from}
          onClose={() => setCreating(null)}
          onSaved={(key) => {
            setCreating(null);
            void setOpen(key);
          }}
        />
      ) : null}
    </PageFrame>
  );
}
