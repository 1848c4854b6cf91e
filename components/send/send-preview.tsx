"use client";

import type { Explanation } from "../../server/sending/schemas.ts";
import { ExplainedDecision } from "../messages/explanation.tsx";
import { RenderedMessage } from "../messages/rendered-message.tsx";
import { errorText } from "../trpc/error-text.ts";
import { Card, CardHeader } from "../ui/card.tsx";
import { cn } from "../ui/cn.ts";
import { Skeleton } from "../ui/skeleton.tsx";
import { Warning } from "../ui/warning.tsx";

/** What would be received, and why this way, for the first recipient; follows every change of the form. */
export function SendPreview({
  explanation,
  error,
  channel,
  sample,
  waiting,
}: {
  explanation: Explanation | undefined;
  error: unknown;
  channel: string | undefined;
  /** No recipient yet: shown for a made-up one. */
  sample: boolean;
  waiting: boolean;
}) {
  const first = explanation?.messages[0];
  const stale = first !== undefined && first.channel !== channel;
  return (
    <div className="grid min-w-0 grid-cols-1 gap-4 lg:sticky lg:top-6">
      <Card aria-busy={waiting}>
        <CardHeader
          title="Preview"
          description={
            sample
              ? "For an example recipient"
              : first
                ? `As ${first.recipient} receives it`
                : "As it is received"
          }
        />
        <div className={cn("px-4 pb-4 transition-opacity", waiting && first && "opacity-60")}>
          {error ? (
            <Warning>{errorText(error)}</Warning>
          ) : first?.preview && !stale ? (
            <RenderedMessage message={{ ...first.preview, channel: first.channel }} />
          ) : first && !stale ? (
            <p className="text-sm text-ink-muted">You don't have access to message content.</p>
          ) : (
            <div className="grid gap-3">
              <Skeleton className="w-2/3" />
              <Skeleton className="h-40 w-full" />
            </div>
          )}
        </div>
      </Card>
      {first && !stale && !error ? (
        <Card>
          <CardHeader title="What would happen, and why" />
          <div className="px-4 pb-4">
            <ExplainedDecision message={first} sample={sample} />
          </div>
        </Card>
      ) : null}
    </div>
  );
}
