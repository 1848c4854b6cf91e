import { recordAudit } from "../audit/record-audit.ts";
import { callerGroup, callerSite } from "../kernel/client-address.ts";
import type { Ctx } from "../kernel/ctx.ts";
import { inTenant } from "../kernel/db.ts";
import type { Db, Tx } from "../kernel/db.ts";
import { DomainError } from "../kernel/errors.ts";
import { newId } from "../kernel/ids.ts";
import { logger } from "../kernel/log.ts";
import { refuseSuspended } from "../tenancy/suspension.ts";
import { deviceOf, makeDevice } from "./known-device.ts";
import { verifyPassword } from "./password.ts";
import { findIdentities, findSignIn, holdPerson } from "./queries.ts";
import type { SignInRow } from "./queries.ts";
import { insertSession } from "./sessions.ts";
import type { SessionName } from "./sessions.ts";
import { countCode, takeCode } from "./prove-second-factor.ts";
import { readAccount } from "./read-account.ts";
import type { SignInWay } from "./schemas.ts";
import { selectSecondFactorFacts } from "./second-factor-queries.ts";
import type { SecondFactorFacts } from "./second-factor-queries.ts";
import { countSignIn } from "./sign-in-limits.ts";
import { notifyFailedSignIns } from "./notify-failed-sign-ins.ts";
import { requireWay } from "./sign-in-policy.ts";
import { systemCtx } from "./system-ctx.ts";

export interface SignInOrigin {
  ip: string | null;
  userAgent: string | null;
  requestId: string;
  /** The cookie that the browser has kept since an earlier sign-in. */
  device?: string | null;
}

export interface SignedIn extends SessionName {
  tenantSlug: string;
  name: string;
  /** The cookie that makes the browser known at the next sign-in. */
  device: string;
}

/** With what somebody has proved who they are, for as far as it may have changed since. */
export interface Proof {
  /** Of the person's row (holdPerson), read before or with what was proven. */
  version?: string;
  /** Of the password that was given; read before `version`. */
  passwordHash?: string | null;
  /** The organisation's identity provider that vouched for them. */
  provider?: VouchingProvider;
}

/** An organisation's identity provider, while it vouches for somebody. */
export interface VouchingProvider {
  id: string;
  name: string;
  /** Throws unless it is still what it was when it was asked; it then stays so until the transaction ends. */
  hold(tx: Tx): Promise<void>;
}

/** What is said of a sign-in that failed, the same whatever was wrong. */
export function signInFailed(way: SignInWay): DomainError {
  return new DomainError("sign_in_failed", failedText[way]);
}

const noAccount = "No account has this e-mail address.";
const failedText: Record<SignInWay, string> = {
  password: "Wrong e-mail address or password.",
  passkey: "This passkey belongs to no account here.",
  single_sign_on: noAccount,
  identity_provider: noAccount,
};

/**
 * Starts the session of somebody who has proved who they are, if the organisation lets them in so. Throws `sign_in_failed` when what
 * was proven does not hold any more, or all of their sessions were ended meanwhile.
 */
export async function startSession(
  db: Db,
  person: Pick<SignInRow, "tenantId" | "tenantSlug" | "userId" | "name">,
  email: string,
  way: SignInWay,
  from: SignInOrigin,
  proof: Proof,
): Promise<SignedIn> {
  const { provider } = proof;
  await refuseSuspended(db, person.tenantId);
  const at = new Date();
  const ctx: Ctx = {
    db,
    tenantId: person.tenantId,
    actor: { type: "user", id: person.userId, name: person.name, email },
    grants: [],
    requestId: from.requestId,
    log: logger(),
    now: () => at,
  };
  await requireWay(ctx, way, person.userId);
  const sessionId = await inTenant(ctx, async (tx) => {
    await provider?.hold(tx);
    await refuseOutdated(tx, person, way, proof);
    const id = await insertSession(tx, {
      tenantId: person.tenantId,
      userId: person.userId,
      way,
      providerId: provider?.id ?? null,
      ip: from.ip,
      userAgent: from.userAgent,
      at,
    });
    await recordAudit(ctx, tx, {
      action: "session.started",
      targetType: "session",
      targetId: id,
      data: { method: way, ...(provider ? { provider: provider.name } : {}) },
    });
    return id;
  });
  return {
    sessionId,
    tenantId: person.tenantId,
    userId: person.userId,
    tenantSlug: person.tenantSlug,
    name: person.name,
    device: makeDevice(person.userId),
  };
}

async function refuseOutdated(
  tx: Tx,
  { tenantId, userId }: Pick<SignInRow, "tenantId" | "userId">,
  way: SignInWay,
  { version, passwordHash }: Proof,
): Promise<void> {
  const now = await holdPerson(tx, tenantId, userId);
  const holds =
    now?.disabledAt === null &&
    (version === undefined || now.version === version) &&
    (passwordHash === undefined || now.passwordHash === passwordHash);
  if (holds) return;
  logger().warn({ tenantId, userId }, "a sign-in was overtaken by a change of the account");
  throw signInFailed(way);
}

