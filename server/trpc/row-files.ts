import { z } from "zod";
import { downloadExport } from "../exports/download-export.ts";
import { exportConsents } from "../imports/export-consents.ts";
import { exportContacts } from "../imports/export-contacts.ts";
import { exportSuppressions } from "../imports/export-suppressions.ts";
import { errorsFile } from "../imports/get-import.ts";
import { consentExportSchema, contactExportSchema, suppressionExportSchema } from "../imports/schemas.ts";
import type { Ctx } from "../kernel/ctx.ts";
import { DomainError, errorTable } from "../kernel/errors.ts";
import { streamOf } from "../kernel/stream-of.ts";
import { exportNotReached } from "../sending/export-not-reached.ts";
import { portalContext } from "./context.ts";
import { countPortalCalls } from "./portal-rate-limit.ts";
import { fromElsewhere, plainRefusal } from "./streamed-file.ts";

type File = { first: string; rest: AsyncGenerator<string | Uint8Array>; bytes?: number };

/**
 * A file of rows for the signed-in person, written while it is sent. Taken from the portal's own pages, or typed; another site's
 * link leads nowhere.
 */
async function serveRows(
  request: Request,
  organisation: string,
  open: (ctx: Ctx, query: Record<string, string>) => Promise<{ name: string; file: File }>,
): Promise<Response> {
  if (fromElsewhere(request))
    return plainRefusal(403, "This request did not come from the portal's own pages.");
  const { session, tidings: ctx } = await portalContext(request.headers.get("cookie"), { organisation });
  if (!session || !ctx) return plainRefusal(401, "Sign in first.");
  try {
    await countPortalCalls(session.user.id, 1);
    const { name, file } = await open(ctx, Object.fromEntries(new URL(request.url).searchParams));
    return new Response(streamOf(ctx, "an export of rows", file), {
      headers: {
        "content-type": "text/csv; charset=utf-8",
        "content-disposition": `attachment; filename="${name}"`,
        ...(file.bytes === undefined ? {} : { "content-length": String(file.bytes) }),
        "cache-control": "no-store",
        "x-content-type-options": "nosniff",
      },
    });
  } catch (error) {
    if (error instanceof DomainError) return plainRefusal(errorTable[error.code].status, error.message);
    if (error instanceof z.ZodError) return plainRefusal(422, z.prettifyError(error));
    throw error;
  }
}

/** What is wrong with the rows of an import. */
export function serveImportErrors(request: Request, organisation: string, id: string): Promise<Response> {
  return serveRows(request, organisation, async (ctx) => {
    const { name, text } = await errorsFile(ctx, { id: z.uuid().parse(id) });
    return { name, file: { first: text, rest: nothing() } };
  });
}

/** The consent ledger, or how each address stands. */
export function serveConsentExport(request: Request, organisation: string): Promise<Response> {
  return serveRows(request, organisation, async (ctx, query) => ({
    name: `consent-${organisation}-${ctx.now().toISOString().slice(0, 10)}.csv`,
    file: await exportConsents(ctx, consentExportSchema.parse(query)),
  }));
}

/** The suppressions that hold. */
export function serveSuppressionExport(request: Request, organisation: string): Promise<Response> {
  return serveRows(request, organisation, async (ctx, query) => ({
    name: `suppressions-${organisation}-${ctx.now().toISOString().slice(0, 10)}.csv`,
    file: await exportSuppressions(ctx, suppressionExportSchema.parse(query)),
  }));
}

/** Whom a broadcast did not reach. */
export function serveNotReached(request: Request, organisation: string, id: string): Promise<Response> {
  return serveRows(request, organisation, (ctx) => exportNotReached(ctx, { id }));
}

/** What an export has written. */
export function serveExport(request: Request, organisation: string, id: string): Promise<Response> {
  return serveRows(request, organisation, async (ctx) => {
    const file = await downloadExport(ctx, { id: z.uuid().parse(id) });
    return { name: file.name, file };
  });
}

/** All contacts, or those of a group. */
export function serveContactExport(request: Request, organisation: string): Promise<Response> {
  return serveRows(request, organisation, async (ctx, query) => ({
    name: `contacts-${organisation}-${ctx.now().toISOString().slice(0, 10)}.csv`,
    file: await exportContacts(ctx, contactExportSchema.parse(query)),
  }));
}

async function* nothing(): AsyncGenerator<string> {
  await Promise.resolve();
}
