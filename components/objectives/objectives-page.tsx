"use client";

import { useQuery } from "@tanstack/react-query";
import { Pencil, TriangleAlert } from "lucide-react";
import dynamic from "next/dynamic";
import { useState } from "react";
import type { ObjectiveAlert } from "../../server/objectives/schemas.ts";
import { PageFrame } from "../layout/page-frame.tsx";
import { PageHeader } from "../layout/page-header.tsx";
import { useTRPC } from "../trpc/client.tsx";
import { QueryFailed } from "../trpc/query-failed.tsx";
import { Badge, Dot } from "../ui/badge.tsx";
import { Button } from "../ui/button.tsx";
import { Card, CardHeader } from "../ui/card.tsx";
import { AllDone } from "../ui/empty-state.tsx";
import { formatDuration, formatNumber } from "../ui/format.ts";
import { Skeleton } from "../ui/skeleton.tsx";
import { AbsoluteTime } from "../ui/time.tsx";
import { ObjectiveCard, ObjectiveChart } from "./objective-card.tsx";
import { objectiveName } from "./objective-words.ts";
import { StatusPageCard } from "./status-page-card.tsx";

const TargetsDialog = dynamic(() => import("./targets-dialog.tsx").then((module) => module.TargetsDialog));

/** What the organisation wants of the service, what it gets, and the page on which it tells others. */
export function ObjectivesPage() {
  const trpc = useTRPC();
  const query = useQuery(trpc.objectives.get.queryOptions(undefined, { refetchInterval: 30_000 }));
  const { data } = query;
  const [changing, setChanging] = useState(false);
  const open = data?.alerts.filter(({ endedAt }) => endedAt === null) ?? [];
  return (
    <PageFrame>
      <PageHeader
        title="Objectives"
        description="Last 30 days (UTC), including today, in all environments except sandboxes"
        environmentScoped={false}
        actions={
          data?.mayChange ? (
            <Button onClick={() => setChanging(true)}>
              <Pencil aria-hidden /> Change targets
            </Button>
          ) : null
        }
      />
      {query.isError && !data ? (
        <Card className="mb-4">
          <QueryFailed what="the objectives" query={query} />
        </Card>
      ) : (
        <>
          {open.map((alert) => (
            <p
              key={alert.id}
              role="status"
              className="mb-4 flex items-start gap-2 rounded-md bg-danger-soft px-4 py-3 text-sm text-danger-text"
            >
              <TriangleAlert className="mt-0.5 size-4 shrink-0" aria-hidden />
              <span>
                {objectiveName[alert.objective]}: the error budget has been burning{" "}
                {formatNumber(alert.burn, 1)} times faster than it may since{" "}
                <AbsoluteTime value={alert.beganAt} />. The alert ends after half an hour without too many
                misses.
              </span>
            </p>
          ))}
          <div className="mb-4 grid gap-4 lg:grid-cols-2" aria-busy={!data}>
            {data
              ? data.objectives.map((each) => (
                  <ObjectiveCard key={each.objective} objective={each} of={data} />
                ))
              : [0, 1].map((index) => (
                  <Card key={index} className="h-56 p-4">
                    <Skeleton className="w-32" />
                  </Card>
                ))}
          </div>
          <div className="mb-4 grid gap-4 lg:grid-cols-2">
            {data?.objectives.map((each) => (
              <ObjectiveChart key={each.objective} objective={each} />
            ))}
          </div>
          {data ? <AlertsCard alerts={data.alerts} /> : null}
        </>
      )}
      <StatusPageCard mayChange={data?.mayChange ?? false} />
      {changing && data ? <TargetsDialog objectives={data} onClose={() => setChanging(false)} /> : null}
    </PageFrame>
  );
}

/** When an error budget burned too fast. */
function AlertsCard({ alerts }: { alerts: readonly ObjectiveAlert[] }) {
  return (
    <Card className="mb-4">
      <CardHeader
        title="Alerts"
        description="Sent when the error budget burns 14.4 times too fast for an hour or 6 times for six hours, and again when it recovers"
      />
      {alerts.length === 0 ? (
        <AllDone title="No alerts yet">
          People with access to reports are notified in the portal and by e-mail, and webhook endpoints
          through processing.error.
        </AllDone>
      ) : (
        <ul className="divide-y divide-line border-t border-line" aria-label="Alerts">
          {alerts.map((alert) => (
            <li
              key={alert.id}
              className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 px-4 py-3"
            >
              <div className="min-w-0">
                <p className="text-sm font-medium">{objectiveName[alert.objective]}</p>
                <p className="text-xs text-ink-muted">
                  {formatNumber(alert.burn, 1)} times too fast,{" "}
                  {alert.speed === "fast" ? "within an hour" : "over six hours"} ·{" "}
                  <AbsoluteTime value={alert.beganAt} withYear />
                </p>
              </div>
              <Badge tone={alert.endedAt === null ? "danger" : "success"}>
                <Dot tone={alert.endedAt === null ? "danger" : "success"} />
                {alert.endedAt === null
                  ? "Burning"
                  : `Ended after ${formatDuration(Date.parse(alert.endedAt) - Date.parse(alert.beganAt))}`}
              </Badge>
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}
