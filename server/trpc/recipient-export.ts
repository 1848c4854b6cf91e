import { exportRecipient } from "../privacy/recipient.ts";
import { dayOf, serveFile } from "./streamed-file.ts";

/** All that is held about a recipient, for the person who has prepared it. */
export function serveRecipientExport(request: Request, organisation: string): Promise<Response> {
  return serveFile(request, organisation, {
    what: "an export of a recipient",
    open: async (ctx, { ticket = "" }) => ({
      name: `recipient-${organisation}-${dayOf(ctx)}.json`,
      type: "application/json",
      pieces: await exportRecipient(ctx, { ticket }),
    }),
  });
}
