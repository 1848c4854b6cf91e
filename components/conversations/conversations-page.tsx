"use client";

import { MessagesSquare } from "lucide-react";
import type { Conversation } from "../../server/conversations/schemas.ts";
import { ChoiceFilter } from "../data-table/filter-menu.tsx";
import { LoadMore } from "../data-table/load-more.tsx";
import { SearchBox } from "../data-table/search-box.tsx";
import { PageFrame } from "../layout/page-frame.tsx";
import { PageHeader } from "../layout/page-header.tsx";
import { ChannelIcon } from "../messages/channel.tsx";
import { ChannelFilter } from "../messages/channel-filter.tsx";
import { usePortal } from "../portal/portal-context.tsx";
import { useShortcut } from "../shortcuts/shortcuts.tsx";
import { QueryFailed } from "../trpc/query-failed.tsx";
import { Badge } from "../ui/badge.tsx";
import { Button } from "../ui/button.tsx";
import { NoMatch, NothingYet } from "../ui/empty-state.tsx";
import { plural } from "../ui/format.ts";
import { InboxFrame, InboxItem } from "../ui/inbox-frame.tsx";
import { Link } from "../ui/link.tsx";
import { MaskedValue } from "../ui/masked-value.tsx";
import { Skeleton } from "../ui/skeleton.tsx";
import { RelativeTime } from "../ui/time.tsx";
import { OptedOut } from "./opted-out.tsx";
import { Thread } from "./thread.tsx";
import { useConversationFilters, useConversations } from "./use-conversations.ts";

/** Replies from recipients, together with your messages. */
export function ConversationsPage() {
  const { applications, environment, can } = usePortal();
  const filters = useConversationFilters();
  const { query, conversations } = useConversations(filters);
  const { values } = filters;
  const open = conversations?.find((each) => each.id === values.open);

  function move(step: 1 | -1) {
    if (!conversations) return;
    const index = conversations.findIndex((each) => each.id === values.open);
    const next = conversations[index === -1 ? 0 : index + step];
    if (next) filters.setOpen(next.id);
  }
  useShortcut("j", () => move(1), { label: "Next conversation" });
  useShortcut("k", () => move(-1), { label: "Previous conversation" });

  return (
    <PageFrame wide>
      <PageHeader title="Conversations" description="Replies from recipients, together with your messages" />
      <div className="mb-3 flex flex-wrap items-center gap-2">
        {can("content:reveal") ? (
          <SearchBox
            value={values.q}
            onChange={(q) => filters.change({ q: q === "" ? null : q })}
            label="Search conversations by the recipient's full number or address"
            placeholder="Full number or address"
            className="w-full sm:w-72"
          />
        ) : null}
        <ChannelFilter value={values.channel} onChange={(channel) => filters.change({ channel })} />
        {applications.length > 1 || values.application ? (
          <ChoiceFilter
            label="Application"
            value={values.application}
            onChange={(application) => filters.change({ application })}
            options={applications.map((each) => ({ value: each.name, label: each.title }))}
          />
        ) : null}
        {filters.narrowed ? (
          <Button variant="ghost" size="sm" onClick={filters.clear}>
            Clear
          </Button>
        ) : null}
      </div>
      {query.isError && !conversations ? (
        <QueryFailed what="conversations" query={query} />
      ) : conversations?.length === 0 && !values.open ? (
        <div className="rounded-lg border border-line bg-surface">
          {filters.narrowed ? (
            <NoMatch
              what="conversations"
              hint="Search by the full number, in any format, or the full e-mail address."
              onClear={filters.clear}
            />
          ) : (
            <NothingYet icon={MessagesSquare} title="No replies yet" action={<FirstAction />}>
              {environment.kind === "sandbox"
                ? "Open a message in the sandbox inbox and reply as its recipient."
                : `Replies to messages of ${environment.name} appear here once the provider's callback address is set. You can try it in the sandbox without a provider.`}
            </NothingYet>
          )}
        </div>
      ) : (
        <InboxFrame
          label="Conversations"
          open={values.open !== null}
          list={
            conversations ? (
              <>
                {conversations.map((each) => (
                  <Item
                    key={each.id}
                    conversation={each}
                    active={each.id === values.open}
                    onSelect={() => filters.setOpen(each.id)}
                  />
                ))}
                <LoadMore query={query}>Show older</LoadMore>
              </>
            ) : (
              Array.from({ length: 8 }, (_, index) => (
                <div key={index} className="grid gap-2 border-b border-line px-4 py-3.5">
                  <Skeleton className="w-3/5" />
                  <Skeleton className="w-2/5" />
                </div>
              ))
            )
          }
          reading={
            values.open ? (
              <Thread
                key={values.open}
                id={values.open}
                conversation={conversations && (open ?? null)}
                onBack={() => filters.setOpen(null)}
              />
            ) : (
              <p className="grid h-full place-items-center px-6 text-sm text-ink-muted">
                Choose a conversation to read it.
              </p>
            )
          }
        />
      )}
    </PageFrame>
  );
}

function FirstAction() {
  const { can, environments, href } = usePortal();
  const sandbox = environments.find((each) => each.kind === "sandbox");
  if (!sandbox) return null;
  return (
    <>
      <Button asChild variant="primary">
        <Link href={href("/sandbox", { env: sandbox.slug })}>Reply in the sandbox</Link>
      </Button>
      {can("notifications:send") ? (
        <Button asChild>
          <Link href={href("/send", { env: sandbox.slug })}>Send to the sandbox</Link>
        </Button>
      ) : null}
    </>
  );
}

function Item({
  conversation,
  active,
  onSelect,
}: {
  conversation: Conversation;
  active: boolean;
  onSelect: () => void;
}) {
  const { can } = usePortal();
  const { lastMessage } = conversation;
  // Whoever has it open sees it.
  const unread = active ? 0 : conversation.unread;
  return (
    <InboxItem
      active={active}
      onSelect={onSelect}
      mark={<ChannelIcon channel={conversation.channel} />}
      title={<MaskedValue value={conversation.address} masked={!can("content:reveal")} />}
      time={<RelativeTime value={conversation.lastMessageAt} />}
      line={
        <span className="flex items-center justify-between gap-3">
          <span className={unread > 0 ? "truncate font-medium text-ink" : "truncate"}>
            {lastMessage === null
              ? (conversation.application ?? "No application")
              : lastMessage.text !== ""
                ? lastMessage.text
                : lastMessage.kind === null
                  ? "No text"
                  : `[${lastMessage.kind}]`}
          </span>
          <span className="flex shrink-0 items-center gap-1.5">
            {conversation.optedOut ? <OptedOut /> : null}
            {conversation.application === null ? <Badge tone="outline">No application</Badge> : null}
            {unread > 0 ? (
              <Badge
                tone="accent"
                className="rounded-full bg-accent text-accent-ink tabular"
                title={plural(unread, "unread message")}
              >
                {unread > 99 ? "99+" : unread}
                <span className="sr-only"> unread</span>
              </Badge>
            ) : null}
          </span>
        </span>
      }
    />
  );
}
