import { recordAudit } from "../audit/record-audit.ts";
import { shownAddress } from "../kernel/address.ts";
import { jsonHash } from "../kernel/canonical-json.ts";
import type { Ctx } from "../kernel/ctx.ts";
import { inTenant } from "../kernel/db.ts";
import { erasedText } from "../kernel/erased.ts";
import { DomainError, notFound } from "../kernel/errors.ts";
import { isBuiltIn } from "../templates/built-in-templates.ts";
import { getCatalogue } from "../tenancy/catalogue.ts";
import { acceptSend } from "./accept-send.ts";
import { readableNotification } from "./get-notification.ts";
import type { NotificationRow } from "./notification-queries.ts";
import { oneByOne } from "./one-by-one.ts";
import type { Resent } from "./schemas.ts";

/**
 * Sends a new message for each of several that did not arrive, at most `mostAtOnce`, with the values of the old one and the template
 * that is live now. Consent, suppressions, limits and quotas are looked at as for any new message, which may be rejected for them. A
 * message is sent again once a day: asked again, the answer names the message that was made then. One audit event each. Throws `not_found` when there is none of them for the caller.
 */
export async function resendNotifications(
  ctx: Ctx,
  { ids }: { ids: readonly string[] },
): Promise<{ results: Resent[] }> {
  const results = await oneByOne(ids, (id) => resendOne(ctx, id));
  if (results.every(({ outcome }) => outcome === "not_found")) throw notFound();
  return { results };
}

async function resendOne(ctx: Ctx, id: string): Promise<Resent> {
  try {
    const row = await readableNotification(ctx, id, "notifications:send");
    const why = whyNotAgain(row);
    if (why !== null) return { id, outcome: "refused", detail: why, newId: null };
    const catalogue = await getCatalogue(ctx);
    const accepted = await acceptSend(ctx, {
      order: {
        environmentId: row.environmentId,
        application: catalogue.applications.find((entry) => entry.id === row.applicationId)?.name ?? "",
        notification: { type: row.notificationType, subtype: row.notificationSubtype },
        region: row.region,
        language: row.language,
        recipients: [
          { channel: row.channel, recipient: shownAddress(row.recipient), variables: row.variables },
        ],
        templateVariables: [],
        metadata: row.metadata,
      },
      source: "portal",
      transactionId: null,
      // Whoever asks, and however often.
      idempotency: { kind: "idempotency", key: `resend of ${id}`, bodyHash: jsonHash({ resend: id }) },
    });
    const [made] = accepted.notifications;
    const newId = made?.notificationId ?? null;
    if (accepted.replayed) return { id, outcome: "already_resent", detail: null, newId };
    await inTenant(ctx, (tx) =>
      recordAudit(ctx, tx, {
        action: "notification.resent",
        targetType: "notification",
        targetId: id,
        unitId: row.unitId,
        environmentId: row.environmentId,
        after: { newNotificationId: newId },
      }),
    );
    if (made?.reason) return { id, outcome: "refused", detail: made.reason.detail, newId };
    return { id, outcome: "resent", detail: null, newId };
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    if (error.code === "not_found" || error.code === "permission_denied")
      return { id, outcome: "not_found", detail: null, newId: null };
    return { id, outcome: "refused", detail: error.message, newId: null };
  }
}

/** Why there is no new message for one; null: there may be. */
export function whyNotAgain(row: NotificationRow): string | null {
  if (isBuiltIn(row)) return "Tidings sent this message itself; it can’t be sent again.";
  if (row.class === "authentication") return "A one-time code can’t be sent again: ask for a new one.";
  if (row.recipient === erasedText || Object.values(row.variables).includes(redactedText))
    return "Its content has been deleted.";
  if (row.status === "undetermined") return "It may have arrived, so it isn’t sent again.";
  if (!ended.has(row.status))
    return "Only a message that failed, expired, was rejected or canceled can be sent again.";
  return null;
}

/** As redact_variables() puts it in the place of each value. */
const redactedText = "[redacted]";

const ended: ReadonlySet<string> = new Set(["failed", "expired", "rejected", "canceled"]);
