import { recordAudit } from "../audit/record-audit.ts";
import type { Ctx } from "../kernel/ctx.ts";
import { inTenant } from "../kernel/db.ts";
import { openText } from "../kernel/secrets.ts";
import { writeNotices } from "../notices/write-notices.ts";
import { readCode } from "./recovery-codes.ts";
import { selectSecondFactor, takeRecoveryCode, takeStep } from "./second-factor-queries.ts";
import { countSignIn } from "./sign-in-limits.ts";
import type { CountedAttempt } from "./sign-in-limits.ts";
import { stepOfCode } from "./totp.ts";

/** Where the secret of a person's second factor is sealed. */
export const secondFactorContext = (userId: string): string => `second_factors:${userId}`;

/**
 * Counts a code that is tried for an account, before it is looked at. All tries from places that are not known to the account
 * count together, so that many addresses have no more of them than one; a browser that is known counts for itself. Throws
 * `sign_in_slowed` after the fifth, for at most a minute.
 */
export function countCode(
  ctx: Pick<Ctx, "db" | "tenantId">,
  userId: string,
  device: string | undefined,
): Promise<CountedAttempt> {
  const source =
    device === undefined ? `code ${ctx.tenantId} ${userId}` : `code of device ${userId} ${device}`;
  return countSignIn(ctx.db, { source, account: null, address: null, site: null });
}

/**
 * Whether a code is one of the person's app, which none was taken of before, or a recovery code that was not used. Either counts
 * once. The caller has counted the try.
 */
export async function takeCode(ctx: Ctx, userId: string, typed: string): Promise<boolean> {
  const factor = await selectSecondFactor(ctx, userId);
  if (!factor) return false;
  const code = readCode(typed);
  if (!code) return false;
  if ("digits" in code) {
    const secret = openText(ctx.tenantId, factor.dataKey, secondFactorContext(userId), factor.secret);
    const step = stepOfCode(secret, code.digits, ctx.now());
    return step !== null && takeStep(ctx, userId, step);
  }
  if (!factor.confirmedAt) return false;
  const { hash } = code;
  return inTenant(ctx, async (tx) => {
    const left = await takeRecoveryCode(tx, ctx.tenantId, { userId, hash, at: ctx.now() });
    if (left === null) return false;
    const about = { targetType: "user", targetId: userId };
    await recordAudit(ctx, tx, {
      action: "second_factor.recovery_code_used",
      ...about,
      before: { recoveryCodes: left + 1 },
      after: { recoveryCodes: left },
    });
    await writeNotices(ctx, tx, [userId], { kind: "sign_in.recovery_code", ...about, data: { left } });
    return true;
  });
}
