import type { Channel } from "../kernel/channel.ts";
import type { Ctx } from "../kernel/ctx.ts";
import type { Tx } from "../kernel/db.ts";
import { newId } from "../kernel/ids.ts";

/** Stops all sending to an address, in the caller's transaction; an existing reason is kept. */
export async function suppressAddress(
  ctx: Ctx,
  tx: Tx,
  input: {
    sandbox: boolean;
    channel: Channel;
    address: string;
    reason: "hard_bounce" | "complaint" | "soft_bounces" | "manual";
  },
): Promise<void> {
  await tx.suppression.createMany({
    data: [{ tenantId: ctx.tenantId, id: newId(), createdAt: ctx.now(), ...input }],
    skipDuplicates: true,
  });
}
