import { keyStandings } from "../access/key-standings.ts";
import { recordAudit } from "../audit/record-audit.ts";
import type { Ctx } from "../kernel/ctx.ts";
import { inTenant } from "../kernel/db.ts";
import type { Tx } from "../kernel/db.ts";
import { DomainError } from "../kernel/errors.ts";
import { authorize } from "../operations/authorize.ts";
import { getCatalogue } from "../tenancy/catalogue.ts";
import { settleDecided } from "./approval-notices.ts";
import { lockApproval, lockHeldMessages, writeDecision, writeTimes } from "./approval-queries.ts";
import type { ApprovalRow, HeldMessage } from "./approval-queries.ts";
import { deliveryLanes, laneOf } from "./lanes.ts";
import { getApproval, placeOf, requireApproval } from "./list-approvals.ts";
import type { NotificationChange } from "./notification-change.ts";
import { advanceInTransaction } from "./queries.ts";
import type { ApprovalDetails } from "./schemas.ts";

/**
 * Lets an agent's messages go: from now on they are like any others, so that consent, suppressions, the template's kill switch and
 * the route are looked at as they are now, and their time to live begins. A person's, with notifications:send and content:reveal
 * there: nobody approves what they cannot read. Throws `permission_denied` for keys, and `conflict` when it is decided, its time is
 * up, the key was revoked or the application archived.
 */
export async function approveSend(ctx: Ctx, input: { id: string }): Promise<ApprovalDetails> {
  const person = requirePerson(ctx);
  const row = await requireApproval(ctx, input.id, "notifications:send");
  authorize(ctx, "content:reveal", placeOf(row));
  await refuseEnded(ctx, row);
  const now = ctx.now();
  await inTenant(ctx, async (tx) => {
    const { held, timeToLive } = await lockWaiting(ctx, tx, row.id);
    const { tenantId } = ctx;
    const ids = held.map(({ id }) => id);
    await writeTimes(tx, tenantId, ids, { from: now, timeToLive });
    await advanceInTransaction(
      tx,
      tenantId,
      held.map((message) => release(tenantId, message, held.length, now)),
    );
    await writeDecision(tx, tenantId, row.id, { state: "approved", ...person, decidedAt: now });
    await settleDecided(ctx, tx, row.apiKeyId);
    await audit(ctx, tx, row, { action: "send.approved", state: "approved", messages: held.length });
  });
  return getApproval(ctx, input);
}

/** Ends an agent's messages that wait: they are rejected, with the reason. A person's, with notifications:send there. */
export async function refuseSend(ctx: Ctx, input: { id: string; reason: string }): Promise<ApprovalDetails> {
  const person = requirePerson(ctx);
  const row = await requireApproval(ctx, input.id, "notifications:send");
  await inTenant(ctx, async (tx) => {
    const { held } = await lockWaiting(ctx, tx, row.id);
    const { tenantId } = ctx;
    const reason = {
      code: "approval_refused" as const,
      detail: `Rejected by ${ctx.actor.name}: ${input.reason}`,
    };
    await advanceInTransaction(
      tx,
      tenantId,
      held.map(({ id }) => ({ tenantId, id, kind: "transition", to: "rejected", reason })),
    );
    await writeDecision(tx, tenantId, row.id, {
      state: "refused",
      ...person,
      decidedAt: ctx.now(),
      reason: input.reason,
    });
    await settleDecided(ctx, tx, row.apiKeyId);
    await audit(ctx, tx, row, { action: "send.refused", state: "refused", messages: held.length });
  });
  return getApproval(ctx, input);
}

function requirePerson({ actor }: Ctx): { decidedById: string; decidedByName: string } {
  if (actor.type === "user") return { decidedById: actor.id, decidedByName: actor.name };
  throw new DomainError("permission_denied", "Only people can approve. Sign in to the portal.");
}

async function refuseEnded(ctx: Ctx, row: ApprovalRow): Promise<void> {
  const [catalogue, keys] = await Promise.all([getCatalogue(ctx), keyStandings(ctx, [row.apiKeyId])]);
  const application = catalogue.applications.find(({ id }) => id === row.applicationId);
  if (!application || application.archived) {
    throw new DomainError("conflict", "The application is archived: nothing is sent for it.");
  }
  if (keys.get(row.apiKeyId)?.ended ?? true) {
    throw new DomainError("conflict", "The agent's key was revoked or its owner can no longer sign in.");
  }
}

async function lockWaiting(
  ctx: Ctx,
  tx: Tx,
  id: string,
): Promise<{ held: HeldMessage[]; timeToLive: number | null }> {
  const approval = await lockApproval(tx, ctx.tenantId, id);
  if (approval?.state !== "waiting") {
    throw new DomainError("conflict", `Somebody was faster: it is ${approval?.state ?? "gone"} already.`);
  }
  if (approval.expiresAt <= ctx.now()) throw new DomainError("conflict", "It was not approved in time.");
  const held = await lockHeldMessages(tx, ctx.tenantId, id);
  if (held.length === 0) throw new DomainError("conflict", "All of its messages were canceled.");
  return { held, timeToLive: approval.timeToLive };
}

function release(tenantId: string, message: HeldMessage, together: number, now: Date): NotificationChange {
  const later = message.scheduledAt !== null && message.scheduledAt > now ? message.scheduledAt : null;
  return {
    tenantId,
    id: message.id,
    kind: "release",
    to: later ? "scheduled" : "queued",
    dueAt: later ?? now,
    task: deliveryLanes[laneOf(message, together)].name,
  };
}

function audit(
  ctx: Ctx,
  tx: Tx,
  row: ApprovalRow,
  what: { action: string; state: string; messages: number },
): Promise<void> {
  return recordAudit(ctx, tx, {
    action: what.action,
    targetType: "send_request",
    targetId: row.id,
    unitId: row.unitId,
    environmentId: row.environmentId,
    data: { key: row.apiKeyName, messages: what.messages },
    before: { state: "waiting" },
    after: { state: what.state },
  });
}
