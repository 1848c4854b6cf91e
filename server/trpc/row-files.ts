import { z } from "zod";
import { downloadExport } from "../exports/download-export.ts";
import { exportConsents } from "../imports/export-consents.ts";
import { exportContacts } from "../imports/export-contacts.ts";
import { exportSuppressions } from "../imports/export-suppressions.ts";
import { errorsFile } from "../imports/get-import.ts";
import { consentExportSchema, contactExportSchema, suppressionExportSchema } from "../imports/schemas.ts";
import type { Ctx } from "../kernel/ctx.ts";
import { exportNotReached } from "../sending/export-not-reached.ts";
import { dayOf, serveFile } from "./streamed-file.ts";
import type { StreamedFile } from "./streamed-file.ts";

/** A file of rows. */
function serveRows(
  request: Request,
  organisation: string,
  open: (ctx: Ctx, query: Record<string, string>) => Promise<{ name: string; file: StreamedFile["pieces"] }>,
): Promise<Response> {
  return serveFile(request, organisation, {
    what: "an export of rows",
    open: async (ctx, query) => {
      const { name, file } = await open(ctx, query);
      return { name, type: "text/csv", pieces: file };
    },
  });
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
    name: `consent-${organisation}-${dayOf(ctx)}.csv`,
    file: await exportConsents(ctx, consentExportSchema.parse(query)),
  }));
}

/** The suppressions that hold. */
export function serveSuppressionExport(request: Request, organisation: string): Promise<Response> {
  return serveRows(request, organisation, async (ctx, query) => ({
    name: `suppressions-${organisation}-${dayOf(ctx)}.csv`,
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
    name: `contacts-${organisation}-${dayOf(ctx)}.csv`,
    file: await exportContacts(ctx, contactExportSchema.parse(query)),
  }));
}

async function* nothing(): AsyncGenerator<string> {
  await Promise.resolve();
}
