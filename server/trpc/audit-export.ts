import { z } from "zod";
import { exportEvents } from "../audit/export-events.ts";
import { auditFilterSchema, exportFormats } from "../audit/schemas.ts";
import type { Ctx } from "../kernel/ctx.ts";
import { DomainError, errorTable } from "../kernel/errors.ts";
import { logger } from "../kernel/log.ts";
import { portalContext } from "./context.ts";
import { countPortalCalls } from "./portal-rate-limit.ts";

const querySchema = auditFilterSchema.extend({ format: z.enum(exportFormats) });

const refusal = (status: number, text: string) =>
  new Response(`${text}\n`, { status, headers: { "content-type": "text/plain; charset=utf-8" } });

/**
 * A file of the audit trail for the signed-in person, written while it is sent. Taken from the portal's own pages, or typed;
 * another site's link leads nowhere.
 */
export async function serveAuditExport(request: Request, organisation: string): Promise<Response> {
  const site = request.headers.get("sec-fetch-site");
  if (site !== null && site !== "same-origin" && site !== "none") {
    return refusal(403, "This request did not come from the portal's own pages.");
  }
  const { session, tidings: ctx } = await portalContext(request.headers.get("cookie"));
  if (!session || !ctx || session.tenant.slug !== organisation) {
    return refusal(401, "Sign in first.");
  }
  const query = querySchema.safeParse(Object.fromEntries(new URL(request.url).searchParams));
  if (!query.success) return refusal(422, z.prettifyError(query.error));
  const { format, ...filter } = query.data;
  try {
    await countPortalCalls(session.user.id, 1);
    const { first, rest } = await exportEvents(ctx, { format, filter });
    const day = ctx.now().toISOString().slice(0, 10);
    return new Response(bodyOf(ctx, first, rest), {
      headers: {
        "content-type": format === "csv" ? "text/csv; charset=utf-8" : "application/jsonl; charset=utf-8",
        "content-disposition": `attachment; filename="audit-${organisation}-${day}.${format}"`,
        "cache-control": "no-store",
        "x-content-type-options": "nosniff",
      },
    });
  } catch (error) {
    if (error instanceof DomainError) return refusal(errorTable[error.code].status, error.message);
    throw error;
  }
}

/** Reads on when the browser has taken what there was, and stops when it goes away. */
function bodyOf(ctx: Ctx, first: string, rest: AsyncGenerator<string>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  return new ReadableStream(
    {
      start: (controller) => {
        controller.enqueue(encoder.encode(first));
      },
      pull: async (controller) => {
        try {
          const piece = await rest.next();
          if (piece.done) controller.close();
          else controller.enqueue(encoder.encode(piece.value));
        } catch (error) {
          // The file ends in the middle: a connection that breaks is what a browser shows as a failed download.
          logger().error({ err: error, tenantId: ctx.tenantId }, "an audit export failed");
          controller.error(error);
        }
      },
      cancel: async () => {
        await rest.return(undefined);
      },
    },
    { highWaterMark: 1 },
  );
}
