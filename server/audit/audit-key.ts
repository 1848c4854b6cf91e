import { randomBytes } from "node:crypto";
import type { Tx } from "../kernel/db.ts";
import { openText, sealText } from "../kernel/secrets.ts";
import { dataKeyForWriting } from "../tenancy/data-key.ts";
import { insertChain } from "./chain-queries.ts";

/** What an organisation's audit key is sealed for; it stays the same when master and data keys are replaced. */
export const auditKeyContext = (tenantId: string): string => `audit_chains:${tenantId}`;

/** Gives an organisation its audit key, in the caller's transaction; one that it has already stays. */
export async function startChain(tx: Tx, tenantId: string): Promise<void> {
  const dataKey = await dataKeyForWriting(tx, tenantId);
  const key = sealText(tenantId, dataKey, auditKeyContext(tenantId), randomBytes(32).toString("hex"));
  await insertChain(tx, tenantId, key);
}

/** The audit key of an organisation. Both parts come from one statement. */
export function openAuditKey(tenantId: string, row: { key: Uint8Array; dataKey: Uint8Array }): Buffer {
  return Buffer.from(openText(tenantId, row.dataKey, auditKeyContext(tenantId), row.key), "hex");
}
