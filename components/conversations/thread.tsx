"use client";

import { Check, CheckCheck, ChevronLeft, CornerUpLeft, FlaskConical, MousePointerClick } from "lucide-react";
import type { Conversation, ConversationMessage } from "../../server/conversations/schemas.ts";
import { LoadMore } from "../data-table/load-more.tsx";
import { channelLabel } from "../messages/channel.tsx";
import { simulatedMeaning, statusFace, statusLabel } from "../messages/status.ts";
import { usePortal } from "../portal/portal-context.tsx";
import { QueryFailed } from "../trpc/query-failed.tsx";
import { Badge } from "../ui/badge.tsx";
import { Button } from "../ui/button.tsx";
import { cn } from "../ui/cn.ts";
import { Link } from "../ui/link.tsx";
import { MaskedValue } from "../ui/masked-value.tsx";
import { Skeleton } from "../ui/skeleton.tsx";
import { AbsoluteTime } from "../ui/time.tsx";
import { OptedOut } from "./opted-out.tsx";
import { useMarkRead, useThread } from "./use-conversations.ts";

/** What was said with one recipient, as in a messenger: theirs on the left, ours on the right, the newest below. */
export function Thread({
  id,
  conversation,
  onBack,
}: {
  id: string;
  /** Undefined while the list is loading; null: it is not among what the list shows. */
  conversation: Conversation | null | undefined;
  onBack: () => void;
}) {
  const { query, messages } = useThread(id);
  useMarkRead(id, conversation?.unread ?? 0);
  return (
    <section
      aria-label="Conversation"
      className="flex h-[calc(100dvh-18rem)] min-h-[24rem] flex-col lg:h-full lg:min-h-0"
    >
      <Header conversation={conversation} onBack={onBack} />
      {query.isError && !messages ? (
        <QueryFailed what="this conversation" query={query} />
      ) : (
        // Newest at the bottom and in view: the browser keeps a reversed column scrolled to its end.
        <div
          role="log"
          aria-label="Messages, newest last"
          tabIndex={0}
          className="flex min-h-0 flex-1 flex-col-reverse overflow-y-auto px-4 py-4 sm:px-6"
        >
          <ol className="flex flex-col-reverse gap-2.5">
            {messages
              ? messages.map((message) => <Said key={message.id} message={message} />)
              : [1, 2, 3].map((index) => (
                  <li key={index} className={cn("max-w-[80%]", index % 2 === 1 && "self-end")}>
                    <Skeleton className="h-12 w-56" />
                  </li>
                ))}
          </ol>
          <LoadMore query={query} className="border-t-0 pt-0 pb-4">
            Show older
          </LoadMore>
        </div>
      )}
      <Footer />
    </section>
  );
}

function Header({
  conversation,
  onBack,
}: {
  conversation: Conversation | null | undefined;
  onBack: () => void;
}) {
  const { applications, can, href } = usePortal();
  const title = applications.find((each) => each.name === conversation?.application)?.title;
  return (
    <header className="flex flex-wrap items-center gap-x-3 gap-y-1 border-b border-line bg-surface px-4 py-2.5 sm:px-6">
      <Button variant="ghost" size="sm" className="-ml-2 lg:hidden" onClick={onBack}>
        <ChevronLeft aria-hidden /> All
      </Button>
      {conversation ? (
        <>
          <h2 className="min-w-0 text-sm font-semibold">
            <MaskedValue value={conversation.address} masked={!can("content:reveal")} />
          </h2>
          {conversation.optedOut ? (
            <OptedOut
              href={
                can("consent:read") && can("content:reveal")
                  ? href("/consent", { address: conversation.address })
                  : null
              }
            />
          ) : null}
          <p className="w-full text-xs text-ink-muted sm:ml-auto sm:w-auto">
            {channelLabel(conversation.channel)}
            {conversation.ownAddress === "" ? null : ` to ${conversation.ownAddress}`}
            {conversation.provider ? ` over ${conversation.provider}` : null}
            {", "}
            {conversation.application === null ? "no application" : (title ?? conversation.application)}
          </p>
        </>
      ) : conversation === null ? (
        <h2 className="text-sm font-semibold">Conversation</h2>
      ) : (
        <Skeleton className="h-5 w-48" />
      )}
    </header>
  );
}

