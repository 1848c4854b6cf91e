import { recordAudit } from "../audit/record-audit.ts";
import type { Ctx } from "../kernel/ctx.ts";
import { inTenant } from "../kernel/db.ts";
import type { Db } from "../kernel/db.ts";
import { DomainError } from "../kernel/errors.ts";
import { logger } from "../kernel/log.ts";
import { verifyPassword } from "./password.ts";
import { findSignIn } from "./queries.ts";
import type { SignInRow } from "./queries.ts";
import { insertSession } from "./sessions.ts";
import type { SessionName } from "./sessions.ts";
import { countSignIn } from "./sign-in-limits.ts";

export interface SignInFrom {
  ip: string | null;
  userAgent: string | null;
  requestId: string;
}

export interface SignedIn extends SessionName {
  tenantSlug: string;
  name: string;
}

async function start(
  db: Db,
  person: SignInRow,
  email: string,
  method: string,
  from: SignInFrom,
): Promise<SignedIn> {
  const at = new Date();
  const ctx: Ctx = {
    db,
    tenantId: person.tenant_id,
    actor: { type: "user", id: person.user_id, name: person.name, email },
    grants: [],
    requestId: from.requestId,
    log: logger(),
    now: () => at,
  };
  const sessionId = await inTenant(ctx, async (tx) => {
    const id = await insertSession(tx, {
      tenantId: person.tenant_id,
      userId: person.user_id,
      ip: from.ip,
      userAgent: from.userAgent,
      at,
    });
    await recordAudit(ctx, tx, {
      action: "session.started",
      targetType: "session",
      targetId: id,
      data: { method },
    });
    return id;
  });
  return {
    sessionId,
    tenantId: person.tenant_id,
    userId: person.user_id,
    tenantSlug: person.tenant_slug,
    name: person.name,
  };
}

/**
 * Checks e-mail address and password and starts a session. Throws `sign_in_failed`, the same and as slowly whether the
 * address is unknown, disabled or the password wrong, and `sign_in_locked` (with `retryAfter`) after too many tries.
 */
export async function signInWithPassword(
  db: Db,
  input: { email: string; password: string } & SignInFrom,
): Promise<SignedIn> {
  const email = input.email.trim().toLowerCase();
  const attempt = await countSignIn(db, email, input.ip);
  const person = await findSignIn(db, email);
  const matches = await verifyPassword(person?.password_hash ?? null, input.password.slice(0, 1_024));
  if (!person || !matches || person.disabled_at) {
    throw new DomainError("sign_in_failed", "E-mail address or password is wrong.");
  }
  await attempt.succeeded();
  return start(db, person, email, "password", input);
}

/**
 * Starts a session for someone whom the operator's identity provider vouches for. The caller has checked that the provider
 * verified the address. Throws `sign_in_failed` when no member has it.
 */
export async function signInWithIdentity(
  db: Db,
  input: { verifiedEmail: string } & SignInFrom,
): Promise<SignedIn> {
  const email = input.verifiedEmail.trim().toLowerCase();
  const person = await findSignIn(db, email);
  if (!person || person.disabled_at) {
    throw new DomainError("sign_in_failed", "No account of this service has this e-mail address.");
  }
  return start(db, person, email, "oidc", input);
}
