import type { Ctx } from "../kernel/ctx.ts";
import type { Tx } from "../kernel/db.ts";
import { env } from "../kernel/env.ts";
import { checkEventData } from "./event-schemas.ts";
import { insertDeliveries } from "./queries.ts";
import type { WebhookEvent } from "./schemas.ts";

/** An event that is not a notification's own; those are written by advance_notifications(). */
export interface EventToDeliver {
  event: Exclude<WebhookEvent, `notification.${string}`>;
  /** Null: endpoints of every application. */
  applicationId: string | null;
  /** Null: endpoints of every environment, either of the sandbox or of all others. */
  environmentId: string | null;
  /** Which environments a null `environmentId` means. */
  sandbox?: boolean;
  /** Becomes `data`, with `application` and `environment` added. */
  payload: Record<string, unknown>;
  /** When it happened; default now. */
  at?: Date;
}

/**
 * Writes the deliveries and jobs of an event for every endpoint that subscribes to it, in the caller's transaction: it
 * is sent if and only if the change is committed.
 */
export async function enqueueWebhookEvent(ctx: Ctx, tx: Tx, event: EventToDeliver): Promise<void> {
  await enqueueWebhookEvents(ctx, tx, [event]);
}

/** The same for many events in one statement. */
export async function enqueueWebhookEvents(
  ctx: Ctx,
  tx: Tx,
  events: readonly EventToDeliver[],
): Promise<void> {
  if (events.length === 0) return;
  if (env().nodeEnv !== "production") {
    for (const { event, payload } of events)
      checkEventData(event, { ...payload, application: "", environment: "" });
  }
  await insertDeliveries(
    tx,
    ctx.tenantId,
    events.map((event) => ({ ...event, at: event.at ?? ctx.now() })),
  );
}
