"use client";

import { Stethoscope } from "lucide-react";
import type { ConnectionNow } from "../../server/health/schemas.ts";
import { AdapterName } from "../providers/adapter-name.tsx";
import { errorText } from "../trpc/error-text.ts";
import { Button } from "../ui/button.tsx";
import { Card, CardHeader } from "../ui/card.tsx";
import { cn } from "../ui/cn.ts";
import { formatDuration, humanize, plural } from "../ui/format.ts";
import { Skeleton } from "../ui/skeleton.tsx";
import { RelativeTime } from "../ui/time.tsx";
import { HealthBadge } from "./health-face.tsx";
import { useProbe } from "./use-probe.ts";

/** Those in trouble first. */
const rank = (connection: ConnectionNow) =>
  !connection.enabled
    ? 4
    : connection.breaker === "open"
      ? 0
      : connection.breaker === "half_open"
        ? 1
        : connection.slowSince
          ? 2
          : 3;

/** Every connection as it is now; choosing one narrows the page to it. */
export function ConnectionStates({
  connections,
  error,
  chosen,
  onChoose,
}: {
  connections: readonly ConnectionNow[] | undefined;
  /** Why they are not as they are now but as they were last known; null: they are. */
  error: unknown;
  chosen: string | null;
  onChoose: (id: string | null) => void;
}) {
  const on = connections?.filter((each) => each.enabled) ?? [];
  const out = on.filter((each) => each.breaker !== "closed").length;
  const shown = connections?.toSorted((a, b) => rank(a) - rank(b));
  return (
    <Card className="mb-4" aria-busy={!connections}>
      <CardHeader
        title="Now"
        description={
          !connections
            ? "Checking connections"
            : error !== null
              ? `Not up to date. ${errorText(error)}`
              : on.length === 0
                ? "No connection is switched on"
                : out === 0
                  ? "All connections available"
                  : `${plural(out, "connection")} not available`
        }
      />
      <ul className="border-t border-line">
        {(shown ?? [undefined, undefined, undefined]).map((connection, index) => (
          <li key={connection?.id ?? index} className="border-b border-line last:border-0">
            {connection ? (
              <State
                connection={connection}
                chosen={connection.id === chosen}
                onChoose={() => onChoose(connection.id === chosen ? null : connection.id)}
              />
            ) : (
              <div className="flex h-14 items-center justify-between gap-4 px-4">
                <Skeleton className="w-40" />
                <Skeleton className="h-5 w-20" />
              </div>
            )}
          </li>
        ))}
      </ul>
    </Card>
  );
}

function State({
  connection,
  chosen,
  onChoose,
}: {
  connection: ConnectionNow;
  chosen: boolean;
  onChoose: () => void;
}) {
  const inTrouble = connection.enabled && connection.breaker !== "closed";
  return (
    <div
      className={cn("flex flex-wrap items-center gap-x-4 gap-y-2 px-4 py-2.5", chosen && "bg-accent-soft")}
    >
      <button
        type="button"
        aria-pressed={chosen}
        onClick={onChoose}
        className="min-w-0 flex-1 rounded-sm text-left underline-offset-4 hover:underline"
      >
        <span className="block truncate text-sm font-medium">{connection.name}</span>
        <span className="block truncate text-xs text-ink-muted">
          <AdapterName adapter={connection.provider} />
        </span>
      </button>
      {inTrouble ? <Trouble connection={connection} /> : null}
      {connection.enabled && connection.breaker === "closed" && connection.slowSince ? (
        <p className="text-xs text-ink-muted">
          Calls over {formatDuration(connection.slowAfterMs)} since{" "}
          <RelativeTime value={connection.slowSince} />
        </p>
      ) : null}
      <HealthBadge connection={connection} />
      {connection.enabled && connection.breaker === "open" && connection.mayProbe ? (
        <ProbeNow connection={connection} />
      ) : null}
    </div>
  );
}

function Trouble({ connection }: { connection: ConnectionNow }) {
  const { reason, since, nextProbeAt, breaker } = connection;
  return (
    <div className="w-full min-w-0 text-xs text-ink-muted sm:w-auto sm:max-w-md">
      {reason ? (
        <p className="truncate text-ink" title={reason.detail}>
          {reason.detail || humanize(reason.code)}
        </p>
      ) : null}
      <p>
        {since ? (
          <>
            Since <RelativeTime value={since} />
          </>
        ) : null}
        {nextProbeAt ? (
          <>
            {", "}
            {breaker === "open" ? "next probe " : "test ends "}
            <RelativeTime value={nextProbeAt} ahead />
          </>
        ) : null}
      </p>
    </div>
  );
}

function ProbeNow({ connection }: { connection: ConnectionNow }) {
  const probe = useProbe(connection.name);
  return (
    <Button size="sm" pending={probe.isPending} onClick={() => probe.mutate({ connectionId: connection.id })}>
      <Stethoscope aria-hidden /> Probe now
    </Button>
  );
}
