import { tenantHealth } from "../connections/connection-state.ts";
import { costsOf } from "../costs/list-costs.ts";
import { unavailableReason } from "../health/unavailable-reason.ts";
import type { Ctx } from "../kernel/ctx.ts";
import { messageLinks } from "../links/message-links.ts";
import { may } from "../operations/authorize.ts";
import { getCatalogue } from "../tenancy/catalogue.ts";
import { explainStored } from "./explain-send.ts";
import { readableNotification } from "./get-notification.ts";
import { selectAttempts, selectEvents, selectOwedWebhooks } from "./notification-queries.ts";
import { statusRank } from "./notification-state.ts";
import { mayReveal, presentNotification } from "./present-notification.ts";
import type { Timeline } from "./schemas.ts";

/** All that is known of one notification, for the portal's drill-down. */
export async function getTimeline(ctx: Ctx, input: { id: string }): Promise<Timeline> {
  const row = await readableNotification(ctx, input.id);
  const [catalogue, events, attempts, webhooks, links, costs, explained] = await Promise.all([
    getCatalogue(ctx),
    selectEvents(ctx, row.id),
    selectAttempts(ctx, row.id),
    selectOwedWebhooks(ctx, row.id),
    messageLinks(ctx, row.id),
    costsOf(ctx, row.id),
    explainStored(ctx, row),
  ]);
  const scope = { unitId: row.unit_id, applicationId: row.application_id, environmentId: row.environment_id };
  const reveal = mayReveal(ctx, row);
  return {
    notification: presentNotification(ctx, catalogue, row, events),
    waits:
      attempts.every(({ outcome }) => outcome !== null) && statusRank(row.status) < 2
        ? (unavailableReason(explained.route.candidates, await tenantHealth(ctx))?.detail ?? null)
        : null,
    class: row.class,
    templateId: row.template_id,
    connectionId: row.connection_id,
    attempts: attempts.map((attempt) => ({
      number: attempt.number,
      connectionId: attempt.connection_id,
      provider: attempt.provider,
      startedAt: attempt.started_at.toISOString(),
      finishedAt: attempt.finished_at?.toISOString() ?? null,
      outcome: attempt.outcome,
      code: attempt.code,
      detail: attempt.detail,
      providerCode: attempt.provider_code,
      providerMessage: attempt.provider_message,
      providerMessageId: attempt.provider_message_id,
    })),
    webhooks: webhooks.map((webhook) => ({
      id: webhook.id,
      endpointId: webhook.endpoint_id,
      url: webhook.url,
      event: webhook.event,
      sequence: webhook.sequence,
      at: webhook.at.toISOString(),
      state: webhook.state,
      attempts: webhook.attempts,
      lastStatus: webhook.last_status,
      lastError: webhook.last_error,
      deliveredAt: webhook.delivered_at?.toISOString() ?? null,
    })),
    // What the organisation pays the operator is not for everybody who follows a message.
    costs: costs.filter((cost) => cost.kind === "message" || may(ctx, "costs:read", scope)),
    route: explained.route,
    preview: reveal ? explained.preview : null,
    revealed: reveal,
    // Whoever may not see contents could follow a link to them.
    links: links.map((link) => (reveal ? link : { ...link, url: null, shortUrl: null })),
    encoding: explained.encoding,
    canCancel: statusRank(row.status) === 0 && may(ctx, "notifications:cancel", scope),
  };
}
