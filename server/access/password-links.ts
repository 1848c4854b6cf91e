import { hash, randomBytes } from "node:crypto";
import { recordAudit } from "../audit/record-audit.ts";
import { callerGroup } from "../kernel/client-address.ts";
import type { Ctx } from "../kernel/ctx.ts";
import { inTenant } from "../kernel/db.ts";
import type { Db, Tx } from "../kernel/db.ts";
import { DomainError } from "../kernel/errors.ts";
import { bytesOfId, idOfHex, newId } from "../kernel/ids.ts";
import { logger } from "../kernel/log.ts";
import { sameBytes } from "../kernel/same-secret.ts";
import { isSuspended, refuseSuspended } from "../tenancy/suspension.ts";
import { hashNewPassword } from "./new-password.ts";
import { selectAssignmentsOf } from "./member-queries.ts";
import { findSignIn, lockPerson, markSessionsRevoked, selectPasswordLink } from "./queries.ts";
import { readAccount } from "./read-account.ts";
import type { ForgotPasswordInput, SetPasswordInput } from "./schemas.ts";
import { forgetSessions } from "./sessions.ts";
import { countSignIn } from "./sign-in-limits.ts";
import { soleUnit } from "./sole-unit.ts";
import { systemCtx } from "./system-ctx.ts";

/** How long a link of the operator or the set-up can be used. */
const linkHours = 72;
/** How long one can be used that somebody asked for who has forgotten their password. */
const resetMinutes = 60;
/** How many of these there are for one person in an hour, and how far apart, in ms. */
const resetLimit = { anHour: 5, apart: 60_000 };

/** The token of a link names tenant and link, so that it is looked up under row-level security like anything else. */
const idBytes = 16;
const secretBytes = 32;

function readToken(token: string): { tenantId: string; id: string; hash: Buffer } | undefined {
  const bytes = Buffer.from(token, "base64url");
  if (bytes.length !== 2 * idBytes + secretBytes) return undefined;
  return {
    tenantId: idOfHex(bytes.toString("hex", 0, idBytes)),
    id: idOfHex(bytes.toString("hex", idBytes, 2 * idBytes)),
    hash: hash("sha256", bytes.subarray(2 * idBytes), "buffer"),
  };
}

/**
 * Makes a link with which a person chooses a password, in the caller's transaction; it counts once and for three days, and
 * a newer one ends it. Its token is shown this once and stored nowhere.
 */
export async function makePasswordLink(
  ctx: Ctx,
  tx: Tx,
  userId: string,
): Promise<{ token: string; expiresAt: Date }> {
  await endPasswordLinks(tx, ctx.tenantId, userId);
  return insertLink(ctx, tx, userId, linkHours * 3_600_000);
}

/** A link, and whose it is. */
export interface OfferedLink {
  ctx: Ctx;
  token: string;
  expiresAt: Date;
  name: string;
  email: string;
  /** The unit in which all of the person's roles hold; null: several, the whole tenant, or none. */
  unitId: string | null;
}

/**
 * Makes a link for somebody who says that they have forgotten their password: for an hour, and beside those that there are, so
 * that who asks in somebody else's name ends nothing of theirs. Null when there is no such account or it may not sign in, and
 * after the fifth in an hour or within a minute of the last: its message is on the way.
 */
export async function offerPasswordLink(
  db: Db,
  input: ForgotPasswordInput & { requestId: string },
): Promise<OfferedLink | null> {
  const { organisation, email } = readAccount(input);
  const person = await findSignIn(db, { organisation, email, ip: null });
  if (!person || person.disabledAt || (await isSuspended(db, person.tenantId))) return null;
  const { tenantId, userId, name } = person;
  const ctx = systemCtx(db, tenantId, "Forgotten password", input.requestId);
  return inTenant(ctx, async (tx) => {
    await lockPerson(tx, tenantId, userId);
    const now = ctx.now().getTime();
    await tx.passwordLink.deleteMany({ where: { tenantId, userId, expiresAt: { lt: ctx.now() } } });
    const made = await tx.passwordLink.findMany({
      where: { tenantId, userId, createdAt: { gt: new Date(now - 3_600_000) } },
      select: { createdAt: true },
      take: resetLimit.anHour,
    });
    const soon = made.some(({ createdAt }) => createdAt.getTime() > now - resetLimit.apart);
    if (soon || made.length >= resetLimit.anHour) return null;
    const unitId = soleUnit(await selectAssignmentsOf(tx, tenantId, userId));
    const link = await insertLink(ctx, tx, userId, resetMinutes * 60_000);
    return { ctx, ...link, name, email, unitId };
  });
}

