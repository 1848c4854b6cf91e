import type { Ctx } from "../kernel/ctx.ts";
import { inTenant } from "../kernel/db.ts";
import type { Db } from "../kernel/db.ts";
import { DomainError } from "../kernel/errors.ts";
import { verifyPassword } from "./password.ts";
import { countSignIn } from "./sign-in-limits.ts";

/** The person behind a ctx. Throws `permission_denied` for keys and the system. */
export function ownPerson({ actor }: Ctx): { id: string; name: string; email: string } {
  if (actor.type !== "user") throw new DomainError("permission_denied", "Only people sign in.");
  return actor;
}

/**
 * Asks the signed-in person for their password again, and answers the hash that it was compared with. Throws `invalid_request` at
 * `pointer` when it is wrong, and `sign_in_slowed` after too many attempts in this session.
 */
export async function proveOwnPassword(
  ctx: Ctx,
  given: { password: string; pointer: string; sessionId: string },
): Promise<string | null> {
  const { id } = ownPerson(ctx);
  return proveStoredPassword(ctx.db, given, async () => {
    const stored = await inTenant(ctx, (tx) =>
      tx.user.findUnique({
        where: { tenantId_id: { tenantId: ctx.tenantId, id } },
        select: { passwordHash: true },
      }),
    );
    return stored?.passwordHash ?? null;
  });
}

/** As proveOwnPassword, of an account of any kind: `load` reads the hash, after the attempt is counted. */
export async function proveStoredPassword(
  db: Db,
  given: { password: string; pointer: string; sessionId: string },
  load: () => Promise<string | null>,
): Promise<string | null> {
  const attempt = await countSignIn(db, {
    source: `session ${given.sessionId}`,
    account: null,
    address: null,
    site: null,
  });
  const stored = await load();
  if (!(await verifyPassword(stored, given.password))) {
    throw new DomainError("invalid_request", "The current password is wrong.", {
      errors: [
        { pointer: given.pointer, code: "wrong_password", detail: "This is not the current password" },
      ],
    });
  }
  await attempt.succeeded();
  return stored;
}
