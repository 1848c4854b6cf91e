"use client";

import { ArrowUpRight } from "lucide-react";
import { useEffect, useRef } from "react";
import { useMessage } from "../../messages/message-details.tsx";
import { MessageSteps } from "../../messages/message-steps.tsx";
import { StatusBadge } from "../../messages/status-badge.tsx";
import { Failure } from "../../messages/timeline.tsx";
import { usePortal } from "../../portal/portal-context.tsx";
import { errorText } from "../../trpc/error-text.ts";
import { Button } from "../../ui/button.tsx";
import { Link } from "../../ui/link.tsx";

/** How the message to oneself fares, until it has come to an end. */
export function TestProgress({
  sent,
}: {
  sent: {
    notificationId: string;
    status: string;
    reason: { code: string; detail: string } | null;
    environment: string;
  };
}) {
  const { href } = usePortal();
  const query = useMessage(sent.notificationId);
  const message = query.data?.notification;
  const box = useRef<HTMLElement>(null);
  useEffect(() => {
    // Below a long form nobody would see it appear, nor its reason.
    box.current?.scrollIntoView({ block: "end" });
  }, [message?.status]);
  const failure = message?.failure ?? message?.reason ?? sent.reason;
  return (
    <section
      ref={box}
      aria-label="Progress of the test"
      aria-live="polite"
      className="grid gap-2 rounded-md border border-line bg-canvas px-3 py-3 text-sm"
    >
      <div className="flex flex-wrap items-center justify-between gap-2">
        <StatusBadge
          status={message?.status ?? sent.status}
          final={message?.final}
          simulated={message?.simulated}
        />
        <Button asChild size="sm" variant="ghost">
          <Link href={href(`/messages/${sent.notificationId}`, { env: sent.environment })}>
            Open the message <ArrowUpRight aria-hidden />
          </Link>
        </Button>
      </div>
      {message ? (
        <MessageSteps message={message} />
      ) : query.isError ? (
        <p className="text-xs text-ink-muted">It is on its way; {errorText(query.error)}</p>
      ) : null}
      {failure ? (
        <div className="text-danger-text">
          <Failure {...failure} />
        </div>
      ) : null}
    </section>
  );
}
