import { fetchRequestHandler } from "@trpc/server/adapters/fetch";
import { DomainError } from "../kernel/errors.ts";
import { newId } from "../kernel/ids.ts";
import { logger } from "../kernel/log.ts";
import { organisationHeader, personHeader, portalContext, unattendedHeader } from "./context.ts";
import { isUnexpected, toTrpcError } from "./errors.ts";
import { refusedPost } from "./guard-post.ts";
import { countPortalCalls } from "./portal-rate-limit.ts";
import { appRouter } from "./root.ts";

/** Largest body of a portal call; templates and imports are the biggest. */
const maxBodyBytes = 2 * 1024 * 1024;
/** Most calls in one request. The portal's client sends no more (components/trpc/transformer.ts). */
const maxBatchSize = 20;

/** tRPC over HTTP. Mutations are accepted only from pages of this site. */
export async function handleTrpc(request: Request): Promise<Response> {
  const refused = refusedPost(request, maxBodyBytes);
  if (refused) return refused;
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
        person: request.headers.get(personHeader),
        unattended: request.headers.has(unattendedHeader),
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
