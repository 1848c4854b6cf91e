import { fetchRequestHandler } from "@trpc/server/adapters/fetch";
import { env } from "../kernel/env.ts";
import { DomainError } from "../kernel/errors.ts";
import { newId } from "../kernel/ids.ts";
import { logger } from "../kernel/log.ts";
import { organisationHeader, portalContext } from "./context.ts";
import { isUnexpected, toTrpcError } from "./errors.ts";
import { countPortalCalls } from "./portal-rate-limit.ts";
import { appRouter } from "./root.ts";
import { isSameOrigin } from "./same-origin.ts";

/** Largest body of a portal call; templates and imports are the biggest. */
const maxBodyBytes = 2 * 1024 * 1024;
/** Most calls in one request. The portal's client sends no more (components/trpc/transformer.ts). */
const maxBatchSize = 20;

function refuse(status: number, message: string, code: string): Response {
  const error = {
    message,
    code: -32_600,
    data: { code, status, httpStatus: status, detail: message, errors: [] },
  };
  return Response.json({ error }, { status });
}

/** tRPC over HTTP. Mutations are accepted only from pages of this site. */
export async function handleTrpc(request: Request): Promise<Response> {
  if (request.method === "POST") {
    if (!isSameOrigin(request.headers, env().publicUrl)) {
      return refuse(403, "This request did not come from the portal's own pages.", "permission_denied");
    }
    if (!request.headers.get("content-type")?.startsWith("application/json")) {
      return refuse(415, "Send the body as application/json.", "unsupported_media_type");
    }
    // Browsers always announce a body's length; without that there would be no limit.
    const length = request.headers.get("content-length");
    if (length === null || Number(length) > maxBodyBytes) {
      return refuse(413, "The body is too large, or does not say how long it is.", "payload_too_large");
    }
  }
  const requestId = newId();
  const response = await fetchRequestHandler({
    endpoint: "/api/trpc",
    req: request,
    router: appRouter,
    // A query whose input is too long for an address.
    allowMethodOverride: true,
    maxBatchSize,
    createContext: async ({ info }) => {
      const context = await portalContext(request.headers.get("cookie"), {
        requestId,
        organisation: request.headers.get(organisationHeader),
      });
      if (context.session) {
        await countPortalCalls(context.session.user.id, info.calls.length).catch((error: unknown) => {
          throw toTrpcError(error);
        });
      }
      return context;
    },
    onError: ({ error, path, ctx }) => {
      // Failures inside a procedure were logged there; these are the others.
      if (isUnexpected(error) && !(error.cause instanceof DomainError)) {
        logger().error(
          { err: error.cause ?? error, requestId, tenantId: ctx?.session?.tenant.id, path },
          "a portal call failed",
        );
      }
    },
  });
  response.headers.set("cache-control", "no-store");
  response.headers.set("x-request-id", requestId);
  return response;
}
