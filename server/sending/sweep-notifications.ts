import type { Db } from "../kernel/db.ts";
import { deliveryLanes, laneOf } from "./lanes.ts";
import { callEnqueue, selectNotificationsWithoutJob } from "./queries.ts";

/**
 * Adds jobs for notifications that are due but have none; returns how many. `overdue`: sent messages whose receipt
 * never came, which is how they end. `lost`: all others, whose job was lost in a crash or whose worker died; none in a
 * healthy system.
 */
export async function requeueLostNotifications(db: Db): Promise<{ lost: number; overdue: number }> {
  const requeued = await selectNotificationsWithoutJob(db, { graceSeconds: 15, limit: 10_000 });
  if (requeued.length === 0) return { lost: 0, overdue: 0 };
  await callEnqueue(
    db,
    requeued.map((row) => ({
      task: deliveryLanes[laneOf(row)].name,
      payload: { tenantId: row.tenantId, notificationIds: [row.id] },
    })),
  );
  const overdue = requeued.filter((row) => row.status === "sent").length;
  return { lost: requeued.length - overdue, overdue };
}
