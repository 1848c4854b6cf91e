import { recordAudit } from "../audit/record-audit.ts";
import type { Ctx } from "../kernel/ctx.ts";
import { inTenant } from "../kernel/db.ts";
import { DomainError, notFound } from "../kernel/errors.ts";
import { markSessionsRevoked, outdateSignIns, selectSessions } from "./queries.ts";
import { forgetSessions, lifeByDefault } from "./sessions.ts";

function person(ctx: Ctx): string {
  if (ctx.actor.type !== "user") throw new DomainError("permission_denied", "Only people have sessions.");
  return ctx.actor.id;
}

/** A person's own live sessions, newest first. */
export async function listOwnSessions(ctx: Ctx) {
  const rows = await selectSessions(ctx, { userId: person(ctx), ...lifeByDefault });
  return {
    data: rows.map((row) => ({
      id: row.id,
      createdAt: row.createdAt,
      lastSeenAt: row.lastSeenAt,
      expiresAt: row.expiresAt,
      ip: row.ip,
      userAgent: row.userAgent,
    })),
  };
}

/** Ends one of a person's own sessions. Throws `not_found` when it is not theirs or has ended. */
export async function revokeOwnSession(ctx: Ctx, input: { id: string }): Promise<void> {
  const userId = person(ctx);
  await inTenant(ctx, async (tx) => {
    const [ended] = await markSessionsRevoked(tx, {
      tenantId: ctx.tenantId,
      userId,
      id: input.id,
      at: ctx.now(),
    });
    if (ended === undefined) throw notFound();
    await recordAudit(ctx, tx, { action: "session.revoked", targetType: "session", targetId: input.id });
  });
  forgetSessions();
}

/** Signs a person out everywhere, also where a sign-in is under way, except for the session `exceptId` if it is given. */
export async function revokeOwnSessions(
  ctx: Ctx,
  input: { exceptId?: string },
): Promise<{ revoked: number }> {
  const userId = person(ctx);
  const revoked = await inTenant(ctx, async (tx) => {
    await outdateSignIns(tx, ctx.tenantId, userId);
    const ended = await markSessionsRevoked(tx, {
      tenantId: ctx.tenantId,
      userId,
      ...(input.exceptId === undefined ? {} : { exceptId: input.exceptId }),
      at: ctx.now(),
    });
    await recordAudit(ctx, tx, {
      action: "session.revoked_all",
      targetType: "user",
      targetId: userId,
      data: { count: ended.length },
    });
    return ended.length;
  });
  forgetSessions();
  return { revoked };
}
