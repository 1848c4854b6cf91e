"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { CircleAlert, TriangleAlert } from "lucide-react";
import { useEffect, useState } from "react";
import { RenderedMessage } from "../messages/rendered-message.tsx";
import { useTRPC } from "../trpc/client.tsx";
import { errorText } from "../trpc/error-text.ts";
import { Card, CardHeader } from "../ui/card.tsx";
import { cn } from "../ui/cn.ts";
import { plural } from "../ui/format.ts";
import { Skeleton } from "../ui/skeleton.tsx";
import { contentOf, type Draft } from "./draft.ts";

/** A query travels in the address, which servers cut at 16 KiB; longer texts are previewed once they are saved. */
const longestInAddress = 9_000;

/** The draft as it would be received, with what is wrong in it; follows the writing with a short pause. */
export function DraftPreview({ draft }: { draft: Draft }) {
  const trpc = useTRPC();
  const wanted = JSON.stringify({ ...contentOf(draft), channel: draft.channel });
  const [settled, setSettled] = useState(wanted);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(wanted), 400);
    return () => clearTimeout(timer);
  }, [wanted]);
  const tooLong = encodeURIComponent(settled).length > longestInAddress;
  const input = JSON.parse(settled) as ReturnType<typeof contentOf> & { channel: Draft["channel"] };
  const query = useQuery(
    trpc.templates.preview.queryOptions(input, {
      enabled: draft.body.trim() !== "" && !tooLong,
      placeholderData: keepPreviousData,
      retry: false,
    }),
  );
  const preview = query.data;
  const problems = [...(preview?.problems ?? []), ...(preview?.valueProblems ?? [])];

  return (
    <Card aria-busy={query.isFetching}>
      <CardHeader
        title="Preview"
        description={
          preview?.segments
            ? `${plural(preview.segments.segments, "segment")} in ${preview.segments.encoding}${
                preview.segments.unicodeCharacters.length > 0
                  ? `, because of ${preview.segments.unicodeCharacters.slice(0, 8).join(" ")}`
                  : ""
              }`
            : "With the examples of the variables"
        }
      />
      <div className="grid gap-3 px-4 pb-4">
        {draft.body.trim() === "" ? (
          <p className="text-sm text-ink-muted">Write a text to see it here.</p>
        ) : tooLong ? (
          <p className="text-sm text-ink-muted">
            This text is too long to preview while writing. Save it to see it.
          </p>
        ) : query.isError ? (
          <Problem text={errorText(query.error)} />
        ) : preview ? (
          <>
            {problems.map((problem, index) => (
              <Problem
                key={index}
                text={
                  "line" in problem && problem.line !== null
                    ? `Line ${problem.line}: ${problem.detail}`
                    : problem.detail
                }
              />
            ))}
            {preview.findings.map((finding, index) => (
              <Problem key={index} text={finding.explanation} warning={finding.severity === "warn"} />
            ))}
            {preview.message ? (
              <RenderedMessage
                message={{ ...preview.message, channel: draft.channel }}
                className={cn(query.isFetching && "opacity-70")}
              />
            ) : null}
          </>
        ) : (
          <Skeleton className="h-48 w-full" />
        )}
      </div>
    </Card>
  );
}

function Problem({ text, warning }: { text: string; warning?: boolean }) {
  const Icon = warning ? TriangleAlert : CircleAlert;
  return (
    <p
      className={cn(
        "flex items-start gap-2 rounded-md px-3 py-2 text-sm",
        warning ? "bg-warning-soft text-warning-text" : "bg-danger-soft text-danger-text",
      )}
    >
      <Icon className="mt-0.5 size-4 shrink-0" aria-hidden />
      {text}
    </p>
  );
}
