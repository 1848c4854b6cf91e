import type { Ctx } from "../kernel/ctx.ts";
import type { Db, Tx } from "../kernel/db.ts";
import { queryInTenant } from "../kernel/db.ts";
import type { NotificationSignal, NotificationStatus } from "./notification-state.ts";

/** One request as accept_sends() takes it; see there. */
export interface AcceptRequest {
  id: string;
  environmentId: string;
  applicationId: string;
  unitId: string;
  sandbox: boolean;
  source: "send" | "v1" | "portal" | "test";
  actorType: string;
  actorId: string | null;
  transactionId: string | null;
  keyKind: "transaction" | "idempotency" | null;
  key: string | null;
  bodyHash: string | null;
  keyExpiresAt: string | null;
  region: string;
  language: string;
  type: string;
  subtype: string;
  class: string;
  variables: Record<string, string>;
  metadata: Record<string, string>;
  scheduledAt: string | null;
  expiresAt: string;
  task: string;
  messages: AcceptMessage[];
}

export interface AcceptMessage {
  id: string;
  position: number;
  channel: string;
  recipient: string;
  variables: Record<string, string> | null;
  templateId: string | null;
  templateVersion: number | null;
  policy: string;
  reasonCode: string | null;
  reasonDetail: string | null;
}

export interface AcceptResult {
  accepted: string[];
  refused: { id: string; code: string; detail: string }[];
  known: { id: string; requestId: string; sameBody: boolean }[];
}

/** Writes a batch of one tenant's requests; one round trip, all or nothing. */
export async function callAcceptSends(
  db: Db,
  tenantId: string,
  requests: AcceptRequest[],
): Promise<AcceptResult> {
  const result = await db.pool.query<{ result: AcceptResult }>({
    name: "accept_sends",
    text: "SELECT accept_sends($1, $2) AS result",
    values: [tenantId, JSON.stringify(requests)],
  });
  const row = result.rows[0];
  if (!row) throw new Error("accept_sends answered nothing");
  return row.result;
}

/** One change as advance_notifications() takes it; see there. */
export interface NotificationChange {
  tenantId: string;
  id: string;
  at?: string;
  to?: NotificationStatus | NotificationSignal;
  claim?: true;
  worker?: string;
  attempt?: number;
  outcome?: "sent" | "not_sent" | "unknown";
  code?: string;
  detail?: string;
  providerCode?: string;
  providerMessage?: string;
  connectionId?: string;
  provider?: string;
  providerMessageId?: string;
  segments?: number;
  final?: boolean;
  reason?: { code: string; detail: string };
  failure?: { code: string; detail: string; providerCode?: string; providerMessage?: string };
  data?: Record<string, unknown>;
  price?: { amount: string; currency: string; source: "reported" | "estimated" };
  /** The attempt that the price is for, where it is not the one closed or the newest. */
  priceAttempt?: number;
  dueAt?: string;
  task?: string;
  jobs?: { task: string; payload: Record<string, unknown>; runAt?: string; priority?: number }[];
}

export interface AppliedChange {
  tenantId: string;
  id: string;
  status: NotificationStatus;
  sequence: number;
  attempt: number | null;
}

/** Applies changes, at most one per notification; those that the state machine forbids are missing from the answer. */
export async function callAdvance(
  db: Db,
  tenantId: string | null,
  changes: NotificationChange[],
): Promise<AppliedChange[]> {
  const result = await db.pool.query<AppliedChange>({
    name: "advance_notifications",
    text: `SELECT tenant_id AS "tenantId", id, status, sequence, attempt FROM advance_notifications($1, $2)`,
    values: [tenantId, JSON.stringify(changes)],
  });
  return result.rows;
}

/** What the worker has to know to carry out one delivery. */
export interface DeliveryRow {
  tenant_id: string;
  id: string;
  request_id: string;
  environment_id: string;
  application_id: string;
  unit_id: string;
  sandbox: boolean;
  channel: "sms" | "email" | "whatsapp";
  recipient: string;
  variables: Record<string, string>;
  region: string;
  language: string;
  notification_type: string;
  notification_subtype: string;
  class: "authentication" | "transactional" | "service" | "marketing";
  template_id: string;
  template_version: number;
  status: NotificationStatus;
  failure: NotificationChange["failure"] | null;
  attempts: number;
  open_attempt: number | null;
  unknown_outcomes: number;
  due_at: Date | null;
  expires_at: Date;
  created_at: Date;
  suppressed: boolean;
  consent: "opted_in" | "opted_out" | null;
  /** The kill switch of its template is on in its environment. */
  template_disabled: boolean;
  /** Somebody sent it to themselves to see a version arrive. */
  is_test: boolean;
  data_region: string;
  settings: unknown;
  /** Earlier attempts; null before the first. */
  tried:
    | {
        number: number;
        connectionId: string;
        worker: string;
        outcome: string | null;
        code: string | null;
        /** ISO 8601. */
        startedAt: string;
        finishedAt: string | null;
      }[]
    | null;
  now: Date;
}

