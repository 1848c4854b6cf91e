import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { idFloor } from "../kernel/ids.ts";
import type { Db } from "../kernel/db.ts";
import type { Logger } from "../kernel/log.ts";
import type { Retention } from "../tenancy/schemas.ts";
import { readTenantSettings } from "../tenancy/settings.ts";
import { putStuckBack } from "./erasure-queries.ts";
import { purgeSteps } from "./purge-steps.ts";
import type { PurgeStep } from "./purge-steps.ts";
import { dropOldPartition, noteProblem, purgeBatch, selectRested, selectTenants } from "./queries.ts";

const day = 86_400_000;
/** Rows of one transaction. */
const batchRows = 500;
/** Organisations that take turns at a time. */
const windowSize = 200;
/** A step that had nothing left to do is looked at again after so long. */
const restHours = 20;
/** How long a run works: the next one goes on where it ended. */
const runMs = 20 * 60_000;

/** The moment before which a step takes what there is. Months of metadata are calendar months, so that whole partitions go. */
export function cutoff(step: PurgeStep, retention: Retention, now: Date): Date {
  switch (step.period) {
    case "content":
      return new Date(now.getTime() - retention.contentDays * day);
    case "webhookLog":
      return new Date(now.getTime() - retention.webhookLogDays * day);
    case "metadata":
      return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - retention.metadataMonths, 1));
    case "fixed":
      return new Date(now.getTime() - (step.days ?? 0) * day);
  }
}

/** What the step's key is compared with. */
export function keyBefore(step: PurgeStep, retention: Retention, now: Date): string {
  const at = cutoff(step, retention, now);
  return step.clock === "uuid" ? idFloor(at) : at.toISOString();
}

/** Drops whole months. One that is in use is left for the next run, and holds up nothing. */
async function dropPartitions({ db, log }: { db: Db; log: Logger }): Promise<string[]> {
  const dropped: string[] = [];
  for (const kind of [false, true]) {
    try {
      for (;;) {
        const name = await dropOldPartition(db, kind);
        if (name === null) break;
        dropped.push(name);
        log.info({ partition: name }, "a month that nobody keeps any more was dropped");
      }
    } catch (error) {
      log.warn({ err: error }, "a month that nobody keeps any more could not be dropped yet");
    }
  }
  return dropped;
}

/** Erasures that let others go first are in line again. */
async function putErasuresBack({ db, log }: { db: Db; log: Logger }): Promise<void> {
  try {
    await putStuckBack(db);
  } catch (error) {
    log.error({ err: error }, "erasures could not be looked through");
  }
}

interface Turn {
  tenantId: string;
  retention: Retention;
  steps: PurgeStep[];
}

/**
 * Puts erasures back in line that came no further, then removes what is older than its organisation keeps it: whole months of
 * everybody first, then row by row. Organisations take turns batch by batch, and after each batch the run rests as long as the
 * batch took, so that neither one organisation's backlog nor all of them together delay anything. A step that fails is noted and
 * left for the next run.
 */
export async function purgeRetention(
  deps: { db: Db; log: Logger },
  options: { now?: Date; runMs?: number; restHours?: number; batchRows?: number; restFactor?: number } = {},
): Promise<{ removed: number; dropped: string[]; finished: boolean }> {
  const { db, log } = deps;
  const now = options.now ?? new Date();
  const deadline = Date.now() + (options.runMs ?? runMs);
  await putErasuresBack(deps);
  const dropped = await dropPartitions(deps);
  let removed = 0;
  // Begins with another one each time, so that none is always last.
  const start = randomUUID();
  for (const [from, to] of [
    [start, null],
    ["00000000-0000-0000-0000-000000000000", start],
  ] as const) {
    let after: string = from;
    for (;;) {
      const page = await selectTenants(db, after, windowSize);
      const tenants = page.filter(({ id }) => to === null || id <= to);
      const last = tenants.at(-1);
      if (!last) break;
      after = last.id;
      const rested = await selectRested(
        db,
        tenants.map(({ id }) => id),
        options.restHours ?? restHours,
      );
      let turns: Turn[] = tenants.map(({ id, settings }) => ({
        tenantId: id,
        retention: readTenantSettings(settings).retention,
        steps: purgeSteps.filter((step) => !rested.has(`${id} ${step.id}`)),
      }));
      while ((turns = turns.filter(({ steps }) => steps.length > 0)).length > 0) {
        for (const turn of turns) {
          const [step] = turn.steps;
          if (!step) continue;
          if (Date.now() > deadline) return { removed, dropped, finished: false };
          const began = performance.now();
          try {
            const batch = await purgeBatch(db, {
              tenantId: turn.tenantId,
              step,
              before: keyBefore(step, turn.retention, now),
              limit: options.batchRows ?? batchRows,
            });
            removed += batch.rows;
            if (!batch.more) turn.steps.shift();
            if (batch.rows > 0) await pause((performance.now() - began) * (options.restFactor ?? 1));
          } catch (error) {
            log.error({ err: error, tenantId: turn.tenantId, step: step.id }, "a step of the purge failed");
            await noteProblem(
              db,
              turn.tenantId,
              step.id,
              "It did not succeed and is tried again within the hour.",
            );
            turn.steps.shift();
          }
        }
      }
      if (page.length < windowSize) break;
    }
  }
  return { removed, dropped, finished: true };
}
