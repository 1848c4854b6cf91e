"use client";

import { useQuery } from "@tanstack/react-query";
import { ContentDiff } from "../templates/history/content-diff.tsx";
import { RenderedDiff } from "../templates/preview/rendered-diff.tsx";
import { useTRPC } from "../trpc/client.tsx";
import { QueryFailed } from "../trpc/query-failed.tsx";
import { Skeleton } from "../ui/skeleton.tsx";

/**
 * What differs between two versions of a template: the message as recipients see it, then its source. Both are fetched when
 * this is shown. `from` null: nothing was live.
 */
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
  const failed = [left, right].find((query) => query.isError && !query.data);

  if (failed) {
    return <QueryFailed what="the changes" query={failed} className="py-6" />;
  }
  if (!right.data || (from !== null && !left.data)) {
    return (
      <div className="grid gap-2" aria-busy>
        <Skeleton className="w-24" />
        <Skeleton className="h-16 w-full" />
      </div>
    );
  }
  const labels = {
    from: from === null ? "Nothing live yet" : `Version ${from}`,
    to: `Version ${to}`,
  };
  return (
    <div className="grid grid-cols-1 gap-5">
      <section aria-label="Message" className="min-w-0">
        <h3 className="mb-2 text-xs text-ink-muted">Message, with example values</h3>
        <RenderedDiff {...{ templateId, from, to }} fromLabel={labels.from} toLabel={labels.to} />
      </section>
      <section aria-label="Source" className="min-w-0">
        <h3 className="mb-2 text-xs text-ink-muted">Source</h3>
        <ContentDiff
          left={from === null ? null : (left.data ?? null)}
          right={right.data}
          leftLabel={labels.from}
          rightLabel={labels.to}
        />
      </section>
    </div>
  );
}
