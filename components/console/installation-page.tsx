"use client";

import { useQuery } from "@tanstack/react-query";
import type { inferRouterOutputs } from "@trpc/server";
import { TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";
import { mostCounted } from "../../server/console/vocabulary.ts";
import type { ConsoleRouter } from "../../server/trpc/console-root.ts";
import { Metric } from "../charts/metric.tsx";
import { PageFrame } from "../layout/page-frame.tsx";
import { QueryFailed } from "../trpc/query-failed.tsx";
import { Badge } from "../ui/badge.tsx";
import { Card, CardHeader } from "../ui/card.tsx";
import { cn } from "../ui/cn.ts";
import { formatDuration, formatNumber, plural } from "../ui/format.ts";
import { Skeleton } from "../ui/skeleton.tsx";
import { RelativeTime } from "../ui/time.tsx";
import { useConsole } from "./client.tsx";
import { ConsoleHeader } from "./console-header.tsx";
import { numberFormat } from "../ui/intl.ts";

type Installation = inferRouterOutputs<ConsoleRouter>["installation"]["get"];

const laneWords: Record<Installation["lanes"][number]["lane"], string> = {
  otp: "One-time codes",
  transactional: "Transactional",
  bulk: "Marketing",
  sandbox: "Sandboxes",
  webhook: "Webhooks",
  maintenance: "Maintenance",
};

/** A lane as a worker names it; one of a newer release may be unknown here. */
const wordOf = (lane: string): string => (laneWords as Record<string, string | undefined>)[lane] ?? lane;

/** From here on a lane has work that should have been done, ms. */
const lateMs = { otp: 2_000, transactional: 30_000 } as Partial<Record<string, number>>;
const usuallyLateMs = 5 * 60_000;

const counted = (count: number) => `${formatNumber(count)}${count >= mostCounted ? "+" : ""}`;

function formatBytes(bytes: number): string {
  const units = ["MB", "GB", "TB"];
  let value = bytes / 1_000_000;
  let unit = 0;
  while (value >= 1_000 && unit < units.length - 1) {
    value /= 1_000;
    unit++;
  }
  return `${numberFormat({ maximumFractionDigits: value < 10 ? 1 : 0 }).format(value)}\u00A0${units[unit] ?? ""}`;
}

/** How the installation is doing, every five seconds. */
export function InstallationPage() {
  const api = useConsole();
  const query = useQuery(
    api.installation.get.queryOptions(undefined, {
      // Without data another attempt would hide what went wrong.
      refetchInterval: ({ state }) => (state.data ? 5_000 : false),
    }),
  );
  const { data } = query;
  return (
    <PageFrame>
      <ConsoleHeader
        title="Installation"
        description="Queue, processes and database. Updated every five seconds."
        badge={query.isError && data ? <Badge tone="warning">Not up to date</Badge> : null}
      />
      {query.isError && !data ? (
        <QueryFailed what="the state" query={query} />
      ) : (
        <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
          <Figures state={data} />
          <Lanes lanes={data?.lanes} />
          <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-4 lg:grid-cols-2">
            <Workers state={data} />
            <GivenUp jobs={data?.givenUp} />
          </div>
        </div>
      )}
    </PageFrame>
  );
}

function Figures({ state }: { state: Installation | undefined }) {
  const loading = state === undefined;
  const oldest = Math.max(0, ...(state?.lanes ?? []).map(({ lagMs }) => lagMs ?? 0));
  return (
    <Card className="grid grid-cols-2 lg:grid-cols-5">
      <Metric
        label="Oldest waiting job"
        loading={loading}
        value={oldest === 0 ? "None" : formatDuration(oldest)}
        note="waiting"
      />
      <Metric
        label="Database"
        loading={loading}
        value={formatBytes(state?.database.bytes ?? 0)}
        note={`Postgres ${state?.database.version ?? ""}`}
      />
      <Metric
        label="Connections"
        loading={loading}
        value={formatNumber(state?.database.connections ?? 0)}
        note={`of ${formatNumber(state?.database.mostConnections ?? 0)}`}
      />
      <Metric
        label="Recovered jobs"
        loading={loading}
        value={formatNumber(state?.sweep?.total ?? 0)}
        note={
          state?.sweep ? (
            state.sweep.lastFoundAt ? (
              <span>
                last <RelativeTime value={state.sweep.lastFoundAt} />
              </span>
            ) : (
              "none so far"
            )
          ) : (
            "not checked yet"
          )
        }
      />
      <Metric
        label="Last audit checkpoint"
        loading={loading}
        value={state?.checkpoint ? `No. ${formatNumber(state.checkpoint.number)}` : "None"}
        note={
          state?.checkpoint ? (
            <span>
              <RelativeTime value={state.checkpoint.at} />
              {state.checkpoint.filedAt ? "" : ", not in the file yet"}
            </span>
          ) : (
            "every five minutes"
          )
        }
      />
    </Card>
  );
}

const cell = "px-3 py-2 whitespace-nowrap first:pl-4 last:pr-4";
const number = `${cell} text-right tabular`;
/** Left out on phones. */
const onlyWide = "hidden sm:table-cell";

function Table({
  label,
  head,
  children,
}: {
  label: string;
  head: readonly [name: string, right: boolean, wide?: boolean][];
  children: ReactNode;
}) {
  return (
    <div className="overflow-x-auto">
      <table className="w-full border-collapse text-sm">
        <caption className="sr-only">{label}</caption>
        <thead>
          <tr className="border-y border-line bg-canvas">
            {head.map(([name, right, wide]) => (
              <th
                key={name}
                scope="col"
                className={cn(
                  cell,
                  "py-1.5 text-left text-xs font-medium text-ink-muted",
                  right && "text-right",
                  wide && onlyWide,
                )}
              >
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="divide-y divide-line">{children}</tbody>
      </table>
    </div>
  );
}

function Waiting({ columns }: { columns: number }) {
  return Array.from({ length: 4 }, (_, row) => (
    <tr key={row}>
      {Array.from({ length: columns }, (__, column) => (
        <td key={column} className={cell}>
          <Skeleton className="w-16" />
        </td>
      ))}
    </tr>
  ));
}

function Lanes({ lanes }: { lanes: Installation["lanes"] | undefined }) {
  return (
    <Card>
      <CardHeader title="Queue by lane" description="Jobs by lane. A job holds up to ten messages." />
      <Table
        label="Queue by lane"
        head={[
          ["Lane", false],
          ["Waiting", true],
          ["Since", true],
          ["Scheduled", true, true],
          ["Failed", true, true],
          ["Worker", false],
        ]}
      >
        {lanes === undefined ? (
          <Waiting columns={6} />
        ) : (
          lanes.map((lane) => {
            const late = (lane.lagMs ?? 0) > (lateMs[lane.lane] ?? usuallyLateMs);
            return (
              <tr key={lane.lane}>
                <th scope="row" className={cn(cell, "text-left font-medium")}>
                  {laneWords[lane.lane]}
                </th>
                <td className={number}>{counted(lane.ready)}</td>
                <td className={cn(number, late && "font-medium text-warning-text")}>
                  {lane.lagMs === null ? (
                    <span className="text-ink-faint">–</span>
                  ) : (
                    formatDuration(lane.lagMs)
                  )}
                </td>
                <td className={cn(number, onlyWide)}>{counted(lane.later)}</td>
                <td className={cn(number, onlyWide, lane.givenUp > 0 && "text-danger-text")}>
                  {counted(lane.givenUp)}
                </td>
                <td className={cell}>
                  {lane.carried ? (
                    <Badge tone="success">Working</Badge>
                  ) : (
                    <Badge tone="danger">
                      <TriangleAlert aria-hidden /> None
                    </Badge>
                  )}
                </td>
              </tr>
            );
          })
        )}
      </Table>
    </Card>
  );
}

function Workers({ state }: { state: Installation | undefined }) {
  const working = state?.workers.filter(({ alive }) => alive).length ?? 0;
  return (
    <Card>
      <CardHeader
        title="Worker processes"
        description={
          state
            ? `${plural(working, "process", "processes")} running. Includes the last 24 hours.`
            : undefined
        }
      />
      {state?.workers.length === 0 ? (
        <p className="px-4 pb-4 text-sm text-ink-muted">
          No worker in the last 24 hours. Messages are accepted but wait.
        </p>
      ) : (
        <Table
          label="Worker processes"
          head={[
            ["Process", false],
            ["Lanes", false],
            ["Last heartbeat", false],
          ]}
        >
          {state === undefined ? (
            <Waiting columns={3} />
          ) : (
            state.workers.map((worker) => (
              <tr key={worker.name}>
                <td className={cell}>
                  <code className="font-mono text-xs" title={worker.name}>
                    …{worker.name.slice(-8)}
                  </code>
                </td>
                <td className={cn(cell, "max-w-60 whitespace-normal")}>
                  {worker.lanes.map((lane) => wordOf(lane)).join(", ")}
                </td>
                <td className={cn(cell, !worker.alive && "text-ink-faint")}>
                  {worker.alive ? "now" : <RelativeTime value={worker.lastSeenAt} />}
                </td>
              </tr>
            ))
          )}
        </Table>
      )}
    </Card>
  );
}

function GivenUp({ jobs }: { jobs: Installation["givenUp"] | undefined }) {
  return (
    <Card>
      <CardHeader
        title="Failed jobs"
        description="Jobs that ran out of attempts. The worker's log says why."
      />
      {jobs?.length === 0 ? (
        <p className="px-4 pb-4 text-sm text-ink-muted">None.</p>
      ) : (
        <Table
          label="Failed jobs"
          head={[
            ["Kind", false],
            ["Jobs", true],
            ["Last", false],
          ]}
        >
          {jobs === undefined ? (
            <Waiting columns={3} />
          ) : (
            jobs.map((job) => (
              <tr key={job.task}>
                <td className={cell}>
                  <code className="font-mono text-xs">{job.task}</code>
                </td>
                <td className={number}>{counted(job.count)}</td>
                <td className={cell}>{job.lastAt ? <RelativeTime value={job.lastAt} /> : "–"}</td>
              </tr>
            ))
          )}
        </Table>
      )}
    </Card>
  );
}
