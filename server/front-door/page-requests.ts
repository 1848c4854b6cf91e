import { AsyncLocalStorage } from "node:async_hooks";
import { pageRequestKey } from "../kernel/page-request.ts";
import type { PageRequest, Viewer } from "../kernel/page-request.ts";

/** How long a page waits for its data, in milliseconds from the request on; then it shows what loads, and the browser asks itself. */
const patience = 600;

const requests = new AsyncLocalStorage<PageRequest>();
(globalThis as Record<symbol, unknown>)[pageRequestKey] = requests;

/** Set by components/layout/viewer-cookie.tsx: locale and time zone, encoded, with `~` between them. */
const cookie = /(?:^|; ?)tidings-viewer=([\w~%.+-]{1,120})(?:;|$)/;
const plainLocale = /^[a-z]{2,3}(?:-[A-Z][a-z]{3})?(?:-(?:[A-Z]{2}|\d{3}))?$/;

/** What the cookie says, if it is a language and a zone that exist: it comes from anybody. */
export function readViewer(cookieHeader: string | undefined): Viewer | undefined {
  const value = cookie.exec(cookieHeader ?? "")?.[1];
  if (value === undefined) return undefined;
  const [locale = "", zone = ""] = value.split("~");
  if (!plainLocale.test(locale)) return undefined;
  try {
    const timeZone = decodeURIComponent(zone);
    new Intl.DateTimeFormat(locale, { timeZone });
    return { locale, timeZone };
  } catch {
    return undefined;
  }
}

/** Does `work` as the drawing of a page, for all that it awaits. */
export function drawPage<Result>(cookieHeader: string | undefined, work: () => Result): Result {
  return requests.run({ viewer: readViewer(cookieHeader), waitsUntil: Date.now() + patience }, work);
}
