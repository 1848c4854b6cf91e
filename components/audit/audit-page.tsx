"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { ScrollText } from "lucide-react";
import { useMemo } from "react";
import { ColumnMenu, DataTable } from "../data-table/data-table.tsx";
import { usePanelHref } from "../data-table/use-panel-href.ts";
import { Pager } from "../data-table/pager.tsx";
import { PageFrame } from "../layout/page-frame.tsx";
import { PageHeader } from "../layout/page-header.tsx";
import { usePortal } from "../portal/portal-context.tsx";
import { useTRPC } from "../trpc/client.tsx";
import { QueryFailed } from "../trpc/query-failed.tsx";
import { Button } from "../ui/button.tsx";
import { cn } from "../ui/cn.ts";
import { NoMatch, NothingYet } from "../ui/empty-state.tsx";
import { auditColumns, CompactEvent } from "./audit-columns.tsx";
import { AuditFilterBar } from "./audit-filter-bar.tsx";
import { AuditPanel } from "./audit-panel.tsx";
import { actionLabel } from "./audit-words.ts";
import { ExportMenu } from "./export-menu.tsx";
import { IntegrityNote } from "./integrity-note.tsx";
import { rangeLabels, useAuditFilters } from "./use-audit-filters.ts";

export function AuditPage() {
  const panelHref = usePanelHref();
  const { environments, units, unit } = usePortal();
  const trpc = useTRPC();
  const filters = useAuditFilters();
  const { values } = filters;
  const filter = {
    q: values.q === "" ? undefined : values.q,
    action: values.action ?? undefined,
    actorId: values.actor && values.actor !== "system" ? values.actor : undefined,
    actorType: values.actor === "system" ? ("system" as const) : undefined,
    targetType: values.target ?? undefined,
    targetId: values.thing ?? undefined,
    environmentId: environments.find((each) => each.slug === values.environment)?.id,
    unitId: unit?.id,
    ...filters.period,
  };
  const query = useQuery(
    trpc.audit.list.queryOptions(
      { ...filter, cursor: values.cursor ?? undefined },
      { placeholderData: keepPreviousData, enabled: filters.periodKnown },
    ),
  );
  const rows = query.data?.data;
  const columns = useMemo(() => auditColumns(environments, units), [environments, units]);
  return (
    <PageFrame wide>
      <PageHeader
        title="Audit"
        environmentScoped={false}
        description="Every change by people, API keys and the system, in all environments"
        actions={
          <>
            <ColumnMenu tableId="audit" columns={columns} />
            <ExportMenu filter={filter} />
          </>
        }
      />
      <IntegrityNote />
      <AuditFilterBar filters={filters} />
      {query.isError && !rows ? (
        <QueryFailed what="the audit trail" query={query} />
      ) : (
        <div className={cn("transition-opacity", query.isPlaceholderData && "opacity-60")}>
          <DataTable
            id="audit"
            label="Audit trail"
            columns={columns}
            rows={rows}
            rowId={(row) => row.id}
            rowLabel={(row) => `Open entry: ${row.actorName}, ${actionLabel(row.action)}`}
            hrefOf={(row) => panelHref(row.id)}
            onOpen={(row) => filters.setOpen(row.id)}
            openId={values.open}
            skeletonRows={16}
            empty={
              filters.narrowed ? (
                <NoMatch what="entries" onClear={filters.clear} />
              ) : (
                <NothingYet
                  icon={ScrollText}
                  title={
                    values.range === "all"
                      ? "No changes yet"
                      : values.range === "custom"
                        ? "No changes on these days"
                        : `No changes: ${rangeLabels[values.range].toLowerCase()}`
                  }
                  action={
                    values.range === "all" ? null : (
                      <Button onClick={() => filters.change({ range: "all" })}>Show all time</Button>
                    )
                  }
                >
                  Every change appears here immediately.
                </NothingYet>
              )
            }
            compact={(row) => <CompactEvent event={row} />}
            footer={
              <Pager
                cursor={values.cursor}
                nextCursor={query.data?.nextCursor}
                onChange={filters.setCursor}
              />
            }
          />
        </div>
      )}
      {values.open ? (
        <AuditPanel
          id={values.open}
          known={rows?.find((row) => row.id === values.open)}
          onClose={() => filters.setOpen(null)}
          onThing={(thing) => filters.change({ thing, q: null, action: null, target: null, range: "all" })}
        />
      ) : null}
    </PageFrame>
  );
}
