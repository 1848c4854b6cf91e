import type { Tx } from "../kernel/db.ts";
import { lockDataKey } from "./queries.ts";

/**
 * The tenant's sealed data key, for sealText in this transaction. No rotation can replace it until the transaction
 * ends; during one, this waits and returns the new key. Call it before other rows are locked, so that transactions
 * cannot deadlock.
 */
export function dataKeyForWriting(tx: Tx, tenantId: string): Promise<Uint8Array> {
  return lockDataKey(tx, tenantId);
}
