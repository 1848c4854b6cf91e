"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { RenderedMessage } from "../messages/rendered-message.tsx";
import { useTRPC } from "../trpc/client.tsx";
import { QueryFailed } from "../trpc/query-failed.tsx";
import { Card, CardHeader } from "../ui/card.tsx";
import { plural } from "../ui/format.ts";
import { Skeleton } from "../ui/skeleton.tsx";

/** A stored version, rendered with the examples of its variables. */
export function TemplatePreview({
  templateId,
  version,
  channel,
}: {
  templateId: string;
  version: number;
  channel: string;
}) {
  const trpc = useTRPC();
  const query = useQuery(
    trpc.templates.preview.queryOptions({ templateId, version }, { placeholderData: keepPreviousData }),
  );
  const preview = query.data;
  const segments = preview?.segments;
  return (
    <Card aria-busy={query.isPending}>
      <CardHeader
        title="Preview"
        description={
          segments
            ? `With the examples: ${plural(segments.segments, "segment")} in ${segments.encoding}${
                segments.unicodeCharacters.length > 0
                  ? `, because of ${segments.unicodeCharacters.slice(0, 8).join(" ")}`
                  : ""
              }`
            : "With the examples of its variables"
        }
      />
      <div className="px-4 pb-4">
        {query.isError && !preview ? (
          <QueryFailed what="the preview" error={query.error} onRetry={() => void query.refetch()} />
        ) : preview?.message ? (
          <RenderedMessage
            message={{
              ...preview.message,
              from: preview.message.senderName ?? preview.message.senderId,
              channel,
            }}
          />
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
