"use client";

import { useQuery } from "@tanstack/react-query";
import { useMemo, type ReactNode } from "react";
import { RenderedMessage, type Rendered } from "../../messages/rendered-message.tsx";
import { useTRPC } from "../../trpc/client.tsx";
import { QueryFailed } from "../../trpc/query-failed.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { useHydrated } from "../../ui/use-hydrated.ts";
import { diffWords } from "../history/diff-lines.ts";
import { markChanges } from "./mark-changes.ts";
import { renderedOf } from "./rendered-of.ts";
import type { Preview } from "./use-draft-preview.ts";

/**
 * Two versions of a template as their recipients see them, side by side, with what differs marked. Each is rendered with the
 * examples of its own variables. `from` null: nothing was live.
 */
export function RenderedDiff({
  templateId,
  from,
  to,
  fromLabel,
  toLabel,
}: {
  templateId: string;
  from: number | null;
  to: number;
  fromLabel: ReactNode;
  toLabel: ReactNode;
}) {
  const trpc = useTRPC();
  const hydrated = useHydrated();
  const before = useQuery(
    trpc.templates.preview.queryOptions(
      { templateId, version: from ?? undefined },
      { staleTime: 60_000, enabled: from !== null },
    ),
  );
  const after = useQuery(
    trpc.templates.preview.queryOptions({ templateId, version: to }, { staleTime: 60_000 }),
  );
  const shown = useMemo(
    () => compare(from === null ? null : before.data, after.data, hydrated),
    [from, before.data, after.data, hydrated],
  );
  const failed = [before, after].find((query) => query.isError && !query.data);
  if (failed) {
    return <QueryFailed what="the preview" query={failed} className="py-6" />;
  }
  if (!after.data || (from !== null && !before.data)) {
    return (
      <div className="grid gap-4 md:grid-cols-2" aria-busy>
        <Skeleton className="h-72 w-full rounded-lg" />
        <Skeleton className="hidden h-72 w-full rounded-lg md:block" />
      </div>
    );
  }
  return (
    <div className="grid grid-cols-1 gap-3">
      <div className="grid grid-cols-1 gap-4 md:grid-cols-2">
        {from === null ? null : <Side label={fromLabel} preview={before.data} message={shown.before} />}
        <Side label={toLabel} preview={after.data} message={shown.after} />
      </div>
      {shown.same ? (
        <p className="text-xs text-ink-muted">
          With the example values both read the same. What differs is in the source below.
        </p>
      ) : null}
    </div>
  );
}

function Side({
  label,
  preview,
  message,
}: {
  label: ReactNode;
  preview: Preview | undefined;
  message: Rendered | null;
}) {
  return (
    <figure className="grid min-w-0 grid-cols-1 content-start gap-2">
      <figcaption className="text-sm font-medium">{label}</figcaption>
      {message ? (
        <RenderedMessage message={message} />
      ) : (
        <ul className="grid gap-1 rounded-md bg-danger-soft px-3 py-2 text-sm text-danger-text">
          {[...(preview?.problems ?? []), ...(preview?.valueProblems ?? [])].map((problem, index) => (
            <li key={index}>{problem.detail}</li>
          ))}
        </ul>
      )}
    </figure>
  );
}

/** @param parse whether HTML can be parsed, which only a browser can */
function compare(
  before: Preview | null | undefined,
  after: Preview | undefined,
  parse: boolean,
): { before: Rendered | null; after: Rendered | null; same: boolean } {
  const left = before?.message ? renderedOf(before.message) : null;
  const right = after?.message ? renderedOf(after.message) : null;
  if (!left || !right) return { before: left, after: right, same: false };
  const facts = ({ html: _, text, ...message }: Rendered) => JSON.stringify([message, text ?? ""]);
  const sameFacts = facts(left) === facts(right);
  if (right.channel === "sms") {
    const pieces = diffWords(left.text ?? "", right.text ?? "");
    return {
      before: { ...left, compared: { pieces: pieces.left, tone: "removed" } },
      after: { ...right, compared: { pieces: pieces.right, tone: "added" } },
      same: sameFacts,
    };
  }
  if (!parse || !left.html || !right.html) {
    return { before: left, after: right, same: sameFacts && left.html === right.html };
  }
  const marked = markChanges(left.html, right.html);
  return {
    before: { ...left, html: marked.left },
    after: { ...right, html: marked.right },
    same: sameFacts && !marked.changed && left.html === right.html,
  };
}