const deliverySql = `
  SELECT n.tenant_id, n.id, n.request_id, n.environment_id, n.application_id, n.unit_id, n.sandbox, n.channel, n.recipient,
    r.variables || coalesce(n.variables, '{}') AS variables, n.region, n.language, n.notification_type,
    n.notification_subtype, n.class, n.template_id, n.template_version, n.status, n.failure, n.attempts, n.open_attempt,
    n.unknown_outcomes, n.due_at, n.expires_at, n.created_at,
    EXISTS (SELECT FROM suppressed_addresses s WHERE s.tenant_id = n.tenant_id AND s.sandbox = n.sandbox
            AND s.channel = n.channel AND s.address = n.recipient) AS suppressed,
    (SELECT c.state FROM newest_consent(n.tenant_id, n.sandbox, n.channel, n.recipient, n.region, n.class) AS c) AS consent,
    EXISTS (SELECT FROM template_pointers d WHERE d.tenant_id = n.tenant_id AND d.template_id = n.template_id
            AND d.environment_id = n.environment_id AND d.disabled) AS template_disabled,
    r.source = 'test' AS is_test, t.data_region, t.settings, clock_timestamp() AS now,
    CASE WHEN n.attempts > 0 THEN (
      SELECT jsonb_agg(jsonb_build_object('number', a.number, 'connectionId', a.connection_id, 'worker', a.worker,
                                          'outcome', a.outcome, 'code', a.code, 'startedAt', a.started_at,
                                          'finishedAt', a.finished_at) ORDER BY a.number)
      FROM attempts a WHERE a.tenant_id = n.tenant_id AND a.notification_id = n.id) END AS tried
  FROM notifications_by_key($1, $2) n
  CROSS JOIN LATERAL (SELECT r.variables, r.source FROM send_requests r WHERE r.tenant_id = n.tenant_id AND r.id = n.request_id OFFSET 0) r
  CROSS JOIN LATERAL (SELECT t.data_region, t.settings FROM tenant_facts t WHERE t.id = n.tenant_id OFFSET 0) t`;

/** Loads deliveries of any tenants (worker's role); what no longer exists is missing from the answer. */
export async function selectDeliveries(
  db: Db,
  wanted: { tenantId: string; notificationId: string }[],
): Promise<DeliveryRow[]> {
  const result = await db.pool.query<DeliveryRow>({
    name: "select_deliveries",
    text: deliverySql,
    values: [wanted.map((item) => item.tenantId), wanted.map((item) => item.notificationId)],
  });
  return result.rows;
}

