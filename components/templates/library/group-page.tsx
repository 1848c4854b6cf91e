"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { FileText } from "lucide-react";
import { DataTable } from "../../data-table/data-table.tsx";
import { EnvironmentSwatch } from "../../layout/environment-mark.tsx";
import { PageFrame } from "../../layout/page-frame.tsx";
import { PageHeader } from "../../layout/page-header.tsx";
import { usePortal, usePortalData } from "../../portal/portal-context.tsx";
import { useTRPC } from "../../trpc/client.tsx";
import { QueryFailed } from "../../trpc/query-failed.tsx";
import { Button } from "../../ui/button.tsx";
import { Card, CardHeader } from "../../ui/card.tsx";
import { cn } from "../../ui/cn.ts";
import { NothingYet } from "../../ui/empty-state.tsx";
import { plural } from "../../ui/format.ts";
import { Link } from "../../ui/link.tsx";
import { Segmented } from "../../ui/segmented.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { audienceText } from "../audience.ts";
import { CompactRow } from "./compact-row.tsx";
import { CoverageMatrices } from "./coverage-matrix.tsx";
import { libraryColumns } from "./library-columns.tsx";
import { NewVariant } from "./new-variant.tsx";
import { libraryRows } from "./types.ts";
import { useMay } from "./use-may.ts";
import { useTemplateActions } from "./use-template-actions.tsx";

/** All texts of one name: whom they cover in an environment, and what is live where. */
export function TemplateGroupPage({ application, name }: { application: string; name: string }) {
  const { environment, environments, href, setEnvironment } = usePortal();
  const { applications } = usePortalData();
  const may = useMay();
  const trpc = useTRPC();
  const { act, dialogs } = useTemplateActions();
  const groups = useQuery(trpc.templates.groups.queryOptions({ application, name, limit: 1 }));
  const coverage = useQuery(
    trpc.templates.coverage.queryOptions(
      { application, name, environmentId: environment.id },
      { placeholderData: keepPreviousData },
    ),
  );
  const group = groups.data?.data[0];
  const known = applications.find((each) => each.name === application);
  const rows = group && libraryRows([group], () => true).filter((row) => row.kind !== "group");
  const where = environments.filter(
    (each) => each.kind === "sandbox" || (known?.stages.includes(each.id) ?? true),
  );
  const failed =
    groups.isError && !groups.data ? groups : coverage.isError && !coverage.data ? coverage : null;
  const columns = libraryColumns({
    environments: where,
    manyApplications: false,
    grouped: false,
    onAction: act,
  });

  return (
    <PageFrame wide>
      <PageHeader
        title={name}
        documentTitle={`Templates ${name}`}
        back={{ href: href("/templates"), label: "Templates" }}
        environmentScoped={false}
        description={
          group
            ? `${plural(group.total, "text")} of ${known?.title ?? application} for ${group.notificationType} / ${group.notificationSubtype}`
            : undefined
        }
        actions={group && may("templates:write", group.applicationId) ? <NewVariant group={group} /> : null}
      />
      {groups.data && !group ? (
        <Card>
          <NothingYet
            icon={FileText}
            title={`No template is named ${name}`}
            action={
              <Button asChild>
                <Link href={href("/templates", { archived: "true", q: name })}>Show archived</Link>
              </Button>
            }
          >
            It may have been archived or never created.
          </NothingYet>
        </Card>
      ) : failed ? (
        <QueryFailed
          what="this template"
          query={{
            error: failed.error,
            refetch: () => Promise.all([groups.refetch(), coverage.refetch()]),
          }}
        />
      ) : (
        <div className="grid grid-cols-1 gap-4">
          <Card className="min-w-0">
            <CardHeader
              title="Coverage"
              description={`Which template a message gets in ${environment.name}, by the same rules as for sending`}
              actions={
                <Segmented
                  label="Environment"
                  value={environment.slug}
                  onValueChange={setEnvironment}
                  options={where.map((each) => ({
                    value: each.slug,
                    label: (
                      <>
                        <EnvironmentSwatch kind={each.kind} /> {each.name}
                      </>
                    ),
                  }))}
                />
              }
            />
            {coverage.data ? (
              <div className={cn("transition-opacity", coverage.isPlaceholderData && "opacity-60")}>
                <CoverageMatrices coverage={coverage.data} />
              </div>
            ) : (
              <div className="grid gap-2 border-t border-line px-4 py-4" aria-busy>
                <Skeleton className="w-24" />
                <Skeleton className="h-9 w-full max-w-md" />
                <Skeleton className="h-9 w-full max-w-md" />
              </div>
            )}
          </Card>
          <div>
            <h2 className="mb-2 text-sm font-semibold">Variants</h2>
            <DataTable
              id="library-variants"
              label={`Variants of ${name}`}
              columns={columns}
              rows={rows}
              rowId={(row) => row.id}
              rowLabel={(row) =>
                row.kind === "variant"
                  ? `Open ${name}, ${row.variant.channel}, ${audienceText(row.variant)}`
                  : "More variants"
              }
              hrefOf={(row) => (row.kind === "variant" ? href(`/templates/${row.variant.id}`) : null)}
              skeletonRows={3}
              empty={null}
              compact={(row) => <CompactRow row={row} environments={where} />}
            />
          </div>
        </div>
      )}
      {dialogs}
    </PageFrame>
  );
}
