"use client";

import { useQuery } from "@tanstack/react-query";
import { ArrowUpRight, ChevronLeft, Inbox } from "lucide-react";
import { parseAsString, parseAsStringLiteral, useQueryStates } from "nuqs";
import { PageFrame } from "../layout/page-frame.tsx";
import { PageHeader } from "../layout/page-header.tsx";
import { ChannelIcon, channelLabel, channels } from "../messages/channel.tsx";
import { MessageProblem, MessageSkeleton, useMessage } from "../messages/message-details.tsx";
import { RenderedMessage } from "../messages/rendered-message.tsx";
import { StatusBadge } from "../messages/status-badge.tsx";
import { usePortal } from "../portal/portal-context.tsx";
import { useShortcut } from "../shortcuts/shortcuts.tsx";
import { useTRPC } from "../trpc/client.tsx";
import { QueryFailed } from "../trpc/query-failed.tsx";
import { Button } from "../ui/button.tsx";
import { NoMatch, NothingYet } from "../ui/empty-state.tsx";
import { InboxFrame, InboxItem } from "../ui/inbox-frame.tsx";
import { Link } from "../ui/link.tsx";
import { MaskedValue } from "../ui/masked-value.tsx";
import { Segmented } from "../ui/segmented.tsx";
import { Skeleton } from "../ui/skeleton.tsx";
import { RelativeTime } from "../ui/time.tsx";
import { RecipientActions } from "./recipient-actions.tsx";
import { WhatHappened } from "./what-happened.tsx";

const views = ["all", ...channels] as const;

/** What recipients of the sandbox would have seen. */
export function SandboxPage() {
  const { can, environments, href } = usePortal();
  const trpc = useTRPC();
  const sandbox = environments.find((each) => each.kind === "sandbox");
  const [view, setView] = useQueryStates(
    { channel: parseAsStringLiteral(views).withDefault("all"), open: parseAsString },
    { history: "push" },
  );
  const query = useQuery(
    trpc.notifications.list.queryOptions(
      {
        environmentId: sandbox?.id ?? "",
        channel: view.channel === "all" ? undefined : view.channel,
        limit: 100,
      },
      { enabled: sandbox !== undefined, refetchInterval: 2500 },
    ),
  );
  const messages = query.data?.data;
  const masked = !can("content:reveal");

  function move(step: 1 | -1) {
    if (!messages) return;
    const index = messages.findIndex((message) => message.notificationId === view.open);
    const next = messages[index === -1 ? 0 : index + step];
    if (next) void setView({ open: next.notificationId });
  }
  useShortcut("j", () => move(1), { label: "Next message" });
  useShortcut("k", () => move(-1), { label: "Previous message" });

  return (
    <PageFrame wide>
      <PageHeader
        title="Sandbox inbox"
        description="Messages as sandbox recipients would see them. Simulated, free and never sent."
        environmentScoped={false}
        actions={
          <>
            <Segmented
              label="Channel"
              value={view.channel}
              onValueChange={(channel) => void setView({ channel, open: null })}
              options={views.map((each) => ({
                value: each,
                label: each === "all" ? "All" : channelLabel(each),
              }))}
            />
            {can("notifications:send") && sandbox ? (
              <Button asChild variant="primary">
                <Link href={href("/send", { env: sandbox.slug })}>Send to the sandbox</Link>
              </Button>
            ) : null}
          </>
        }
      />
      {query.isError && !messages ? (
        <QueryFailed what="the inbox" query={query} />
      ) : messages?.length === 0 ? (
        <div className="rounded-lg border border-line bg-surface">
          {view.channel === "all" ? (
            <NothingYet icon={Inbox} title="The inbox is empty">
              Send with a sandbox key, or from Send with the sandbox selected. Special recipients simulate
              timeouts, bounces and more.
            </NothingYet>
          ) : (
            <NoMatch what="messages" onClear={() => void setView({ channel: null })} />
          )}
        </div>
      ) : (
        <InboxFrame
          label="Messages in the sandbox"
          open={view.open !== null}
          list={
            messages
              ? messages.map((message) => (
                  <InboxItem
                    key={message.notificationId}
                    active={message.notificationId === view.open}
                    onSelect={() => void setView({ open: message.notificationId })}
                    mark={<ChannelIcon channel={message.channel} />}
                    title={<MaskedValue value={message.to} masked={masked} />}
                    time={<RelativeTime value={message.createdAt} />}
                    line={
                      <span className="flex items-center justify-between gap-3">
                        <span className="truncate">{message.template?.name ?? message.notificationType}</span>
                        <StatusBadge
                          status={message.status}
                          final={message.final}
                          simulated={message.simulated}
                        />
                      </span>
                    }
                  />
                ))
              : Array.from({ length: 8 }, (_, index) => (
                  <div key={index} className="grid gap-2 border-b border-line px-4 py-3.5">
                    <Skeleton className="w-3/5" />
                    <Skeleton className="w-2/5" />
                  </div>
                ))
          }
          reading={
            view.open ? (
              <Reading key={view.open} id={view.open} onBack={() => void setView({ open: null })} />
            ) : (
              <p className="grid h-full place-items-center px-6 text-sm text-ink-muted">
                Select a message to see it as its recipient would.
              </p>
            )
          }
        />
      )}
    </PageFrame>
  );
}

function Reading({ id, onBack }: { id: string; onBack: () => void }) {
  const { href } = usePortal();
  const query = useMessage(id);
  const timeline = query.data;
  if (query.isError && !timeline) {
    return <QueryFailed what="this message" query={query} />;
  }
  if (!timeline) return <MessageSkeleton />;
  const message = timeline.notification;
  const arrived = message.status === "sent" || message.status === "delivered";
  return (
    <article className="px-4 py-4 sm:px-6">
      <header className="mb-4 flex flex-wrap items-center justify-between gap-2">
        <Button variant="ghost" size="sm" className="-ml-2 lg:hidden" onClick={onBack}>
          <ChevronLeft aria-hidden /> All messages
        </Button>
        <span className="flex items-center gap-2 text-sm text-ink-muted">
          <StatusBadge status={message.status} final={message.final} simulated={message.simulated} />
          {channelLabel(message.channel)} to {message.to}
        </span>
        <Button asChild size="sm">
          <Link href={href(`/messages/${id}`)}>
            Timeline <ArrowUpRight aria-hidden />
          </Link>
        </Button>
      </header>
      {arrived || timeline.preview === null ? null : (
        <p className="mb-3 text-sm text-ink-muted">
          {message.failure || message.reason
            ? "Not delivered. This is what the recipient would have seen."
            : "Still on its way. This is what the recipient will see."}
        </p>
      )}
      <MessageProblem message={message} />
      <div className="mt-4">
        {timeline.preview ? (
          <RenderedMessage
            message={{ ...timeline.preview, channel: message.channel, at: message.createdAt }}
          />
        ) : (
          <p className="text-sm text-ink-muted">You don't have access to message content.</p>
        )}
      </div>
      <RecipientActions timeline={timeline} />
      <WhatHappened message={message} />
    </article>
  );
}
