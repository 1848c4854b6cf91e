import type pg from "pg";
import { newId } from "../kernel/ids.ts";

/**
 * Puts messages with their costs into the database as if they had been sent in the last days, without sending anything: for tests and
 * measurements that need many. Their numbers count up from +49151 10000000; every tenth has failed.
 */
export async function plantMessages(
  owner: Pick<pg.Pool, "query">,
  of: { tenantId: string; environmentId: string; applicationId: string; unitId: string },
  count: number,
  days = 2,
): Promise<void> {
  const requestId = newId();
  const { tenantId, environmentId, applicationId, unitId } = of;
  const from = new Date(Date.now() - days * 86_400_000);
  await owner.query("SELECT ensure_partitions(3)");
  await owner.query(
    `INSERT INTO send_requests (tenant_id, id, environment_id, application_id, transaction_id, source, actor_type, region, language,
       notification_type, notification_subtype, variables, metadata, created_at)
     VALUES ($1, $2, $3, $4, $5, 'v1', 'system', 'DE', 'en', 'order', 'order_status', '{}', '{"orderId":"=4711"}', now())`,
    [tenantId, requestId, environmentId, applicationId, `planted ${requestId}`],
  );
  await owner.query(
    `WITH planted AS (
       SELECT i, $7::timestamptz + i * make_interval(secs => $8) AS at FROM generate_series(0, $6::int - 1) AS i
     ), sent AS (
       INSERT INTO notifications (tenant_id, id, request_id, position, environment_id, application_id, unit_id, sandbox, channel, recipient,
         region, language, notification_type, notification_subtype, class, status, provider, segments, sequence, attempts, expires_at,
         created_at, sent_at, delivered_at, failure)
       SELECT $1, (left(uuidv7_floor(at)::text, 24) || left(md5(i || ($2::uuid)::text), 12))::uuid, $2::uuid, i, $3, $4, $5, false, 'sms',
         '+49151' || (10000000 + i), 'DE', 'en', 'order', 'order_status', 'transactional',
         CASE WHEN i % 10 = 0 THEN 'failed' ELSE 'delivered' END, 'Planted', 1 + i % 3, 3, 1, at + interval '2 days', at,
         at + interval '1 second', CASE WHEN i % 10 = 0 THEN NULL ELSE at + interval '3 seconds' END,
         CASE WHEN i % 10 = 0 THEN jsonb_build_object('code', 'invalid_recipient', 'detail', 'Nobody has 0151 ' || (10000000 + i)) END
       FROM planted RETURNING id, position, created_at
     )
     INSERT INTO cost_entries (tenant_id, id, notification_id, attempt, kind, amount, currency, source, at)
     SELECT $1, (left(id::text, 24) || left(md5(id::text), 12))::uuid, id, 1, 'message', 0.07 + position * 0.000001, 'EUR', 'estimated',
       created_at + interval '1 second'
     FROM sent`,
    [tenantId, requestId, environmentId, applicationId, unitId, count, from, (days * 86_400) / count],
  );
}
