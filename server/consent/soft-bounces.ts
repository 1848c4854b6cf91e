import type { Ctx } from "../kernel/ctx.ts";
import type { Tx } from "../kernel/db.ts";
import type { FailureCode } from "../kernel/message-failures.ts";
import { suppressAddress } from "./suppress-address.ts";

/** So many messages in a row that came back for a passing reason, and the address is left alone for a while. */
export const softBouncesInARow = 5;
/** Long enough for a full mailbox to be noticed; then it gets another chance, and one more soft bounce is enough. */
export const softBounceDays = 30;
/** Of the newest messages to an address, so many are looked at; those that are still under way do not count. */
export const softBounceWindow = 100;

const passing: readonly string[] = ["mailbox_full", "mailbox_unavailable"] satisfies FailureCode[];

/** Whether a message failed because of its mailbox, for a reason that may pass. */
export function isSoftBounce(code: string | null | undefined): boolean {
  return typeof code === "string" && passing.includes(code);
}

/** How one message to an address stands, by its status and the code of its failure. */
export interface MailOutcome {
  id: string;
  status: string;
  code: string | null;
}

/**
 * The newest of five messages in a row that came back for a passing reason; null if it is not so. What is sent and not heard of may
 * still come back: of the newest messages it says nothing, while before a bounce it means that the message arrived.
 * @param outcomes of the newest messages to an address, newest first
 */
export function softBouncesOf(outcomes: readonly MailOutcome[]): string | null {
  const run: string[] = [];
  for (const { id, status, code } of outcomes) {
    if (status === "failed" && isSoftBounce(code)) {
      run.push(id);
      if (run.length === softBouncesInARow) return run[0] ?? null;
    } else if (status === "delivered" || status === "failed" || (status === "sent" && run.length > 0)) {
      return null;
    }
  }
  return null;
}

/** Leaves an address alone for a while, in the caller's transaction. */
export async function suppressSoftBounces(
  ctx: Ctx,
  tx: Tx,
  input: { sandbox: boolean; address: string; notificationId: string },
): Promise<void> {
  const expiresAt = new Date(ctx.now().getTime() + softBounceDays * 86_400_000);
  await suppressAddress(ctx, tx, { ...input, channel: "email", reason: "soft_bounces", expiresAt });
}
