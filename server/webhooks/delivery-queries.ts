import { shownAddress } from "../kernel/address.ts";
import type { Db } from "../kernel/db.ts";
import { camelRows, queryInTenant } from "../kernel/db.ts";
import type { Ctx } from "../kernel/ctx.ts";
import { tracedMessages } from "../kernel/tracing.ts";
import type { EventContent } from "./body.ts";
import { deliverWebhook } from "./tasks.ts";

/** A delivery with its endpoint and the data of its body. */
interface DeliveryRow {
  tenantId: string;
  id: string;
  endpointId: string;
  event: string;
  notificationId: string | null;
  sequence: number | null;
  payload: Record<string, unknown> | null;
  at: Date;
  state: string;
  attempts: number;
  replayedAfter: number;
  nextAttemptAt: Date | null;
  now: Date;
  endpointEnabled: boolean | null;
  url: string | null;
  secret: Buffer | null;
  previousSecret: Buffer | null;
  previousSecretExpiresAt: Date | null;
  retrySchedule: number[] | null;
  application: string | null;
  environment: string | null;
  dataKey: Buffer;
  channel: string | null;
  recipient: string | null;
  status: string | null;
  provider: string | null;
  deliveredAt: Date | null;
  eventData: Record<string, unknown> | null;
  transactionId: string | null;
  metadata: unknown;
  traceContext: string | null;
}

/**
 * What was known of a message when an event of it happened, as a subquery. It comes from the status events up to its own, which never
 * change, so that each attempt has the same content whatever has happened to the message since.
 * @param event alias with `tenant_id`, `notification_id` and `sequence`
 * @param wanted condition under which anything is looked up
 */
export const historyOf = (event: string, wanted = "true") => `(
    SELECT
      (array_agg(s.type ORDER BY s.sequence DESC) FILTER (WHERE NOT is_recipient_action(s.type)))[1] AS status,
      (array_agg(s.data->>'provider' ORDER BY s.sequence DESC) FILTER (WHERE s.data->>'provider' IS NOT NULL))[1] AS provider,
      max(s.at) FILTER (WHERE s.type = 'delivered') AS delivered_at,
      (array_agg(s.data ORDER BY s.sequence DESC))[1] AS data
    FROM event_facts s
    WHERE s.tenant_id = ${event}.tenant_id AND s.notification_id = ${event}.notification_id AND s.sequence <= ${event}.sequence
      AND ${wanted}
  )`;

/** Columns of the content of a message's event: `n` is the message, `r` its request, `h` its history. */
export const contentColumns = `n.channel, n.recipient, h.status,
    coalesce(h.provider, CASE WHEN h.status IN ('sent', 'delivered', 'failed', 'undetermined') THEN n.provider END) AS provider,
    h.delivered_at, h.data AS event_data, r.transaction_id, r.metadata`;

/**
 * The row's provider is used where no event names one; it is settled by the time a message is sent.
 *
 * Each lookup is separate, and those in big tables are written as the first of a range: only the primary key gives that
 * without a sort. With plain joins on tables that are still empty, Postgres picks any index that leads with the tenant,
 * and keeps that plan while the tables grow.
 */
const selectFrom = (deliveries: string) => `
  SELECT d.tenant_id, d.id, d.endpoint_id, d.event, d.notification_id, d.sequence, d.payload, d.at, d.state, d.attempts,
    d.replayed_after, d.next_attempt_at, clock_timestamp() AS now,
    e.enabled AS endpoint_enabled, e.url, e.secret, e.previous_secret, e.previous_secret_expires_at, e.retry_schedule,
    a.name AS application, v.slug AS environment, t.data_key,
    ${contentColumns},
    CASE WHEN n.position < ${String(tracedMessages)} THEN r.trace_context END AS trace_context
  FROM ${deliveries}
  CROSS JOIN LATERAL (SELECT data_key FROM tenant_facts WHERE id = d.tenant_id OFFSET 0) t
  LEFT JOIN LATERAL (SELECT * FROM webhook_endpoints WHERE tenant_id = d.tenant_id AND id = d.endpoint_id OFFSET 0) e ON true
  LEFT JOIN LATERAL (SELECT name FROM application_facts WHERE tenant_id = e.tenant_id AND id = e.application_id OFFSET 0) a ON true
  LEFT JOIN LATERAL (SELECT slug FROM environment_facts WHERE tenant_id = e.tenant_id AND id = e.environment_id OFFSET 0) v ON true
  LEFT JOIN LATERAL (SELECT channel, recipient, provider, request_id, position FROM notification_facts
    WHERE tenant_id = d.tenant_id AND id BETWEEN d.notification_id AND d.notification_id ORDER BY id LIMIT 1) n ON true
  LEFT JOIN LATERAL (SELECT transaction_id, metadata, trace_context FROM request_facts
    WHERE tenant_id = d.tenant_id AND id BETWEEN n.request_id AND n.request_id ORDER BY id LIMIT 1) r ON true
  LEFT JOIN LATERAL ${historyOf("d")} h ON d.notification_id IS NOT NULL`;

