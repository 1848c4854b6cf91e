import { z } from "zod";
import type { Ctx } from "../kernel/ctx.ts";
import { newId } from "../kernel/ids.ts";
import { logger } from "../kernel/log.ts";
import { streamOf } from "../kernel/stream-of.ts";
import { checkInput } from "./check-input.ts";
import { portalContext } from "./context.ts";
import { isUnexpected, toDomainError } from "./errors.ts";
import { countPortalCalls } from "./portal-rate-limit.ts";

/** A file as its pieces come; `bytes` where its length is known before. */
export interface StreamedFile {
  name: string;
  /** Content type, of a text in UTF-8. */
  type: "text/csv" | "application/json" | "application/jsonl";
  pieces: { first: string; rest: AsyncGenerator<string | Uint8Array>; bytes?: number };
}

/**
 * A file for the person who is signed in to the organisation of the address, written while it is sent. Taken from the portal's own
 * pages, or typed; another site's link leads nowhere. What keeps it from being written is said in words.
 * @param file.what names it in the log
 * @param file.open with the address's parameters as they were sent
 */
export async function serveFile(
  request: Request,
  organisation: string,
  file: { what: string; open: (ctx: Ctx, query: Record<string, string>) => Promise<StreamedFile> },
): Promise<Response> {
  if (fromElsewhere(request))
    return plainRefusal(403, "This request did not come from the portal's own pages.");
  const requestId = newId();
  try {
    const cookies = request.headers.get("cookie");
    const { session, tidings: ctx } = await portalContext(cookies, { organisation, requestId });
    if (!session || !ctx) return plainRefusal(401, "Sign in first.");
    await countPortalCalls(session.user.id, 1);
    const query = Object.fromEntries(new URL(request.url).searchParams);
    checkInput(query);
    const { name, type, pieces } = await file.open(ctx, query);
    const isRead = request.method !== "HEAD";
    // It holds a place among the exports until it is read or ended.
    if (!isRead) await pieces.rest.return(undefined);
    return new Response(isRead ? streamOf(ctx, file.what, pieces) : null, {
      headers: {
        "content-type": `${type}; charset=utf-8`,
        "content-disposition": `attachment; filename="${name}"`,
        ...(pieces.bytes === undefined ? {} : { "content-length": String(pieces.bytes) }),
        "cache-control": "no-store",
        "x-content-type-options": "nosniff",
      },
    });
  } catch (error) {
    if (error instanceof z.ZodError) return plainRefusal(422, z.prettifyError(error));
    if (isUnexpected(error)) logger().error({ err: error, requestId }, `${file.what} could not be begun`);
    const { status, message, retryAfter } = toDomainError(error);
    return plainRefusal(status, message, retryAfter);
  }
}

/** What somebody who follows a link to a file reads instead of it. */
function plainRefusal(status: number, text: string, retryAfter?: number): Response {
  return new Response(`${text}\n`, {
    status,
    headers: {
      "content-type": "text/plain; charset=utf-8",
      "cache-control": "no-store",
      ...(retryAfter === undefined ? {} : { "retry-after": String(Math.ceil(retryAfter)) }),
    },
  });
}

/** Whether a download was asked for by another site's page, by what browsers say of it. */
function fromElsewhere(request: Request): boolean {
  const site = request.headers.get("sec-fetch-site");
  return site !== null && site !== "same-origin" && site !== "none";
}

/** The day of a file's name. */
export const dayOf = (ctx: Ctx): string => ctx.now().toISOString().slice(0, 10);