async function insertLink(
  ctx: Ctx,
  tx: Tx,
  userId: string,
  lifetime: number,
): Promise<{ token: string; expiresAt: Date }> {
  const { tenantId } = ctx;
  const id = newId();
  const secret = randomBytes(secretBytes);
  const at = ctx.now();
  const expiresAt = new Date(at.getTime() + lifetime);
  await tx.passwordLink.create({
    data: {
      tenantId,
      id,
      userId,
      hash: Uint8Array.from(hash("sha256", secret, "buffer")),
      createdAt: at,
      expiresAt,
    },
  });
  await recordAudit(ctx, tx, {
    action: "password_link.created",
    targetType: "user",
    targetId: userId,
    after: { expiresAt },
  });
  const token = Buffer.concat([bytesOfId(tenantId), bytesOfId(id), secret]).toString("base64url");
  return { token, expiresAt };
}

/** Ends the links of a person: with a new password, a new link, and when they are removed. */
export async function endPasswordLinks(tx: Tx, tenantId: string, userId: string): Promise<void> {
  await tx.passwordLink.deleteMany({ where: { tenantId, userId } });
}

/**
 * Gives the person of a link the password that they chose, and ends the link and all their sessions. Throws `not_found` for a
 * link that was used, is too old or never was, the same for all, `sign_in_slowed` after too many of them, and
 * `organisation_suspended`.
 */
export async function setPassword(
  db: Db,
  input: SetPasswordInput & { ip: string | null; requestId: string },
): Promise<{ organisation: string; email: string }> {
  const address = input.ip === null ? "unknown" : callerGroup(input.ip);
  const attempt = await countSignIn(db, {
    source: `password link ${address}`,
    account: null,
    address: null,
    site: null,
  });
  const named = readToken(input.token);
  if (!named) throw linkIsOver();
  // Looked at first, so that only who has a link makes the service hash.
  const known = await inTenant({ db, tenantId: named.tenantId }, (tx) =>
    selectPasswordLink(tx, named.tenantId, named.id),
  );
  if (!known || !isValid(known, named.hash, new Date())) throw linkIsOver();
  await attempt.succeeded();
  await refuseSuspended(db, named.tenantId);
  const passwordHash = await hashNewPassword(input.password, {
    pointer: "/password",
    chooser: [known.name, known.email, known.organisation],
  });
  const at = new Date();
  const ctx: Ctx = {
    db,
    tenantId: named.tenantId,
    actor: { type: "user", id: known.userId, name: known.name, email: known.email },
    grants: [],
    requestId: input.requestId,
    log: logger(),
    now: () => at,
  };
  await inTenant(ctx, async (tx) => {
    const { tenantId } = ctx;
    const link = await selectPasswordLink(tx, tenantId, named.id);
    if (!link || !isValid(link, named.hash, at)) throw linkIsOver();
    // Of two at the same time the second finds it gone.
    const { count } = await tx.passwordLink.deleteMany({ where: { tenantId, id: named.id } });
    if (count !== 1) throw linkIsOver();
    await tx.user.update({
      where: { tenantId_id: { tenantId, id: link.userId } },
      data: { passwordHash },
    });
    await endPasswordLinks(tx, tenantId, link.userId);
    await markSessionsRevoked(tx, { tenantId, userId: link.userId, at });
    await recordAudit(ctx, tx, {
      action: "user.password_changed",
      targetType: "user",
      targetId: link.userId,
      data: { with: "link" },
    });
  });
  forgetSessions();
  return { organisation: known.organisation, email: known.email };
}

function isValid(
  link: { hash: Uint8Array; expiresAt: Date; disabled: boolean },
  given: Buffer,
  at: Date,
): boolean {
  return sameBytes(given, link.hash) && link.expiresAt > at && !link.disabled;
}

function linkIsOver(): DomainError {
  return new DomainError("not_found", "This link was already used or has expired. Ask for a new one.");
}
