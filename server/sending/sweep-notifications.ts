import type { Db } from "../kernel/db.ts";
import { deliveryLanes, laneOf } from "./lanes.ts";
import { callEnqueue, selectForgotten } from "./queries.ts";

/**
 * Adds jobs for notifications that are due but have none. `overdue`: sent messages whose receipt never came, which is how
 * they end. `lost`: all others, whose job was lost in a crash or whose worker died; none in a healthy system.
 */
export async function findForgotten(db: Db): Promise<{ lost: number; overdue: number }> {
  const forgotten = await selectForgotten(db, { graceSeconds: 15, limit: 10_000 });
  if (forgotten.length === 0) return { lost: 0, overdue: 0 };
  await callEnqueue(
    db,
    forgotten.map((row) => ({
      task: deliveryLanes[laneOf(row)].name,
      payload: { tenantId: row.tenantId, notificationIds: [row.id] },
    })),
  );
  const overdue = forgotten.filter((row) => row.status === "sent").length;
  return { lost: forgotten.length - overdue, overdue };
}
