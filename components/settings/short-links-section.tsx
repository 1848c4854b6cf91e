"use client";

import { useMutation, useQuery } from "@tanstack/react-query";
import { CircleCheck, TriangleAlert } from "lucide-react";
import { useState } from "react";
import { isService, serviceNames } from "../../server/links/vocabulary.ts";
import type { ShortenerSettings } from "../../server/links/schemas.ts";
import { usePortal } from "../portal/portal-context.tsx";
import { useTRPC } from "../trpc/client.tsx";
import { errorText } from "../trpc/error-text.ts";
import { QueryFailed } from "../trpc/query-failed.tsx";
import { useRefresh } from "../trpc/use-refresh.ts";
import { Badge } from "../ui/badge.tsx";
import { Button } from "../ui/button.tsx";
import { Card, CardHeader } from "../ui/card.tsx";
import { CopyableId } from "../ui/copy-button.tsx";
import { Skeleton } from "../ui/skeleton.tsx";
import { RelativeTime } from "../ui/time.tsx";
import { ShortenerForm } from "./shortener-form.tsx";

/** Who makes the short links of each environment, and how that goes. */
export function ShortLinksSection() {
  const trpc = useTRPC();
  const query = useQuery(trpc.links.shorteners.queryOptions());
  const [editing, setEditing] = useState<ShortenerSettings | null>(null);
  return (
    <>
      <Card aria-busy={query.isPending}>
        <CardHeader
          title="Shorteners"
          description={
            <>
              What the filter <code className="font-mono">shorten</code> makes. Each environment has its own.
            </>
          }
        />
        {query.isError && !query.data ? (
          <QueryFailed what="the shorteners" query={query} />
        ) : query.data ? (
          <ul className="divide-y divide-line border-t border-line">
            {query.data.data.map((shortener) => (
              <ShortenerRow
                key={shortener.environment}
                shortener={shortener}
                onEdit={() => setEditing(shortener)}
              />
            ))}
          </ul>
        ) : (
          <div className="grid gap-4 px-4 pb-4">
            <Skeleton className="w-2/3" />
            <Skeleton className="w-1/2" />
            <Skeleton className="w-2/3" />
          </div>
        )}
      </Card>
      {editing ? <ShortenerForm shortener={editing} onClose={() => setEditing(null)} /> : null}
    </>
  );
}

function ShortenerRow({ shortener, onEdit }: { shortener: ShortenerSettings; onEdit: () => void }) {
  const { environments } = usePortal();
  const environment = environments.find(({ slug }) => slug === shortener.environment);
  const name = environment?.name ?? shortener.environment;
  const { kind } = shortener;
  return (
    <li className="grid gap-2 px-4 py-3">
      <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2">
        <div className="min-w-0">
          <p className="flex flex-wrap items-center gap-2 text-sm font-medium">
            {name}
            <Badge tone={kind === "none" ? "neutral" : "accent"}>
              {isService(kind)
                ? serviceNames[kind]
                : kind === "none"
                  ? "Links are not shortened"
                  : "Built-in"}
            </Badge>
            {shortener.processingRegion ? (
              <Badge tone="outline">data in {shortener.processingRegion}</Badge>
            ) : null}
          </p>
          <p className="mt-0.5 text-xs break-words text-ink-muted">
            {shortener.example === null ? (
              "Links are not shortened and clicks are not counted."
            ) : (
              <>
                Links like <code className="font-mono break-all">{shortener.example}</code>
                {isService(kind)
                  ? ". The service counts clicks."
                  : `, for ${String(shortener.validDays)} days. Clicks are counted.`}
              </>
            )}
          </p>
        </div>
        <div className="flex items-center gap-1.5">
          {isService(kind) ? <TestButton shortener={shortener} /> : null}
          <Button size="sm" onClick={onEdit} aria-label={`Change shortener of ${name}`}>
            Change
          </Button>
        </div>
      </div>
      <Condition shortener={shortener} />
    </li>
  );
}

/** What the last test and the last failed message say. */
function Condition({ shortener }: { shortener: ShortenerSettings }) {
  const { testedAt, testProblem, problem, problemAt } = shortener;
  return (
    <>
      {testedAt === null ? null : testProblem === null ? (
        <p className="flex items-start gap-1.5 text-xs text-success-text">
          <CircleCheck className="mt-0.5 size-3.5 shrink-0" aria-hidden />
          <span>
            Tested <RelativeTime value={testedAt} />: it works
          </span>
        </p>
      ) : (
        <p className="flex items-start gap-1.5 text-xs text-danger-text">
          <TriangleAlert className="mt-0.5 size-3.5 shrink-0" aria-hidden />
          <span>
            Tested <RelativeTime value={testedAt} />: {testProblem}
          </span>
        </p>
      )}
      {problem === null || problemAt === null ? null : (
        <p className="flex items-start gap-1.5 text-xs text-warning-text">
          <TriangleAlert className="mt-0.5 size-3.5 shrink-0" aria-hidden />
          <span>
            <RelativeTime value={problemAt} />: {problem}
          </span>
        </p>
      )}
    </>
  );
}

function TestButton({ shortener }: { shortener: ShortenerSettings }) {
  const trpc = useTRPC();
  const refresh = useRefresh("links");
  const test = useMutation(
    trpc.links.testShortener.mutationOptions({
      onSettled: refresh,
    }),
  );
  const result = test.data;
  return (
    <>
      <span role="status" className="max-w-72 min-w-0 text-xs">
        {result?.shortUrl ? (
          <CopyableId value={result.shortUrl} label="Copy short link" />
        ) : test.error ? (
          <span className="text-danger-text">{errorText(test.error)}</span>
        ) : result ? (
          <span className="text-danger-text">Test failed</span>
        ) : null}
      </span>
      <Button
        size="sm"
        pending={test.isPending}
        onClick={() => test.mutate({ environment: shortener.environment })}
        aria-label={`Test shortener of ${shortener.environment}`}
      >
        Test
      </Button>
    </>
  );
}
