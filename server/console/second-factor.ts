import { deviceOf } from "../access/known-device.ts";
import { wrongCode } from "../access/manage-second-factor.ts";
import { openOperatorSecret, sealOperatorSecret } from "../access/operator-secret.ts";
import { proveStoredPassword } from "../access/prove-own-password.ts";
import { makeRecoveryCodes, readCode } from "../access/recovery-codes.ts";
import type { BothFactorsInput, ConfirmSecondFactorInput, OwnPasswordInput } from "../access/schemas.ts";
import { countSignIn } from "../access/sign-in-limits.ts";
import { makeTotpSecret, stepOfCode, totpAddress } from "../access/totp.ts";
import { DomainError } from "../kernel/errors.ts";
import { newId } from "../kernel/ids.ts";
import { logger } from "../kernel/log.ts";
import type { ConsoleDbs, OperatorCtx } from "./operator-ctx.ts";
import { endOtherSessions, findOperator, insertEvent, outdateSignIns } from "./queries.ts";
import type { OperatorRow } from "./queries.ts";
import { recordChange, recordFailedSignIn } from "./record-event.ts";
import {
  beginFactor,
  confirmFactor,
  deleteFactor,
  replaceOperatorRecoveryCodes,
  selectFactor,
  selectFactorFacts,
  takeOperatorRecoveryCode,
  takeOperatorStep,
} from "./second-factor-queries.ts";
import type { OperatorOrigin } from "./sessions.ts";

/**
 * Asks who has proved the password for the code of their second factor, if they have one. Throws `second_factor_required` when
 * none was given, `second_factor_failed` for a wrong one, and `sign_in_slowed` after the fifth, for at most a minute. All tries
 * from unknown browsers count together; one from which they have signed in before counts for itself.
 */
export async function passOperatorFactor(
  dbs: ConsoleDbs,
  operator: OperatorRow,
  input: { code?: string; device: string | null } & OperatorOrigin,
): Promise<void> {
  const { since } = await selectFactorFacts(dbs.console, operator.id);
  if (!since) return;
  const typed = input.code?.trim() ?? "";
  if (typed === "") {
    throw new DomainError("second_factor_required", "Enter the code of your authenticator app.");
  }
  const attempt = await countCode(dbs, operator.id, deviceOf(operator.id, input.device));
  if (!(await takeCode(dbs, operator, typed, input))) {
    logger().warn(
      { operatorId: operator.id, failures: attempt.failures },
      "a code at the sign-in to the console was wrong",
    );
    const { ip, requestId } = input;
    const { failures } = attempt;
    await recordFailedSignIn(dbs.console, operator, { with: "code", failures, ip, requestId });
    throw new DomainError("second_factor_failed", "This is not a code of now, or it was used already.");
  }
  await attempt.succeeded();
}

function countCode(dbs: ConsoleDbs, operatorId: string, device: string | undefined) {
  const source =
    device === undefined ? `code console ${operatorId}` : `code of device console ${operatorId} ${device}`;
  return countSignIn(dbs.web, { source, account: null, address: null, site: null });
}

/** Whether a code is one of the app, which none was taken of before, or a recovery code that was not used. Either counts once. */
async function takeCode(
  dbs: ConsoleDbs,
  operator: Pick<OperatorRow, "id" | "name">,
  typed: string,
  from: Pick<OperatorOrigin, "ip" | "requestId"> & { sessionId?: string },
): Promise<boolean> {
  const factor = await selectFactor(dbs.console, operator.id);
  const code = readCode(typed);
  if (!factor || !code) return false;
  const at = new Date();
  if ("digits" in code) {
    const step = stepOfCode(openOperatorSecret(operator.id, factor.secret), code.digits, at);
    return step !== null && takeOperatorStep(dbs.console, operator.id, step);
  }
  if (!factor.confirmedAt) return false;
  return dbs.console.prisma.$transaction(async (tx) => {
    const left = await takeOperatorRecoveryCode(tx, { operatorId: operator.id, hash: code.hash, at });
    if (left === null) return false;
    await insertEvent(tx, {
      id: newId(),
      at,
      operatorId: operator.id,
      operatorName: operator.name,
      sessionId: from.sessionId ?? null,
      action: "second_factor.recovery_code_used",
      organisation: null,
      organisationSlug: null,
      requestId: from.requestId,
      ip: from.ip,
      data: { left },
    });
    return true;
  });
}

