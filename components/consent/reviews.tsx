"use client";

import { useInfiniteQuery, useMutation } from "@tanstack/react-query";
import { useRef } from "react";
import { toast } from "../ui/toast.ts";
import type { ConsentReview, ReviewDecision } from "../../server/consent/schemas.ts";
import { LoadMore } from "../data-table/load-more.tsx";
import { ChannelMark } from "../messages/channel.tsx";
import { usePortal } from "../portal/portal-context.tsx";
import { useTRPC } from "../trpc/client.tsx";
import { errorText } from "../trpc/error-text.ts";
import { QueryFailed } from "../trpc/query-failed.tsx";
import { useRefresh } from "../trpc/use-refresh.ts";
import { Button } from "../ui/button.tsx";
import { Card, CardHeader } from "../ui/card.tsx";
import { Link } from "../ui/link.tsx";
import { MaskedValue } from "../ui/masked-value.tsx";
import { RelativeTime } from "../ui/time.tsx";

/** What recipients wrote that may be an opt-out; nothing at all while there is nothing to decide. */
export function Reviews() {
  const { environment, canIn } = usePortal();
  const trpc = useTRPC();
  const mayRead = canIn("consent:read", null);
  const query = useInfiniteQuery(
    trpc.consent.reviews.infiniteQueryOptions(
      { environmentId: environment.id, limit: 20 },
      { getNextPageParam: (page) => page.nextCursor, enabled: mayRead, refetchInterval: 30_000 },
    ),
  );
  const list = useRef<HTMLUListElement>(null);
  if (!mayRead || query.isPending) return null;
  if (!query.data)
    return (
      <Card className="mb-4">
        <QueryFailed what="the messages to review" query={query} />
      </Card>
    );
  const reviews = query.data.pages.flatMap((page) => page.data);
  if (reviews.length === 0) return null;
  return (
    <Card className="mb-4">
      <CardHeader
        title="To review"
        description="These messages may be opt-outs. Until you decide, their senders get no marketing on that channel. After seven days, they count as opted out of marketing."
      />
      <ul ref={list} className="divide-y divide-line border-t border-line">
        {reviews.map((review) => (
          <Review
            key={review.id}
            review={review}
            // Whoever decides with the keyboard goes on with the next one.
            onDecided={() =>
              setTimeout(() => list.current?.querySelector<HTMLButtonElement>("button")?.focus())
            }
          />
        ))}
      </ul>
      <LoadMore query={query} />
    </Card>
  );
}

function Review({ review, onDecided }: { review: ConsentReview; onDecided: () => void }) {
  const { can, href, environment } = usePortal();
  const trpc = useTRPC();
  const refresh = useRefresh("consent", "conversations");
  const decide = useMutation(
    trpc.consent.decideReview.mutationOptions({
      onSuccess: (_, { decision }) => {
        toast.success(decision === "no_opt_out" ? "Recorded: no opt-out" : "Opt-out recorded");
      },
      onError: (error) => {
        toast.error(errorText(error));
      },
      onSettled: async () => {
        await refresh();
        onDecided();
      },
    }),
  );
  const { id, channel, address, text, at, until, conversationId } = review;
  const choose = (decision: ReviewDecision["decision"]) => () =>
    decide.mutate({ id, decision, environmentId: environment.id });
  return (
    <li className="grid gap-2 px-4 py-3 text-sm" aria-label={`Message from ${address}`}>
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1 text-ink-muted">
        <ChannelMark channel={channel} />
        <MaskedValue value={address} masked={!can("content:reveal")} />
        <RelativeTime value={at} />
        <Link
          className="underline underline-offset-2"
          // Narrowed to its recipient, so that it is in the list however old it is.
          href={href("/conversations", {
            open: conversationId,
            q: can("content:reveal") ? address : null,
          })}
        >
          Conversation
        </Link>
        <span className="sm:ml-auto">
          Opt-out of marketing <RelativeTime value={until} ahead /> unless reviewed
        </span>
      </div>
      <p className="line-clamp-4 break-words">
        {text ?? (
          <span className="text-ink-muted">You don't have access to the text, or it is no longer kept.</span>
        )}
      </p>
      {can("consent:write") ? (
        <div className="flex flex-wrap gap-2">
          <Button onClick={choose("marketing")} disabled={decide.isPending}>
            Opted out of marketing
          </Button>
          <Button onClick={choose("all")} disabled={decide.isPending}>
            Opted out of everything
          </Button>
          <Button variant="ghost" onClick={choose("no_opt_out")} disabled={decide.isPending}>
            Not an opt-out
          </Button>
        </div>
      ) : null}
    </li>
  );
}
