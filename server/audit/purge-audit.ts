import { alone } from "../kernel/alone.ts";
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
 * leaves a signed note in their place. A chain that was changed is left alone: it is evidence. Organisations take turns portion by
 * portion, and one that fails is left for the next run.
 */
export async function purgeAudit(db: Db, now: () => Date = () => new Date()): Promise<number> {
  const due = await selectTenantsToPurge(db.pool);
  let purged = 0;
  let round = 0;
  let turns = due.map(({ tenantId, purgedSequence }) => ({ tenantId, after: purgedSequence }));
  while (turns.length > 0 && round < portions) {
    const unfinished: typeof turns = [];
    for (const turn of turns) {
      if (round++ >= portions) break;
      const { tenantId, after } = turn;
      await alone(tenantId, "old audit events could not be deleted", async () => {
        const last = await selectPurgeable(db.pool, tenantId, after, portion);
        if (!last) return;
        purged += await inTransaction(db.pool, "BEGIN", async (client) => {
          const { sign } = await installationKey(client);
          const note = { tenantId, ...last, at: now().toISOString() };
          return callPurge(client, note, signPurge(note, sign));
        });
        unfinished.push({ tenantId, after: last.sequence });
      });
    }
    turns = unfinished;
  }
  await callPurgeCheckpoints(db.pool);
  return purged;
}
