import { systemCtx } from "../access/system-ctx.ts";
import { readConfirmationMessage } from "../consent/confirmation-message.ts";
import type { Db } from "../kernel/db.ts";
import type { Logger } from "../kernel/log.ts";
import { confirmationTemplate } from "../templates/built-in-templates.ts";
import { sendOwnMessage } from "./send-own-message.ts";

/**
 * Asks an address whether it agrees, as an ordinary message over the application's own way: once, however often the job runs, as the
 * message has the id that was given to it. It needs no opt-in, as it asks for one; a suppressed address does not get it.
 */
export async function sendConfirmation(
  deps: { db: Db; log: Logger },
  { tenantId, messageId }: { tenantId: string; messageId: string },
): Promise<void> {
  const ctx = systemCtx(deps.db, tenantId, "Double opt-in");
  const message = await readConfirmationMessage(ctx, messageId);
  if (!message) return;
  const { ask, application, variables } = message;
  const { environmentId, channel, address, region, language, expiresAt } = ask;
  // The confirmation expires by itself.
  const refused = "a confirmation message was refused";
  await sendOwnMessage(
    { ...ctx, log: deps.log },
    { id: messageId, key: "confirmation", refused },
    application,
    {
      environmentId,
      notification: { pinned: confirmationTemplate(channel), class: "service" },
      region: region ?? undefined,
      language: language ?? undefined,
      recipients: [{ channel, recipient: address }],
      templateVariables: [variables],
      expiresAt: expiresAt.toISOString(),
    },
  );
}
