import { createHmac, randomBytes } from "node:crypto";
import { LRUCache } from "lru-cache";
import type { Ctx } from "../kernel/ctx.ts";
import { openText, sealText } from "../kernel/secrets.ts";
import { dataKeyForWriting } from "../tenancy/data-key.ts";
import type { Tx } from "../kernel/db.ts";
import { insertConsentKey, selectConsentKey } from "./queries.ts";

/** What an organisation's consent key is sealed for; the key stays the same when master and data keys are replaced. */
export const consentKeyContext = (tenantId: string): string => `consent_keys:${tenantId}`;

/** Keys that this process has opened. A key never changes; that there is none is never remembered. */
const keys = new LRUCache<string, Buffer>({ max: 10_000 });

/** The key by which erased addresses are still recognised, if this process knows it already. */
export function knownConsentKey(tenantId: string): Buffer | undefined {
  return keys.get(tenantId);
}

/** This process opens the key again when it needs it next. */
export function forgetConsentKey(tenantId: string): void {
  keys.delete(tenantId);
}

/** As knownConsentKey, looked up; null: nobody was ever erased here who had said no. */
export async function consentKey(ctx: Pick<Ctx, "db" | "tenantId">): Promise<Buffer | null> {
  const known = keys.get(ctx.tenantId);
  if (known) return known;
  const row = await selectConsentKey(ctx);
  if (!row) return null;
  const key = Buffer.from(
    openText(ctx.tenantId, row.dataKey, consentKeyContext(ctx.tenantId), row.key),
    "hex",
  );
  keys.set(ctx.tenantId, key);
  return key;
}

/** Gives an organisation its consent key, in the caller's transaction; one that it has already stays. */
export async function startConsentKey(tx: Tx, tenantId: string): Promise<void> {
  const dataKey = await dataKeyForWriting(tx, tenantId);
  const sealed = sealText(tenantId, dataKey, consentKeyContext(tenantId), randomBytes(32).toString("hex"));
  await insertConsentKey(tx, tenantId, sealed);
}

const tokenMark = "hmac:";

/** Whether this stands for an address that was erased. */
export const isToken = (address: string): boolean => address.startsWith(tokenMark);

/** What stays of an erased address in opt-outs and suppressions: HMAC-SHA-256 over channel and address. No address looks like it. */
export function addressToken(key: Buffer, channel: string, address: string): string {
  return `${tokenMark}${createHmac("sha256", key).update(`${channel}\0${address}`).digest("base64url")}`;
}