export interface StoredDelivery {
  tenantId: string;
  id: string;
  endpointId: string;
  pending: boolean;
  attempts: number;
  replayedAfter: number;
  nextAttemptAt: Date | null;
  /** When this was read, by the database's clock. */
  now: Date;
  dataKey: Buffer;
  /** The trace of the message that it tells of; null: none. */
  traceContext: string | null;
  endpoint: {
    enabled: boolean;
    url: string;
    secret: Buffer;
    previousSecret: Buffer | null;
    previousSecretExpiresAt: Date | null;
    retrySchedule: number[];
  } | null;
  /** Null: the event's data was erased. */
  content: EventContent | null;
}

function toStored(row: DeliveryRow): StoredDelivery {
  const endpoint =
    row.url !== null && row.secret !== null
      ? {
          enabled: row.endpointEnabled === true,
          url: row.url,
          secret: row.secret,
          previousSecret: row.previousSecret,
          previousSecretExpiresAt: row.previousSecretExpiresAt,
          retrySchedule: row.retrySchedule ?? [],
        }
      : null;
  return {
    tenantId: row.tenantId,
    id: row.id,
    endpointId: row.endpointId,
    pending: row.state === "pending",
    attempts: row.attempts,
    replayedAfter: row.replayedAfter,
    nextAttemptAt: row.nextAttemptAt,
    now: row.now,
    dataKey: row.dataKey,
    traceContext: row.traceContext,
    endpoint,
    content: toContent(row),
  };
}

/** The columns that an event's content is made from. */
export type ContentRow = Pick<
  DeliveryRow,
  | "event"
  | "at"
  | "application"
  | "environment"
  | "notificationId"
  | "sequence"
  | "payload"
  | "channel"
  | "recipient"
  | "status"
  | "provider"
  | "deliveredAt"
  | "eventData"
  | "transactionId"
  | "metadata"
>;

/** The content of an event; null: it was erased. */
export function toContent(row: ContentRow): EventContent | null {
  const head = {
    event: row.event,
    at: row.at,
    application: row.application ?? "",
    environment: row.environment ?? "",
  };
  if (row.notificationId === null) return { ...head, notification: null, payload: row.payload ?? {} };
  if (row.channel === null || row.recipient === null || row.status === null) return null;
  const { url, permanent } = row.eventData ?? {};
  return {
    ...head,
    payload: null,
    notification: {
      notificationId: row.notificationId,
      channel: row.channel,
      to: shownAddress(row.recipient),
      status: row.status,
      provider: row.provider,
      deliveredAt: row.deliveredAt,
      sequence: row.sequence ?? 0,
      transactionId: row.transactionId,
      reason: row.eventData?.reason,
      failure: row.eventData?.failure,
      metadata: row.metadata,
      url: row.event === "link.clicked" && typeof url === "string" ? url : null,
      permanent: row.event === "notification.bounced" && typeof permanent === "boolean" ? permanent : null,
    },
  };
}

export interface DeliveryRef {
  tenantId: string;
  deliveryId: string;
}

/** A worker's batch over many tenants; missing ones are undefined. One round trip. */
export async function loadDeliveries(
  db: Db,
  refs: readonly DeliveryRef[],
): Promise<(StoredDelivery | undefined)[]> {
  const result = await db.pool.query({
    name: "webhooks_load",
    text: selectFrom(`unnest($1::uuid[], $2::uuid[]) AS wanted(tenant_id, id) CROSS JOIN LATERAL (
      SELECT * FROM webhook_deliveries
      WHERE tenant_id = wanted.tenant_id AND id BETWEEN wanted.id AND wanted.id ORDER BY id LIMIT 1) d`),
    values: [refs.map((ref) => ref.tenantId), refs.map((ref) => ref.deliveryId)],
  });
  const found = new Map(
    camelRows<DeliveryRow>(result).map((row) => [`${row.tenantId} ${row.id}`, toStored(row)]),
  );
  return refs.map((ref) => found.get(`${ref.tenantId} ${ref.deliveryId}`));
}

