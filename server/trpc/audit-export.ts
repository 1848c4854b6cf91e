import { z } from "zod";
import { exportEvents } from "../audit/export-events.ts";
import { auditFilterSchema, exportFormats } from "../audit/schemas.ts";
import { DomainError, errorTable } from "../kernel/errors.ts";
import { streamOf } from "../kernel/stream-of.ts";
import { portalContext } from "./context.ts";
import { countPortalCalls } from "./portal-rate-limit.ts";
import { fromElsewhere, plainRefusal } from "./streamed-file.ts";

const querySchema = auditFilterSchema.extend({ format: z.enum(exportFormats) });

/**
 * A file of the audit trail for the signed-in person, written while it is sent. Taken from the portal's own pages, or typed;
 * another site's link leads nowhere.
 */
export async function serveAuditExport(request: Request, organisation: string): Promise<Response> {
  if (fromElsewhere(request)) {
    return plainRefusal(403, "This request did not come from the portal's own pages.");
  }
  const { session, tidings: ctx } = await portalContext(request.headers.get("cookie"));
  if (!session || !ctx || session.tenant.slug !== organisation) {
    return plainRefusal(401, "Sign in first.");
  }
  const query = querySchema.safeParse(Object.fromEntries(new URL(request.url).searchParams));
  if (!query.success) return plainRefusal(422, z.prettifyError(query.error));
  const { format, ...filter } = query.data;
  try {
    await countPortalCalls(session.user.id, 1);
    const file = await exportEvents(ctx, { format, filter });
    const day = ctx.now().toISOString().slice(0, 10);
    return new Response(streamOf(ctx, "an audit export", file), {
      headers: {
        "content-type": format === "csv" ? "text/csv; charset=utf-8" : "application/jsonl; charset=utf-8",
        "content-disposition": `attachment; filename="audit-${organisation}-${day}.${format}"`,
        "cache-control": "no-store",
        "x-content-type-options": "nosniff",
      },
    });
  } catch (error) {
    if (error instanceof DomainError) return plainRefusal(errorTable[error.code].status, error.message);
    throw error;
  }
}
