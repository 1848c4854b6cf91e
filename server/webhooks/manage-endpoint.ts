/** Shared by the use cases of one endpoint: access and presentation. */
import type { Ctx } from "../kernel/ctx.ts";
import { notFound } from "../kernel/errors.ts";
import { isUuid } from "../kernel/ids.ts";
import { authorize } from "../operations/authorize.ts";
import { selectEndpoint } from "./queries.ts";
import type { DeliveryListRow, EndpointRow } from "./queries.ts";
import { defaultRetrySchedule, deliveryStateSchema, disabledReasonSchema } from "./schemas.ts";
import type { Webhook, WebhookDelivery } from "./schemas.ts";

/** The endpoint, if the actor may manage it; otherwise throws `not_found` or `permission_denied`. */
export async function managedEndpoint(ctx: Ctx, id: string): Promise<EndpointRow> {
  const row = isUuid(id) ? await selectEndpoint(ctx, id) : null;
  if (!row) throw notFound();
  authorize(ctx, "webhooks:manage", scopeOf(row));
  return row;
}

export function scopeOf(row: EndpointRow) {
  return { unitId: row.unitId, applicationId: row.applicationId, environmentId: row.environmentId };
}

const iso = (date: Date | null) => date?.toISOString() ?? null;

export function toWebhook(row: EndpointRow, now: Date): Webhook {
  const overlapEnd = row.previousSecretExpiresAt;
  return {
    id: row.id,
    url: row.url,
    description: row.description,
    application: row.application,
    environment: row.environment,
    events: row.events,
    retrySchedule: row.retrySchedule.length > 0 ? row.retrySchedule : [...defaultRetrySchedule],
    enabled: row.enabled,
    disabledReason: row.disabledReason === null ? null : disabledReasonSchema.parse(row.disabledReason),
    disabledAt: iso(row.disabledAt),
    failingSince: iso(row.failingSince),
    previousSecretExpiresAt: overlapEnd && overlapEnd > now ? overlapEnd.toISOString() : null,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}

export function toDelivery(row: DeliveryListRow): WebhookDelivery {
  return {
    id: row.id,
    event: row.event,
    notificationId: row.notificationId,
    sequence: row.sequence,
    state: deliveryStateSchema.parse(row.state),
    attempts: row.attempts,
    nextAttemptAt: iso(row.nextAttemptAt),
    lastStatus: row.lastStatus,
    lastError: row.lastError,
    at: row.at.toISOString(),
    deliveredAt: iso(row.deliveredAt),
  };
}
