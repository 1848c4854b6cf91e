import type { Channel } from "../kernel/channel.ts";
import type { Ctx } from "../kernel/ctx.ts";
import type { Tx } from "../kernel/db.ts";
import { recordConsent } from "./record-consent.ts";

/**
 * Records that a provider knows of an opt-out, in the caller's transaction. Once for each message: providers repeat their
 * callbacks, and whoever has opted in again since must not be opted out by a repetition.
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
    evidence: { notificationId },
  });
}
