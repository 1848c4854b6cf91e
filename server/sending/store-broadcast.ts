import { recordAudit } from "../audit/record-audit.ts";
import type { Ctx } from "../kernel/ctx.ts";
import { inTenant } from "../kernel/db.ts";
import { DomainError } from "../kernel/errors.ts";
import { acceptInTransaction, countOpenBroadcasts, insertBroadcast } from "./broadcast-queries.ts";
import { broadcastRules } from "./broadcast-rules.ts";
import type { PlannedRequest, SendOrder } from "./plan-request.ts";
import type { AcceptRequest, AcceptResult } from "./queries.ts";
import { sendLimits } from "./schemas.ts";

/**
 * Accepts a request to contact groups: the recipients that it names itself as any, and in the same transaction the broadcast to its
 * groups, which the worker carries on from there; how many contacts there are does not matter. Throws `rate_limited` when the
 * organisation has too many that have not ended.
 */
export function storeBroadcast(
  ctx: Ctx,
  plan: PlannedRequest,
  request: AcceptRequest,
  broadcast: SendOrder["broadcast"],
): Promise<AcceptResult> {
  const { tenantId, actor } = ctx;
  return inTenant(ctx, async (tx) => {
    const result = await acceptInTransaction(tx, tenantId, request);
    if (!result.accepted.includes(request.id)) return result;
    if ((await countOpenBroadcasts(tx, tenantId, sendLimits.openBroadcasts)) >= sendLimits.openBroadcasts) {
      throw new DomainError(
        "rate_limited",
        `${String(sendLimits.openBroadcasts)} broadcasts have not ended. Wait for them, or cancel some.`,
        { retryAfter: 60 },
      );
    }
    const draft = broadcast?.draft ?? false;
    const name = broadcast?.name ?? `${plan.type} / ${plan.subtype}`;
    await insertBroadcast(tx, tenantId, {
      requestId: request.id,
      environmentId: request.environmentId,
      applicationId: request.applicationId,
      unitId: request.unitId,
      sandbox: request.sandbox,
      class: request.class,
      name,
      groups: plan.groups,
      sourceId: broadcast?.notReachedOf?.id ?? null,
      draft,
      firstPosition: request.messages.length,
      ratePerSecond: null,
      window: broadcastRules.window.first,
      startsAt: plan.scheduledAt,
      endsAt: plan.endsAt,
      createdByType: actor.type,
      createdById: actor.id,
      createdByName: actor.name,
      createdAt: ctx.now(),
    });
    await recordAudit(ctx, tx, {
      action: draft ? "broadcast.drafted" : "broadcast.started",
      targetType: "broadcast",
      targetId: request.id,
      unitId: request.unitId,
      environmentId: request.environmentId,
      data: {
        name,
        groups: plan.groups.map((group) => ({ name: group.name, channels: group.channels })),
        notificationType: plan.type,
        notificationSubtype: plan.subtype,
      },
      after: { state: "listing" },
    });
    return result;
  });
}
