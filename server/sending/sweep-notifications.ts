import type { Db } from "../kernel/db.ts";
import { classPolicies } from "./message-class.ts";
import { callEnqueue, selectForgotten } from "./queries.ts";

/**
 * The net under the queue: notifications that are due but that no job will look at (a job lost to a crash between two
 * systems, an attempt whose worker died, a receipt that never came) get a job. Returns how many there were; in a healthy
 * system only those whose receipt never came.
 */
export async function findForgotten(db: Db): Promise<number> {
  const forgotten = await selectForgotten(db, { graceSeconds: 15, limit: 10_000 });
  if (forgotten.length === 0) return 0;
  await callEnqueue(
    db,
    forgotten.map((row) => ({
      task: classPolicies[row.class].task,
      payload: { tenantId: row.tenant_id, notificationId: row.id },
      priority: classPolicies[row.class].priority,
    })),
  );
  return forgotten.length;
}
