import { DomainError, errorTable } from "../kernel/errors.ts";
import { streamOf } from "../kernel/stream-of.ts";
import { exportRecipient } from "../privacy/recipient.ts";
import { portalContext } from "./context.ts";
import { countPortalCalls } from "./portal-rate-limit.ts";
import { fromElsewhere, plainRefusal } from "./streamed-file.ts";

/** All that is held about a recipient, for the signed-in person who has prepared it, written while it is sent. */
export async function serveRecipientExport(request: Request, organisation: string): Promise<Response> {
  if (fromElsewhere(request))
    return plainRefusal(403, "This request did not come from the portal's own pages.");
  const { session, tidings: ctx } = await portalContext(request.headers.get("cookie"));
  if (!session || !ctx || session.tenant.slug !== organisation) return plainRefusal(401, "Sign in first.");
  const ticket = new URL(request.url).searchParams.get("ticket") ?? "";
  try {
    await countPortalCalls(session.user.id, 1);
    const file = await exportRecipient(ctx, { ticket });
    const day = ctx.now().toISOString().slice(0, 10);
    return new Response(streamOf(ctx, "an export of a recipient", file), {
      headers: {
        "content-type": "application/json; charset=utf-8",
        "content-disposition": `attachment; filename="recipient-${organisation}-${day}.json"`,
        "cache-control": "no-store",
        "x-content-type-options": "nosniff",
      },
    });
  } catch (error) {
    if (error instanceof DomainError) return plainRefusal(errorTable[error.code].status, error.message);
    throw error;
  }
}
