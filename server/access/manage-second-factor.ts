import { recordAudit } from "../audit/record-audit.ts";
import type { Ctx } from "../kernel/ctx.ts";
import { inTenant } from "../kernel/db.ts";
import type { Tx } from "../kernel/db.ts";
import { DomainError } from "../kernel/errors.ts";
import { sealText } from "../kernel/secrets.ts";
import { getCatalogue } from "../tenancy/catalogue.ts";
import { dataKeyForWriting } from "../tenancy/data-key.ts";
import { ownPerson, proveOwnPassword } from "./prove-own-password.ts";
import { countCode, secondFactorContext, takeCode } from "./prove-second-factor.ts";
import { lockPerson, markSessionsRevoked, outdateSignIns } from "./queries.ts";
import { makeRecoveryCodes } from "./recovery-codes.ts";
import {
  deleteSecondFactor,
  replaceRecoveryCodes,
  selectSecondFactorFacts,
} from "./second-factor-queries.ts";
import type { BothFactorsInput, ConfirmSecondFactorInput, OwnPasswordInput } from "./schemas.ts";
import { forgetSessions } from "./sessions.ts";
import { makeTotpSecret, totpAddress } from "./totp.ts";

type InSession<Input> = Input & { sessionId: string };

/** The signed-in person's second factor. */
export async function getSecondFactor(ctx: Ctx): Promise<{
  /** Since when it is asked for; null: there is none. */
  since: Date | null;
  recoveryCodes: number;
  /** Who has no password signs in through an identity provider, which asks for a second factor itself. */
  hasPassword: boolean;
}> {
  const facts = await selectSecondFactorFacts(ctx, ownPerson(ctx).id);
  const { confirmedAt: since, recoveryCodes, hasPassword } = facts;
  return { since, recoveryCodes, hasPassword };
}

/**
 * Begins to set up a second factor: makes a secret for the person's app, shown this once. It counts when confirmSecondFactor
 * has seen a code of it. Throws `conflict` when there is one already, `invalid_request` for a wrong password.
 */
export async function startSecondFactor(
  ctx: Ctx,
  input: InSession<OwnPasswordInput>,
): Promise<{ secret: string; address: string }> {
  const { id: userId, email } = ownPerson(ctx);
  await proveOwnPassword(ctx, { ...input, pointer: "/password" });
  const { tenant } = await getCatalogue(ctx);
  const { tenantId } = ctx;
  const secret = makeTotpSecret();
  await inTenant(ctx, async (tx) => {
    const dataKey = await dataKeyForWriting(tx, tenantId);
    await lockPerson(tx, tenantId, userId);
    await refuseSecond(tx, tenantId, userId);
    const sealed = Uint8Array.from(sealText(tenantId, dataKey, secondFactorContext(userId), secret));
    const fresh = { secret: sealed, lastStep: 0, createdAt: ctx.now() };
    await tx.secondFactor.upsert({
      where: { tenantId_userId: { tenantId, userId } },
      create: { tenantId, userId, ...fresh },
      update: fresh,
    });
    await recordAudit(ctx, tx, { action: "second_factor.started", targetType: "user", targetId: userId });
  });
  return { secret, address: totpAddress(secret, { email, organisation: tenant.name }) };
}

/**
 * Ends the set-up with a code of the app. From now on it is asked for at each sign-in with the password; the person's other
 * sessions end. Returns recovery codes, shown this once. Throws `invalid_request` for a wrong code, `conflict` where nothing was
 * begun.
 */
