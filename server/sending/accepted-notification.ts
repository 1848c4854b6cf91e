import { shownAddress } from "../kernel/address.ts";
import type { Ctx } from "../kernel/ctx.ts";
import { notFound } from "../kernel/errors.ts";
import { getCatalogue } from "../tenancy/catalogue.ts";
import type { AcceptedSend } from "./accept-send.ts";
import { selectNotification } from "./notification-queries.ts";
import { presentNotification } from "./present-notification.ts";
import type { Notification } from "./schemas.ts";

/**
 * The single notification of an accepted request as it was when it was accepted, so that a repetition gets the first
 * answer whatever has happened since.
 */
export async function acceptedNotification(ctx: Ctx, accepted: AcceptedSend): Promise<Notification> {
  const first = accepted.notifications[0];
  if (!first) throw notFound();
  const [row, catalogue] = await Promise.all([
    selectNotification(ctx, first.notificationId),
    getCatalogue(ctx),
  ]);
  if (!row) throw notFound();
  return {
    ...presentNotification(ctx, catalogue, row, row.events.slice(0, 1)),
    // The caller named the address, so it is not masked.
    to: shownAddress(row.recipient),
    status: first.status,
    final: first.status === "rejected",
    reason: first.reason,
    failure: null,
    provider: null,
    providerMessageId: null,
    segments: null,
    cost: null,
    sentAt: null,
    deliveredAt: null,
    failedAt: null,
    readAt: null,
  };
}
