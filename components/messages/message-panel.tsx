"use client";

import { ArrowUpRight } from "lucide-react";
import { usePortal } from "../portal/portal-context.tsx";
import { useShortcut } from "../shortcuts/shortcuts.tsx";
import type { Timeline as MessageTimeline } from "../../server/sending/schemas.ts";
import { QueryFailed } from "../trpc/query-failed.tsx";
import { Button } from "../ui/button.tsx";
import { Link } from "../ui/link.tsx";
import { MaskedValue } from "../ui/masked-value.tsx";
import { Section } from "../ui/section.tsx";
import { Sheet } from "../ui/sheet.tsx";
import { RelativeTime } from "../ui/time.tsx";
import { buildTimeline } from "./build-timeline.ts";
import { ChannelIcon, channelLabel } from "./channel.tsx";
import { RecordedRoute } from "./explanation.tsx";
import {
  CancelMessage,
  MessageProblem,
  MessageSkeleton,
  ResendMessage,
  useMessage,
} from "./message-details.tsx";
import { MessageFacts } from "./message-facts.tsx";
import { RenderedMessage } from "./rendered-message.tsx";
import { StatusBadge } from "./status-badge.tsx";
import { Timeline } from "./timeline.tsx";

/** The message that is open beside the list. */
export function MessagePanel({ id, onClose }: { id: string; onClose: () => void }) {
  const { href } = usePortal();
  const query = useMessage(id);
  const timeline = query.data;
  const message = timeline?.notification;
  const masked = timeline?.revealed === false;
  useShortcut("Escape", onClose, { label: "Close panel" });

  return (
    <Sheet
      open
      onClose={onClose}
      title={
        message ? (
          <span className="flex items-center gap-2">
            <ChannelIcon channel={message.channel} />
            <MaskedValue value={message.to} masked={masked} className="truncate" />
          </span>
        ) : (
          "Message"
        )
      }
      subtitle={
        message ? (
          <span className="flex flex-wrap items-center gap-2">
            <StatusBadge status={message.status} final={message.final} simulated={message.simulated} />
            <span>{channelLabel(message.channel)}</span>
            <RelativeTime value={message.createdAt} />
          </span>
        ) : undefined
      }
      actions={
        <>
          {timeline?.canResend ? <ResendMessage message={timeline.notification} /> : null}
          {timeline?.canCancel ? <CancelMessage message={timeline.notification} /> : null}
          <Button asChild variant="ghost" size="iconSm">
            <Link href={href(`/messages/${id}`)} aria-label="Open the full page" title="Open the full page">
              <ArrowUpRight aria-hidden />
            </Link>
          </Button>
        </>
      }
    >
      {query.isError && !message ? (
        <QueryFailed what="this message" query={query} />
      ) : timeline ? (
        <PanelContent timeline={timeline} />
      ) : (
        <MessageSkeleton />
      )}
    </Sheet>
  );
}

function PanelContent({ timeline }: { timeline: MessageTimeline }) {
  const { href } = usePortal();
  const message = timeline.notification;
  return (
    <>
      {message.failure || message.reason || message.status === "pending_approval" ? (
        <div className="px-5 pt-4">
          <MessageProblem message={message} />
        </div>
      ) : null}
      <Section title="Timeline">
        <Timeline
          entries={buildTimeline(timeline)}
          simulated={message.simulated}
          waits={timeline.waits}
          webhookHref={(delivery) => href(`/webhooks/${delivery.endpointId}`, { open: delivery.id })}
        />
      </Section>
      {timeline.preview ? (
        <Section title="Content">
          <RenderedMessage
            message={{ ...timeline.preview, channel: message.channel, at: message.createdAt }}
          />
        </Section>
      ) : null}
      <Section title="Routing decision">
        <RecordedRoute timeline={timeline} />
      </Section>
      <Section title="Details">
        <MessageFacts timeline={timeline} />
      </Section>
    </>
  );
}
