"use client";

import { useQuery } from "@tanstack/react-query";
import type { EndpointSuccess, SuccessRate } from "../../server/webhooks/schemas.ts";
import { successRateLimits } from "../../server/webhooks/vocabulary.ts";
import { useTRPC } from "../trpc/client.tsx";
import { cn } from "../ui/cn.ts";
import { formatNumber, formatPercent } from "../ui/format.ts";

/** Success rates of endpoints by their id, of the first that one call tells of; undefined while they are read. */
export function useSuccessRates(ids: readonly string[]): ReadonlyMap<string, EndpointSuccess> | undefined {
  const asked = ids.slice(0, successRateLimits.endpoints);
  const query = useQuery(
    useTRPC().webhooks.successRates.queryOptions(
      { ids: asked },
      { enabled: asked.length > 0, refetchInterval: 30_000 },
    ),
  );
  return query.data && new Map(query.data.data.map((each) => [each.id, each]));
}

/** "98.4%" with what it is of; a dash where nothing was delivered or failed. */
export function SuccessShare({ rate, detailed = false }: { rate: SuccessRate; detailed?: boolean }) {
  const total = rate.delivered + rate.failed;
  if (total === 0) return <span className="text-ink-faint">{detailed ? "No events" : "–"}</span>;
  const share = rate.delivered / total;
  const of = `${formatNumber(rate.delivered)} of ${rate.complete ? "" : "the latest "}${formatNumber(total)}`;
  return (
    <span title={detailed ? undefined : `${of} delivered`}>
      <span className={cn("tabular", share < 0.95 && "text-danger-text")}>{formatPercent(share)}</span>
      {detailed ? <span className="block text-xs text-ink-muted">{of} delivered</span> : null}
    </span>
  );
}
