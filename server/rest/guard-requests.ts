import { subscribe } from "node:diagnostics_channel";
import type { IncomingMessage } from "node:http";

function isDecodable(path: string): boolean {
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false;
  }
}

/**
 * Changes what Next would answer with a 500 into what it knows how to refuse: a path with percent signs that encode
 * nothing is read literally (and found nowhere), TRACE becomes a method that no route has.
 */
export function tame(request: Pick<IncomingMessage, "url" | "method">): void {
  const { url } = request;
  if (url?.includes("%")) {
    const end = url.indexOf("?");
    const path = end < 0 ? url : url.slice(0, end);
    if (!isDecodable(path)) request.url = path.replaceAll("%", "%25") + (end < 0 ? "" : url.slice(end));
  }
  // Request objects of the Fetch standard cannot have this method.
  if (request.method === "TRACE") request.method = "PROPFIND";
}

/** Applies `tame` to each request of this process before any listener sees it. */
export function guardRequests(): void {
  subscribe("http.server.request.start", (message) => {
    tame((message as { request: IncomingMessage }).request);
  });
}
