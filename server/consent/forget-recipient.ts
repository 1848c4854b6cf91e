import type { Ctx } from "../kernel/ctx.ts";
import { inTenant } from "../kernel/db.ts";
import type { Tx } from "../kernel/db.ts";
import { addressToken, consentKey, startConsentKey } from "./address-token.ts";
import { forgetAddresses } from "./queries.ts";

const channels = ["sms", "email", "whatsapp"] as const;

/** Before anything is erased: from now on every send asks for erased addresses, too. */
export async function prepareToForget(ctx: Ctx): Promise<Buffer> {
  await inTenant(ctx, (tx) => startConsentKey(tx, ctx.tenantId));
  const key = await consentKey(ctx);
  if (!key) throw new Error("the consent key is missing");
  return key;
}

/**
 * What is known of the consent of addresses goes, but for each no, which stays as a token: bound to the channel, in the sandbox
 * and outside. Returns how many rows changed.
 */
export function forgetRecipients(
  tx: Tx,
  tenantId: string,
  key: Buffer,
  addresses: readonly string[],
): Promise<{ suppressions: number; consents: number; links: number }> {
  return forgetAddresses(
    tx,
    tenantId,
    addresses.flatMap((address) =>
      channels.map((channel) => ({ channel, address, token: addressToken(key, channel, address) })),
    ),
  );
}