/** The names (as lock keys) that are held now: each worker process holds advisory locks made from its id and its pools'. */
export async function selectLiveWorkers(db: Db): Promise<Set<number>> {
  const result = await db.pool.query<{ key: number }>(
    `SELECT objid::int AS key FROM pg_locks WHERE locktype = 'advisory' AND classid = $1 AND objsubid = 2
       AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
    [workerLockClass],
  );
  return new Set(result.rows.map((row) => row.key));
}

/** First key of the advisory locks that show that a worker process, or one of its job pools, is there. */
export const workerLockClass = 7_461_001;

export interface ReplayRow {
  id: string;
  channel: "sms" | "email" | "whatsapp";
  recipient: string;
  status: "queued" | "scheduled" | "rejected";
  reason: { code: string; detail: string } | null;
}

/** A request's messages as they were when it was accepted, in the request's order. */
export function selectFirstAnswer(ctx: Ctx, requestId: string): Promise<ReplayRow[]> {
  return queryInTenant<ReplayRow>(
    ctx,
    `SELECT n.id, n.channel, n.recipient, e.type AS status, e.data->'reason' AS reason
     FROM notifications n
     JOIN notification_events e ON e.tenant_id = n.tenant_id AND e.notification_id = n.id AND e.sequence = 1
     WHERE n.tenant_id = $1 AND n.request_id = $2 ORDER BY n.position`,
    [ctx.tenantId, requestId],
  );
}

/** Which request used an idempotency key before; null: none, or its key has expired. */
export async function selectIdempotencyKey(
  ctx: Ctx,
  key: { environmentId: string; applicationId: string; kind: string; key: string; bodyHash: string },
): Promise<{ requestId: string; sameBody: boolean } | null> {
  const rows = await queryInTenant<{ requestId: string; sameBody: boolean }>(
    ctx,
    `SELECT request_id AS "requestId", body_hash = decode($6, 'hex') AS "sameBody" FROM idempotency_keys
     WHERE tenant_id = $1 AND environment_id = $2 AND application_id = $3 AND kind = $4 AND key = $5
       AND (expires_at IS NULL OR expires_at > now())`,
    [ctx.tenantId, key.environmentId, key.applicationId, key.kind, key.key, key.bodyHash],
  );
  return rows[0] ?? null;
}

/** What a simulated callback is made from; null when the attempt is gone. */
export async function selectSimulatedMessage(
  db: Db,
  key: { tenantId: string; notificationId: string; attempt: number },
): Promise<{
  channel: DeliveryRow["channel"];
  to: string;
  region: string;
  unit_id: string;
  providerMessageId: string;
} | null> {
  const result = await db.pool.query<{
    channel: DeliveryRow["channel"];
    to: string;
    region: string;
    unit_id: string;
    providerMessageId: string;
  }>(
    `SELECT n.channel, n.recipient AS "to", n.region, n.unit_id, a.provider_message_id AS "providerMessageId"
     FROM notifications n JOIN attempts a ON a.tenant_id = n.tenant_id AND a.notification_id = n.id
     WHERE n.tenant_id = $1 AND n.id = $2 AND a.number = $3 AND a.provider_message_id IS NOT NULL`,
    [key.tenantId, key.notificationId, key.attempt],
  );
  return result.rows[0] ?? null;
}

export interface ReceiptTarget {
  id: string;
  channel: "sms" | "email" | "whatsapp";
  recipient: string;
  region: string;
  sandbox: boolean;
  providerMessageId: string | null;
  /** How often it was tried. */
  attempts: number;
}

/**
 * The notifications that a connection's receipts are about, by our id or by the provider's. Only what was really
 * attempted over this connection: a connection cannot speak about another's messages.
 */
export function selectReceiptTargets(
  ctx: Ctx,
  connectionId: string,
  ids: string[],
  providerMessageIds: string[],
): Promise<ReceiptTarget[]> {
  return queryInTenant<ReceiptTarget>(
    ctx,
    `SELECT n.id, n.channel, n.recipient, n.region, n.sandbox, n.provider_message_id AS "providerMessageId", n.attempts
     FROM notifications n
     WHERE n.tenant_id = $1 AND n.id = ANY ($3::uuid[])
       AND EXISTS (SELECT FROM attempts a WHERE a.tenant_id = $1 AND a.notification_id = n.id AND a.connection_id = $2)
     UNION
     SELECT n.id, n.channel, n.recipient, n.region, n.sandbox, n.provider_message_id, n.attempts
     FROM notifications n
     WHERE n.tenant_id = $1 AND n.connection_id = $2 AND n.provider_message_id = ANY ($4::text[])`,
    [ctx.tenantId, connectionId, ids, providerMessageIds],
  );
}

/** Due for longer than `graceSeconds` and without a job, oldest first; any tenant (worker's role). */
export async function selectForgotten(
  db: Db,
  options: { graceSeconds: number; limit: number },
): Promise<Pick<DeliveryRow, "tenant_id" | "id" | "class" | "sandbox" | "status">[]> {
  const result = await db.pool.query<Pick<DeliveryRow, "tenant_id" | "id" | "class" | "sandbox" | "status">>(
    `WITH due AS MATERIALIZED (
       SELECT tenant_id, id, class, sandbox, status FROM notifications
       WHERE due_at < now() - make_interval(secs => $1) ORDER BY due_at LIMIT $2
     ), waiting AS (
       SELECT jsonb_array_elements_text(coalesce(j.payload::jsonb->'notificationIds',
                jsonb_build_array(j.payload->>'notificationId'))) AS id
       FROM graphile_worker._private_jobs j
       JOIN graphile_worker._private_tasks t ON t.id = j.task_id AND t.identifier LIKE 'deliver\\_%'
       WHERE EXISTS (SELECT FROM due) AND j.attempts < j.max_attempts AND t.identifier <> 'deliver_webhook'
     )
     SELECT due.* FROM due WHERE NOT EXISTS (SELECT FROM waiting WHERE waiting.id = due.id::text)`,
    [options.graceSeconds, options.limit],
  );
  return result.rows;
}

/** callAdvance inside the caller's transaction, for changes that are audited with it. Returns how many took effect. */
export async function advanceInTransaction(
  tx: Tx,
  tenantId: string,
  changes: NotificationChange[],
): Promise<number> {
  const rows = await tx.$queryRaw<
    unknown[]
  >`SELECT id FROM advance_notifications(${tenantId}::uuid, ${JSON.stringify(changes)}::jsonb)`;
  return rows.length;
}

/** Adds jobs outside any other change. */
export async function callEnqueue(db: Db, jobs: NonNullable<NotificationChange["jobs"]>): Promise<void> {
  await db.pool.query("SELECT enqueue_jobs($1)", [JSON.stringify(jobs)]);
}

/** Deletes up to `limit` expired idempotency keys of any tenant (worker's role); returns how many. */
export async function deleteExpiredKeys(db: Db, limit: number): Promise<number> {
  const result = await db.pool.query(
    `DELETE FROM idempotency_keys WHERE ctid = ANY (ARRAY(
       SELECT ctid FROM idempotency_keys WHERE expires_at < now() ORDER BY expires_at LIMIT $1))`,
    [limit],
  );
  return result.rowCount ?? 0;
}
