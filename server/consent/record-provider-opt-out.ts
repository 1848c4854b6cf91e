import type { Channel } from "../kernel/channel.ts";
import type { Ctx } from "../kernel/ctx.ts";
import type { Tx } from "../kernel/db.ts";
import { recordConsent } from "./record-consent.ts";

/**
 * Records an opt-out that a provider reported, in the caller's transaction. Once per message: providers repeat their
 * callbacks, and a repetition must not undo a later opt-in. WhatsApp's is about marketing and nothing else.
 */
export async function recordProviderOptOut(
  ctx: Ctx,
  tx: Tx,
  input: {
    sandbox: boolean;
    channel: Channel;
    address: string;
    notificationId: string;
  },
): Promise<void> {
  const { notificationId, ...address } = input;
  const known = await tx.consentEntry.findFirst({
    select: { id: true },
    where: {
      tenantId: ctx.tenantId,
      ...address,
      source: "provider",
      evidence: { path: ["notificationId"], equals: notificationId },
    },
  });
  if (known) return;
  await recordConsent(ctx, tx, {
    ...address,
    state: "opted_out",
    source: "provider",
    ...(input.channel === "whatsapp" ? { class: "marketing" as const } : {}),
    evidence: { notificationId },
  });
}
