"use client";

import { MessagesSquare } from "lucide-react";
import type { Notification } from "../../server/sending/schemas.ts";
import { statusLabel } from "../messages/status.ts";
import { usePortal } from "../portal/portal-context.tsx";
import { Link } from "../ui/link.tsx";
import { AbsoluteTime } from "../ui/time.tsx";

const signals: Record<string, string> = {
  read: "Read",
  clicked: "Link clicked",
  bounced: "Bounced",
  complained: "Complaint",
};

/** What became of a message, so that an action shows its effect; answers are conversations. */
export function WhatHappened({ message }: { message: Notification }) {
  const { can, href } = usePortal();
  return (
    <section aria-labelledby="what-happened" className="mt-4">
      <h2 id="what-happened" className="text-sm font-semibold">
        Recipient activity
      </h2>
      <ol className="mt-2 grid gap-1 text-sm">
        {message.events.map((event) => (
          <li key={event.sequence} className="flex items-baseline justify-between gap-4">
            <span>{signals[event.type] ?? statusLabel(event.type, message.simulated)}</span>
            <span className="text-xs text-ink-muted">
              <AbsoluteTime value={event.at} />
            </span>
          </li>
        ))}
      </ol>
      {message.channel === "email" ? null : (
        <Link
          href={href("/conversations", {
            env: message.environment,
            q: can("content:reveal") ? message.to : undefined,
          })}
          className="mt-3 inline-flex items-center gap-1.5 text-sm text-accent-text underline-offset-4 hover:underline"
        >
          <MessagesSquare className="size-4" aria-hidden /> Conversation with this recipient
        </Link>
      )}
    </section>
  );
}
