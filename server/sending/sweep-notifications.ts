import type { Db } from "../kernel/db.ts";
import { deliveryTasks } from "./delivery-tasks.ts";
import { callEnqueue, selectNotificationsWithoutJob } from "./queries.ts";

/**
 * Adds jobs for notifications that are due but have none; returns how many. `overdue`: sent messages whose receipt
 * never came, which is how they end. `lost`: all others, whose job was lost in a crash or whose worker died; none in a
 * healthy system. At most `limit` of each in one run; the next run goes on.
 */
export async function requeueLostNotifications(
  db: Db,
  { limit = 10_000 }: { limit?: number } = {},
): Promise<{ lost: number; overdue: number }> {
  const requeued = await selectNotificationsWithoutJob(db, { graceSeconds: 15, limit });
  if (requeued.length === 0) return { lost: 0, overdue: 0 };
  const taskOf = await deliveryTasks(db, requeued);
  await callEnqueue(
    db,
    requeued.map((row) => ({
      task: taskOf(row),
      payload: { tenantId: row.tenantId, notificationIds: [row.id] },
    })),
  );
  const overdue = requeued.filter((row) => row.status === "sent").length;
  return { lost: requeued.length - overdue, overdue };
}
