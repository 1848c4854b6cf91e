import type { Db } from "../kernel/db.ts";
import { env } from "../kernel/env.ts";
import { handleProviderCallback } from "../sending/handle-provider-callback.ts";
import { notFound } from "../kernel/errors.ts";
import { problemResponse } from "./problem.ts";
import { readBytes } from "./read-body.ts";
import { asDomainError, requestIdOf } from "./serve-route.ts";

/**
 * Providers' callbacks. Nothing of the body is read before the connection is known, and then no more than its adapter
 * takes. An unknown connection is answered 404, an unauthenticated caller 403; ids cannot be guessed. Without the
 * database the answer is 503, so that the provider tries again.
 */
export async function serveCallback(
  request: Request,
  connectionId: string,
  deps: { db: () => Db },
): Promise<Response> {
  const requestId = requestIdOf(request);
  const headers = { "x-request-id": requestId, "cache-control": "no-store" };
  try {
    const answer = await handleProviderCallback(
      { db: deps.db() },
      {
        connectionId,
        requestId,
        request: {
          method: request.method,
          url: publicUrlOf(request.url),
          headers: Object.fromEntries(request.headers),
        },
        readBody: async (maxBytes) => {
          if (request.method === "GET") return Buffer.alloc(0);
          const bytes = await readBytes(request, maxBytes);
          return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
        },
      },
    );
    if (!answer.authentic && answer.unknown) return problemResponse(notFound(), requestId, headers);
    if (!answer.authentic) {
      return new Response("Forbidden\n", {
        status: 403,
        headers: { ...headers, "content-type": "text/plain" },
      });
    }
    if (!answer.response) return new Response(null, { status: 204, headers });
    const { status, contentType, body } = answer.response;
    return new Response(body, { status, headers: { ...headers, "content-type": contentType } });
  } catch (error) {
    return problemResponse(asDomainError(error, "providerCallback", requestId), requestId, headers);
  }
}

/** The address as given to the provider: behind a proxy the request's own host is another. */
function publicUrlOf(url: string): string {
  const path = url.indexOf("/", url.indexOf("//") + 2);
  return env().publicUrl + (path < 0 ? "/" : url.slice(path));
}