/**
 * Checks organisation, e-mail address and password. Throws `sign_in_failed`, with the same words and timing whether the
 * address is unknown, disabled or the password wrong; `sign_in_slowed` (with `retryAfter`) after too many attempts, for at
 * most a minute; `service_overloaded`. Attempts from elsewhere slow down neither a device or address from which the person
 * has signed in before, nor the first two attempts from an address that has not tried this account for an hour.
 */
export async function provePassword(
  db: Db,
  input: { organisation?: string | null; email: string; password: string } & SignInOrigin,
): Promise<{ person: SignInRow; email: string; facts: SecondFactorFacts }> {
  const { organisation, email } = readAccount(input);
  const person = await findSignIn(db, { organisation, email, ip: input.ip });
  const address = input.ip === null ? null : callerGroup(input.ip);
  const site = callerSite(input.ip);
  const device = person && deviceOf(person.userId, input.device);
  const known = device !== undefined || person?.knownAddress === true;
  const account = `${person?.tenantSlug ?? organisation ?? ""} ${email}`;
  const attempt = await countSignIn(db, {
    source: device === undefined ? `${account} ${address ?? "unknown"}` : `device ${device}`,
    account: known ? null : account,
    address: known ? null : address,
    site: known || site === null ? null : `${account} ${site}`,
  }).catch((error: unknown) => {
    if (error instanceof DomainError) {
      logger().warn(
        { tenantId: person?.tenantId, userId: person?.userId, retryAfter: error.retryAfter },
        "a sign-in was slowed down",
      );
    }
    throw error;
  });
  const [matches, facts] = await Promise.all([
    verifyPassword(
      person?.passwordHash ?? null,
      input.password.slice(0, 1_024),
      device === undefined ? (address ?? undefined) : undefined,
    ),
    // Beside the password, which may wait, and of nobody as well: it must not show which accounts exist.
    selectSecondFactorFacts({ db, tenantId: person?.tenantId ?? newId() }, person?.userId ?? newId()),
  ]);
  if (!person || !matches || person.disabledAt) {
    logger().warn(
      { tenantId: person?.tenantId, userId: person?.userId, failures: attempt.failures },
      "a sign-in failed",
    );
    // Not awaited: an account that exists must not answer later than one that does not.
    if (person && !person.disabledAt) void notifyFailedSignIns(db, person, attempt, input.requestId);
    throw signInFailed("password");
  }
  await attempt.succeeded();
  return { person, email, facts };
}

/**
 * Checks organisation, e-mail address and password, as provePassword does, and the code of whoever has a second factor; then
 * starts a session. Throws `second_factor_required` when the password is right and no code was given, `second_factor_failed` for
 * a wrong one, `sign_in_way_not_allowed` where the organisation wants another way in, and `organisation_suspended`, which only
 * who has proved to be a member is told.
 */
export async function signInWithPassword(
  db: Db,
  input: {
    organisation?: string | null;
    email: string;
    password: string;
    /** Of the app, or a recovery code. */
    code?: string | null;
  } & SignInOrigin,
): Promise<SignedIn> {
  const { person, email, facts } = await provePassword(db, input);
  await passSecondFactor(db, person, facts, input);
  const { version } = facts;
  return startSession(db, person, email, "password", input, { version, passwordHash: person.passwordHash });
}

async function passSecondFactor(
  db: Db,
  person: SignInRow,
  { confirmedAt }: SecondFactorFacts,
  input: { code?: string | null } & SignInOrigin,
): Promise<void> {
  const { tenantId, userId } = person;
  const ctx = systemCtx(db, tenantId, "Sign-in", input.requestId);
  // Before anything is asked for that would be of no use.
  await requireWay(ctx, "password", userId);
  if (!confirmedAt) return;
  const typed = input.code?.trim() ?? "";
  if (typed === "") {
    throw new DomainError("second_factor_required", "Enter the code of your authenticator app.");
  }
  const attempt = await countCode(ctx, userId, deviceOf(userId, input.device));
  if (await takeCode(ctx, userId, typed.slice(0, 40))) {
    await attempt.succeeded();
    return;
  }
  logger().warn({ tenantId, userId, failures: attempt.failures }, "a code at the sign-in was wrong");
  await notifyFailedSignIns(db, person, attempt, input.requestId);
  throw new DomainError("second_factor_failed", "This code has expired or was already used.");
}

/**
 * Starts a session for someone whom the operator's identity provider vouches for. The caller has checked that the
 * provider verified the address. The account is that of the named organisation, else the only one: anybody may add an
 * address to their own organisation, so none is chosen for the person. Throws `organisation_required` when there are
 * several and none is named, and `sign_in_failed` when no member has the address.
 */
export async function signInWithIdentity(
  db: Db,
  input: { organisation?: string | null; verifiedEmail: string } & SignInOrigin,
): Promise<SignedIn> {
  const email = input.verifiedEmail.trim().toLowerCase();
  const people = await findIdentities(db, email);
  const organisation = input.organisation?.trim().toLowerCase();
  const [person, other] = organisation
    ? people.filter(({ tenantSlug }) => tenantSlug === organisation)
    : people;
  if (other) {
    throw new DomainError(
      "organisation_required",
      "You have accounts in several organisations. Enter the one to sign in to.",
    );
  }
  if (!person) throw signInFailed("single_sign_on");
  const { version } = person;
  return startSession(db, person, email, "single_sign_on", input, { version });
}
