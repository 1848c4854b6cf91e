import { suppressAddress } from "../consent/suppress-address.ts";
import type { Channel } from "../kernel/channel.ts";
import type { Ctx } from "../kernel/ctx.ts";
import { inTenant } from "../kernel/db.ts";

/** The address of a message that will never work, whoever said so and when, is left alone from now on. */
export async function recordHardBounce(
  ctx: Ctx,
  message: { id: string; channel: Channel; sandbox: boolean; recipient: string },
): Promise<void> {
  const { id: notificationId, channel, sandbox, recipient: address } = message;
  await inTenant(ctx, (tx) =>
    suppressAddress(ctx, tx, { channel, sandbox, address, reason: "hard_bounce", notificationId }),
  );
}
