import { tenantHealth } from "../connections/connection-state.ts";
import { costsOf, totalOf } from "../costs/list-costs.ts";
import { unavailableReason } from "../health/unavailable-reason.ts";
import type { Ctx } from "../kernel/ctx.ts";
import { messageLinks } from "../links/message-links.ts";
import { may } from "../operations/authorize.ts";
import { builtInContent } from "../templates/built-in-templates.ts";
import { getCatalogue } from "../tenancy/catalogue.ts";
import { explainStored } from "./explain-send.ts";
import { readableNotification } from "./get-notification.ts";
import { selectAttempts, selectOwedWebhooks } from "./notification-queries.ts";
import type { NotificationRow } from "./notification-queries.ts";
import { statusRank } from "./notification-state.ts";
import { presentDecisions } from "./present-decisions.ts";
import { hideAddress, maySeeCosts, mayReveal, presentNotification } from "./present-notification.ts";
import { whyNotAgain } from "./resend-notifications.ts";
import type { Timeline } from "./schemas.ts";

/** Everything known about one notification, for the portal's details. */
export async function getTimeline(ctx: Ctx, input: { id: string }): Promise<Timeline> {
  const row = await readableNotification(ctx, input.id);
  const [catalogue, attempts, webhooks, links, costs, explained] = await Promise.all([
    getCatalogue(ctx),
    selectAttempts(ctx, row.id),
    selectOwedWebhooks(ctx, row.id),
    messageLinks(ctx, row.id),
    costsOf(ctx, row.id),
    explainStored(ctx, row),
  ]);
  const scope = { unitId: row.unitId, applicationId: row.applicationId, environmentId: row.environmentId };
  const reveal = mayReveal(ctx, row);
  const shownCosts = maySeeCosts(ctx, row) ? costs : [];
  return hideAddress(reveal, row.recipient, {
    notification: presentNotification(ctx, catalogue, row, row.events),
    waits:
      attempts.every(({ outcome }) => outcome !== null) && statusRank(row.status) < 2
        ? (waitsFor(row) ??
          unavailableReason(explained.route.candidates, await tenantHealth(ctx))?.detail ??
          null)
        : null,
    class: row.class,
    templateId: row.templateId !== null && builtInContent(row.templateId) ? null : row.templateId,
    connectionId: row.connectionId,
    attempts: attempts.map((attempt) => ({
      number: attempt.number,
      connectionId: attempt.connectionId,
      provider: attempt.provider,
      startedAt: attempt.startedAt.toISOString(),
      finishedAt: attempt.finishedAt?.toISOString() ?? null,
      outcome: attempt.outcome,
      code: attempt.code,
      detail: attempt.detail,
      providerCode: attempt.providerCode,
      providerMessage: attempt.providerMessage,
      providerMessageId: attempt.providerMessageId,
      simulated: row.sandbox || attempt.simulated,
    })),
    decisions: await presentDecisions(ctx, attempts, row.events),
    webhooks: webhooks.map((webhook) => ({
      id: webhook.id,
      endpointId: webhook.endpointId,
      url: webhook.url,
      event: webhook.event,
      sequence: webhook.sequence,
      at: webhook.at.toISOString(),
      state: webhook.state,
      attempts: webhook.attempts,
      lastStatus: webhook.lastStatus,
      lastError: webhook.lastError,
      deliveredAt: webhook.deliveredAt?.toISOString() ?? null,
    })),
    costs: shownCosts,
    totalCost: totalOf(shownCosts),
    route: explained.route,
    preview: reveal ? explained.preview : null,
    revealed: reveal,
    // A link reveals contents that the caller may not see.
    links: links.map((link) => (reveal ? link : { ...link, url: null, shortUrl: null })),
    encoding: explained.encoding,
    canResend: whyNotAgain(row) === null && may(ctx, "notifications:send", scope),
    // No provider has it, none is being called, and none may have got it.
    canCancel:
      statusRank(row.status) < 2 &&
      attempts.every(({ outcome }) => outcome === "not_sent") &&
      may(ctx, "notifications:cancel", scope),
  });
}

/** Why a message waits though it could be sent. */
function waitsFor({ reasonCode, reasonDetail }: NotificationRow): string | null {
  return reasonCode !== null && waitingReasons.has(reasonCode) ? reasonDetail : null;
}

const waitingReasons: ReadonlySet<string> = new Set(["quiet_hours", "frequency_cap", "mail_hold"]);
