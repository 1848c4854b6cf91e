import type { ProviderConnection } from "../connections/load-connection.ts";
import { linkProblemJob } from "../links/report-problem.ts";
import type { FrequencyCap } from "../recipient-limits/message-limits.ts";
import { shortestAttempt } from "./message-class.ts";
import type { ClaimChange, NotificationTarget } from "./notification-change.ts";
import type { Delivery } from "./queries.ts";
import type { RecordedDecision } from "./recorded-decision.ts";
import type { RenderedMessage } from "./render-message.ts";

/** A claim that took longer may have been settled by others meanwhile, ms. */
const longestClaim = 3_000;

/** The change that begins an attempt over a connection. */
export function claimOf(
  delivery: Pick<
    Delivery,
    "tenantId" | "id" | "applicationId" | "environmentId" | "policy" | "token" | "class" | "consentClass"
  >,
  connection: Pick<ProviderConnection, "id" | "name">,
  rendered: Pick<RenderedMessage, "from" | "segments" | "linkProblem">,
  {
    worker,
    cap = null,
    decision,
  }: { worker: string; cap?: FrequencyCap | null; decision?: RecordedDecision },
): NotificationTarget & ClaimChange {
  const { from, segments, linkProblem } = rendered;
  return {
    tenantId: delivery.tenantId,
    id: delivery.id,
    kind: "claim",
    worker,
    policy: delivery.policy,
    ...(delivery.consentClass === delivery.class ? {} : { consentClass: delivery.consentClass }),
    ...(delivery.token === null ? {} : { token: delivery.token }),
    ...(cap && { cap }),
    connectionId: connection.id,
    provider: connection.name,
    // A reply to this sender answers this message.
    from,
    segments,
    ...(decision && { decision }),
    problem: linkProblem,
    jobs: linkProblem ? [linkProblemJob(delivery, linkProblem)] : [],
  };
}

/** How long a message that was loaded `loadedMsAgo` has left to live, ms. */
export function timeLeft(delivery: Pick<Delivery, "expiresAt" | "now">, loadedMsAgo: number): number {
  return delivery.expiresAt.getTime() - delivery.now.getTime() - loadedMsAgo;
}

/** Whether the provider must not be called any more after a claim of `claimMs`, begun with `leftMs` to live. */
export function claimTookTooLong(claimMs: number, leftMs: number): boolean {
  return claimMs > longestClaim || leftMs - claimMs < shortestAttempt;
}
