"use client";

import { useQuery } from "@tanstack/react-query";
import { useTRPC } from "../trpc/client.tsx";
import { QueryFailed } from "../trpc/query-failed.tsx";
import { Card, CardHeader } from "../ui/card.tsx";
import { formatNumber } from "../ui/format.ts";
import { ShareMeter } from "../ui/share-meter.tsx";
import { Skeleton } from "../ui/skeleton.tsx";
import { RelativeTime } from "../ui/time.tsx";

/** What the operator lets the organisation send at most, and what it has sent. */
export function QuotaCard() {
  const trpc = useTRPC();
  const query = useQuery(trpc.quotas.get.queryOptions());
  const state = query.data;
  return (
    <Card aria-label="Quotas" aria-busy={query.isPending}>
      <CardHeader
        title="Quotas"
        description="Set by your operator. Sandbox messages don't count. Days and months are UTC."
      />
      {query.isError && !state ? (
        <QueryFailed what="your quotas" query={query} />
      ) : state ? (
        <div className="grid gap-4 px-4 pb-4">
          <Use
            label="Messages today"
            allowed={state.quota.messagesPerDay}
            used={state.use.day.used}
            resetsAt={state.use.day.resetsAt}
          />
          <Use
            label="Messages this month"
            allowed={state.quota.messagesPerMonth}
            used={state.use.month.used}
            resetsAt={state.use.month.resetsAt}
          />
          {state.quota.requestsPerMinute === null ? null : (
            <p className="text-sm">
              All API keys together can make {formatNumber(state.quota.requestsPerMinute)} requests per
              minute.
            </p>
          )}
        </div>
      ) : (
        <div className="grid gap-3 px-4 pb-4">
          <Skeleton className="w-1/2" />
          <Skeleton className="w-2/3" />
        </div>
      )}
    </Card>
  );
}

function Use({
  label,
  allowed,
  used,
  resetsAt,
}: {
  label: string;
  allowed: number | null;
  used: number;
  resetsAt: Date;
}) {
  const share = allowed === null ? null : used / allowed;
  return (
    <div className="grid gap-1.5">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4 text-sm">
        <span>{label}</span>
        <span className="tabular">
          {formatNumber(used)}
          <span className="text-ink-muted">
            {allowed === null ? ", no limit" : ` of ${formatNumber(allowed)}`}
          </span>
        </span>
      </div>
      {share === null ? null : (
        <>
          <ShareMeter share={share} label={label} />
          <p className="text-xs text-ink-muted">
            {share >= 1 ? "Send requests are refused. " : null}The count resets{" "}
            <RelativeTime value={resetsAt} ahead />.
          </p>
        </>
      )}
    </div>
  );
}
