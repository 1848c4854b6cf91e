"use client";

import { useInfiniteQuery } from "@tanstack/react-query";
import type { PriceChange } from "../../server/connections/schemas.ts";
import { LoadMore } from "../data-table/load-more.tsx";
import { useTRPC } from "../trpc/client.tsx";
import { QueryFailed } from "../trpc/query-failed.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { Skeleton } from "../ui/skeleton.tsx";
import { RelativeTime } from "../ui/time.tsx";
import { kindText, priceText } from "./price-words.ts";

/** How the prices of a connection were changed, the newest first. */
export function PriceHistory({ connectionId, onClose }: { connectionId: string; onClose: () => void }) {
  const trpc = useTRPC();
  const query = useInfiniteQuery(
    trpc.costs.priceChanges.infiniteQueryOptions(
      { connectionId, limit: 50 },
      { getNextPageParam: (page) => page.nextCursor ?? undefined },
    ),
  );
  const changes = query.data?.pages.flatMap((page) => page.data) ?? [];
  return (
    <Dialog
      open
      onClose={onClose}
      title="Price changes"
      description="Changes to this price list, kept for 25 months. The audit trail shows who made them."
      className="max-w-2xl"
    >
      {query.isError && !query.data ? (
        <QueryFailed what="the changes" query={query} />
      ) : !query.data ? (
        <div aria-busy className="grid gap-3">
          {Array.from({ length: 4 }, (_, index) => (
            <Skeleton key={index} className="w-full" />
          ))}
        </div>
      ) : changes.length === 0 ? (
        <p className="text-sm text-ink-muted">
          No changes yet. Price changes appear here after the next import.
        </p>
      ) : (
        <>
          <ul className="divide-y divide-line text-sm">
            {changes.map((change) => (
              <ChangeLine key={change.id} change={change} />
            ))}
          </ul>
          <LoadMore query={query} />
        </>
      )}
    </Dialog>
  );
}

function ChangeLine({ change: { before, after, at } }: { change: PriceChange }) {
  const of = after ?? before;
  if (!of) return null;
  return (
    <li className="py-2">
      <div className="flex justify-between gap-4">
        <span>
          {kindText(of)} <span className="text-ink-muted">{of.country ?? "everywhere else"}</span>
        </span>
        <span className="text-ink-muted">
          <RelativeTime value={at} />
        </span>
      </div>
      <p className="text-ink-muted tabular-nums">
        {before && after
          ? `${priceText(before)} became ${priceText(after)}`
          : after
            ? `new: ${priceText(after)}`
            : `${priceText(of)} was removed`}
      </p>
    </li>
  );
}
