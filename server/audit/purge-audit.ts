import { inTransaction } from "../kernel/db.ts";
import type { Db } from "../kernel/db.ts";
import { signPurge } from "./checkpoint.ts";
import { callPurge, callPurgeCheckpoints, selectPurgeable, selectTenantsToPurge } from "./chain-queries.ts";
import { installationKey } from "./installation-key.ts";

/** As many as purge_audit() takes at once. */
const portion = 5_000;
const portions = 200;

/**
 * Deletes the oldest entries of each chain, as far as all of them are older than the organisation keeps its audit trail, and
 * leaves a signed note in their place. A chain that was changed is left alone: it is evidence.
 */
export async function purgeAudit(db: Db, now: () => Date = () => new Date()): Promise<number> {
  const due = await selectTenantsToPurge(db.pool);
  let purged = 0;
  let round = 0;
  for (const { tenantId, purgedSequence: from } of due) {
    let after = from;
    while (round++ < portions) {
      const last = await selectPurgeable(db.pool, tenantId, after, portion);
      if (!last) break;
      purged += await inTransaction(db.pool, "BEGIN", async (client) => {
        const { sign } = await installationKey(client);
        const note = { tenantId, ...last, at: now().toISOString() };
        return callPurge(client, note, signPurge(note, sign));
      });
      after = last.sequence;
    }
  }
  await callPurgeCheckpoints(db.pool);
  return purged;
}
