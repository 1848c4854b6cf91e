/** What the use cases of one endpoint share: who may touch it, and how it is shown. */
import type { Ctx } from "../kernel/ctx.ts";
import { notFound } from "../kernel/errors.ts";
import { isUuid } from "../kernel/ids.ts";
import { authorize } from "../operations/authorize.ts";
import { selectEndpoint } from "./queries.ts";
import type { DeliveryListRow, EndpointRow } from "./queries.ts";
import { defaultRetrySchedule, deliveryStateSchema, disabledReasonSchema } from "./schemas.ts";
import type { Webhook, WebhookDelivery } from "./schemas.ts";

/** The endpoint, when the actor may manage it; throws `not_found` or `permission_denied` otherwise. */
export async function managedEndpoint(ctx: Ctx, id: string): Promise<EndpointRow> {
  const row = isUuid(id) ? await selectEndpoint(ctx, id) : null;
  if (!row) throw notFound();
  authorize(ctx, "webhooks:manage", scopeOf(row));
  return row;
}

export function scopeOf(row: EndpointRow) {
  return { unitId: row.unit_id, applicationId: row.application_id, environmentId: row.environment_id };
}

const iso = (date: Date | null) => date?.toISOString() ?? null;

export function toWebhook(row: EndpointRow, now: Date): Webhook {
  const overlapEnd = row.previous_secret_expires_at;
  return {
    id: row.id,
    url: row.url,
    description: row.description,
    application: row.application,
    environment: row.environment,
    events: row.events,
    retrySchedule: row.retry_schedule.length > 0 ? row.retry_schedule : [...defaultRetrySchedule],
    enabled: row.enabled,
    disabledReason: row.disabled_reason === null ? null : disabledReasonSchema.parse(row.disabled_reason),
    disabledAt: iso(row.disabled_at),
    failingSince: iso(row.failing_since),
    previousSecretExpiresAt: overlapEnd && overlapEnd > now ? overlapEnd.toISOString() : null,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  };
}

export function toDelivery(row: DeliveryListRow): WebhookDelivery {
  return {
    id: row.id,
    event: row.event,
    notificationId: row.notification_id,
    sequence: row.sequence,
    state: deliveryStateSchema.parse(row.state),
    attempts: row.attempts,
    nextAttemptAt: iso(row.next_attempt_at),
    lastStatus: row.last_status,
    lastError: row.last_error,
    at: row.at.toISOString(),
    deliveredAt: iso(row.delivered_at),
  };
}
