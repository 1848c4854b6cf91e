"use client";

import { useQuery } from "@tanstack/react-query";
import { ArrowRight, RotateCcw } from "lucide-react";
import { Failure } from "../messages/timeline.tsx";
import { MessageSteps } from "../messages/message-steps.tsx";
import { pollDelayOf } from "../messages/poll-delay.ts";
import { StatusBadge } from "../messages/status-badge.tsx";
import { usePortal } from "../portal/portal-context.tsx";
import { useTRPC } from "../trpc/client.tsx";
import { Button } from "../ui/button.tsx";
import { Card, CardHeader } from "../ui/card.tsx";
import { formatDuration } from "../ui/format.ts";
import { Link } from "../ui/link.tsx";
import { sentWords, type SentMessage } from "./sent-words.ts";

/** What became of the messages just sent, moving by itself until each has come to an end. */
export function SendResult({
  requestId,
  env,
  messages,
  onAgain,
}: {
  requestId: string;
  /** Short name of the environment they were sent in; another one may be shown by now. */
  env: string;
  messages: readonly SentMessage[];
  onAgain: () => void;
}) {
  const { href } = usePortal();
  const { title, accepted } = sentWords(messages);
  return (
    <Card className="mb-4 animate-in duration-300 fade-in-0 slide-in-from-top-2" aria-live="polite">
      <CardHeader
        title={title}
        description={accepted > 0 ? "Stored and retried until delivered or expired." : undefined}
        actions={
          <>
            <Button size="sm" onClick={onAgain}>
              <RotateCcw aria-hidden /> Send another
            </Button>
            <Button asChild size="sm" variant="ghost">
              <Link href={href("/messages", { q: requestId, range: "all", env })}>
                See in Messages <ArrowRight aria-hidden />
              </Link>
            </Button>
          </>
        }
      />
      <ul className="divide-y divide-line border-t border-line">
        {messages.map((message) => (
          <li key={message.notificationId}>
            <LiveMessage sent={message} count={messages.length} />
          </li>
        ))}
      </ul>
    </Card>
  );
}

/** @param count so many are watched at once */
function LiveMessage({ sent, count }: { sent: SentMessage; count: number }) {
  const { can, href } = usePortal();
  const trpc = useTRPC();
  const query = useQuery(
    trpc.notifications.timeline.queryOptions(
      { id: sent.notificationId },
      {
        enabled: can("notifications:read"),
        refetchInterval: ({ state }) => (state.data ? pollDelayOf(count, state.data) : 5_000),
      },
    ),
  );
  const message = query.data?.notification;
  const status = message?.status ?? sent.status;
  const failure = message?.failure ?? message?.reason ?? sent.reason;
  const last = message?.events.at(-1);
  const took = message && last ? Date.parse(last.at) - Date.parse(message.createdAt) : null;

  return (
    <Link
      href={href(`/messages/${sent.notificationId}`)}
      className="block px-4 py-3 transition-colors hover:bg-hover"
    >
      <span className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
        <span className="min-w-0 truncate text-sm font-medium tabular">{message?.to ?? sent.recipient}</span>
        <span className="flex items-center gap-3 text-xs text-ink-muted tabular">
          {took === null || took === 0 ? null : `after ${formatDuration(took)}`}
          <StatusBadge status={status} final={message?.final} simulated={message?.simulated} />
        </span>
      </span>
      {message ? <MessageSteps message={message} className="mt-1" /> : null}
      {failure ? (
        <span className="mt-1.5 block text-sm text-danger-text">
          <Failure {...failure} />
        </span>
      ) : null}
    </Link>
  );
}
