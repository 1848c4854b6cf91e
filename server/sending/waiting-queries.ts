import type { Trial } from "../connections/schemas.ts";
import type { Db } from "../kernel/db.ts";
import { resumeOrder } from "./lanes.ts";

/** A message that waits for a connection; `priority` is its lane's resumeOrder. */
export interface WaitingMessage {
  tenantId: string;
  connectionId: string;
  notificationId: string;
  priority: number;
  /** The time that it was put off to. */
  dueAt: Date;
  /** Only if the connection is out. */
  whileOut: boolean;
}

/** A connection whose waiting messages may have to be resumed. */
export interface DueConnection {
  tenantId: string;
  connectionId: string;
  breaker: "closed" | "open" | "half_open";
  trial: Trial | null;
  /** How many of them may be under way at once; 0: none has been resumed yet. */
  size: number;
}

type Key = Pick<DueConnection, "tenantId" | "connectionId">;

/**
 * Records messages that were put off, once for each connection, and schedules a check of the connection. Connections
 * without a health record, which never failed, are left out. There is at most one row per waiting message
 * and connection of its route; see deleteNoLongerWaiting.
 */
export async function insertWaiting(db: Db, messages: readonly WaitingMessage[]): Promise<void> {
  await db.pool.query({
    name: "waiting_insert",
    text: `
      WITH x AS (
        SELECT DISTINCT ON (tenant_id, connection_id, priority, notification_id) *
        FROM unnest($1::uuid[], $2::uuid[], $3::smallint[], $4::uuid[], $5::timestamptz[], $6::boolean[])
          AS x(tenant_id, connection_id, priority, notification_id, due_at, while_out)
        ORDER BY tenant_id, connection_id, priority, notification_id, due_at DESC
      ), noted AS (
        INSERT INTO waiting_messages (tenant_id, connection_id, priority, notification_id, due_at)
        SELECT x.tenant_id, x.connection_id, x.priority, x.notification_id, x.due_at FROM x WHERE EXISTS (
          SELECT FROM connection_states h WHERE h.tenant_id = x.tenant_id AND h.connection_id = x.connection_id
            AND (h.breaker <> 'closed' OR NOT x.while_out))
        ON CONFLICT (tenant_id, connection_id, priority, notification_id)
          DO UPDATE SET due_at = excluded.due_at, woken_at = NULL
      )
      UPDATE connection_states h SET wake_at = now()
      FROM (SELECT DISTINCT tenant_id, connection_id FROM x) AS k
      WHERE h.tenant_id = k.tenant_id AND h.connection_id = k.connection_id AND h.wake_at IS NULL`,
    values: [
      messages.map((message) => message.tenantId),
      messages.map((message) => message.connectionId),
      messages.map((message) => message.priority),
      messages.map((message) => message.notificationId),
      messages.map((message) => message.dueAt),
      messages.map((message) => message.whileOut),
    ],
  });
}

/**
 * Claims connections of any tenant whose waiting messages are due for a check; no other process gets them for
 * `leaseMs`.
 */
export async function claimDueConnections(
  db: Db,
  options: { limit: number; leaseMs: number },
): Promise<DueConnection[]> {
  const result = await db.pool.query<DueConnection>({
    name: "waiting_claim",
    text: `
      UPDATE connection_states h SET wake_at = now() + make_interval(secs => $2::float8 / 1000)
      FROM (SELECT tenant_id, connection_id FROM connection_states WHERE wake_at <= now()
            ORDER BY wake_at LIMIT $1 FOR NO KEY UPDATE SKIP LOCKED) AS due
      WHERE h.tenant_id = due.tenant_id AND h.connection_id = due.connection_id
      RETURNING h.tenant_id AS "tenantId", h.connection_id AS "connectionId", h.breaker, h.trial, h.wake_size AS size`,
    values: [options.limit, options.leaseMs],
  });
  return result.rows;
}

/**
 * Deletes resumed messages that are no longer under way, and those resumed more than `lateMs` ago. `arrived`: sent or
 * otherwise finished; `failed`: put off again, or their attempt failed.
 */
export async function settleResumed(
  db: Db,
  key: Key,
  lateMs: number,
): Promise<{ arrived: number; failed: number; underWay: number }> {
  const result = await db.pool.query<{ arrived: number; failed: number; underWay: number }>({
    name: "waiting_settle",
    text: `
      WITH woken AS (
        SELECT w.priority, w.notification_id, CASE
          WHEN n.status IS NULL OR notification_rank(n.status) >= 2 THEN 'arrived'
          WHEN n.open_attempt IS NULL AND n.due_at > now() + interval '1 second' THEN 'failed'
          WHEN w.woken_at < now() - make_interval(secs => $3::float8 / 1000) THEN 'late'
          ELSE 'under way' END AS fate
        FROM waiting_messages w
        LEFT JOIN LATERAL (SELECT status, open_attempt, due_at FROM notifications
          WHERE tenant_id = w.tenant_id AND id BETWEEN w.notification_id AND w.notification_id ORDER BY id LIMIT 1) n ON true
        WHERE w.tenant_id = $1 AND w.connection_id = $2 AND w.woken_at IS NOT NULL
      ), gone AS (
        DELETE FROM waiting_messages w USING woken x
        WHERE w.tenant_id = $1 AND w.connection_id = $2 AND w.priority = x.priority AND w.notification_id = x.notification_id
          AND w.woken_at IS NOT NULL AND x.fate <> 'under way'
      )
      SELECT count(*) FILTER (WHERE fate = 'arrived')::int AS arrived, count(*) FILTER (WHERE fate = 'failed')::int AS failed,
        count(*) FILTER (WHERE fate = 'under way')::int AS "underWay" FROM woken`,
    values: [key.tenantId, key.connectionId, lateMs],
  });
  return result.rows[0] ?? { arrived: 0, failed: 0, underWay: 0 };
}

