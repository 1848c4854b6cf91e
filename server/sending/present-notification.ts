import type { Ctx } from "../kernel/ctx.ts";
import { may } from "../operations/authorize.ts";
import type { Catalogue } from "../tenancy/catalogue.ts";
import { maskAddress } from "./address.ts";
import type { EventRow, NotificationRow } from "./notification-queries.ts";
import type { Notification, NotificationSummary } from "./schemas.ts";

const iso = (date: Date | null) => date?.toISOString() ?? null;

/** Whether the caller may see addresses and texts of this notification. */
export function mayReveal(
  ctx: Ctx,
  row: Pick<NotificationRow, "unit_id" | "application_id" | "environment_id">,
): boolean {
  return may(ctx, "content:reveal", {
    unitId: row.unit_id,
    applicationId: row.application_id,
    environmentId: row.environment_id,
  });
}

/** A row as the API tells of it; the address is masked for those who may not see it. */
export function presentSummary(ctx: Ctx, catalogue: Catalogue, row: NotificationRow): NotificationSummary {
  return {
    notificationId: row.id,
    requestId: row.request_id,
    transactionId: row.transaction_id,
    application:
      catalogue.applications.find((entry) => entry.id === row.application_id)?.name ?? row.application_id,
    environment:
      catalogue.environments.find((entry) => entry.id === row.environment_id)?.slug ?? row.environment_id,
    channel: row.channel,
    to: mayReveal(ctx, row) ? row.recipient : maskAddress(row.recipient),
    template:
      row.template_name === null || row.template_version === null
        ? null
        : { name: row.template_name, version: row.template_version },
    notificationType: row.notification_type,
    notificationSubtype: row.notification_subtype,
    region: row.region,
    language: row.language,
    status: row.status,
    final: row.final || row.status === "rejected",
    reason: row.reason_code === null ? null : { code: row.reason_code, detail: row.reason_detail ?? "" },
    failure: row.failure,
    provider: row.provider,
    providerMessageId: row.provider_message_id,
    segments: row.segments,
    cost:
      row.cost_amount === null || row.cost_currency === null || row.cost_source === null
        ? null
        : { amount: row.cost_amount, currency: row.cost_currency, source: row.cost_source },
    metadata: row.metadata,
    createdAt: row.created_at.toISOString(),
    scheduledAt: iso(row.scheduled_at),
    expiresAt: row.expires_at.toISOString(),
    sentAt: iso(row.sent_at),
    deliveredAt: iso(row.delivered_at),
    failedAt: iso(row.failed_at),
    readAt: iso(row.read_at),
  };
}

export function presentNotification(
  ctx: Ctx,
  catalogue: Catalogue,
  row: NotificationRow,
  events: EventRow[],
): Notification {
  const reveal = mayReveal(ctx, row);
  return {
    ...presentSummary(ctx, catalogue, row),
    events: events.map((event) => ({
      sequence: event.sequence,
      at: event.at.toISOString(),
      type: event.type,
      provider: event.data.provider ?? null,
      reason: event.data.reason ?? null,
      failure: event.data.failure ?? null,
      ...(event.data.problem ? { problem: event.data.problem } : {}),
      ...(event.data.url !== undefined && reveal ? { url: event.data.url } : {}),
    })),
  };
}
