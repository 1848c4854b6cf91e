"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import type { inferRouterOutputs } from "@trpc/server";
import { ScrollText, X } from "lucide-react";
import { parseAsBoolean, parseAsString, useQueryStates } from "nuqs";
import type { ConsoleRouter } from "../../server/trpc/console-root.ts";
import { DataTable, type DataColumn } from "../data-table/data-table.tsx";
import { Pager } from "../data-table/pager.tsx";
import { PageFrame } from "../layout/page-frame.tsx";
import { QueryFailed } from "../trpc/query-failed.tsx";
import { Button } from "../ui/button.tsx";
import { NoMatch, NothingYet } from "../ui/empty-state.tsx";
import { humanize } from "../ui/format.ts";
import { Link } from "../ui/link.tsx";
import { Segmented } from "../ui/segmented.tsx";
import { AbsoluteTime } from "../ui/time.tsx";
import { useConsole } from "./client.tsx";
import { ConsoleHeader } from "./console-header.tsx";

type Event = inferRouterOutputs<ConsoleRouter>["log"]["list"]["data"][number];

const words: Record<string, string> = {
  "channel.assigned": "Channel assigned",
  "channel.change_refused": "Channel change refused",
  "channel.change_requested": "Channel change requested",
  "channel.senders_changed": "Channel senders changed",
  "channel.taken_back": "Channel taken back",
  "channel.viewed": "Channel viewed",
  "channels.viewed": "Channels viewed",
  "installation.restored": "Installation restored from a backup",
  "installation.viewed": "Installation viewed",
  "log.viewed": "Log viewed",
  "operator.created": "Operator created",
  "operator.linked": "Password link created",
  "operator.password_changed": "Password set",
  "operator.removed": "Operator removed",
  "organisation.created": "Organisation created",
  "organisation.deleted": "Organisation deleted",
  "organisation.deletion_requested": "Deletion requested",
  "organisation.deletion_taken_back": "Deletion canceled",
  "organisation.fees_changed": "Fees changed",
  "organisation.permitted": "Organisation creation started",
  "organisation.quota_changed": "Quotas changed",
  "organisation.resumed": "Organisation reactivated",
  "organisation.suspended": "Organisation suspended",
  "organisation.viewed": "Organisation viewed",
  "organisations.viewed": "Organisations viewed",
  "second_factor.enabled": "Second factor set up",
  "second_factor.recovery_code_used": "Signed in with a recovery code",
  "second_factor.recovery_codes_renewed": "Recovery codes created",
  "second_factor.removed": "Second factor removed",
  "second_factor.reset": "Second factor removed by command",
  "second_factor.started": "Second factor setup started",
  "second_factor.viewed": "Second factor viewed",
  "sending.held": "Sending put on hold",
  "sending.released": "Sending released",
  "sending_hold.viewed": "Hold viewed",
  "session.ended": "Signed out",
  "session.refused": "Sign-in failed",
  "session.started": "Signed in",
};

/** A value as words: amounts with their currency, parts with their names. */
function wordsOf(value: unknown): string {
  if (value === null) return "none";
  if (typeof value !== "object") return typeof value === "string" ? value : JSON.stringify(value);
  if ("amount" in value && "currency" in value) return `${String(value.amount)} ${String(value.currency)}`;
  const parts = Object.entries(value).map(
    ([name, part]) => `${(labels[name] ?? humanize(name)).toLowerCase()} ${wordsOf(part)}`,
  );
  return parts.length === 0 ? "none" : parts.join(", ");
}

/** What there is to say beside the action, on one line. */
function detailOf({ data: { before, after, ...others } }: Event): string {
  const said = Object.entries(others)
    .filter(([, value]) => value !== null && value !== "")
    .map(([name, value]) => `${labels[name] ?? humanize(name)}: ${wordsOf(value)}`);
  if (after !== undefined) said.unshift(`${wordsOf(after)}; before ${wordsOf(before ?? {})}`);
  return said.join(", ");
}

const labels: Record<string, string> = {
  dataRegion: "Data region",
  changesOnly: "Changes only",
  messagesPerDay: "Messages per day",
  messagesPerMonth: "Messages per month",
  requestsPerMinute: "Requests per minute",
  channelId: "Channel",
  expiresAt: "Until",
  left: "Codes left",
};

