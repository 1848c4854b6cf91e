import type { Ctx } from "../kernel/ctx.ts";
import { authorizeSomewhere, visibleScopes } from "../access/authorize.ts";
import { getCatalogue } from "../tenancy/catalogue.ts";
import { selectNotifications } from "./notification-queries.ts";
import { decodeCursor, toPage } from "../kernel/cursor.ts";
import { mayReveal, presentSummary } from "./present-notification.ts";
import { renderText } from "./render-message.ts";
import type { SandboxMessage } from "./schemas.ts";

/**
 * What recipients of the sandbox would have seen, newest first: the messages that its provider took. Texts are rendered
 * anew from the stored version and variables; those who may not see contents get none.
 */
export async function sandboxInbox(
  ctx: Ctx,
  input: {
    channel?: "sms" | "email" | "whatsapp" | undefined;
    search?: string | undefined;
    limit: number;
    cursor?: string | undefined;
  },
): Promise<{ data: SandboxMessage[]; nextCursor: string | null }> {
  authorizeSomewhere(ctx, "notifications:read");
  const catalogue = await getCatalogue(ctx);
  const sandbox = catalogue.environments.find((entry) => entry.kind === "sandbox");
  if (!sandbox) return { data: [], nextCursor: null };
  const rows = await selectNotifications(ctx, visibleScopes(ctx, "notifications:read"), {
    environmentId: sandbox.id,
    channel: input.channel,
    search: input.search,
    statuses: ["sent", "delivered"],
    before: decodeCursor(input.cursor),
    limit: input.limit + 1,
  });
  const { data: page, nextCursor } = toPage(rows, input.limit, (row) => row);
  const data = await Promise.all(
    page.map(async (row): Promise<SandboxMessage> => {
      const rendered = mayReveal(ctx, row) ? await renderText(ctx, row) : null;
      const message = rendered?.ok ? rendered.rendered : null;
      return {
        notification: presentSummary(ctx, catalogue, row),
        preview: message
          ? { subject: message.subject ?? null, text: message.text, html: message.html ?? null }
          : null,
      };
    }),
  );
  return { data, nextCursor };
}
