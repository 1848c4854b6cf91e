"use client";

import { useQuery } from "@tanstack/react-query";
import type { AiPurpose } from "../../server/ai/schemas.ts";
import { useTRPC } from "../trpc/client.tsx";
import { QueryFailed } from "../trpc/query-failed.tsx";
import { Card, CardHeader } from "../ui/card.tsx";
import { formatMoney, formatNumber } from "../ui/format.ts";
import { ShareMeter } from "../ui/share-meter.tsx";
import { Skeleton } from "../ui/skeleton.tsx";
import { dateFormat } from "../ui/intl.ts";

const purposes: Record<AiPurpose, string> = {
  moderation: "Moderation",
  draft: "Drafts",
  rewrite: "Rewriting",
  shorten: "Shortening",
  translate: "Translation",
  tone: "Change of tone",
};

function monthName(month: string): string {
  return dateFormat({ month: "long", year: "numeric", timeZone: "UTC" }).format(
    new Date(`${month}-01T00:00:00Z`),
  );
}

/** What AI has used this month, by purpose; `budget` is the bound in tokens, null without one. */
export function AiUsageCard({ budget }: { budget: number | null }) {
  const trpc = useTRPC();
  const query = useQuery(trpc.ai.usage.queryOptions({}));
  const usage = query.data;
  const share = usage && budget ? usage.tokens / budget : null;
  return (
    <Card aria-label="AI usage" aria-busy={query.isPending}>
      <CardHeader
        title={usage ? `Used in ${monthName(usage.month)}` : "Used this month"}
        description={
          usage
            ? [
                `${formatNumber(usage.tokens)} tokens${budget === null ? "" : ` of ${formatNumber(budget)}`}`,
                ...usage.costs.map((cost) => formatMoney(cost.amount, cost.currency)),
              ].join(", ")
            : undefined
        }
      />
      {query.isError && !usage ? (
        <QueryFailed what="what was used" query={query} />
      ) : usage ? (
        <div className="px-4 pb-4">
          {share === null ? null : (
            <ShareMeter share={share} label="Share of the monthly tokens" className="mb-4" />
          )}
          {usage.byPurpose.length === 0 ? (
            <p className="text-sm text-ink-muted">No usage this month.</p>
          ) : (
            <div className="overflow-x-auto">
              <table className="w-full text-sm">
                <caption className="sr-only">AI usage by purpose</caption>
                <thead>
                  <tr className="border-b border-line text-xs text-ink-muted">
                    <th scope="col" className="h-8 text-left font-medium">
                      Purpose
                    </th>
                    <th scope="col" className="h-8 px-3 text-right font-medium">
                      Calls
                    </th>
                    <th scope="col" className="h-8 px-3 text-right font-medium">
                      Input tokens
                    </th>
                    <th scope="col" className="h-8 text-right font-medium">
                      Output tokens
                    </th>
                  </tr>
                </thead>
                <tbody className="tabular">
                  {usage.byPurpose.map((row) => (
                    <tr key={row.purpose} className="border-b border-line last:border-0">
                      <th scope="row" className="h-9 text-left font-normal">
                        {purposes[row.purpose]}
                      </th>
                      <td className="px-3 text-right">{formatNumber(row.calls)}</td>
                      <td className="px-3 text-right">{formatNumber(row.inputTokens)}</td>
                      <td className="text-right">{formatNumber(row.outputTokens)}</td>
                    </tr>
                  ))}
                </tbody>
              </table>
            </div>
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