/**
 * The next messages that wait for a connection, one-time codes first, then the oldest. Those whose due time has changed
 * since they were put off are deleted: they took another connection, or wait for something else, such as a receipt.
 */
export async function selectNextWaiting(
  db: Db,
  key: Key,
  limit: number,
): Promise<{ looked: number; waiting: { notificationId: string; priority: number; now: Date }[] }> {
  const result = await db.pool.query<{
    notificationId: string;
    priority: number;
    waits: boolean;
    now: Date;
  }>({
    name: "waiting_take",
    text: `
      WITH next AS (
        SELECT w.priority, w.notification_id, coalesce(n.open_attempt IS NULL AND n.due_at = w.due_at, false) AS waits
        FROM (SELECT * FROM waiting_messages WHERE tenant_id = $1 AND connection_id = $2 AND woken_at IS NULL
              ORDER BY priority, notification_id LIMIT $3) w
        LEFT JOIN LATERAL (SELECT open_attempt, due_at FROM notifications
          WHERE tenant_id = w.tenant_id AND id BETWEEN w.notification_id AND w.notification_id ORDER BY id LIMIT 1) n ON true
      ), gone AS (
        DELETE FROM waiting_messages w USING next x
        WHERE w.tenant_id = $1 AND w.connection_id = $2 AND w.priority = x.priority AND w.notification_id = x.notification_id
          AND w.woken_at IS NULL AND NOT x.waits
      )
      SELECT notification_id AS "notificationId", priority, waits, now() AS now FROM next ORDER BY priority, notification_id`,
    values: [key.tenantId, key.connectionId, limit],
  });
  return { looked: result.rows.length, waiting: result.rows.filter(({ waits }) => waits) };
}

/** Records that messages were resumed. */
export async function markResumed(
  db: Db,
  key: Key,
  resumed: readonly { notificationId: string; priority: number }[],
): Promise<void> {
  await db.pool.query({
    name: "waiting_mark",
    text: `UPDATE waiting_messages w SET woken_at = now()
      FROM unnest($3::smallint[], $4::uuid[]) AS x(priority, notification_id)
      WHERE w.tenant_id = $1 AND w.connection_id = $2 AND w.priority = x.priority AND w.notification_id = x.notification_id`,
    values: [
      key.tenantId,
      key.connectionId,
      resumed.map(({ priority }) => priority),
      resumed.map(({ notificationId }) => notificationId),
    ],
  });
}

/**
 * Deletes messages that took another connection or ended while theirs is out: of each priority the oldest `limit` are
 * checked, as they are the first to end.
 */
export async function deleteNoLongerWaiting(db: Db, key: Key, limit: number): Promise<void> {
  await db.pool.query({
    name: "waiting_tidy",
    text: `
      DELETE FROM waiting_messages w USING (
        SELECT o.priority, o.notification_id FROM (SELECT DISTINCT priority FROM unnest($4::smallint[]) AS priority) p
        CROSS JOIN LATERAL (
          SELECT priority, notification_id, due_at FROM waiting_messages
          WHERE tenant_id = $1 AND connection_id = $2 AND priority = p.priority
          ORDER BY notification_id LIMIT $3) o
        LEFT JOIN LATERAL (SELECT due_at FROM notifications
          WHERE tenant_id = $1 AND id BETWEEN o.notification_id AND o.notification_id ORDER BY id LIMIT 1) n ON true
        WHERE n.due_at IS DISTINCT FROM o.due_at) AS gone
      WHERE w.tenant_id = $1 AND w.connection_id = $2 AND w.priority = gone.priority
        AND w.notification_id = gone.notification_id`,
    values: [key.tenantId, key.connectionId, limit, lanePriorities],
  });
}

const lanePriorities = Object.values(resumeOrder);

/**
 * Sets when a connection is checked next, and how many of its messages may then be under way. A connection that has
 * worked for a while and has no waiting messages is not checked again until a message is put off.
 */
export async function scheduleNextCheck(
  db: Db,
  key: Key,
  next: { inMs: number; idleInMs: number; size: number },
): Promise<void> {
  await db.pool.query({
    name: "waiting_finish",
    text: `
      UPDATE connection_states h SET wake_size = $4, wake_at = CASE
        WHEN EXISTS (SELECT FROM waiting_messages w WHERE w.tenant_id = h.tenant_id AND w.connection_id = h.connection_id)
          THEN now() + make_interval(secs => $3::float8 / 1000)
        WHEN h.breaker <> 'closed' OR h.since > now() - interval '10 seconds'
          THEN now() + make_interval(secs => $5::float8 / 1000) END
      WHERE h.tenant_id = $1 AND h.connection_id = $2
        -- A change of state meanwhile begins anew, at once.
        AND h.wake_at > now()`,
    values: [key.tenantId, key.connectionId, next.inMs, next.size, next.idleInMs],
  });
}
