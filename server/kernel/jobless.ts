import type { z } from "zod";
import type { Db } from "./db.ts";
import type { Logger } from "./log.ts";
import { enqueueIn } from "./tasks.ts";
import type { TaskDefinition } from "./tasks.ts";

/** Rows that jobs of a task carry on, one after another. All of it is written into the statement: it comes from the code alone. */
interface LongWork {
  table: string;
  /** In which a row has not ended. */
  states: readonly string[];
  task: TaskDefinition<string, z.ZodType>;
  /** The member of the job's payload that names the row. */
  key: string;
}

/**
 * Looks at rows of all organisations (worker's role) that no job goes on with, so that none holds up those behind it for ever: gives up
 * those whose job has used up its attempts, and gives those whose job got lost another. A row for which that fails is left for the next
 * time. Returns how many; at most a hundred.
 */
export async function resumeJobless(
  { db, log }: { db: Db; log: Logger },
  { table, states, task, key }: LongWork,
  giveUp: (row: { tenantId: string; id: string }) => Promise<void>,
): Promise<number> {
  const open = `state IN (${states.map((state) => `'${state}'`).join(", ")})`;
  const { rows } = await db.pool.query<{ tenantId: string; id: string; failed: boolean }>(
    `WITH jobs AS MATERIALIZED (
       SELECT j.payload->>'${key}' AS id, bool_or(j.attempts < j.max_attempts OR j.locked_at IS NOT NULL) AS live
       FROM graphile_worker._private_jobs j
       JOIN graphile_worker._private_tasks t ON t.id = j.task_id AND t.identifier = $1
       WHERE EXISTS (SELECT FROM ${table} WHERE ${open}) GROUP BY 1
     )
     SELECT w.tenant_id AS "tenantId", w.id, jobs.id IS NOT NULL AS failed
     FROM ${table} w LEFT JOIN jobs ON jobs.id = w.id::text
     WHERE w.${open} AND jobs.live IS NOT TRUE LIMIT 100`,
    [task.name],
  );
  for (const { tenantId, id, failed } of rows) {
    try {
      if (failed) await giveUp({ tenantId, id });
      else await enqueueIn({ db, tenantId }, 0, task, { tenantId, [key]: id });
    } catch (error) {
      log.error({ err: error, tenantId, [key]: id }, `what no ${task.name} goes on with is left as it is`);
    }
  }
  return rows.length;
}
