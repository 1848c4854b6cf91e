import { z } from "zod";
import { exportEvents } from "../audit/export-events.ts";
import { auditFilterSchema, exportFormats } from "../audit/schemas.ts";
import { dayOf, serveFile } from "./streamed-file.ts";

const querySchema = auditFilterSchema.extend({ format: z.enum(exportFormats) });

/** A file of the audit trail. */
export function serveAuditExport(request: Request, organisation: string): Promise<Response> {
  return serveFile(request, organisation, {
    what: "an audit export",
    open: async (ctx, query) => {
      const { format, ...filter } = querySchema.parse(query);
      return {
        name: `audit-${organisation}-${dayOf(ctx)}.${format}`,
        type: format === "csv" ? "text/csv" : "application/jsonl",
        pieces: await exportEvents(ctx, { format, filter }),
      };
    },
  });
}