/** One delivery of the ctx's tenant, for the log. */
export async function selectStoredDelivery(ctx: Ctx, deliveryId: string): Promise<StoredDelivery | null> {
  const rows = await queryInTenant<DeliveryRow>(
    ctx,
    `${selectFrom("webhook_deliveries d")} WHERE d.tenant_id = $1 AND d.id = $2`,
    [ctx.tenantId, deliveryId],
  );
  return rows[0] ? toStored(rows[0]) : null;
}

const jobOf = (row: string, runAt: string) =>
  `webhook_job(${row}.tenant_id, ${row}.id) || jsonb_build_object('runAt', ${runAt})`;

/** The result of one attempt. */
export interface AttemptResult {
  tenantId: string;
  id: string;
  endpointId: string;
  startedAt: Date;
  endedAt: Date;
  durationMs: number;
  status: number | null;
  error: string | null;
  responseBody: string | null;
  /** The headers webhook-signature and traceparent as sent. */
  signature: string;
  traceparent: string | null;
  ok: boolean;
  /** When to try again; null: no more attempts. */
  retryAt: Date | null;
}

/**
 * Records attempts: the log, the deliveries, since when an endpoint has been failing, and the jobs of the next
 * attempts, in one statement. At most one result per delivery in a call.
 * @param failingBefore returns the ids of endpoints that have been failing since before then
 */
export async function recordAttempts(
  db: Db,
  results: readonly AttemptResult[],
  failingBefore: Date,
): Promise<ReadonlySet<string>> {
  const answer = await db.pool.query<{ failing: string[] }>({
    name: "webhooks_record",
    text: `
      WITH x AS (
        SELECT * FROM jsonb_to_recordset($1::jsonb) AS x("tenantId" uuid, id uuid, "endpointId" uuid, "startedAt" timestamptz,
          "endedAt" timestamptz, "durationMs" int, status int, error text, "responseBody" text, signature text, traceparent text, ok boolean, "retryAt" timestamptz)
      ), changed AS (
        -- A repeated attempt may end after another has settled the delivery: it is logged, and only a success counts.
        UPDATE webhook_deliveries d SET
          attempts = d.attempts + 1,
          last_status = CASE WHEN d.state = 'delivered' AND NOT x.ok THEN d.last_status ELSE x.status END,
          last_error = CASE WHEN d.state = 'delivered' AND NOT x.ok THEN d.last_error ELSE x.error END,
          state = CASE WHEN x.ok THEN 'delivered' WHEN d.state <> 'pending' THEN d.state
                       WHEN x."retryAt" IS NULL THEN 'failed' ELSE 'pending' END,
          next_attempt_at = CASE WHEN x.ok OR d.state <> 'pending' THEN NULL ELSE x."retryAt" END,
          delivered_at = CASE WHEN x.ok THEN coalesce(d.delivered_at, x."endedAt") ELSE d.delivered_at END
        FROM x WHERE d.tenant_id = x."tenantId" AND d.id = x.id
        RETURNING d.tenant_id, d.id, d.attempts, d.state, d.next_attempt_at, x."startedAt", x."durationMs", x.status, x.error, x."responseBody", x.signature, x.traceparent
      ), logged AS (
        INSERT INTO webhook_attempts (tenant_id, delivery_id, number, started_at, duration_ms, status, error, response_body, signature, traceparent)
        SELECT tenant_id, id, attempts, "startedAt", "durationMs", status, error, "responseBody", signature, traceparent FROM changed
      ), outcome AS (
        SELECT "tenantId" AS tenant_id, "endpointId" AS id, bool_or(ok) AS ok, min("startedAt") AS since FROM x GROUP BY 1, 2
      ), health AS (
        UPDATE webhook_endpoints e SET failing_since = CASE WHEN o.ok THEN NULL ELSE o.since END
        FROM outcome o WHERE e.tenant_id = o.tenant_id AND e.id = o.id AND (e.failing_since IS NULL) <> o.ok
      ), jobs AS MATERIALIZED (
        SELECT enqueue_jobs(jsonb_agg(${jobOf("c", "c.next_attempt_at")})) AS added
        FROM changed c WHERE c.state = 'pending' AND c.next_attempt_at IS NOT NULL HAVING count(*) > 0
      )
      -- Naming the count makes sure that the jobs are added.
      SELECT (SELECT count(added) FROM jobs) AS added, ARRAY(
        SELECT e.id FROM outcome o JOIN webhook_endpoints e ON e.tenant_id = o.tenant_id AND e.id = o.id
        WHERE NOT o.ok AND e.enabled AND e.failing_since <= $2) AS failing`,
    values: [JSON.stringify(results), failingBefore],
  });
  return new Set(answer.rows[0]?.failing);
}

