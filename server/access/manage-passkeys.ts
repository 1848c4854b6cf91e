import { randomBytes } from "node:crypto";
import { generateRegistrationOptions } from "@simplewebauthn/server";
import type { PublicKeyCredentialCreationOptionsJSON } from "@simplewebauthn/server";
import { recordAudit } from "../audit/record-audit.ts";
import type { Ctx } from "../kernel/ctx.ts";
import { inTenant } from "../kernel/db.ts";
import type { Tx } from "../kernel/db.ts";
import { DomainError, notFound } from "../kernel/errors.ts";
import { newId } from "../kernel/ids.ts";
import { writeNotices } from "../notices/write-notices.ts";
import { getCatalogue } from "../tenancy/catalogue.ts";
import { proveCode } from "./manage-second-factor.ts";
import { makeChallenge, readChallenge } from "./passkey-challenge.ts";
import { passkeyPlace, requirePasskeyPlace } from "./passkey-place.ts";
import { deletePasskeys, selectPasskeys, takeChallenge } from "./passkey-queries.ts";
import { ownPerson, proveOwnPassword } from "./prove-own-password.ts";
import { lockPerson, markSessionsRevoked, outdateSignIns } from "./queries.ts";
import { passkeyLimits } from "./vocabulary.ts";
import type {
  AddPasskeyInput,
  RemovePasskeyInput,
  RenamePasskeyInput,
  StartPasskeyInput,
} from "./schemas.ts";
import { selectSecondFactorFacts } from "./second-factor-queries.ts";
import { forgetSessions } from "./sessions.ts";
import { maySignInBy, requireWay } from "./sign-in-policy.ts";
import { passkeyAlgorithms, readClientData, verifyNewPasskey } from "./verify-passkey.ts";

type InSession<Input> = Input & { sessionId: string };

export interface ListedPasskey {
  id: string;
  name: string;
  createdAt: Date;
  lastUsedAt: Date | null;
}

/** The signed-in person's passkeys, and whether one could be added. */
export async function listPasskeys(ctx: Ctx): Promise<{
  data: ListedPasskey[];
  /** Whether there are passkeys at the address of this installation. */
  possible: boolean;
  /** Whether the organisation lets people sign in with one. */
  allowed: boolean;
  /** What adding and removing one asks for; a password only of who has one. */
  proof: { password: boolean; code: boolean };
}> {
  const { id: userId } = ownPerson(ctx);
  const [rows, facts, allowed] = await Promise.all([
    inTenant(ctx, (tx) => selectPasskeys(tx, ctx.tenantId, userId, passkeyLimits.each)),
    selectSecondFactorFacts(ctx, userId),
    maySignInBy(ctx, "passkey"),
  ]);
  return {
    data: rows.map(({ id, name, createdAt, lastUsedAt }) => ({ id, name, createdAt, lastUsedAt })),
    possible: passkeyPlace() !== null,
    allowed,
    proof: { password: facts.hasPassword, code: facts.confirmedAt !== null },
  };
}

/**
 * Begins to add a passkey: what the browser asks the authenticator for. Takes the person's password again, and a code where they have a
 * second factor, because a passkey stands in for both. Throws `invalid_request` for either, `conflict` for too many passkeys,
 * `sign_in_way_not_allowed` where the organisation allows none, and `not_found` where there are none at this address.
 */
export async function startPasskey(
  ctx: Ctx,
  input: InSession<StartPasskeyInput>,
): Promise<PublicKeyCredentialCreationOptionsJSON> {
  const { id: userId, email, name } = ownPerson(ctx);
  const { tenantId } = ctx;
  const place = requirePasskeyPlace();
  await requireWay(ctx, "passkey");
  await proveOneself(ctx, input);
  const { tenant } = await getCatalogue(ctx);
  const { handle, rows } = await inTenant(ctx, async (tx) => {
    await lockPerson(tx, tenantId, userId);
    const rows = await selectPasskeys(tx, tenantId, userId, passkeyLimits.each);
    refuseMore(rows.length);
    const where = { tenantId_id: { tenantId, id: userId } };
    const { passkeyHandle } = await tx.user.findUniqueOrThrow({ where, select: { passkeyHandle: true } });
    const handle = passkeyHandle ?? Uint8Array.from(randomBytes(32));
    if (!passkeyHandle) await tx.user.update({ where, data: { passkeyHandle: handle } });
    await recordAudit(ctx, tx, { action: "passkey.started", targetType: "user", targetId: userId });
    return { handle, rows };
  });
  return generateRegistrationOptions({
    rpName: "Tidings",
    rpID: place.rpId,
    userName: `${email} (${tenant.name})`,
    userDisplayName: name,
    userID: Uint8Array.from(handle),
    challenge: Uint8Array.from(makeChallenge({ tenantId, userId, sessionId: input.sessionId }, ctx.now())),
    attestationType: "none",
    authenticatorSelection: { residentKey: "required", userVerification: "required" },
    supportedAlgorithmIDs: passkeyAlgorithms,
    excludeCredentials: rows.map(({ credentialId, transports }) => ({
      id: Buffer.from(credentialId).toString("base64url"),
      transports: transports as never,
    })),
  });
}

/**
 * Adds the passkey that startPasskey asked for; from now on it signs in. The person is notified. Throws `invalid_request` when it was
 * not made for this person, session and site, a moment ago and once, and `conflict` for one that is known already.
 */
