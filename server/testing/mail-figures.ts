import { foldMetrics } from "../insights/fold-metrics.ts";
import type { TestDatabase } from "./database.ts";
import type { makeSendingWorld } from "./sending-world.ts";

/** Sends as many mails to mailboxes at a domain as are wanted, and lets their receipts and complaints come in and be counted. */
export async function mailFigures(
  db: Pick<TestDatabase, "owner" | "worker">,
  world: Pick<Awaited<ReturnType<typeof makeSendingWorld>>, "send" | "tenantId">,
  figures: { domain: string; delivered: number; complained?: number; bounced?: number; unconfirmed?: number },
): Promise<void> {
  const { domain, delivered, complained = 0, bounced = 0, unconfirmed = 0 } = figures;
  const ids: string[] = [];
  for (let left = delivered + bounced + unconfirmed; left > 0; left -= 500) {
    const recipients = Array.from({ length: Math.min(left, 500) }, (_, index) => ({
      channel: "email" as const,
      recipient: `p${String(left)}.${String(index)}@${domain}`,
    }));
    const { notifications } = await world.send({ recipients });
    ids.push(...notifications.map(({ notificationId }) => notificationId));
  }
  await db.owner.query("DELETE FROM graphile_worker._private_jobs");
  const advance = (to: string, of: string[], more: object = {}) =>
    db.owner.query(
      `SELECT count(*) FROM advance_notifications($1, (
         SELECT coalesce(jsonb_agg(jsonb_build_object('tenantId', $1::uuid, 'id', id, 'to', $2::text) || $4::jsonb), '[]') FROM unnest($3::uuid[]) AS id))`,
      [world.tenantId, to, of, JSON.stringify(more)],
    );
  const arrived = ids.slice(0, delivered);
  const returned = ids.slice(delivered, delivered + bounced);
  await advance("sent", ids.slice(delivered + bounced), { final: true });
  await advance("delivered", arrived);
  await advance("failed", returned);
  await advance("bounced", returned);
  await advance("complained", arrived.slice(0, complained));
  await foldMetrics(db.worker);
}
