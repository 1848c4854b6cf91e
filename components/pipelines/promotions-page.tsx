"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { GitPullRequestArrow } from "lucide-react";
import { parseAsString, parseAsStringLiteral, useQueryStates } from "nuqs";
import { useMemo } from "react";
import type { PromotionSummary } from "../../server/pipelines/schemas.ts";
import { promotionStates } from "../../server/pipelines/vocabulary.ts";
import { ColumnMenu, DataTable, type DataColumn } from "../data-table/data-table.tsx";
import { ChoiceFilter } from "../data-table/filter-menu.tsx";
import { Pager } from "../data-table/pager.tsx";
import { EnvironmentSwatch } from "../layout/environment-mark.tsx";
import { PageFrame } from "../layout/page-frame.tsx";
import { usePortal, type PortalData } from "../portal/portal-context.tsx";
import { useTRPC } from "../trpc/client.tsx";
import { QueryFailed } from "../trpc/query-failed.tsx";
import { NoMatch, NothingYet } from "../ui/empty-state.tsx";
import { cn } from "../ui/cn.ts";
import { plural } from "../ui/format.ts";
import { RelativeTime } from "../ui/time.tsx";
import { PipelineHeader } from "./pipeline-header.tsx";
import { PromotionStateBadge, promotionStateFaces } from "./promotion-state.tsx";

const parsers = {
  application: parseAsString,
  state: parseAsStringLiteral(promotionStates),
  /** Short name of the stage promoted into. */
  stage: parseAsString,
  cursor: parseAsString,
};

function promotionColumns({
  applications,
  environments,
}: Pick<PortalData, "applications" | "environments">): DataColumn<PromotionSummary>[] {
  return [
    {
      id: "to",
      label: "Promotion",
      fixed: true,
      skeleton: "w-44",
      cell: (row) => {
        const to = environments.find((each) => each.id === row.to.environmentId);
        return (
          <span className="flex items-center gap-2 font-medium">
            {to ? <EnvironmentSwatch kind={to.kind} /> : null}
            {plural(row.templates, "template")} to {to?.name ?? row.to.environment}
          </span>
        );
      },
    },
    {
      id: "state",
      label: "State",
      skeleton: "w-20",
      cell: (row) => <PromotionStateBadge state={row.state} />,
    },
    {
      id: "application",
      label: "Application",
      skeleton: "w-20",
      cell: (row) => applications.find((each) => each.id === row.applicationId)?.title ?? row.application,
    },
    {
      id: "from",
      label: "From",
      skeleton: "w-16",
      hiddenAtFirst: true,
      cell: (row) =>
        environments.find((each) => each.id === row.from.environmentId)?.name ?? row.from.environment,
    },
    {
      id: "note",
      label: "Note",
      skeleton: "w-48",
      className: "max-w-80",
      cell: (row) => <span className="block truncate text-ink-muted">{row.note}</span>,
    },
    { id: "by", label: "Requested by", skeleton: "w-24", cell: (row) => row.requestedBy.name },
    {
      id: "at",
      label: "Requested",
      align: "right",
      skeleton: "w-16",
      className: "w-32",
      cell: (row) => <RelativeTime value={row.requestedAt} className="text-ink-muted" />,
    },
  ];
}

/** All promotions, newest first, of one application or of all that the reader sees. */
export function PromotionsPage() {
  const { applications, environments, href } = usePortal();
  const trpc = useTRPC();
  const [view, setView] = useQueryStates(parsers, { history: "push" });
  const columns = useMemo(
    () => promotionColumns({ applications, environments }),
    [applications, environments],
  );
  const query = useQuery(
    trpc.promotions.list.queryOptions(
      {
        application: view.application ?? undefined,
        state: view.state ?? undefined,
        environment: view.stage ?? undefined,
        cursor: view.cursor ?? undefined,
      },
      { placeholderData: keepPreviousData, refetchInterval: view.cursor ? false : 15_000 },
    ),
  );
  const narrowed = view.application !== null || view.state !== null || view.stage !== null;
  const clear = () => void setView({ application: null, state: null, stage: null, cursor: null });

  return (
    <PageFrame wide>
      <PipelineHeader
        description="All requests to move templates to the next stage."
        application={view.application}
        documentTitle="Promotions"
        actions={<ColumnMenu tableId="promotions" columns={columns} />}
      />
      <div className="mb-3 flex flex-wrap items-center gap-2">
        {applications.length > 1 || view.application ? (
          <ChoiceFilter
            label="Application"
            value={view.application}
            onChange={(application) => void setView({ application, cursor: null })}
            options={applications.map((each) => ({ value: each.name, label: each.title }))}
          />
        ) : null}
        <ChoiceFilter
          label="State"
          value={view.state}
          onChange={(state) => void setView({ state, cursor: null })}
          options={promotionStates.map((state) => ({
            value: state,
            label: promotionStateFaces[state].label,
          }))}
        />
        <ChoiceFilter
          label="Stage"
          value={view.stage}
          onChange={(stage) => void setView({ stage, cursor: null })}
          options={environments
            .filter((each) => each.kind !== "sandbox")
            .map((each) => ({
              value: each.slug,
              label: each.name,
              mark: <EnvironmentSwatch kind={each.kind} />,
            }))}
        />
      </div>
      {query.isError && !query.data ? (
        <div className="rounded-lg border border-line bg-surface">
          <QueryFailed what="promotions" query={query} />
        </div>
      ) : (
        <div className={cn("transition-opacity", query.isPlaceholderData && "opacity-60")}>
          <DataTable
            id="promotions"
            label="Promotions"
            columns={columns}
            rows={query.data?.data}
            rowId={(row) => row.id}
            rowLabel={(row) =>
              `Open promotion of ${plural(row.templates, "template")} to ${row.to.environment}, ${promotionStateFaces[row.state].label.toLowerCase()}`
            }
            hrefOf={(row) => href(`/pipeline/promotions/${row.id}`)}
            skeletonRows={8}
            empty={
              narrowed ? (
                <NoMatch what="promotions" onClear={clear} />
              ) : (
                <NothingYet icon={GitPullRequestArrow} title="No promotions yet">
                  Select templates on the board and promote them. Requests and approvals appear here.
                </NothingYet>
              )
            }
            compact={(row) => (
              <span className="block">
                <span className="flex items-center justify-between gap-3">
                  <span className="min-w-0 truncate font-medium">
                    {plural(row.templates, "template")} to{" "}
                    {environments.find((each) => each.id === row.to.environmentId)?.name ??
                      row.to.environment}
                  </span>
                  <PromotionStateBadge state={row.state} />
                </span>
                <span className="mt-1 block truncate text-sm text-ink-muted">
                  {row.application}, {row.requestedBy.name}, <RelativeTime value={row.requestedAt} />
                </span>
                {row.note ? <span className="mt-0.5 block truncate text-sm">{row.note}</span> : null}
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
        </div>
      )}
    </PageFrame>
  );
}
