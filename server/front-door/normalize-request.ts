import { subscribe } from "node:diagnostics_channel";
import type { IncomingMessage } from "node:http";
import { clientAddress, isTrustedProxy } from "../kernel/client-address.ts";
import type { ProxyRanges } from "../kernel/client-address.ts";
import { env } from "../kernel/env.ts";
import { logger } from "../kernel/log.ts";

function isDecodable(path: string): boolean {
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false;
  }
}

/**
 * Changes what Next would answer with a 500 into what it can refuse: a path with invalid percent encoding is taken
 * literally (and not found), TRACE becomes a method that no route has.
 */
export function normalizeRequest(request: Pick<IncomingMessage, "url" | "method">): void {
  const { url } = request;
  if (url?.includes("%")) {
    const end = url.indexOf("?");
    const path = end < 0 ? url : url.slice(0, end);
    if (!isDecodable(path)) request.url = path.replaceAll("%", "%25") + (end < 0 ? "" : url.slice(end));
  }
  // Request objects of the Fetch standard cannot have this method.
  if (request.method === "TRACE") request.method = "PROPFIND";
}

/** Headers that only a trusted proxy may set. */
const proxyHeaders = ["x-forwarded-host", "x-forwarded-proto", "x-forwarded-port", "x-real-ip", "forwarded"];

const warnEveryMs = 3_600_000;
let warnedAt = -Infinity;

/**
 * Warns that a peer forwards requests without being a listed proxy: if it is one, all callers behind it count as one.
 * Anybody can cause this by sending the header, so it is logged once an hour.
 */
function warnOfUnknownProxy(peer: string | undefined): void {
  const now = performance.now();
  if (now - warnedAt < warnEveryMs) return;
  warnedAt = now;
  logger().warn(
    { peer },
    "X-Forwarded-For came from a peer that TRUSTED_PROXIES does not name; if it is a proxy, all callers behind it count as one",
  );
}

/**
 * Resolves the caller's address and leaves only trustworthy headers: `X-Forwarded-For` is that one address from here
 * on, and other proxy headers are removed unless a trusted proxy sent them.
 */
export function resolveClientAddress(
  request: Pick<IncomingMessage, "headers" | "socket">,
  trusted: ProxyRanges,
): string | null {
  const { headers, socket } = request;
  const given = headers["x-forwarded-for"];
  const forwarded = Array.isArray(given) ? given.join(",") : given;
  const address = clientAddress({ remote: socket.remoteAddress, forwarded }, trusted);
  if (address === null) delete headers["x-forwarded-for"];
  else headers["x-forwarded-for"] = address;
  if (!isTrustedProxy(socket.remoteAddress, trusted)) {
    if (forwarded !== undefined) warnOfUnknownProxy(socket.remoteAddress);
    for (const name of proxyHeaders) if (headers[name] !== undefined) headers[name] = undefined;
  }
  return address;
}

/** Where Next serves alone: does all this for each request of the process before any listener sees it. */
export function normalizeAllRequests(): void {
  const trusted = env().trustedProxies;
  subscribe("http.server.request.start", (message) => {
    const { request } = message as { request: IncomingMessage };
    normalizeRequest(request);
    resolveClientAddress(request, trusted);
  });
}