export async function addPasskey(ctx: Ctx, input: InSession<AddPasskeyInput>): Promise<ListedPasskey> {
  const { id: userId } = ownPerson(ctx);
  const { tenantId } = ctx;
  const place = requirePasskeyPlace();
  await requireWay(ctx, "passkey");
  const { attestation, name, sessionId } = input;
  const client = readClientData(attestation.response.clientDataJSON);
  const challenge = client && readChallenge(client.challenge, { tenantId, userId, sessionId }, ctx.now());
  if (!client || client.framed || !challenge || !(await takeChallenge(ctx.db, challenge))) throw notMade();
  const made = await verifyNewPasskey(attestation, { ...place, challenge: client.challenge });
  if (!made) throw notMade();
  const at = ctx.now();
  const passkey = { id: newId(), name, createdAt: at, lastUsedAt: null };
  await inTenant(ctx, async (tx) => {
    await lockPerson(tx, tenantId, userId);
    refuseMore(await tx.passkey.count({ where: { tenantId, userId } }));
    const { count } = await tx.passkey.createMany({
      data: [
        {
          tenantId,
          ...passkey,
          userId,
          credentialId: Uint8Array.from(made.credentialId),
          publicKey: Uint8Array.from(made.publicKey),
          counter: made.counter,
          transports: knownTransports(attestation.response.transports),
        },
      ],
      skipDuplicates: true,
    });
    if (count === 0)
      throw new DomainError("conflict", "This passkey can't be used here. Create another one.");
    const about = { targetType: "user", targetId: userId };
    await recordAudit(ctx, tx, { action: "passkey.added", ...about, after: { passkey: name } });
    await writeNotices(ctx, tx, [userId], { kind: "sign_in.passkey_added", ...about, data: { name } });
  });
  return passkey;
}

/** Gives one of the person's passkeys another name. Throws `not_found` when it is not theirs. */
export async function renamePasskey(ctx: Ctx, input: RenamePasskeyInput): Promise<void> {
  const { id: userId } = ownPerson(ctx);
  await inTenant(ctx, async (tx) => {
    const before = await ownPasskey(ctx, tx, input.id);
    await tx.passkey.update({
      where: { tenantId_id: { tenantId: ctx.tenantId, id: input.id } },
      data: { name: input.name },
    });
    await recordAudit(ctx, tx, {
      action: "passkey.renamed",
      targetType: "user",
      targetId: userId,
      before: { passkey: before.name },
      after: { passkey: input.name },
    });
  });
}

/**
 * Takes away one of the person's passkeys, with the same proof as adding one, and ends their other sessions: it may have begun them.
 * The person is notified. Throws `not_found` when it is not theirs.
 */
export async function removePasskey(ctx: Ctx, input: InSession<RemovePasskeyInput>): Promise<void> {
  const { id: userId } = ownPerson(ctx);
  const { tenantId } = ctx;
  await inTenant(ctx, (tx) => ownPasskey(ctx, tx, input.id));
  await proveOneself(ctx, input);
  await inTenant(ctx, async (tx) => {
    await outdateSignIns(tx, tenantId, userId);
    const { name } = await ownPasskey(ctx, tx, input.id);
    await tx.passkey.delete({ where: { tenantId_id: { tenantId, id: input.id } } });
    const ended = await markSessionsRevoked(tx, {
      tenantId,
      userId,
      exceptId: input.sessionId,
      at: ctx.now(),
    });
    const about = { targetType: "user", targetId: userId };
    await recordAudit(ctx, tx, {
      action: "passkey.removed",
      ...about,
      before: { passkey: name },
      after: { passkey: null },
      data: { sessionsEnded: ended.length },
    });
    await writeNotices(ctx, tx, [userId], { kind: "sign_in.passkey_removed", ...about, data: { name } });
  });
  forgetSessions();
}

/** Deletes a person's passkeys, in the caller's transaction; returns whether there were any. */
export async function dropPasskeys(ctx: Ctx, tx: Tx, userId: string): Promise<boolean> {
  await lockPerson(tx, ctx.tenantId, userId);
  const count = await deletePasskeys(tx, ctx.tenantId, userId);
  if (count === 0) return false;
  await recordAudit(ctx, tx, {
    action: "passkeys.removed",
    targetType: "user",
    targetId: userId,
    before: { passkeys: count },
    after: { passkeys: 0 },
  });
  return true;
}

async function proveOneself(ctx: Ctx, given: InSession<StartPasskeyInput>): Promise<void> {
  const { id: userId } = ownPerson(ctx);
  await proveOwnPassword(ctx, { ...given, pointer: "/password" });
  const { confirmedAt } = await selectSecondFactorFacts(ctx, userId);
  if (confirmedAt) await proveCode(ctx, userId, given.code ?? "");
}

async function ownPasskey(ctx: Ctx, tx: Tx, id: string): Promise<{ name: string }> {
  const where = { tenantId: ctx.tenantId, id, userId: ownPerson(ctx).id };
  const row = await tx.passkey.findFirst({ where, select: { name: true } });
  if (!row) throw notFound();
  return row;
}

function refuseMore(count: number): void {
  if (count < passkeyLimits.each) return;
  throw new DomainError(
    "conflict",
    `Nobody can have more than ${String(passkeyLimits.each)} passkeys. Remove one first.`,
  );
}

const transports = new Set(["ble", "cable", "hybrid", "internal", "nfc", "smart-card", "usb"]);
/** Those that browsers understand; who registers could say anything. */
const knownTransports = (said: readonly string[] = []): string[] => [
  ...new Set(said.filter((each) => transports.has(each))),
];

function notMade(): DomainError {
  return new DomainError("invalid_request", "The passkey was not added. Start again.");
}
