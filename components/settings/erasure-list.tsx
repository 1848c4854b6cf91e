"use client";

import { useInfiniteQuery } from "@tanstack/react-query";
import { Eraser } from "lucide-react";
import type { Erasure } from "../../server/privacy/schemas.ts";
import { LoadMore } from "../data-table/load-more.tsx";
import { useTRPC } from "../trpc/client.tsx";
import { QueryFailed } from "../trpc/query-failed.tsx";
import { Badge } from "../ui/badge.tsx";
import { Card, CardHeader } from "../ui/card.tsx";
import { NothingYet } from "../ui/empty-state.tsx";
import { formatNumber, humanize, plural } from "../ui/format.ts";
import { Skeleton } from "../ui/skeleton.tsx";
import { RelativeTime } from "../ui/time.tsx";

/** The reports of erasures, which stay and name nobody. */
export function ErasureList() {
  const trpc = useTRPC();
  const query = useInfiniteQuery(
    trpc.privacy.erasures.infiniteQueryOptions(
      { limit: 20 },
      {
        getNextPageParam: (page) => page.nextCursor ?? undefined,
        refetchInterval: ({ state }) =>
          state.data?.pages.some((page) => page.data.some((erasure) => erasure.state !== "done"))
            ? 2_000
            : false,
      },
    ),
  );
  const erasures = query.data?.pages.flatMap((page) => page.data);
  return (
    <Card>
      <CardHeader
        title="Erasures"
        description="What was found and removed. The reports are kept and contain no addresses."
      />
      {erasures ? (
        erasures.length === 0 ? (
          <NothingYet icon={Eraser} title="No erasures yet" className="border-t border-line py-10" />
        ) : (
          <ul className="divide-y divide-line border-t border-line">
            {erasures.map((erasure) => (
              <ErasureRow key={erasure.id} erasure={erasure} />
            ))}
          </ul>
        )
      ) : query.isError ? (
        <QueryFailed what="the erasures" query={query} />
      ) : (
        <div className="grid gap-3 px-4 pb-4" aria-busy>
          <Skeleton className="w-1/2" />
          <Skeleton className="w-2/3" />
        </div>
      )}
      <LoadMore query={query} />
    </Card>
  );
}

const states = {
  waiting: { tone: "neutral", text: "Waiting" },
  running: { tone: "info", text: "In progress" },
  done: { tone: "success", text: "Completed" },
} as const;

function ErasureRow({ erasure }: { erasure: Erasure }) {
  const { state, tables, addresses, reference, requestedBy, requestedAt, finishedAt } = erasure;
  const rows = tables.reduce((sum, table) => sum + table.rows, 0);
  return (
    <li className="px-4 py-3 text-sm">
      <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <span className="font-medium break-words">
          {reference ?? plural(addresses, "address", "addresses")}
        </span>
        <Badge tone={states[state].tone}>{states[state].text}</Badge>
      </p>
      <p className="mt-0.5 text-ink-muted">
        {reference === null ? null : <>{plural(addresses, "address", "addresses")}, </>}
        requested by {requestedBy} <RelativeTime value={requestedAt} />
        {finishedAt === null ? null : (
          <>
            , done <RelativeTime value={finishedAt} />
          </>
        )}
      </p>
      {tables.length > 0 ? (
        <details className="mt-1">
          <summary className="cursor-pointer text-ink-muted select-none hover:text-ink">
            {plural(rows, "entry", "entries")} in {plural(tables.length, "place")}
          </summary>
          <ul className="mt-1.5 grid max-w-sm gap-1">
            {tables.map(({ table, rows: count }) => (
              <li key={table} className="flex justify-between gap-4">
                <span className="text-ink-muted">{humanize(table)}</span>
                <span className="tabular">{formatNumber(count)}</span>
              </li>
            ))}
          </ul>
        </details>
      ) : state === "done" ? (
        <p className="mt-0.5 text-ink-muted">Nothing found.</p>
      ) : null}
    </li>
  );
}
