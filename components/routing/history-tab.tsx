"use client";

import { useInfiniteQuery } from "@tanstack/react-query";
import { History, RotateCcw } from "lucide-react";
import dynamic from "next/dynamic";
import { useState } from "react";
import type { Revision, RuleDifference } from "../../server/routing/schemas.ts";
import { LoadMore } from "../data-table/load-more.tsx";
import { usePortal } from "../portal/portal-context.tsx";
import { useTRPC } from "../trpc/client.tsx";
import { QueryFailed } from "../trpc/query-failed.tsx";
import { Badge } from "../ui/badge.tsx";
import { Button } from "../ui/button.tsx";
import { Card } from "../ui/card.tsx";
import { NothingYet } from "../ui/empty-state.tsx";
import { Fold } from "../ui/fold.tsx";
import { plural } from "../ui/format.ts";
import { Skeleton } from "../ui/skeleton.tsx";
import { RelativeTime } from "../ui/time.tsx";
import { ruleName } from "./rule-words.ts";

const RevertDialog = dynamic(() => import("./revert-dialog.tsx").then((module) => module.RevertDialog));

/** Every change of the environment's rules: who, when, why and what, with the way back. */
export function HistoryTab() {
  const { environment, can } = usePortal();
  const trpc = useTRPC();
  const [reverting, setReverting] = useState<Revision | null>(null);
  const query = useInfiniteQuery(
    trpc.routing.revisions.infiniteQueryOptions(
      { environmentId: environment.id, limit: 20 },
      { getNextPageParam: (page) => page.nextCursor ?? undefined },
    ),
  );
  if (query.isError && !query.data) {
    return (
      <Card>
        <QueryFailed what="the history" query={query} />
      </Card>
    );
  }
  if (!query.data) {
    return (
      <Card aria-busy>
        {Array.from({ length: 5 }, (_, index) => (
          <div key={index} className="flex h-14 items-center gap-6 border-b border-line px-4 last:border-0">
            <Skeleton className="w-8" />
            <Skeleton className="w-64" />
            <Skeleton className="ml-auto hidden w-24 sm:block" />
          </div>
        ))}
      </Card>
    );
  }
  const revisions = query.data.pages.flatMap((page) => page.data);
  const current = query.data.pages[0]?.current ?? 0;
  if (revisions.length === 0 && !query.hasNextPage) {
    return (
      <Card>
        <NothingYet icon={History} title="No changes yet">
          Every revision of the rules in {environment.name} is kept here, and you can revert to it.
        </NothingYet>
      </Card>
    );
  }
  return (
    <>
      <Card>
        <ol>
          {revisions.map((revision) => (
            <RevisionLine
              key={revision.number}
              revision={revision}
              current={revision.number === current}
              onRevert={can("routing:manage") ? () => setReverting(revision) : null}
            />
          ))}
        </ol>
        <LoadMore query={query}>Show earlier changes</LoadMore>
      </Card>
      {reverting ? (
        <RevertDialog revision={reverting} current={current} onClose={() => setReverting(null)} />
      ) : null}
    </>
  );
}

function RevisionLine({
  revision,
  current,
  onRevert,
}: {
  revision: Revision;
  current: boolean;
  onRevert: (() => void) | null;
}) {
  return (
    <li className="flex flex-wrap items-start gap-x-4 gap-y-2 border-b border-line px-4 py-3 last:border-0">
      <span className="w-8 shrink-0 text-right text-sm text-ink-muted tabular" title="Revision">
        {revision.number}
      </span>
      <div className="min-w-0 flex-1 basis-60">
        <p className="flex flex-wrap items-center gap-x-2 gap-y-0.5 text-sm">
          <span className="min-w-0 font-medium break-words">{revision.summary}</span>
          {current ? <Badge tone="accent">Current</Badge> : null}
        </p>
        <p className="mt-0.5 text-xs text-ink-muted">
          {revision.by.name} · <RelativeTime value={revision.at} /> · {plural(revision.rules, "rule")}
        </p>
        {revision.note ? <p className="mt-1 text-sm break-words">“{revision.note}”</p> : null}
        {revision.differences.length > 0 ? (
          <Fold summary="What changed" className="mt-1.5">
            <Differences differences={revision.differences} more={revision.moreDifferences} />
          </Fold>
        ) : null}
      </div>
      {onRevert && !current ? (
        <Button size="sm" onClick={onRevert}>
          <RotateCcw aria-hidden /> Revert to this
        </Button>
      ) : null}
    </li>
  );
}

const kinds = {
  added: { label: "Added", tone: "success" },
  removed: { label: "Deleted", tone: "danger" },
  changed: { label: "Changed", tone: "info" },
} as const;

function Differences({ differences, more }: { differences: readonly RuleDifference[]; more: number }) {
  return (
    <ul className="mt-2 grid gap-3 border-l border-line pl-3">
      {differences.map((difference) => (
        <li key={difference.ruleId} className="grid gap-1 text-xs">
          <p className="flex flex-wrap items-center gap-2">
            <Badge tone={kinds[difference.kind].tone}>{kinds[difference.kind].label}</Badge>
            <span className="font-medium">{ruleName(difference.name)}</span>
          </p>
          <dl className="grid grid-cols-[7.5rem_minmax(0,1fr)] gap-x-3 gap-y-0.5">
            {difference.fields.map(({ field, before, after }) => (
              <div key={field} className="contents">
                <dt className="text-ink-muted">{field}</dt>
                <dd className="min-w-0 break-words">
                  {difference.kind === "changed" ? (
                    <>
                      <del className="text-danger-text">{before ?? "any"}</del>
                      <span className="text-ink-faint"> → </span>
                      <ins className="text-success-text no-underline">{after ?? "any"}</ins>
                    </>
                  ) : (
                    (after ?? before ?? "any")
                  )}
                </dd>
              </div>
            ))}
          </dl>
        </li>
      ))}
      {more > 0 ? <li className="text-xs text-ink-muted">{plural(more, "more rule")} changed.</li> : null}
    </ul>
  );
}
