import type { Ctx } from "../kernel/ctx.ts";
import { inTenant } from "../kernel/db.ts";
import { DomainError } from "../kernel/errors.ts";
import { verifyPassword } from "./password.ts";
import { countSignIn } from "./sign-in-limits.ts";

/** The person behind a ctx. Throws `permission_denied` for keys and the system. */
export function ownPerson({ actor }: Ctx): { id: string; name: string; email: string } {
  if (actor.type !== "user") throw new DomainError("permission_denied", "Only people sign in.");
  return actor;
}

/**
 * Asks the signed-in person for their password again. Throws `invalid_request` at `pointer` when it is wrong, and
 * `sign_in_slowed` after too many attempts in this session.
 */
export async function proveOwnPassword(
  ctx: Ctx,
  given: { password: string; pointer: string; sessionId: string },
): Promise<void> {
  const { id } = ownPerson(ctx);
  const attempt = await countSignIn(ctx.db, {
    source: `session ${given.sessionId}`,
    account: null,
    address: null,
    site: null,
  });
  const stored = await inTenant(ctx, (tx) =>
    tx.user.findUnique({
      where: { tenantId_id: { tenantId: ctx.tenantId, id } },
      select: { passwordHash: true },
    }),
  );
  if (!(await verifyPassword(stored?.passwordHash ?? null, given.password))) {
    throw new DomainError("invalid_request", "The current password is wrong.", {
      errors: [
        { pointer: given.pointer, code: "wrong_password", detail: "This is not the current password" },
      ],
    });
  }
  await attempt.succeeded();
}