export async function confirmSecondFactor(
  ctx: Ctx,
  input: InSession<ConfirmSecondFactorInput>,
): Promise<{ recoveryCodes: string[] }> {
  const { id: userId } = ownPerson(ctx);
  const { tenantId } = ctx;
  await proveCode(ctx, userId, input.code);
  const { codes, hashes } = makeRecoveryCodes();
  await inTenant(ctx, async (tx) => {
    await outdateSignIns(tx, tenantId, userId);
    const { count } = await tx.secondFactor.updateMany({
      where: { tenantId, userId, confirmedAt: null },
      data: { confirmedAt: ctx.now() },
    });
    if (count === 0) throw new DomainError("conflict", "You already have a second factor.");
    await replaceRecoveryCodes(tx, tenantId, { userId, hashes, at: ctx.now() });
    const ended = await markSessionsRevoked(tx, {
      tenantId,
      userId,
      exceptId: input.sessionId,
      at: ctx.now(),
    });
    await recordAudit(ctx, tx, {
      action: "second_factor.enabled",
      targetType: "user",
      targetId: userId,
      before: { secondFactor: false },
      after: { secondFactor: true },
      data: { sessionsEnded: ended.length },
    });
  });
  forgetSessions();
  return { recoveryCodes: codes };
}

/**
 * Makes new recovery codes, shown this once; those before end. Takes what removing the second factor takes, because each of them
 * stands in for a code of the app. Throws `invalid_request` for a wrong password or code.
 */
export async function renewRecoveryCodes(
  ctx: Ctx,
  input: InSession<BothFactorsInput>,
): Promise<{ recoveryCodes: string[] }> {
  const { id: userId } = ownPerson(ctx);
  const { tenantId } = ctx;
  await proveOwnPassword(ctx, { ...input, pointer: "/password" });
  await proveCode(ctx, userId, input.code);
  const before = await selectSecondFactorFacts(ctx, userId);
  if (!before.confirmedAt) throw new DomainError("conflict", "You don't have a second factor.");
  const { codes, hashes } = makeRecoveryCodes();
  await inTenant(ctx, async (tx) => {
    await lockPerson(tx, tenantId, userId);
    await replaceRecoveryCodes(tx, tenantId, { userId, hashes, at: ctx.now() });
    await recordAudit(ctx, tx, {
      action: "second_factor.recovery_codes_renewed",
      targetType: "user",
      targetId: userId,
      before: { recoveryCodes: before.recoveryCodes },
      after: { recoveryCodes: codes.length },
    });
  });
  return { recoveryCodes: codes };
}

/**
 * Takes away the person's second factor: with their password and a code of it, so that neither a browser that was left open nor
 * a stolen password is enough. Throws `invalid_request` for either.
 */
export async function removeSecondFactor(ctx: Ctx, input: InSession<BothFactorsInput>): Promise<void> {
  const { id: userId } = ownPerson(ctx);
  await proveOwnPassword(ctx, { ...input, pointer: "/password" });
  await proveCode(ctx, userId, input.code);
  await inTenant(ctx, async (tx) => {
    if (!(await dropSecondFactor(ctx, tx, userId)))
      throw new DomainError("conflict", "You don't have a second factor.");
  });
  forgetSessions();
}

/** Deletes a person's second factor with its recovery codes, in the caller's transaction; returns whether there was one. */
export async function dropSecondFactor(ctx: Ctx, tx: Tx, userId: string): Promise<boolean> {
  await lockPerson(tx, ctx.tenantId, userId);
  const dropped = await deleteSecondFactor(tx, ctx.tenantId, userId);
  if (dropped) {
    await recordAudit(ctx, tx, {
      action: "second_factor.removed",
      targetType: "user",
      targetId: userId,
      before: { secondFactor: true },
      after: { secondFactor: false },
    });
  }
  return dropped;
}

async function refuseSecond(tx: Tx, tenantId: string, userId: string): Promise<void> {
  const confirmed = await tx.secondFactor.count({
    where: { tenantId, userId, confirmedAt: { not: null } },
  });
  if (confirmed > 0) throw new DomainError("conflict", "You already have a second factor. Remove it first.");
}

/** A code was typed beside one's own password or app. */
export const wrongCode = (): DomainError =>
  new DomainError("invalid_request", "Wrong code.", {
    errors: [{ pointer: "/code", code: "wrong_code", detail: "Expired or already used" }],
  });

/** Asks the signed-in person for a code. Throws `invalid_request` when it is wrong. */
export async function proveCode(ctx: Ctx, userId: string, code: string): Promise<void> {
  const attempt = await countCode(ctx, userId, undefined);
  if (!(await takeCode(ctx, userId, code))) throw wrongCode();
  await attempt.succeeded();
}
