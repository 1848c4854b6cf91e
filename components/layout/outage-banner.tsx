"use client";

import { useQuery } from "@tanstack/react-query";
import { TriangleAlert } from "lucide-react";
import type { Outage } from "../../server/sending/schemas.ts";
import { useProbe } from "../health/use-probe.ts";
import { usePortal } from "../portal/portal-context.tsx";
import { useTRPC } from "../trpc/client.tsx";
import { Button } from "../ui/button.tsx";
import { formatNumber, plural } from "../ui/format.ts";
import { isolated } from "../ui/isolated.ts";
import { Link } from "../ui/link.tsx";
import { RelativeTime } from "../ui/time.tsx";

type Connection = Outage["connections"][number];

/** So many are told of here; the page of their health shows all. */
const most = 3;
const action =
  "rounded-sm font-medium text-danger-text underline underline-offset-4 outline-offset-2 hover:no-underline";

/** On every page while connections are out: which, since when and why, how many messages wait and for whom, and what to do. */
export function OutageBanner() {
  const { can, environment, href } = usePortal();
  const reads = can("providers:read");
  const query = useQuery(
    useTRPC().notifications.outage.queryOptions(
      { environmentId: environment.id },
      { enabled: reads, refetchInterval: 15_000 },
    ),
  );
  const connections = query.data?.connections ?? [];
  if (!reads || connections.length === 0) return null;
  const left = connections.length - most;
  return (
    <section
      aria-label={`Outage in ${environment.name}`}
      className="border-b border-danger/30 bg-danger-soft px-4 py-2.5 text-sm lg:px-8 print:hidden"
    >
      <ul className="grid gap-2">
        {connections.slice(0, most).map((connection) => (
          <Line key={connection.id} connection={connection} />
        ))}
      </ul>
      {left > 0 ? (
        <p className="mt-1.5 pl-6.5">
          <Link href={href("/health")} className={action}>
            {plural(left, "more connection")} not available
          </Link>
        </p>
      ) : null}
    </section>
  );
}

function Line({ connection }: { connection: Connection }) {
  const { can, href } = usePortal();
  const { waiting, reason } = connection;
  const trial = connection.breaker === "half_open";
  return (
    <li className="flex flex-wrap items-start gap-x-4 gap-y-1">
      <TriangleAlert className="mt-0.5 -mr-1.5 size-4 shrink-0 text-danger-text" aria-hidden />
      <p className="min-w-0 flex-1 basis-60 [overflow-wrap:anywhere]">
        <span className="font-medium text-danger-text">
          <bdi>{connection.name}</bdi> {trial ? "is recovering" : "is unavailable"}
        </span>{" "}
        since <RelativeTime value={connection.since} />
        {reason && !trial ? `: ${reason.detail.replace(/\.$/, "")}` : ""}. <Waiting waiting={waiting} />
      </p>
      <span className="flex flex-wrap items-center gap-x-4 gap-y-1 pl-6.5 sm:pl-0">
        {waiting.count > 0 && can("notifications:read") ? (
          <Link href={href("/messages", { status: "queued", range: "all" })} className={action}>
            View messages
          </Link>
        ) : null}
        {can("routing:manage") ? (
          <Link
            href={href(connection.ruleId ? `/routing/rules/${connection.ruleId}` : "/routing")}
            className={action}
          >
            Reroute
          </Link>
        ) : null}
        {connection.mayProbe && !trial ? (
          <Probe connection={connection} />
        ) : (
          <Link href={href("/health", { connection: connection.id })} className={action}>
            Health
          </Link>
        )}
      </span>
    </li>
  );
}

function Waiting({ waiting }: { waiting: Connection["waiting"] }) {
  if (waiting.count === 0) return <>No messages are waiting for it.</>;
  const whom = waiting.applications
    .map(({ title, count }) => `${isolated(title)} ${formatNumber(count)}`)
    .join(", ");
  return (
    <>
      {waiting.more ? "At least " : ""}
      {plural(waiting.count, "message")} {waiting.count === 1 && !waiting.more ? "waits" : "wait"} for it
      {whom === "" ? "" : ` (${whom})`}
      {waiting.oldestAt ? (
        <>
          , the oldest from <RelativeTime value={waiting.oldestAt} />
        </>
      ) : null}
      .
    </>
  );
}

function Probe({ connection }: { connection: Pick<Connection, "id" | "name"> }) {
  const probe = useProbe(connection.name);
  return (
    <Button
      size="sm"
      pending={probe.isPending}
      aria-label={`Probe ${connection.name} now`}
      onClick={() => probe.mutate({ connectionId: connection.id })}
    >
      Probe now
    </Button>
  );
}
