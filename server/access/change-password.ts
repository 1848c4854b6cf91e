import { recordAudit } from "../audit/record-audit.ts";
import type { Ctx } from "../kernel/ctx.ts";
import { inTenant } from "../kernel/db.ts";
import { DomainError } from "../kernel/errors.ts";
import { hashNewPassword } from "./new-password.ts";
import { verifyPassword } from "./password.ts";
import { endPasswordLinks } from "./password-links.ts";
import { markSessionsRevoked } from "./queries.ts";
import type { ChangePasswordInput } from "./schemas.ts";
import { forgetSessions } from "./sessions.ts";
import { countSignIn } from "./sign-in-limits.ts";

/**
 * Sets a person's password and ends all their other sessions. Throws `invalid_request` when the current password is
 * wrong or the new one poor, and `sign_in_slowed` after too many attempts.
 */
export async function changePassword(
  ctx: Ctx,
  input: ChangePasswordInput & { sessionId: string },
): Promise<{ revoked: number }> {
  const { actor } = ctx;
  if (actor.type !== "user") throw new DomainError("permission_denied", "Only people have passwords.");
  const where = { tenantId_id: { tenantId: ctx.tenantId, id: actor.id } };
  const attempt = await countSignIn(ctx.db, {
    source: `session ${input.sessionId}`,
    account: null,
    address: null,
    site: null,
  });
  const stored = await inTenant(ctx, (tx) => tx.user.findUnique({ where, select: { passwordHash: true } }));
  if (!(await verifyPassword(stored?.passwordHash ?? null, input.current))) {
    throw new DomainError("invalid_request", "The current password is wrong.", {
      errors: [{ pointer: "/current", code: "wrong_password", detail: "This is not the current password" }],
    });
  }
  await attempt.succeeded();
  const passwordHash = await hashNewPassword(input.next, {
    pointer: "/next",
    chooser: [actor.name, actor.email],
  });
  const revoked = await inTenant(ctx, async (tx) => {
    await tx.user.update({ where, data: { passwordHash } });
    await endPasswordLinks(tx, ctx.tenantId, actor.id);
    const ended = await markSessionsRevoked(tx, {
      tenantId: ctx.tenantId,
      userId: actor.id,
      exceptId: input.sessionId,
      at: ctx.now(),
    });
    await recordAudit(ctx, tx, { action: "user.password_changed", targetType: "user", targetId: actor.id });
    return ended.length;
  });
  forgetSessions();
  return { revoked };
}