/** The operator's own second factor. */
export async function getOwnFactor(
  ctx: OperatorCtx,
): Promise<{ since: Date | null; recoveryCodes: number; hasPassword: boolean }> {
  return { ...(await selectFactorFacts(ctx.console, ctx.operator.id)), hasPassword: true };
}

async function provePassword(ctx: OperatorCtx, password: string): Promise<void> {
  const given = { password, pointer: "/password", sessionId: `console ${ctx.sessionId}` };
  await proveStoredPassword(ctx.web, given, async () => {
    const operator = await findOperator(ctx.console, ctx.operator.email);
    return operator?.passwordHash ?? null;
  });
}

async function proveCode(ctx: OperatorCtx, code: string): Promise<void> {
  const attempt = await countCode(ctx, ctx.operator.id, undefined);
  if (!(await takeCode(ctx, ctx.operator, code, ctx))) throw wrongCode();
  await attempt.succeeded();
}

/**
 * Begins to set one up: makes a secret for the operator's app, shown this once. It counts when confirmOwnFactor has seen a code
 * of it. Throws `conflict` when there is one already, `invalid_request` for a wrong password.
 */
export async function startOwnFactor(
  ctx: OperatorCtx,
  input: OwnPasswordInput,
): Promise<{ secret: string; address: string }> {
  await provePassword(ctx, input.password);
  const { id: operatorId, email } = ctx.operator;
  const secret = makeTotpSecret();
  await ctx.console.prisma.$transaction(async (tx) => {
    const sealed = Uint8Array.from(sealOperatorSecret(operatorId, secret));
    if (!(await beginFactor(tx, { operatorId, secret: sealed, at: ctx.now() }))) {
      throw new DomainError("conflict", "There is a second factor already: remove it first.");
    }
    await recordChange(ctx, tx, { action: "second_factor.started" });
  });
  return { secret, address: totpAddress(secret, { email, organisation: "operator console" }) };
}

/**
 * Ends the set-up with a code of the app. From now on it is asked for at each sign-in; the operator's other sessions end. Returns
 * recovery codes, shown this once. Throws `invalid_request` for a wrong code, `conflict` where nothing was begun.
 */
export async function confirmOwnFactor(
  ctx: OperatorCtx,
  input: ConfirmSecondFactorInput,
): Promise<{ recoveryCodes: string[] }> {
  await proveCode(ctx, input.code);
  const { codes, hashes } = makeRecoveryCodes();
  const operatorId = ctx.operator.id;
  await ctx.console.prisma.$transaction(async (tx) => {
    await outdateSignIns(tx, operatorId);
    if (!(await confirmFactor(tx, operatorId, ctx.now()))) {
      throw new DomainError("conflict", "There is a second factor already.");
    }
    await replaceOperatorRecoveryCodes(tx, { operatorId, hashes, at: ctx.now() });
    await endOtherSessions(tx, { operatorId, exceptId: ctx.sessionId }, ctx.now());
    await recordChange(ctx, tx, { action: "second_factor.enabled" });
  });
  return { recoveryCodes: codes };
}

/** Makes new recovery codes, shown this once; those before end. Takes the password and a code. Throws `invalid_request` for either. */
export async function renewOwnCodes(
  ctx: OperatorCtx,
  input: BothFactorsInput,
): Promise<{ recoveryCodes: string[] }> {
  const operatorId = ctx.operator.id;
  const { since } = await selectFactorFacts(ctx.console, operatorId);
  if (!since) throw new DomainError("conflict", "There is no second factor.");
  await provePassword(ctx, input.password);
  await proveCode(ctx, input.code);
  const { codes, hashes } = makeRecoveryCodes();
  await ctx.console.prisma.$transaction(async (tx) => {
    await replaceOperatorRecoveryCodes(tx, { operatorId, hashes, at: ctx.now() });
    await recordChange(ctx, tx, { action: "second_factor.recovery_codes_renewed" });
  });
  return { recoveryCodes: codes };
}

/** Takes it away, with the password and a code of it. Throws `invalid_request` for either. */
export async function removeOwnFactor(ctx: OperatorCtx, input: BothFactorsInput): Promise<void> {
  await provePassword(ctx, input.password);
  await proveCode(ctx, input.code);
  await ctx.console.prisma.$transaction(async (tx) => {
    if (!(await deleteFactor(tx, ctx.operator.id))) {
      throw new DomainError("conflict", "There is no second factor.");
    }
    await recordChange(ctx, tx, { action: "second_factor.removed" });
  });
}
