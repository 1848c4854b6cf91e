import { TidingsError } from "./errors.ts";
import type { QueryOf } from "./operations.ts";
import type { FeedEvent } from "./schema.ts";
import { backoff, isRetryable, pause } from "./transport.ts";
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
  /** Called when the service could not be read from: it is asked again until it answers. */
  onRetry?: (error: TidingsError) => unknown;
};

interface Feed {
  events: {
    list: (
      query: QueryOf<"GET", "/v1/events">,
      options?: RequestOptions,
    ) => PromiseLike<{ data: TidingsEvent[]; nextCursor: string; hasMore: boolean }>;
  };
}

/**
 * Reads the feed of events without end, also across outages: once it has answered, only errors that do not pass by themselves end it,
 * such as a revoked key. Its signal ends it with the signal's reason.
 */
export async function* follow(
  { events }: Feed,
  { interval = 1_000, onCursor, onRetry, ...query }: FollowQuery = {},
  options: RequestOptions = {},
): AsyncGenerator<TidingsEvent, never> {
  let asked = query;
  let failures = 0;
  for (let answered = false; ; answered = true) {
    const page = await events.list(asked, options).then(
      (found) => found,
      async (error: unknown) => {
        if (!answered || !(error instanceof TidingsError) || !isRetryable(error)) throw error;
        await onRetry?.(error);
        await pause(Math.max((error.retryAfter ?? 0) * 1_000, backoff(failures++)), options.signal);
      },
    );
    if (!page) continue;
    failures = 0;
    yield* page.data;
    await onCursor?.(page.nextCursor);
    const { since: _, ...others } = asked;
    asked = { ...others, cursor: page.nextCursor };
    if (!page.hasMore) await pause(interval, options.signal);
  }
}