/** Sending is templates' business; there is no box to type into. */
function Footer() {
  const { can, href } = usePortal();
  return (
    <footer className="border-t border-line bg-surface px-4 py-2.5 text-xs text-ink-muted sm:px-6">
      Messages are sent from templates:{" "}
      {can("notifications:send") ? (
        <>
          <Link href={href("/send")} className="text-accent-text underline underline-offset-4">
            write on the Send page
          </Link>{" "}
          or through the API.
        </>
      ) : (
        "on the Send page or through the API."
      )}
    </footer>
  );
}

const optOutWords = { stop: "Opted out", start: "Opted in", help: "Asked for help" } as const;

function Said({ message }: { message: ConversationMessage }) {
  const { href } = usePortal();
  const ours = message.direction === "outbound";
  return (
    <li
      className={cn(
        "flex max-w-[85%] flex-col gap-1 sm:max-w-[70%]",
        ours ? "items-end self-end" : "items-start",
      )}
    >
      {ours ? null : <span className="sr-only">The recipient:</span>}
      <div
        className={cn(
          "rounded-lg border px-3 py-2 text-sm break-words whitespace-pre-wrap",
          ours
            ? "rounded-br-none border-transparent bg-accent-soft"
            : "rounded-bl-none border-line bg-surface",
        )}
      >
        {message.button ? (
          <span className="mb-1 flex items-center gap-1.5 text-xs text-ink-muted">
            <MousePointerClick className="size-3.5" aria-hidden /> Tapped a button
          </span>
        ) : null}
        <Text message={message} />
      </div>
      <p className="flex flex-wrap items-center gap-x-2 gap-y-1 text-2xs text-ink-muted">
        <AbsoluteTime value={message.at} />
        {message.optOut ? <Badge tone="outline">{optOutWords[message.optOut]}</Badge> : null}
        {message.repliesTo ? (
          <Link
            href={href(`/messages/${message.repliesTo}`)}
            className="inline-flex items-center gap-1 underline-offset-4 hover:underline"
          >
            <CornerUpLeft className="size-3" aria-hidden /> replies to a message
          </Link>
        ) : null}
        {ours ? (
          <Link
            href={href(`/messages/${message.id}`)}
            className="inline-flex items-center gap-1 underline-offset-4 hover:underline"
          >
            <Tick message={message} />
          </Link>
        ) : null}
      </p>
    </li>
  );
}

function Text({ message }: { message: ConversationMessage }) {
  const quiet = (text: string) => <span className="text-ink-muted italic">{text}</span>;
  if (message.text === null) {
    return message.direction === "outbound" && message.template
      ? quiet(`Template ${message.template}`)
      : quiet("You don't have access to message content");
  }
  if (message.text !== "") return message.text;
  if (message.kind)
    return quiet(`A message of the kind ${message.kind}; its content is kept by the provider`);
  return message.optOut ? quiet(optOutWords[message.optOut]) : quiet("No text");
}

/** How far our message came, as messengers show it; the word says the same. */
function Tick({ message }: { message: ConversationMessage }) {
  const { status, readAt, simulated } = message;
  if (status === null) return null;
  if (simulated) {
    return (
      <span className="inline-flex items-center gap-1" title={simulatedMeaning}>
        <FlaskConical className="size-3.5" aria-hidden /> {statusLabel(readAt ? "read" : status, true)}
      </span>
    );
  }
  if (readAt) {
    return (
      <>
        <CheckCheck className="size-3.5 text-accent-text" aria-hidden /> Read
      </>
    );
  }
  const { icon, label, tone } = statusFace(status);
  const Icon = status === "delivered" ? CheckCheck : status === "sent" ? Check : icon;
  return (
    <span className={cn("inline-flex items-center gap-1", tone === "danger" && "text-danger-text")}>
      <Icon className="size-3.5" aria-hidden /> {label}
    </span>
  );
}
