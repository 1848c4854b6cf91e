"use client";

import { useQuery } from "@tanstack/react-query";
import { FileText, Plus } from "lucide-react";
import Link from "next/link";
import { useRouter } from "next/navigation";
import { parseAsString, parseAsStringLiteral, useQueryStates } from "nuqs";
import type { TemplateSummary } from "../../server/templates/schemas.ts";
import { ColumnMenu, DataTable, type DataColumn } from "../data-table/data-table.tsx";
import { FilterMenu } from "../data-table/filter-menu.tsx";
import { Pager } from "../data-table/pager.tsx";
import { PageFrame } from "../layout/page-frame.tsx";
import { PageHeader } from "../layout/page-header.tsx";
import { ChannelMark, channelLabel, channels, type Channel } from "../messages/channel.tsx";
import { usePortal } from "../portal/portal-context.tsx";
import { useTRPC } from "../trpc/client.tsx";
import { QueryFailed } from "../trpc/query-failed.tsx";
import { Button } from "../ui/button.tsx";
import { NoMatch, NothingYet } from "../ui/empty-state.tsx";
import { RelativeTime } from "../ui/time.tsx";
import { audienceText } from "./audience.ts";
import { LiveIn } from "./live-in.tsx";

const columns: DataColumn<TemplateSummary>[] = [
  {
    id: "name",
    label: "Name",
    fixed: true,
    skeleton: "w-36",
    cell: (row) => (
      <span className="flex items-center gap-2">
        <ChannelMark channel={row.channel} iconOnly />
        <span className="font-medium">{row.name}</span>
      </span>
    ),
  },
  { id: "application", label: "Application", skeleton: "w-20", cell: (row) => row.application },
  {
    id: "type",
    label: "Type",
    skeleton: "w-28",
    cell: (row) => (
      <span className="text-ink-muted">
        {row.notificationType} / {row.notificationSubtype}
      </span>
    ),
  },
  {
    id: "audience",
    label: "For",
    skeleton: "w-20",
    cell: (row) => <span className="text-ink-muted">{audienceText(row)}</span>,
  },
  {
    id: "live",
    label: "Live in",
    skeleton: "w-28",
    cell: (row) => <LiveIn deployments={row.deployments} latestVersion={row.latestVersion} />,
  },
  {
    id: "version",
    label: "Latest",
    align: "right",
    skeleton: "w-6",
    className: "w-20",
    cell: (row) => `v${row.latestVersion}`,
  },
  {
    id: "updatedAt",
    label: "Changed",
    align: "right",
    skeleton: "w-16",
    className: "w-28",
    cell: (row) => <RelativeTime value={row.updatedAt} className="text-ink-muted" />,
  },
];

export function TemplatesPage() {
  const { applications, can, href } = usePortal();
  const trpc = useTRPC();
  const router = useRouter();
  const [view, setView] = useQueryStates(
    { application: parseAsString, channel: parseAsStringLiteral(channels), cursor: parseAsString },
    { history: "push" },
  );
  const query = useQuery(
    trpc.templates.list.queryOptions({
      application: view.application ?? undefined,
      channel: view.channel ?? undefined,
      cursor: view.cursor ?? undefined,
    }),
  );
  const narrowed = view.application !== null || view.channel !== null;
  const add = can("templates:write") ? (
    <Button asChild variant="primary">
      <Link href={href("/templates/new")}>
        <Plus aria-hidden /> New template
      </Link>
    </Button>
  ) : null;

  return (
    <PageFrame>
      <PageHeader
        title="Templates"
        description="What is sent for each kind of notification, with its history and where each version is live."
        environmentScoped={false}
        actions={
          <>
            {applications.length > 1 ? (
              <FilterMenu
                label="Application"
                multiple={false}
                selected={view.application ? [view.application] : []}
                onChange={([application]) => void setView({ application: application ?? null, cursor: null })}
                options={applications.map((each) => ({ value: each.name, label: each.title }))}
              />
            ) : null}
            <FilterMenu
              label="Channel"
              multiple={false}
              selected={view.channel ? [view.channel] : []}
              onChange={([channel]) =>
                void setView({ channel: (channel as Channel | undefined) ?? null, cursor: null })
              }
              options={channels.map((channel) => ({ value: channel, label: channelLabel(channel) }))}
            />
            <ColumnMenu tableId="templates" columns={columns} />
            {add}
          </>
        }
      />
      {query.isError && !query.data ? (
        <QueryFailed what="templates" error={query.error} onRetry={() => void query.refetch()} />
      ) : (
        <DataTable
          id="templates"
          label="Templates"
          columns={columns}
          rows={query.data?.data}
          rowId={(row) => row.id}
          rowLabel={(row) => `Open template ${row.name}`}
          onOpen={(row) => router.push(href(`/templates/${row.id}`))}
          skeletonRows={6}
          empty={
            narrowed ? (
              <NoMatch
                what="templates"
                onClear={() => void setView({ application: null, channel: null, cursor: null })}
              />
            ) : (
              <NothingYet icon={FileText} title="No templates yet" action={add}>
                A template holds the text for one kind of notification on one channel. Each save makes a new
                version.
              </NothingYet>
            )
          }
          compact={(row) => (
            <span className="block">
              <span className="flex items-center justify-between gap-3">
                <span className="flex min-w-0 items-center gap-2 font-medium">
                  <ChannelMark channel={row.channel} iconOnly />
                  <span className="truncate">{row.name}</span>
                </span>
                <span className="text-sm text-ink-muted tabular">v{row.latestVersion}</span>
              </span>
              <span className="mt-1 block truncate text-sm text-ink-muted">
                {row.application}, {row.notificationType} / {row.notificationSubtype}
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
    </PageFrame>
  );
}
