"use client";

import { useQuery } from "@tanstack/react-query";
import { ContentDiff } from "../templates/history/content-diff.tsx";
import { useTRPC } from "../trpc/client.tsx";
import { QueryFailed } from "../trpc/query-failed.tsx";
import { Skeleton } from "../ui/skeleton.tsx";

/** What differs between two versions of a template; both are fetched when this is shown. `from` null: nothing was live. */
export function VersionDiff({
  templateId,
  from,
  to,
}: {
  templateId: string;
  from: number | null;
  to: number;
}) {
  const trpc = useTRPC();
  // Versions never change, so what was read once stays true.
  const options = { staleTime: Infinity };
  const left = useQuery(
    trpc.templates.get.queryOptions(
      { id: templateId, version: from ?? undefined },
      { ...options, enabled: from !== null },
    ),
  );
  const right = useQuery(trpc.templates.get.queryOptions({ id: templateId, version: to }, options));
  const failed = [left, right].find((query) => query.isError);

  if (failed) {
    return (
      <QueryFailed
        what="the changes"
        error={failed.error}
        onRetry={() => void failed.refetch()}
        className="py-6"
      />
    );
  }
  if (!right.data || (from !== null && !left.data)) {
    return (
      <div className="grid gap-2" aria-busy>
        <Skeleton className="w-24" />
        <Skeleton className="h-16 w-full" />
      </div>
    );
  }
  return (
    <ContentDiff
      left={from === null ? null : (left.data ?? null)}
      right={right.data}
      leftLabel={from === null ? "Nothing live yet" : `Version ${from}`}
      rightLabel={`Version ${to}`}
    />
  );
}
