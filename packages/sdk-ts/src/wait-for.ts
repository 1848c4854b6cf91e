import { TidingsError } from "./errors.ts";
import type { Notification } from "./schema.ts";
import { pause, timer } from "./transport.ts";
import type { RequestOptions } from "./transport.ts";

export type MessageStatus = Notification["status"];

export interface WaitOptions {
  /**
   * A status or several: the wait ends at the first of them, or when the message is `final` with another one. A status that passes
   * between two requests is not seen. A function: the wait ends when it returns true. Default: until the message is `final`.
   */
  until?: MessageStatus | readonly MessageStatus[] | ((message: Notification) => boolean);
  /** Milliseconds for the whole wait; default 60,000. */
  timeoutMs?: number;
  /** Ends the wait, which then rejects with the signal's reason. */
  signal?: AbortSignal;
}

/** The time of `messages.waitFor` is up. The message itself goes on. */
export class WaitTimeoutError extends TidingsError {
  /** The message as it was last seen; undefined if there was no answer at all. */
  readonly lastMessage: Notification | undefined;

  constructor(id: string, timeoutMs: number, last: Notification | undefined) {
    super({
      status: 0,
      code: "wait_timeout",
      detail: `Message ${id} is ${last ? `still ${last.status}` : "unknown"} after ${timeoutMs} ms`,
    });
    this.lastMessage = last;
  }
}

/** Milliseconds: a quarter of a second on average before the second look, then half as much again each time; at most about five seconds. */
const pauseBefore = (look: number) => Math.min(250 * 1.5 ** look, 4_000) * (0.75 + Math.random() / 2);

/** Asks for a message until it is as wanted, and answers with it. */
export async function waitFor(
  get: (id: string, options: RequestOptions) => Promise<Notification>,
  id: string,
  { until, timeoutMs = 60_000, signal }: WaitOptions = {},
): Promise<Notification> {
  const statuses = until === undefined ? [] : [until].flat();
  const isReached = (message: Notification) =>
    typeof until === "function" ? until(message) : message.final || statuses.includes(message.status);
  const deadline = Date.now() + timeoutMs;
  const late = new AbortController();
  const limit = timer(timeoutMs, () => late.abort());
  const cancel = () => late.abort();
  signal?.addEventListener("abort", cancel, { once: true });
  let last: Notification | undefined;
  try {
    for (let look = 0; ; look++) {
      signal?.throwIfAborted();
      last = await get(id, { signal: late.signal });
      if (isReached(last)) return last;
      const left = deadline - Date.now();
      // The last look is shortly before the end, so that the error says what is true then.
      await pause(Math.min(pauseBefore(look), left > 1_000 ? left - 500 : left + 1), late.signal);
    }
  } catch (error) {
    if (signal?.aborted) throw signal.reason;
    if (late.signal.aborted) throw new WaitTimeoutError(id, timeoutMs, last);
    throw error;
  } finally {
    clearTimeout(limit);
    signal?.removeEventListener("abort", cancel);
  }
}
