"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { RenderedMessage } from "../messages/rendered-message.tsx";
import { useTRPC } from "../trpc/client.tsx";
import { QueryFailed } from "../trpc/query-failed.tsx";
import { Card, CardHeader } from "../ui/card.tsx";
import { Skeleton } from "../ui/skeleton.tsx";
import { EstimatedCost } from "./preview/estimated-cost.tsx";
import { renderedOf } from "./preview/rendered-of.ts";
import { SmsFacts } from "./preview/sms-facts.tsx";

/** A stored version, rendered with the examples of its variables. */
export function TemplatePreview({
  templateId,
  version,
  body,
}: {
  templateId: string;
  version: number;
  /** As written, to tell which characters stand in it and which come from values. */
  body: string;
}) {
  const trpc = useTRPC();
  const query = useQuery(
    trpc.templates.preview.queryOptions({ templateId, version }, { placeholderData: keepPreviousData }),
  );
  const preview = query.data;
  const segments = preview?.segments;
  return (
    <Card aria-busy={query.isPending}>
      <CardHeader title="Preview" description="With the examples of its variables" />
      <div className="px-4 pb-4">
        {query.isError && !preview ? (
          <QueryFailed what="the preview" query={query} />
        ) : preview?.message ? (
          <>
            <RenderedMessage message={renderedOf(preview.message)} />
            {segments ? <SmsFacts segments={segments} body={body} className="mt-4" /> : null}
            <div className="mt-4">
              <EstimatedCost cost={preview.estimatedCost} />
            </div>
          </>
        ) : preview ? (
          <ul className="grid gap-1.5 text-sm text-danger-text">
            {[...preview.problems, ...preview.valueProblems].map((problem, index) => (
              <li key={index}>{problem.detail}</li>
            ))}
          </ul>
        ) : (
          <Skeleton className="h-48 w-full" />
        )}
      </div>
    </Card>
  );
}
