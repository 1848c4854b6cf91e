"use client";

import { useInfiniteQuery } from "@tanstack/react-query";
import { FileDown } from "lucide-react";
import { LoadMore } from "../data-table/load-more.tsx";
import { PageFrame } from "../layout/page-frame.tsx";
import { PageHeader } from "../layout/page-header.tsx";
import { usePortal } from "../portal/portal-context.tsx";
import { useTRPC } from "../trpc/client.tsx";
import { QueryFailed } from "../trpc/query-failed.tsx";
import { Button } from "../ui/button.tsx";
import { Card } from "../ui/card.tsx";
import { NothingYet } from "../ui/empty-state.tsx";
import { Link } from "../ui/link.tsx";
import { Skeleton } from "../ui/skeleton.tsx";
import { CostExports } from "./cost-exports.tsx";
import { ExportLine } from "./export-line.tsx";

/** The reader's own files of messages and costs, and those that are on their way. */
export function ExportsPage() {
  const { can, href } = usePortal();
  const trpc = useTRPC();
  const query = useInfiniteQuery(
    trpc.exports.list.infiniteQueryOptions(
      { limit: 25 },
      {
        getNextPageParam: (page) => page.nextCursor ?? undefined,
        refetchInterval: ({ state }) =>
          state.data?.pages.some((page) =>
            page.data.some((one) => one.state === "waiting" || one.state === "running"),
          )
            ? 1_500
            : false,
      },
    ),
  );
  const exports = query.data?.pages.flatMap((page) => page.data);
  const buttons = (
    <>
      {can("notifications:read") ? (
        <Button asChild>
          <Link href={href("/messages")}>Go to Messages</Link>
        </Button>
      ) : null}
      {can("costs:read") ? <CostExports /> : null}
    </>
  );
  return (
    <PageFrame>
      <PageHeader
        title="Exports"
        description="Your exports of messages and costs. Files are kept for seven days."
        actions={exports && exports.length > 0 ? buttons : null}
        environmentScoped={false}
      />
      <Card>
        {exports ? (
          exports.length === 0 ? (
            <NothingYet icon={FileDown} title="No exports yet" action={buttons}>
              Filter messages and select Export. The file contains every matching row and is written in the
              background.
            </NothingYet>
          ) : (
            <ul className="divide-y divide-line" aria-label="Exports">
              {exports.map((one) => (
                <ExportLine key={one.id} one={one} />
              ))}
            </ul>
          )
        ) : query.isError ? (
          <QueryFailed what="the exports" query={query} />
        ) : (
          <div className="grid gap-4 px-4 py-4" aria-busy>
            <Skeleton className="w-1/2" />
            <Skeleton className="w-2/3" />
            <Skeleton className="w-1/3" />
          </div>
        )}
        <LoadMore query={query} />
      </Card>
    </PageFrame>
  );
}