const columns: DataColumn<Event>[] = [
  { id: "at", label: "When", fixed: true, skeleton: "w-28", cell: (row) => <AbsoluteTime value={row.at} /> },
  {
    id: "who",
    label: "Who",
    skeleton: "w-24",
    className: "max-w-44",
    cell: (row) => <span className="block truncate">{row.operatorName}</span>,
  },
  { id: "what", label: "What", skeleton: "w-40", cell: (row) => words[row.action] ?? row.action },
  {
    id: "organisation",
    label: "Organisation",
    skeleton: "w-24",
    cell: (row) => <About row={row} />,
  },
  {
    id: "detail",
    label: "Details",
    skeleton: "w-40",
    className: "max-w-80",
    cell: (row) => (
      <span className="block truncate text-ink-muted" title={detailOf(row)}>
        {detailOf(row)}
      </span>
    ),
  },
  {
    id: "ip",
    label: "From",
    skeleton: "w-20",
    cell: (row) => <span className="text-ink-muted">{row.ip ?? "–"}</span>,
  },
  {
    id: "request",
    label: "Request",
    skeleton: "w-24",
    hiddenAtFirst: true,
    cell: (row) => <code className="font-mono text-xs">{row.requestId}</code>,
  },
];

function About({ row }: { row: Event }) {
  const name = row.organisationSlug ?? row.organisation;
  if (!name) return <span className="text-ink-faint">–</span>;
  if (!row.organisation) return <code className="font-mono text-xs">{name}</code>;
  return (
    <Link href={`/console/organisations/${row.organisation}`} className="font-mono text-xs hover:underline">
      {name}
    </Link>
  );
}

/** What operators looked at and changed. */
export function LogPage() {
  const api = useConsole();
  const [view, setView] = useQueryStates(
    { changes: parseAsBoolean.withDefault(false), organisation: parseAsString, cursor: parseAsString },
    { history: "push" },
  );
  const query = useQuery(
    api.log.list.queryOptions(
      {
        changesOnly: view.changes,
        organisation: view.organisation ?? undefined,
        cursor: view.cursor ?? undefined,
      },
      { placeholderData: keepPreviousData },
    ),
  );
  const clear = () => void setView({ changes: null, organisation: null, cursor: null });
  return (
    <PageFrame>
      <ConsoleHeader
        title="Log"
        description="What operators viewed and changed. It can't be edited here. Repeated views within ten minutes are one entry."
      />
      <div className="mb-3 flex flex-wrap items-center gap-2">
        <Segmented
          label="What to show"
          value={view.changes ? "changes" : "all"}
          onValueChange={(value) =>
            void setView({ changes: value === "changes" ? true : null, cursor: null })
          }
          options={[
            { value: "all", label: "Everything" },
            { value: "changes", label: "Changes only" },
          ]}
        />
        {view.organisation ? (
          <Button onClick={() => void setView({ organisation: null, cursor: null })}>
            One organisation only <X aria-hidden />
            <span className="sr-only">(show all)</span>
          </Button>
        ) : null}
      </div>
      {query.isError && !query.data ? (
        <QueryFailed what="the log" query={query} />
      ) : (
        <DataTable
          id="console-log"
          label="Log"
          columns={columns}
          rows={query.data?.data}
          rowId={(row) => row.id}
          rowLabel={(row) => words[row.action] ?? row.action}
          empty={
            view.changes || view.organisation ? (
              <NoMatch what="entries" hint="Show everything to see more." onClear={clear} />
            ) : (
              <NothingYet icon={ScrollText} title="No entries yet">
                Every view and change by an operator appears here.
              </NothingYet>
            )
          }
          compact={(row) => (
            <span className="block min-w-0">
              <span className="block text-sm">{words[row.action] ?? row.action}</span>
              <span className="mt-0.5 flex flex-wrap gap-x-2 text-xs text-ink-muted">
                <AbsoluteTime value={row.at} />
                <span className="truncate">{row.operatorName}</span>
                {row.organisation || row.organisationSlug ? <About row={row} /> : null}
              </span>
              {detailOf(row) ? <span className="mt-0.5 block truncate text-xs">{detailOf(row)}</span> : null}
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
