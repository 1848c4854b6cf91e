import type { Task } from "graphile-worker";
import type { Db } from "../../server/kernel/db.ts";
import type { OutboundClient } from "../../server/kernel/outbound-http.ts";
import { createWebhookDeliverer } from "../../server/webhooks/deliver-webhook.ts";
import type { WebhookDelivererDeps } from "../../server/webhooks/deliver-webhook.ts";
import { deliverWebhook } from "../../server/webhooks/tasks.ts";

/**
 * The task `deliver_webhook` of a worker process. `settled` resolves when the calls that left their slots have ended as
 * well: await it after the runner has stopped and before the database is closed.
 */
export function createDeliverWebhookTask(
  deps: { db: Db; outbound: OutboundClient } & WebhookDelivererDeps,
): Task & { settled(): Promise<void> } {
  const deliverer = createWebhookDeliverer(deps);
  const task: Task = async (payload) => {
    await deliverer.deliver(deliverWebhook.payload.parse(payload));
  };
  return Object.assign(task, { settled: () => deliverer.settled() });
}
