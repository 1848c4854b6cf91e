/** Where the reader of a page is: their language (BCP 47) and time zone (IANA). */
export interface Viewer {
  locale: string;
  timeZone: string;
}

/** What a procedure of the portal answers, as it would arrive in a browser. */
type PageAnswer = { data: unknown } | { error: object };

/** What is known on the server about the page that is being drawn for somebody. */
export interface PageRequest {
  /** Unknown until their browser has told it in a cookie. */
  viewer: Viewer | undefined;
  /** When the page is shown also without the data that it still waits for, in milliseconds since 1970. */
  waitsUntil: number;
  /**
   * Calls a procedure of the portal for the reader, with the input that their browser would send. Set once they are known to be
   * signed in.
   */
  call?: (path: string, input: unknown) => Promise<PageAnswer>;
}

interface Store {
  getStore(): PageRequest | undefined;
}

/** Next bundles this file more than once, so what holds the requests has a name that all copies know. */
export const pageRequestKey = Symbol.for("tidings.page-request");

/** The page that is being drawn; always undefined in the browser, and outside the front door. Safe in both. */
export function pageRequest(): PageRequest | undefined {
  return (globalThis as typeof globalThis & { [pageRequestKey]?: Store })[pageRequestKey]?.getStore();
}
