"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import type { inferRouterOutputs } from "@trpc/server";
import { Building2, Plus } from "lucide-react";
import dynamic from "next/dynamic";
import { parseAsString, parseAsStringLiteral, useQueryStates } from "nuqs";
import { useState } from "react";
import type { ConsoleRouter } from "../../server/trpc/console-root.ts";
import { DataTable, type DataColumn } from "../data-table/data-table.tsx";
import { ChoiceFilter } from "../data-table/filter-menu.tsx";
import { Pager } from "../data-table/pager.tsx";
import { SearchBox } from "../data-table/search-box.tsx";
import { PageFrame } from "../layout/page-frame.tsx";
import { QueryFailed } from "../trpc/query-failed.tsx";
import { Button } from "../ui/button.tsx";
import { NoMatch, NothingYet } from "../ui/empty-state.tsx";
import { RelativeTime } from "../ui/time.tsx";
import { useConsole } from "./client.tsx";
import { ConsoleHeader } from "./console-header.tsx";
import { OrganisationState } from "./organisation-state.tsx";

const CreateOrganisationDialog = dynamic(() =>
  import("./create-organisation-dialog.tsx").then((module) => module.CreateOrganisationDialog),
);

type Organisation = inferRouterOutputs<ConsoleRouter>["organisations"]["list"]["data"][number];

const states = ["active", "suspended"] as const;

const columns: DataColumn<Organisation>[] = [
  {
    id: "name",
    label: "Name",
    fixed: true,
    skeleton: "w-40",
    className: "max-w-72",
    cell: (row) => <span className="truncate font-medium">{row.name}</span>,
  },
  {
    id: "slug",
    label: "Short name",
    skeleton: "w-24",
    cell: (row) => <code className="font-mono text-xs">{row.slug}</code>,
  },
  { id: "state", label: "State", skeleton: "w-16", cell: (row) => <OrganisationState organisation={row} /> },
  { id: "region", label: "Data region", skeleton: "w-10", cell: (row) => row.dataRegion },
  {
    id: "created",
    label: "Created",
    skeleton: "w-16",
    cell: (row) => <RelativeTime value={row.createdAt} className="text-ink-muted" />,
  },
];

/** The organisations of the installation. */
export function OrganisationsPage() {
  const api = useConsole();
  const [creating, setCreating] = useState(false);
  const [view, setView] = useQueryStates(
    { q: parseAsString.withDefault(""), state: parseAsStringLiteral(states), cursor: parseAsString },
    { history: "push" },
  );
  const query = useQuery(
    api.organisations.list.queryOptions(
      {
        search: view.q === "" ? undefined : view.q,
        state: view.state ?? undefined,
        cursor: view.cursor ?? undefined,
      },
      { placeholderData: keepPreviousData },
    ),
  );
  const filtered = view.q !== "" || view.state !== null;
  const create = (
    <Button variant="primary" onClick={() => setCreating(true)}>
      <Plus aria-hidden /> New organisation
    </Button>
  );
  return (
    <PageFrame>
      <ConsoleHeader
        title="Organisations"
        description="Everyone who uses this installation. Their messages are not shown here."
        actions={create}
      />
      <div className="mb-3 flex flex-wrap items-center gap-2">
        <SearchBox
          value={view.q}
          onChange={(q) => void setView({ q: q === "" ? null : q, cursor: null })}
          placeholder="Name or short name"
          label="Search organisations"
          className="w-72 max-w-full"
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
        <QueryFailed what="the organisations" query={query} />
      ) : (
        <DataTable
          id="console-organisations"
          label="Organisations"
          columns={columns}
          rows={query.data?.data}
          rowId={(row) => row.id}
          rowLabel={(row) => row.name}
          hrefOf={(row) => `/console/organisations/${row.id}`}
          skeletonRows={6}
          empty={
            filtered ? (
              <NoMatch
                what="organisations"
                hint="Try another part of the name, or remove a filter."
                onClear={() => void setView({ q: null, state: null, cursor: null })}
              />
            ) : (
              <NothingYet icon={Building2} title="No organisations yet" action={create}>
                The owner gets a link to choose a password and can send in the sandbox immediately.
              </NothingYet>
            )
          }
          compact={(row) => (
            <span className="block min-w-0">
              <span className="flex items-center gap-2">
                <span className="min-w-0 flex-1 truncate font-medium">{row.name}</span>
                <OrganisationState organisation={row} />
              </span>
              <span className="mt-0.5 flex gap-2 text-xs text-ink-muted">
                <code className="truncate font-mono">{row.slug}</code>
                <span>{row.dataRegion}</span>
              </span>
            </span>
          )}
          footer={
            <Pager
              cursor={view.cursor}
              nextCursor={query.data?.nextCursor}
              onChange={(cursor) => void setView({ cursor })}
            />
          }
        />
      )}
      {creating ? <CreateOrganisationDialog onClose={() => setCreating(false)} /> : null}
    </PageFrame>
  );
}
