import type { Db } from "./db.ts";
import type { Logger } from "./log.ts";

/** A row that has not ended, and that no job goes on with. */
export interface Jobless {
  tenantId: string;
  id: string;
  /** Its job has used up its attempts; otherwise it got lost. */
  failed: boolean;
}

/** Rows that jobs of a task carry on, one after another. All of it is written into the statement: it comes from the code alone. */
interface LongWork {
  table: string;
  /** In which a row has not ended. */
  states: readonly string[];
  task: string;
  /** The member of the job's payload that names the row. */
  key: string;
}

/**
 * Looks at rows of all organisations (worker's role) that no job goes on with, so that none holds up those behind it for ever. One for
 * which `goOn` fails is left for the next time. Returns how many; at most a hundred.
 */
export async function eachJobless(
  { db, log }: { db: Db; log: Logger },
  { table, states, task, key }: LongWork,
  goOn: (row: Jobless) => Promise<void>,
): Promise<number> {
  const open = `state IN (${states.map((state) => `'${state}'`).join(", ")})`;
  const { rows } = await db.pool.query<Jobless>(
    `WITH jobs AS MATERIALIZED (
       SELECT j.payload->>'${key}' AS id, bool_or(j.attempts < j.max_attempts OR j.locked_at IS NOT NULL) AS live
       FROM graphile_worker._private_jobs j
       JOIN graphile_worker._private_tasks t ON t.id = j.task_id AND t.identifier = $1
       WHERE EXISTS (SELECT FROM ${table} WHERE ${open}) GROUP BY 1
     )
     SELECT w.tenant_id AS "tenantId", w.id, jobs.id IS NOT NULL AS failed
     FROM ${table} w LEFT JOIN jobs ON jobs.id = w.id::text
     WHERE w.${open} AND jobs.live IS NOT TRUE LIMIT 100`,
    [task],
  );
  for (const row of rows) {
    try {
      await goOn(row);
    } catch (error) {
      const { tenantId, id } = row;
      log.error({ err: error, tenantId, [key]: id }, `what no ${task} goes on with is left as it is`);
    }
  }
  return rows.length;
}
