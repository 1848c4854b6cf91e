import {
  isSoftBounce,
  softBouncesOf,
  softBounceWindow,
  suppressSoftBounces,
} from "../consent/soft-bounces.ts";
import type { Channel } from "../kernel/channel.ts";
import type { Ctx } from "../kernel/ctx.ts";
import { inTenant } from "../kernel/db.ts";
import { selectMailOutcomes } from "./queries.ts";

/**
 * After an e-mail has failed: if it came back for a passing reason, and so did those before it, its address is left alone for a
 * while. Counted from the messages themselves, so that a message that arrives costs nothing.
 */
export async function noteSoftBounce(
  ctx: Ctx,
  message: { channel: Channel; sandbox: boolean; recipient: string },
  code: string | undefined,
): Promise<void> {
  const { channel, sandbox, recipient } = message;
  if (channel !== "email" || !isSoftBounce(code)) return;
  const newest = softBouncesOf(await selectMailOutcomes(ctx, sandbox, recipient, softBounceWindow));
  if (newest === null) return;
  await inTenant(ctx, (tx) =>
    suppressSoftBounces(ctx, tx, { sandbox, address: recipient, notificationId: newest }),
  );
}
