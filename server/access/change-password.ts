import { recordAudit } from "../audit/record-audit.ts";
import type { Ctx } from "../kernel/ctx.ts";
import { inTenant } from "../kernel/db.ts";
import { DomainError } from "../kernel/errors.ts";
import { hashNewPassword } from "./new-password.ts";
import { endPasswordLinks } from "./password-links.ts";
import { ownPerson, proveOwnPassword } from "./prove-own-password.ts";
import { markSessionsRevoked } from "./queries.ts";
import type { ChangePasswordInput } from "./schemas.ts";
import { forgetSessions } from "./sessions.ts";

/**
 * Sets a person's password and ends all their other sessions. Throws `invalid_request` when the current password is
 * wrong or the new one poor, `sign_in_slowed` after too many attempts, and `conflict` when it was set anew meanwhile: what somebody has
 * reset is not overwritten by who knew the one before.
 */
export async function changePassword(
  ctx: Ctx,
  input: ChangePasswordInput & { sessionId: string },
): Promise<{ revoked: number }> {
  const person = ownPerson(ctx);
  const { current, sessionId } = input;
  const proven = await proveOwnPassword(ctx, { password: current, pointer: "/current", sessionId });
  const passwordHash = await hashNewPassword(input.next, {
    pointer: "/next",
    chooser: [person.name, person.email],
  });
  const revoked = await inTenant(ctx, async (tx) => {
    const { count } = await tx.user.updateMany({
      where: { tenantId: ctx.tenantId, id: person.id, passwordHash: proven },
      data: { passwordHash },
    });
    if (count === 0)
      throw new DomainError(
        "conflict",
        "Your password was set anew at the same moment. Sign in with that one.",
      );
    await endPasswordLinks(tx, ctx.tenantId, person.id);
    const ended = await markSessionsRevoked(tx, {
      tenantId: ctx.tenantId,
      userId: person.id,
      exceptId: sessionId,
      at: ctx.now(),
    });
    await recordAudit(ctx, tx, { action: "user.password_changed", targetType: "user", targetId: person.id });
    return ended.length;
  });
  forgetSessions();
  return { revoked };
}
