import { FastResponse } from "srvx";
import type { Db } from "../kernel/db.ts";
import { logger } from "../kernel/log.ts";
import { followLink } from "../links/follow-link.ts";
import { machineReason } from "../links/visitor.ts";
import { requestIdOf } from "./serve-route.ts";

/** The answer is not cached or indexed, and the target does not learn the short address. */
const always = {
  "cache-control": "no-store",
  "x-robots-tag": "noindex, nofollow",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
};

function page(status: number, title: string, text: string, headers: Record<string, string>): Response {
  return new FastResponse(
    `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex"><title>${title}</title>
<style>:root{color-scheme:light dark}body{margin:0;min-height:100vh;display:grid;place-items:center;font:16px/1.5 system-ui,sans-serif}main{max-width:26rem;padding:2rem}h1{font-size:1.375rem;margin:0 0 .5rem}p{margin:0;opacity:.75}</style>
</head><body><main><h1>${title}</h1><p>${text}</p></main></body></html>
`,
    {
      status,
      headers: {
        ...headers,
        "content-type": "text/html; charset=utf-8",
        "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
      },
    },
  );
}

/**
 * Short links. An unknown code, an expired one and an impossible one have the same answer. Without the database nobody
 * can say where a link leads: 503.
 */
export async function serveShortLink(
  request: Request,
  code: string,
  deps: { db: () => Db },
): Promise<Response> {
  const requestId = requestIdOf(request);
  const headers: Record<string, string> = { ...always, "x-request-id": requestId };
  try {
    const target = await followLink({ db: deps.db() }, { code, machine: machineReason(request) });
    if (!target) {
      return page(
        404,
        "This link doesn't work",
        "It may have expired, or part of it is missing. Open it again from the message that it came with.",
        headers,
      );
    }
    if (target.sandbox) headers["x-tidings-sandbox"] = "true";
    return new FastResponse(null, { status: 302, headers: { ...headers, location: target.url } });
  } catch (error) {
    logger().error({ err: error, requestId }, "a short link could not be looked up");
    return page(503, "Please try again", "The link cannot be opened at the moment.", {
      ...headers,
      "retry-after": "5",
    });
  }
}
