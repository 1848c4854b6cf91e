import { createHmac } from "node:crypto";
import { normalizeAddress } from "../kernel/address.ts";
import type { Ctx } from "../kernel/ctx.ts";
import { openAuditKey } from "./audit-key.ts";
import { addressKey } from "./chain.ts";
import { selectChainState } from "./queries.ts";

/** What an address looks like; anything else in a search is none. */
const addressPattern = /^(?:\+?[\d ()/.-]{7,25}|[^\s@]{1,64}@[^\s@]{1,255})$/;

/** The address in a text that was typed, as tokens are made of it; null when it is none. */
export function addressIn(text: string): string | null {
  const trimmed = text.trim();
  if (!addressPattern.test(trimmed)) return null;
  if (trimmed.includes("@")) return normalizeAddress("email", trimmed) ?? trimmed.toLowerCase();
  const digits = trimmed.replaceAll(/\D/g, "");
  return digits.length < 7 ? null : digits;
}

/**
 * Stands for a recipient's address in the trail: the same for the same address in one organisation, and no way back to it.
 * Null while the organisation has no chain, and for what is no address.
 */
export async function addressToken(
  ctx: Pick<Ctx, "db" | "tenantId">,
  address: string,
): Promise<string | null> {
  return addressIn(address) === null ? null : (await addressTokens(ctx))(address);
}

/** The same for addresses that become known within a transaction, in which nothing else should be asked. */
export async function addressTokens(
  ctx: Pick<Ctx, "db" | "tenantId">,
): Promise<(address: string) => string | null> {
  const chain = await selectChainState(ctx);
  const key = chain && addressKey(openAuditKey(ctx.tenantId, chain));
  return (address) => {
    const plain = addressIn(address);
    if (plain === null || !key) return null;
    return `adr_${createHmac("sha256", key).update(plain).digest("base64url").slice(0, 24)}`;
  };
}
