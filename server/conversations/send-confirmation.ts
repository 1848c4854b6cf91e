import { systemCtx } from "../access/system-ctx.ts";
import { readConfirmationMessage } from "../consent/confirmation-message.ts";
import { jsonHash } from "../kernel/canonical-json.ts";
import type { Db } from "../kernel/db.ts";
import { DomainError } from "../kernel/errors.ts";
import type { Logger } from "../kernel/log.ts";
import { acceptSend } from "../sending/accept-send.ts";
import { confirmationTemplate } from "../templates/built-in-templates.ts";

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
  const place = { unitId: application.unitId, applicationId: application.id, environmentId };
  try {
    await acceptSend(
      { ...ctx, grants: [{ ...place, permissions: new Set(["notifications:send"]) }] },
      {
        order: {
          environmentId,
          application: application.name,
          notification: { pinned: confirmationTemplate(channel), class: "service" },
          region: region ?? undefined,
          language: language ?? undefined,
          recipients: [{ channel, recipient: address }],
          templateVariables: [variables],
          expiresAt: expiresAt.toISOString(),
        },
        source: "portal",
        transactionId: null,
        idempotency: { kind: "idempotency", key: `confirmation:${messageId}`, bodyHash: jsonHash(messageId) },
        firstMessageId: messageId,
      },
    );
  } catch (error) {
    // Refused for good, and the confirmation expires by itself. Anything else is tried again.
    if (!(error instanceof DomainError) || error.retryAfter !== undefined) throw error;
    deps.log.warn({ tenantId, messageId, code: error.code }, "a confirmation message was refused");
  }
}
