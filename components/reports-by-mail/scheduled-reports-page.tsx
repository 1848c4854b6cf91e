"use client";

import { useQuery } from "@tanstack/react-query";
import { MailCheck } from "lucide-react";
import dynamic from "next/dynamic";
import { useState } from "react";
import { PageFrame } from "../layout/page-frame.tsx";
import { PageHeader } from "../layout/page-header.tsx";
import { useTRPC } from "../trpc/client.tsx";
import { QueryFailed } from "../trpc/query-failed.tsx";
import { Button } from "../ui/button.tsx";
import { Card } from "../ui/card.tsx";
import { NothingYet } from "../ui/empty-state.tsx";
import { Skeleton } from "../ui/skeleton.tsx";
import { ScheduleLine } from "./schedule-line.tsx";

const ScheduleDialog = dynamic(() => import("./schedule-dialog.tsx").then((module) => module.ScheduleDialog));

/** The reports that the reader made or gets, with what became of the last mails. */
export function ScheduledReportsPage() {
  const trpc = useTRPC();
  const [asking, setAsking] = useState(false);
  const query = useQuery(
    trpc.reports.schedules.queryOptions(undefined, {
      refetchInterval: ({ state }) =>
        state.data?.data.some(({ last }) => last?.sends.some((send) => send.state === "waiting"))
          ? 10_000
          : false,
    }),
  );
  const schedules = query.data?.data;
  const button = (
    <Button variant="primary" onClick={() => setAsking(true)}>
      New report
    </Button>
  );
  return (
    <PageFrame>
      <PageHeader
        title="Scheduled reports"
        description="Key figures of saved views by e-mail"
        actions={schedules && schedules.length > 0 ? button : null}
        environmentScoped={false}
      />
      <Card>
        {schedules ? (
          schedules.length === 0 ? (
            <NothingYet icon={MailCheck} title="No scheduled reports" action={button}>
              Save a view on Overview, Delivery or Costs, then get its key figures by e-mail every day, week
              or month.
            </NothingYet>
          ) : (
            <ul className="divide-y divide-line" aria-label="Scheduled reports">
              {schedules.map((one) => (
                <ScheduleLine key={one.id} one={one} />
              ))}
            </ul>
          )
        ) : query.isError ? (
          <QueryFailed what="the scheduled reports" query={query} />
        ) : (
          <div className="grid gap-4 px-4 py-4" aria-busy>
            <Skeleton className="w-1/2" />
            <Skeleton className="w-2/3" />
          </div>
        )}
      </Card>
      {asking ? <ScheduleDialog onClose={() => setAsking(false)} /> : null}
    </PageFrame>
  );
}
