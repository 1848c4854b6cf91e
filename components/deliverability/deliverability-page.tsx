"use client";

import { useQuery } from "@tanstack/react-query";
import { mailThresholds } from "../../server/deliverability/vocabulary.ts";
import { PageFrame } from "../layout/page-frame.tsx";
import { PageHeader } from "../layout/page-header.tsx";
import { useTRPC } from "../trpc/client.tsx";
import { QueryFailed } from "../trpc/query-failed.tsx";
import { Card, CardHeader } from "../ui/card.tsx";
import { formatNumber, formatPercent, plural } from "../ui/format.ts";
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
        description={`E-mail accepted today and in the ${String(mailThresholds.windowDays - 1)} days before (UTC), in all environments except sandboxes`}
        environmentScoped={false}
      />
      {query.isError && !data ? (
        <Card className="mb-4">
          <QueryFailed what="the figures" query={query} />
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
      {data ? <ClicksCard clicks={data.clicks} /> : null}
      <SendersCard />
    </PageFrame>
  );
}

/** Clicks of people apart from those of programs, which say nothing about who reads. */
function ClicksCard({ clicks }: { clicks: { people: number; machines: number } }) {
  const { people, machines } = clicks;
  const all = people + machines;
  return (
    <Card className="mb-4">
      <CardHeader
        title="Clicks on short links"
        description="By people, and by scanners and previews that open links automatically. Only built-in short links are counted."
      />
      <dl className="grid grid-cols-2 gap-4 border-t border-line px-4 py-3.5 text-sm">
        {(
          [
            ["People", people],
            ["Scanners", machines],
          ] as const
        ).map(([label, count]) => (
          <div key={label}>
            <dt className="text-ink-muted">{label}</dt>
            <dd className="mt-0.5 text-lg font-semibold tabular">{formatNumber(count)}</dd>
            <dd className="text-xs text-ink-muted">
              {all === 0 ? "No clicks yet" : `${formatPercent(count / all)} of ${plural(all, "click")}`}
            </dd>
          </div>
        ))}
      </dl>
    </Card>
  );
}
