import { setTimeout as pause } from "node:timers/promises";
import type { Db } from "../kernel/db.ts";
import { logger } from "../kernel/log.ts";
import { advanceDeletion, selectDueDeletions } from "./queries.ts";

/** Rows in one statement. */
const batchRows = 2_000;
/** How long one run takes; the next one goes on. */
const runMs = 20_000;

/**
 * Goes on with the organisations that operators delete and whose time has come, a batch of each in turn, so that a large one
 * keeps none waiting, nor one that fails: it is tried again by the next run. Rests between batches as long as they took.
 */
export async function deleteOrganisations(
  { db }: { db: Db },
  options: { batchRows?: number; runMs?: number } = {},
): Promise<void> {
  const deadline = Date.now() + (options.runMs ?? runMs);
  let due = await selectDueDeletions(db);
  while (due.length > 0) {
    const unfinished: string[] = [];
    for (const organisation of due) {
      if (Date.now() > deadline) return;
      const began = performance.now();
      try {
        if (await advanceDeletion(db, organisation, options.batchRows ?? batchRows))
          unfinished.push(organisation);
      } catch (error) {
        logger().error({ err: error, organisation }, "the deletion of an organisation could not go on");
      }
      await pause(performance.now() - began);
    }
    due = unfinished;
  }
}
