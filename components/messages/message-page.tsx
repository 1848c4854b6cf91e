"use client";

import { useEnvironmentOf, usePortal } from "../portal/portal-context.tsx";
import { PageFrame } from "../layout/page-frame.tsx";
import { PageHeader } from "../layout/page-header.tsx";
import type { Timeline as MessageTimeline } from "../../server/sending/schemas.ts";
import { QueryFailed } from "../trpc/query-failed.tsx";
import { Card, CardHeader } from "../ui/card.tsx";
import { MaskedValue } from "../ui/masked-value.tsx";
import { Skeleton } from "../ui/skeleton.tsx";
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
import { statusLabel } from "./status.ts";
import { Timeline } from "./timeline.tsx";

/** Everything about one message on a page of its own, so that a link can be sent to a colleague. */
export function MessagePage({ id }: { id: string }) {
  const { href } = usePortal();
  const query = useMessage(id);
  const timeline = query.data;
  const message = timeline?.notification;
  useEnvironmentOf(message?.environment, "/messages");
  const masked = timeline?.revealed === false;
  const back = { href: href("/messages"), label: "Messages" };

  if (query.isError && !message) {
    return (
      <PageFrame>
        <PageHeader title="Message" back={back} />
        <QueryFailed what="this message" query={query} />
      </PageFrame>
    );
  }

  return (
    <PageFrame>
      <PageHeader
        back={back}
        documentTitle={
          message
            ? `${channelLabel(message.channel)} to ${message.to}, ${statusLabel(message.status, message.simulated).toLowerCase()} · ${id}`
            : `Message ${id}`
        }
        title={
          message ? (
            <span className="flex min-w-0 items-center gap-2.5">
              <ChannelIcon channel={message.channel} className="size-5" />
              <MaskedValue value={message.to} masked={masked} className="break-all" />
              <StatusBadge status={message.status} final={message.final} simulated={message.simulated} />
            </span>
          ) : (
            <Skeleton className="h-7 w-80 max-w-full" />
          )
        }
        description={
          message ? (
            <>
              {channelLabel(message.channel)} from {message.application},{" "}
              <RelativeTime value={message.createdAt} />
            </>
          ) : (
            <Skeleton className="mt-1 w-48" />
          )
        }
        actions={
          timeline ? (
            <>
              {timeline.canResend ? <ResendMessage message={timeline.notification} /> : null}
              {timeline.canCancel ? <CancelMessage message={timeline.notification} /> : null}
            </>
          ) : null
        }
      />
      {timeline ? (
        <PageContent timeline={timeline} />
      ) : (
        <Card>
          <MessageSkeleton />
        </Card>
      )}
    </PageFrame>
  );
}

function PageContent({ timeline }: { timeline: MessageTimeline }) {
  const { href } = usePortal();
  const message = timeline.notification;
  return (
    <div className="grid grid-cols-1 items-start gap-4 lg:grid-cols-[minmax(0,1fr)_minmax(0,24rem)]">
      <div className="grid min-w-0 grid-cols-1 gap-4">
        <MessageProblem message={message} />
        <Card>
          <CardHeader title="Timeline" description="Every event, attempt and webhook, oldest first" />
          <div className="px-4 pb-4">
            <Timeline
              entries={buildTimeline(timeline)}
              simulated={message.simulated}
              waits={timeline.waits}
              webhookHref={(delivery) => href(`/webhooks/${delivery.endpointId}`, { open: delivery.id })}
            />
          </div>
        </Card>
        {timeline.preview ? (
          <Card>
            <CardHeader title="Content" description="As rendered from its template version and variables" />
            <div className="px-4 pb-4">
              <RenderedMessage
                message={{ ...timeline.preview, channel: message.channel, at: message.createdAt }}
              />
            </div>
          </Card>
        ) : null}
      </div>
      <div className="grid min-w-0 grid-cols-1 gap-4">
        <Card>
          <CardHeader title="Details" />
          <div className="px-4 pb-4">
            <MessageFacts timeline={timeline} />
          </div>
        </Card>
        <Card>
          <CardHeader title="Routing decision" description="As recorded when the message was sent" />
          <div className="px-4 pb-4">
            <RecordedRoute timeline={timeline} />
          </div>
        </Card>
      </div>
    </div>
  );
}
