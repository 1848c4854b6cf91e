import type { Channel } from "../kernel/channel.ts";
import type { Ctx } from "../kernel/ctx.ts";
import type { Tx } from "../kernel/db.ts";
import { newId } from "../kernel/ids.ts";
import { namesBeside } from "./address-links.ts";

/** Stops all sending to an address and to those that are linked to it, in the caller's transaction; an existing reason is kept. */
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
  const { sandbox, channel, address } = input;
  const onWhatsapp = channel === "whatsapp" ? [address] : [];
  const beside = await namesBeside(tx, ctx.tenantId, sandbox, onWhatsapp);
  await tx.suppression.createMany({
    data: [address, ...(beside.get(address) ?? [])].map((name) => ({
      tenantId: ctx.tenantId,
      id: newId(),
      createdAt: ctx.now(),
      ...input,
      address: name,
    })),
    skipDuplicates: true,
  });
}
