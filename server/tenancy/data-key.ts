import type { Tx } from "../kernel/db.ts";
import { lockDataKey } from "./queries.ts";

/**
 * The tenant's data key, sealed as it is stored, for sealText in this transaction. Until the transaction ends no rotation
 * can replace it; where one is under way, this waits and gives the new key. To be called before other rows are locked, so
 * that no two transactions wait for each other.
 */
export function dataKeyForWriting(tx: Tx, tenantId: string): Promise<Uint8Array> {
  return lockDataKey(tx, tenantId);
}