/** A delivery that is still pending after `attempts` attempts: given up, or postponed. */
export interface Move {
  tenantId: string;
  id: string;
  attempts: number;
  state: "pending" | "discarded";
  at: Date | null;
}

/** Applies moves, with the jobs of postponed ones; a delivery that changed in the meantime stays as it is. */
export async function moveDeliveries(db: Db, moves: readonly Move[]): Promise<void> {
  await db.pool.query({
    name: "webhooks_move",
    text: `
      WITH x AS (
        SELECT * FROM jsonb_to_recordset($1::jsonb) AS x("tenantId" uuid, id uuid, attempts int, state text, at timestamptz)
      ), moved AS (
        UPDATE webhook_deliveries d SET state = x.state, next_attempt_at = x.at
        FROM x WHERE d.tenant_id = x."tenantId" AND d.id = x.id AND d.state = 'pending' AND d.attempts = x.attempts
        RETURNING d.tenant_id, d.id, d.next_attempt_at
      )
      SELECT enqueue_jobs(jsonb_agg(${jobOf("m", "m.next_attempt_at")}))
      FROM moved m WHERE m.next_attempt_at IS NOT NULL HAVING count(*) > 0`,
    values: [JSON.stringify(moves)],
  });
}

/**
 * Adds the jobs of deliveries that have been due for `graceMs` and have none, or only one that ran out of attempts.
 * Returns how many; at most `limit`.
 */
export async function enqueueLostDeliveries(
  db: Db,
  { graceMs, limit }: { graceMs: number; limit: number },
): Promise<number> {
  const result = await db.pool.query<{ count: string }>({
    text: `
      WITH lost AS (
        SELECT d.tenant_id, d.id FROM webhook_deliveries d
        WHERE d.state = 'pending' AND d.next_attempt_at < now() - make_interval(secs => $1::float8 / 1000) AND NOT EXISTS (
          SELECT FROM graphile_worker._private_jobs j JOIN graphile_worker._private_tasks k ON k.id = j.task_id
          WHERE k.identifier = '${deliverWebhook.name}' AND j.payload->>'deliveryId' = d.id::text
            AND (j.attempts < j.max_attempts OR j.locked_at IS NOT NULL))
        LIMIT $2
      ), jobs AS MATERIALIZED (
        SELECT count(*) AS count, enqueue_jobs(jsonb_agg(${jobOf("l", "now()")})) AS added FROM lost l HAVING count(*) > 0
      )
      SELECT coalesce(sum(count), 0)::text AS count, count(added) AS calls FROM jobs`,
    values: [graceMs, limit],
  });
  return Number(result.rows[0]?.count ?? 0);
}

/** Whether at least `atLeast` attempts to reach an endpoint have been made since an instant. */
export async function hasAttemptsSince(
  ctx: Pick<Ctx, "db" | "tenantId">,
  endpointId: string,
  since: Date,
  atLeast: number,
): Promise<boolean> {
  const rows = await queryInTenant<{ count: number }>(
    ctx,
    `SELECT count(*)::int AS count FROM (
       SELECT FROM webhook_deliveries d JOIN webhook_attempts a ON a.tenant_id = d.tenant_id AND a.delivery_id = d.id
       WHERE d.tenant_id = $1 AND d.endpoint_id = $2 AND a.started_at >= $3
       ORDER BY d.id DESC LIMIT $4
     ) AS made`,
    [ctx.tenantId, endpointId, since, atLeast],
  );
  return (rows[0]?.count ?? 0) >= atLeast;
}
