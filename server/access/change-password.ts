import { recordAudit } from "../audit/record-audit.ts";
import type { Ctx } from "../kernel/ctx.ts";
import { inTenant } from "../kernel/db.ts";
import { hashNewPassword } from "./new-password.ts";
import { endPasswordLinks } from "./password-links.ts";
import { ownPerson, proveOwnPassword } from "./prove-own-password.ts";
import { markSessionsRevoked } from "./queries.ts";
import type { ChangePasswordInput } from "./schemas.ts";
import { forgetSessions } from "./sessions.ts";

/**
 * Sets a person's password and ends all their other sessions. Throws `invalid_request` when the current password is
 * wrong or the new one poor, and `sign_in_slowed` after too many attempts.
 */
export async function changePassword(
  ctx: Ctx,
  input: ChangePasswordInput & { sessionId: string },
): Promise<{ revoked: number }> {
  const person = ownPerson(ctx);
  const where = { tenantId_id: { tenantId: ctx.tenantId, id: person.id } };
  await proveOwnPassword(ctx, { password: input.current, pointer: "/current", sessionId: input.sessionId });
  const passwordHash = await hashNewPassword(input.next, {
    pointer: "/next",
    chooser: [person.name, person.email],
  });
  const revoked = await inTenant(ctx, async (tx) => {
    await tx.user.update({ where, data: { passwordHash } });
    await endPasswordLinks(tx, ctx.tenantId, person.id);
    const ended = await markSessionsRevoked(tx, {
      tenantId: ctx.tenantId,
      userId: person.id,
      exceptId: input.sessionId,
      at: ctx.now(),
    });
    await recordAudit(ctx, tx, { action: "user.password_changed", targetType: "user", targetId: person.id });
    return ended.length;
  });
  forgetSessions();
  return { revoked };
}
