"use client";

import { useQuery } from "@tanstack/react-query";
import { mailThresholds } from "../../server/deliverability/schemas.ts";
import { PageFrame } from "../layout/page-frame.tsx";
import { PageHeader } from "../layout/page-header.tsx";
import { useTRPC } from "../trpc/client.tsx";
import { QueryFailed } from "../trpc/query-failed.tsx";
import { Card } from "../ui/card.tsx";
import { Skeleton } from "../ui/skeleton.tsx";
import { SendersCard } from "./senders-card.tsx";
import { StandingCard } from "./standing-card.tsx";

/** How mail arrives: rates at each mailbox provider, holds, and what DNS says of the senders. */
export function DeliverabilityPage() {
  const trpc = useTRPC();
  const query = useQuery(trpc.deliverability.get.queryOptions(undefined, { refetchInterval: 30_000 }));
  const { data } = query;
  return (
    <PageFrame>
      <PageHeader
        title="Deliverability"
        description={`E-mail accepted today and on the ${String(mailThresholds.windowDays - 1)} days before (UTC), in all environments but sandboxes`}
        environmentScoped={false}
      />
      {query.isError && !data ? (
        <Card className="mb-4">
          <QueryFailed what="the figures" error={query.error} onRetry={() => void query.refetch()} />
        </Card>
      ) : (
        <div className="mb-4 grid gap-4 sm:grid-cols-2" aria-busy={!data}>
          {data
            ? data.groups.map((standing) => (
                <StandingCard key={standing.group} standing={standing} mayRelease={data.mayRelease} />
              ))
            : [0, 1, 2, 3].map((index) => (
                <Card key={index} className="h-44 p-4">
                  <Skeleton className="w-24" />
                </Card>
              ))}
        </div>
      )}
      <SendersCard />
    </PageFrame>
  );
}
