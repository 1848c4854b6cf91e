import type { QueryOf } from "./operations.ts";
import type { FeedEvent } from "./schema.ts";
import { pause } from "./transport.ts";
import type { RequestOptions } from "./transport.ts";
import type { UnknownWebhookEvent } from "./webhooks.ts";

/** One event of the feed: a webhook without its signature, with an id that stays the same. */
export type TidingsEvent = FeedEvent | (Omit<UnknownWebhookEvent, "signature"> & { id: string });

export type FollowQuery = QueryOf<"GET", "/v1/events"> & {
  /** Milliseconds between two questions while nothing happens; default 1,000. */
  interval?: number;
  /**
   * Called with the cursor after each page once its events were processed. Keep it and pass it as `cursor` next time: after a crash
   * the events of one page come again, and none is missed.
   */
  onCursor?: (cursor: string) => unknown;
};

interface Feed {
  events: {
    list: (
      query: QueryOf<"GET", "/v1/events">,
      options?: RequestOptions,
    ) => PromiseLike<{ data: TidingsEvent[]; nextCursor: string; hasMore: boolean }>;
  };
}

/** Reads the feed of events without end. Its signal ends it with the signal's reason. */
export async function* follow(
  { events }: Feed,
  { interval = 1_000, onCursor, ...query }: FollowQuery = {},
  options: RequestOptions = {},
): AsyncGenerator<TidingsEvent, never> {
  let asked = query;
  for (;;) {
    const page = await events.list(asked, options);
    yield* page.data;
    await onCursor?.(page.nextCursor);
    const { since: _, ...others } = asked;
    asked = { ...others, cursor: page.nextCursor };
    if (!page.hasMore) await pause(interval, options.signal);
  }
}
