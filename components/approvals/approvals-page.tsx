"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { UserRoundCheck } from "lucide-react";
import { parseAsBoolean, parseAsString, useQueryStates } from "nuqs";
import { useMemo } from "react";
import type { Approval } from "../../server/sending/schemas.ts";
import { DataTable, type DataColumn } from "../data-table/data-table.tsx";
import { usePanelHref } from "../data-table/use-panel-href.ts";
import { Pager } from "../data-table/pager.tsx";
import { PageFrame } from "../layout/page-frame.tsx";
import { PageHeader } from "../layout/page-header.tsx";
import { ChannelIcon } from "../messages/channel.tsx";
import { usePortal } from "../portal/portal-context.tsx";
import { useTRPC } from "../trpc/client.tsx";
import { QueryFailed } from "../trpc/query-failed.tsx";
import { Button } from "../ui/button.tsx";
import { cn } from "../ui/cn.ts";
import { NothingYet } from "../ui/empty-state.tsx";
import { plural } from "../ui/format.ts";
import { Link } from "../ui/link.tsx";
import { MaskedValue } from "../ui/masked-value.tsx";
import { Segmented } from "../ui/segmented.tsx";
import { RelativeTime } from "../ui/time.tsx";
import { ApprovalPanel } from "./approval-panel.tsx";
import { ApprovalState } from "./approval-state.tsx";

/** The first recipient, and how many more there are. */
function Recipients({ approval, masked }: { approval: Approval; masked: boolean }) {
  return (
    <span className="flex min-w-0 items-center gap-2">
      <ChannelIcon channel={approval.channel} />
      <MaskedValue value={approval.to} masked={masked} className="truncate" />
      {approval.messages > 1 ? (
        <span className="shrink-0 text-ink-muted">and {approval.messages - 1} more</span>
      ) : null}
    </span>
  );
}

function columnsOf(masked: boolean, decided: boolean): DataColumn<Approval>[] {
  return [
    {
      id: "to",
      label: "To",
      fixed: true,
      skeleton: "w-40",
      className: "max-w-72",
      cell: (row) => <Recipients approval={row} masked={masked} />,
    },
    {
      id: "what",
      label: "Template",
      skeleton: "w-32",
      className: "max-w-56",
      cell: (row) => (
        <span className="block truncate">
          {row.template ?? `${row.notificationType} / ${row.notificationSubtype}`}
        </span>
      ),
    },
    { id: "application", label: "Application", skeleton: "w-20", cell: (row) => row.application },
    {
      id: "environment",
      label: "Environment",
      skeleton: "w-20",
      hiddenAtFirst: true,
      cell: (row) => row.environment,
    },
    {
      id: "key",
      label: "Agent",
      skeleton: "w-28",
      className: "max-w-56",
      cell: (row) => (
        <span className="block truncate">
          {row.key.name}
          {row.key.owner ? <span className="text-ink-muted">, {row.key.owner}</span> : null}
        </span>
      ),
    },
    ...(decided
      ? [
          {
            id: "state",
            label: "Decision",
            skeleton: "w-20",
            cell: (row: Approval) => <ApprovalState state={row.state} />,
          },
          {
            id: "by",
            label: "Decided by",
            skeleton: "w-24",
            cell: (row: Approval) => row.decidedBy ?? <span className="text-ink-faint">nobody</span>,
          },
        ]
      : []),
    {
      id: "at",
      label: "Requested",
      skeleton: "w-16",
      cell: (row) => <RelativeTime value={row.createdAt} className="text-ink-muted" />,
    },
    ...(decided
      ? []
      : [
          {
            id: "expires",
            label: "Expires",
            skeleton: "w-16",
            cell: (row: Approval) => <RelativeTime value={row.expiresAt} ahead className="text-ink-muted" />,
          },
        ]),
  ];
}

/** What agents sent to production: a person looks at it and lets it go, or not. */
export function ApprovalsPage() {
  const panelHref = usePanelHref();
  const { can, href, unit } = usePortal();
  const trpc = useTRPC();
  const [view, setView] = useQueryStates(
    { decided: parseAsBoolean.withDefault(false), cursor: parseAsString, open: parseAsString },
    { history: "push" },
  );
  const masked = !can("content:reveal");
  const columns = useMemo(() => columnsOf(masked, view.decided), [masked, view.decided]);
  const query = useQuery(
    trpc.approvals.list.queryOptions(
      {
        unitId: unit?.id,
        decided: view.decided,
        cursor: view.cursor ?? undefined,
      },
      { placeholderData: keepPreviousData, refetchInterval: view.cursor ? false : 10_000 },
    ),
  );

  return (
    <PageFrame wide>
      <PageHeader
        title="Approvals"
        description="Production messages from AI agents and automation need approval by a person."
        actions={
          <Segmented
            label="Which requests"
            value={view.decided ? "decided" : "waiting"}
            onValueChange={(which) =>
              void setView({ decided: which === "decided", cursor: null, open: null })
            }
            options={[
              { value: "waiting", label: "Waiting" },
              { value: "decided", label: "Decided" },
            ]}
          />
        }
      />
      {query.isError && !query.data ? (
        <QueryFailed what="requests" query={query} />
      ) : (
        <div className={cn("transition-opacity", query.isPlaceholderData && "opacity-60")}>
          <DataTable
            id={view.decided ? "approvals-decided" : "approvals"}
            label={view.decided ? "Decided requests" : "Waiting requests"}
            columns={columns}
            rows={query.data?.data}
            rowId={(row) => row.id}
            rowLabel={(row) => `Open request of ${row.key.name}, ${plural(row.messages, "message")}`}
            hrefOf={(row) => panelHref(row.id)}
            onOpen={(row) => void setView({ open: row.id })}
            openId={view.open}
            skeletonRows={6}
            empty={
              <NothingYet
                icon={UserRoundCheck}
                title={
                  view.cursor
                    ? "No requests on this page"
                    : view.decided
                      ? "No decisions yet"
                      : "Nothing to approve"
                }
                action={
                  can("api_keys:manage") ? (
                    <Button asChild>
                      <Link href={href("/api-keys")}>API keys</Link>
                    </Button>
                  ) : undefined
                }
              >
                {view.decided
                  ? "Approved and rejected requests appear here."
                  : "Requests from agents to production wait here for up to three days."}
              </NothingYet>
            }
            compact={(row) => (
              <span className="block">
                <span className="flex items-center justify-between gap-3">
                  <Recipients approval={row} masked={masked} />
                  {view.decided ? <ApprovalState state={row.state} /> : null}
                </span>
                <span className="mt-1 block truncate text-sm text-ink-muted">
                  {row.template ?? row.notificationSubtype}, {row.key.name},{" "}
                  <RelativeTime value={row.createdAt} />
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
        </div>
      )}
      {view.open ? <ApprovalPanel id={view.open} onClose={() => void setView({ open: null })} /> : null}
    </PageFrame>
  );
}
