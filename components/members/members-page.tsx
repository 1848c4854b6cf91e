"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import type { inferRouterOutputs } from "@trpc/server";
import { UserPlus, Users } from "lucide-react";
import dynamic from "next/dynamic";
import { parseAsString, parseAsStringLiteral, useQueryStates } from "nuqs";
import { useMemo, useState } from "react";
import type { AppRouter } from "../../server/trpc/root.ts";
import { DataTable, type DataColumn } from "../data-table/data-table.tsx";
import { usePanelHref } from "../data-table/use-panel-href.ts";
import { ChoiceFilter } from "../data-table/filter-menu.tsx";
import { byName, Pager } from "../data-table/pager.tsx";
import { SearchBox } from "../data-table/search-box.tsx";
import { PageFrame } from "../layout/page-frame.tsx";
import { PageHeader } from "../layout/page-header.tsx";
import { useTRPC } from "../trpc/client.tsx";
import { QueryFailed } from "../trpc/query-failed.tsx";
import { Badge } from "../ui/badge.tsx";
import { Button } from "../ui/button.tsx";
import { NoMatch, NothingYet } from "../ui/empty-state.tsx";
import { Tabs, TabsContent, TabsList, TabsTrigger } from "../ui/tabs.tsx";
import { RelativeTime } from "../ui/time.tsx";
import { InvitationsTab } from "./invitations-tab.tsx";
import { MemberPanel } from "./member-panel.tsx";
import { usePlaceName, useGrantable } from "./use-grantable.ts";

const InviteDialog = dynamic(() => import("./invite-dialog.tsx").then((module) => module.InviteDialog));

export type Member = inferRouterOutputs<AppRouter>["members"]["list"]["data"][number];

const states = ["active", "suspended"] as const;
const parsers = {
  tab: parseAsStringLiteral(["people", "invitations"] as const).withDefault("people"),
  q: parseAsString.withDefault(""),
  state: parseAsStringLiteral(states),
  role: parseAsString,
  cursor: parseAsString,
  open: parseAsString,
};

/** The people of the organisation, or of the reader's teams, and who is invited. */
export function MembersPage() {
  const [view, setView] = useQueryStates(parsers, { history: "push" });
  const [inviting, setInviting] = useState(false);
  return (
    <PageFrame>
      <PageHeader
        title="Members"
        description="Everyone with access to the portal, and their roles."
        environmentScoped={false}
        actions={
          <Button variant="primary" onClick={() => setInviting(true)}>
            <UserPlus aria-hidden /> Invite
          </Button>
        }
      />
      <Tabs
        value={view.tab}
        onValueChange={(tab) =>
          void setView({
            tab: tab as typeof view.tab,
            cursor: null,
            open: null,
            q: null,
            state: null,
            role: null,
          })
        }
      >
        <TabsList aria-label="Members">
          <TabsTrigger value="people">People</TabsTrigger>
          <TabsTrigger value="invitations">Invitations</TabsTrigger>
        </TabsList>
        <TabsContent value="people">
          <PeopleTab />
        </TabsContent>
        <TabsContent value="invitations">
          <InvitationsTab />
        </TabsContent>
      </Tabs>
      {inviting ? <InviteDialog onClose={() => setInviting(false)} /> : null}
    </PageFrame>
  );
}

function PeopleTab() {
  const panelHref = usePanelHref();
  const trpc = useTRPC();
  const placeName = usePlaceName();
  const { roles } = useGrantable();
  const [view, setView] = useQueryStates(parsers, { history: "push" });
  const query = useQuery(
    trpc.members.list.queryOptions(
      {
        search: view.q === "" ? undefined : view.q,
        state: view.state ?? undefined,
        role: view.role ?? undefined,
        cursor: view.cursor ?? undefined,
      },
      { placeholderData: keepPreviousData },
    ),
  );
  const filtered = view.q !== "" || view.state !== null || view.role !== null;
  const clear = () => void setView({ q: null, state: null, role: null, cursor: null });

  const columns = useMemo<DataColumn<Member>[]>(
    () => [
      {
        id: "name",
        label: "Name",
        fixed: true,
        skeleton: "w-32",
        className: "max-w-60",
        cell: (row) => (
          <span className="flex items-center gap-2">
            <span className="truncate font-medium">{row.name}</span>
            {row.suspendedAt ? <Badge tone="warning">Suspended</Badge> : null}
          </span>
        ),
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
        className: "max-w-80",
        cell: (row) => (
          <span className="block truncate">
            {row.assignments.map((each) => `${each.roleName}, ${placeName(each.unitId)}`).join("; ") || (
              <span className="text-ink-faint">none</span>
            )}
          </span>
        ),
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
    ],
    [placeName],
  );

  return (
    <>
      <div className="mb-3 flex flex-wrap items-center gap-2">
        <SearchBox
          value={view.q}
          onChange={(q) => void setView({ q: q === "" ? null : q, cursor: null })}
          placeholder="Name or e-mail"
          label="Search members"
          className="w-72 max-w-full"
        />
        <ChoiceFilter
          label="Role"
          options={(roles ?? []).map((role) => ({ value: role.key, label: role.name }))}
          value={view.role}
          onChange={(role) => void setView({ role, cursor: null })}
        />
        <ChoiceFilter
          label="State"
          options={[
            { value: "active", label: "Active" },
            { value: "suspended", label: "Suspended" },
          ]}
          value={view.state}
          onChange={(state) => void setView({ state, cursor: null })}
        />
      </div>
      {query.isError && !query.data ? (
        <QueryFailed what="the members" query={query} />
      ) : (
        <DataTable
          id="members"
          label="Members"
          columns={columns}
          rows={query.data?.data}
          rowId={(row) => row.id}
          rowLabel={(row) => row.name}
          hrefOf={(row) => panelHref(row.id)}
          onOpen={(row) => void setView({ open: row.id })}
          openId={view.open}
          skeletonRows={6}
          empty={
            filtered ? (
              <NoMatch
                what="members"
                hint="Try another part of the name, or remove a filter."
                onClear={clear}
              />
            ) : (
              <NothingYet icon={Users} title="No members">
                Nobody has a role in this team.
              </NothingYet>
            )
          }
          compact={(row) => (
            <span className="block min-w-0">
              <span className="flex items-center gap-2">
                <span className="truncate font-medium">{row.name}</span>
                {row.suspendedAt ? <Badge tone="warning">Suspended</Badge> : null}
              </span>
              <span className="block truncate text-xs text-ink-muted">{row.email}</span>
              <span className="block truncate text-xs">
                {row.assignments.map((each) => each.roleName).join(", ") || "no role"}
              </span>
            </span>
          )}
          footer={
            <Pager
              cursor={view.cursor}
              nextCursor={query.data?.nextCursor}
              onChange={(cursor) => void setView({ cursor })}
              words={byName}
            />
          }
        />
      )}
      {view.open ? <MemberPanel id={view.open} onClose={() => void setView({ open: null })} /> : null}
    </>
  );
}
