"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { parseAsString, useQueryState } from "nuqs";
import { Pager } from "../data-table/pager.tsx";
import { useTRPC } from "../trpc/client.tsx";
import { QueryFailed } from "../trpc/query-failed.tsx";
import { Dot } from "../ui/badge.tsx";
import { Card, CardHeader } from "../ui/card.tsx";
import { AllDone } from "../ui/empty-state.tsx";
import { Skeleton } from "../ui/skeleton.tsx";
import { RelativeTime } from "../ui/time.tsx";
import { incidentFace } from "./health-face.tsx";

/** What happened to the connections, newest first. */
export function Incidents({ connectionId }: { connectionId: string | null }) {
  const trpc = useTRPC();
  const [cursor, setCursor] = useQueryState("before", parseAsString.withOptions({ history: "push" }));
  const query = useQuery(
    trpc.health.incidents.queryOptions(
      { connectionId: connectionId ?? undefined, cursor: cursor ?? undefined, limit: 15 },
      { refetchInterval: 5_000, placeholderData: keepPreviousData },
    ),
  );
  const incidents = query.data?.data;
  return (
    <Card aria-busy={query.isPending}>
      <CardHeader title="Incidents" description="Outages and slowdowns of connections" />
      {query.isError && !incidents ? (
        <QueryFailed what="incidents" query={query} />
      ) : incidents?.length === 0 ? (
        <AllDone title="No incidents" className="border-t border-line py-10">
          No outages or slowdowns.
        </AllDone>
      ) : (
        <ol className="border-t border-line">
          {(incidents ?? [undefined, undefined, undefined]).map((incident, index) => (
            <li
              key={incident?.id ?? index}
              className="flex items-baseline gap-3 border-b border-line px-4 py-2.5 text-sm last:border-0"
            >
              {incident ? (
                <>
                  <Dot tone={incidentFace(incident).tone} className="translate-y-[-2px]" />
                  <div className="min-w-0 flex-1">
                    <p className="break-words">
                      <span className="font-medium">{incident.connection}</span> {incidentFace(incident).text}
                    </p>
                    {incident.detail ? (
                      <p className="text-xs break-words text-ink-muted">{incident.detail}</p>
                    ) : null}
                  </div>
                  <RelativeTime value={incident.at} className="shrink-0 text-xs text-ink-muted" />
                </>
              ) : (
                <Skeleton className="w-64 max-w-full" />
              )}
            </li>
          ))}
        </ol>
      )}
      <Pager cursor={cursor} nextCursor={query.data?.nextCursor} onChange={(next) => void setCursor(next)} />
    </Card>
  );
}
