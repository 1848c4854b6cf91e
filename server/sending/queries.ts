import { addressToken, consentKey } from "../consent/address-token.ts";
import { consentClass, consentPolicy, testPolicy } from "../consent/consent-policy.ts";
import type { ConsentPolicy } from "../consent/consent-policy.ts";
import type { MailOutcome } from "../consent/soft-bounces.ts";
import type { Channel } from "../kernel/channel.ts";
import type { Ctx } from "../kernel/ctx.ts";
import { camelRows, queryInTenant } from "../kernel/db.ts";
import type { Db, Tx } from "../kernel/db.ts";
import { erasedText } from "../kernel/erased.ts";
import type { FailureCode } from "../kernel/message-failures.ts";
import { passesConsent } from "../templates/built-in-templates.ts";
import { isTracing, tracedMessages } from "../kernel/tracing.ts";
import type { NotificationClass, TenantSettings } from "../tenancy/schemas.ts";
import { readTenantSettings } from "../tenancy/settings.ts";
import { changeJson } from "./notification-change.ts";
import type { Job, MessageFailure, NotificationChange } from "./notification-change.ts";
import type { NotificationStatus } from "./notification-state.ts";
import type { RefusalCode } from "./refusal.ts";

/** One request in the form that accept_sends() takes. */
export interface AcceptRequest {
  id: string;
  environmentId: string;
  applicationId: string;
  unitId: string;
  sandbox: boolean;
  /** A person has to approve it. */
  held?: boolean;
  /** The request exists; these are further messages of it. */
  appended?: boolean;
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
  /** The trace that it belongs to, as `traceparent` has it. */
  traceContext?: string;
  messages: AcceptMessage[];
}

export interface AcceptMessage {
  id: string;
  position: number;
  channel: string;
  recipient: string;
  country: string | null;
  variables: Record<string, string> | null;
  templateId: string | null;
  templateVersion: number | null;
  policy: string;
  reasonCode: FailureCode | null;
  reasonDetail: string | null;
  /** What stays of the address when it is erased. */
  token?: string;
  /** Of which class consent is asked, where it is not the request's. */
  consentClass?: string;
}

export interface AcceptResult {
  accepted: string[];
  refused: { id: string; code: string; detail: string }[];
  known: { id: string; requestId: string; sameBody: boolean }[];
}

/** A database, or as its pool a connection that is in a transaction of the caller's. */
export interface Statements {
  pool: Pick<Db["pool"], "query">;
}

/** Writes a batch of one tenant's requests; one round trip, all or nothing. */
export async function callAcceptSends(
  { pool }: Statements,
  tenantId: string,
  requests: readonly AcceptRequest[],
): Promise<AcceptResult> {
  const result = await pool.query<{ result: AcceptResult }>({
    name: "accept_sends",
    text: "SELECT accept_sends($1, $2) AS result",
    values: [tenantId, JSON.stringify(requests)],
  });
  const row = result.rows[0];
  if (!row) throw new Error("accept_sends answered nothing");
  return row.result;
}

/** Writes one request of an agent within its cap; undefined when that is reached and nothing was written. */
export async function callAcceptAgentSend(
  db: Db,
  tenantId: string,
  limits: { agentId: string; hourlyCap: number },
  request: AcceptRequest,
  approval: {
    apiKeyId: string | null;
    apiKeyName: string;
    timeToLive: number | null;
    expiresAt: Date;
  } | null,
): Promise<AcceptResult | undefined> {
  const { rows } = await db.pool.query<{ result: AcceptResult & { capped?: true } }>(
    "SELECT accept_agent_send($1, $2, $3, $4) AS result",
    [tenantId, JSON.stringify(limits), JSON.stringify(request), approval && JSON.stringify(approval)],
  );
  const result = rows[0]?.result;
  if (!result) throw new Error("accept_agent_send answered nothing");
  return result.capped ? undefined : result;
}

export interface AppliedChange {
  tenantId: string;
  id: string;
  status: NotificationStatus;
  /** Of a refused claim: null, as nothing was changed. */
  sequence: number | null;
  attempt: number | null;
  /** Why a claim was refused. */
  refused: RefusalCode | "frequency_cap" | null;
  /** Whether its price is the first of its attempt: of any number of answers and receipts, this is said of one. */
  priced: boolean;
}

/** Applies changes, at most one per notification; the result omits those that the state machine forbids. */
export async function callAdvance(
  { pool }: Statements,
  tenantId: string | null,
  changes: readonly NotificationChange[],
): Promise<AppliedChange[]> {
  const result = await pool.query<AppliedChange>({
    name: "advance_notifications",
    text: `SELECT tenant_id AS "tenantId", id, status, sequence, attempt, refused, priced FROM advance_notifications($1, $2)`,
    values: [tenantId, JSON.stringify(changes.map(changeJson))],
  });
  return result.rows;
}

/** What the worker needs to deliver one message. */
export interface Delivery {
  tenantId: string;
  id: string;
  environmentId: string;
  applicationId: string;
  unitId: string;
  sandbox: boolean;
  channel: Channel;
  recipient: string;
  variables: Record<string, string>;
  region: string;
  language: string;
  notificationType: string;
  notificationSubtype: string;
  class: "authentication" | "transactional" | "service" | "marketing";
  templateId: string;
  templateVersion: number;
  status: NotificationStatus;
  failure: MessageFailure | null;
  /** All attempts so far, in order; the last may still be open. */
  attempts: readonly DeliveryAttempt[];
  attemptCount: number;
  /** The number of the attempt that has no outcome yet. */
  openAttempt: number | null;
  unknownOutcomes: number;
  dueAt: Date | null;
  expiresAt: Date;
  /** What its class asks of the recipient's consent; checked when an attempt begins. */
  policy: ConsentPolicy;
  /** Of which class consent is asked. */
  consentClass: NotificationClass;
  /** WhatsApp: the category of its approved template, as decided there or else as the template says; null: it has none. */
  category: string | null;
  /** What stays of the address if it was erased after a no; null: nobody was. */
  token: string | null;
  /** The recipient was erased since. */
  erased: boolean;
  /** The kill switch of its template is on in its environment. */
  templateDisabled: boolean;
  /** Somebody sent it to themselves as a test. */
  isTest: boolean;
  dataRegion: string;
  settings: TenantSettings;
  /** The trace that it belongs to; null: none. */
  traceContext: string | null;
  now: Date;
}

export interface DeliveryAttempt {
  number: number;
  connectionId: string;
  /** The process that made it. */
  worker: string;
  outcome: string | null;
  code: string | null;
  /** ISO 8601. */
  startedAt: string;
  finishedAt: string | null;
}

/** Of a message `n` of a request `r`. */
const traceContext = `CASE WHEN n.position < ${String(tracedMessages)} THEN r.trace_context END`;

const deliverySql = `
  SELECT n.tenant_id AS "tenantId", n.id, n.environment_id AS "environmentId", n.application_id AS "applicationId",
    n.unit_id AS "unitId", n.sandbox, n.channel, n.recipient, r.variables || coalesce(n.variables, '{}') AS variables,
    n.region, n.language, n.notification_type AS "notificationType", n.notification_subtype AS "notificationSubtype",
    n.class, n.template_id AS "templateId", n.template_version AS "templateVersion", n.status, n.failure,
    n.attempts AS "attemptCount", n.open_attempt AS "openAttempt", n.unknown_outcomes AS "unknownOutcomes", n.due_at AS "dueAt",
    n.expires_at AS "expiresAt",
    n.recipient = $3 AS erased, has_consent_key(n.tenant_id) AS "hasKey",
    EXISTS (SELECT FROM template_pointers d WHERE d.tenant_id = n.tenant_id AND d.template_id = n.template_id
            AND d.environment_id = n.environment_id AND d.disabled) AS "templateDisabled",
    CASE WHEN n.channel = 'whatsapp' THEN (SELECT c.category FROM template_categories c WHERE c.tenant_id = n.tenant_id
      AND c.template_id = n.template_id AND c.version = n.template_version) END AS category,
    r.source = 'test' AS "isTest", t.data_region AS "dataRegion", t.settings, clock_timestamp() AS now,
    ${traceContext} AS "traceContext",
    coalesce(CASE WHEN n.attempts > 0 THEN (
      SELECT jsonb_agg(jsonb_build_object('number', a.number, 'connectionId', a.connection_id, 'worker', a.worker,
                                          'outcome', a.outcome, 'code', a.code, 'startedAt', a.started_at,
                                          'finishedAt', a.finished_at) ORDER BY a.number)
      FROM attempts a WHERE a.tenant_id = n.tenant_id AND a.notification_id = n.id) END, '[]') AS attempts
  FROM notifications_by_key($1, $2) n
  CROSS JOIN LATERAL (SELECT r.variables, r.source, r.trace_context FROM send_requests r WHERE r.tenant_id = n.tenant_id AND r.id = n.request_id OFFSET 0) r
  CROSS JOIN LATERAL (SELECT t.data_region, t.settings FROM tenant_facts t WHERE t.id = n.tenant_id OFFSET 0) t`;

export const deliveriesQuery = (wanted: readonly DeliveryKey[]) => ({
  name: "select_deliveries",
  text: deliverySql,
  values: [wanted.map((item) => item.tenantId), wanted.map((item) => item.notificationId), erasedText],
});

/** Loads messages of any tenants (worker's role); the result omits those that no longer exist. */
export async function selectDeliveries(db: Db, wanted: readonly DeliveryKey[]): Promise<Delivery[]> {
  const { rows } = await db.pool.query<Delivery & { hasKey: boolean }>(deliveriesQuery(wanted));
  for (const row of rows) {
    row.settings = readTenantSettings(row.settings);
    row.consentClass = consentClass(row.class, row.category);
    const policy = consentPolicy(row.settings, { ...row, class: row.consentClass });
    row.policy = passesConsent(row.templateId) ? "exempt" : row.isTest ? testPolicy(policy) : policy;
    const key = row.hasKey ? await consentKey({ db, tenantId: row.tenantId }) : null;
    row.token = key && addressToken(key, row.channel, row.recipient);
  }
  return rows;
}

/** Which message, and whose. */
export interface DeliveryKey {
  tenantId: string;
  notificationId: string;
}

/** The held lock keys: each worker process holds advisory locks derived from its own name and its pools'. */
export async function selectLiveWorkers(db: Db): Promise<Set<number>> {
  const result = await db.pool.query<{ key: number }>(
    `SELECT objid::int AS key FROM pg_locks WHERE locktype = 'advisory' AND classid = $1 AND objsubid = 2
       AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
    [workerLockClass],
  );
  return new Set(result.rows.map((row) => row.key));
}

/** First key of the advisory locks by which a worker process and its job pools show that they are alive. */
export const workerLockClass = 7_461_001;

export interface ReplayRow {
  id: string;
  channel: Channel;
  recipient: string;
  status: "queued" | "scheduled" | "rejected" | "pending_approval";
  reason: { code: string; detail: string } | null;
}

/** The messages of a request's own recipients as they were when it was accepted, in the request's order. */
export function selectFirstAnswer(ctx: Ctx, requestId: string): Promise<ReplayRow[]> {
  return queryInTenant<ReplayRow>(
    ctx,
    `SELECT n.id, n.channel, n.recipient, e.type AS status, e.data->'reason' AS reason
     FROM notifications n
     JOIN notification_events e ON e.tenant_id = n.tenant_id AND e.notification_id = n.id AND e.sequence = 1
     WHERE n.tenant_id = $1 AND n.request_id = $2 AND n.position < coalesce((
       SELECT first_position FROM broadcasts WHERE tenant_id = $1 AND request_id = $2), 2147483647)
     ORDER BY n.position`,
    [ctx.tenantId, requestId],
  );
}

/** The request that used an idempotency key before; null: none, or the key has expired. */
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
  channel: Delivery["channel"];
  to: string;
  region: string;
  unitId: string;
  providerMessageId: string;
} | null> {
  const result = await db.pool.query<{
    channel: Delivery["channel"];
    to: string;
    region: string;
    unitId: string;
    providerMessageId: string;
  }>(
    `SELECT n.channel, n.recipient AS "to", n.region, n.unit_id AS "unitId", a.provider_message_id AS "providerMessageId"
     FROM notifications n JOIN attempts a ON a.tenant_id = n.tenant_id AND a.notification_id = n.id
     WHERE n.tenant_id = $1 AND n.id = $2 AND a.number = $3 AND a.provider_message_id IS NOT NULL`,
    [key.tenantId, key.notificationId, key.attempt],
  );
  return result.rows[0] ?? null;
}

/** An attempt that a receipt may be about. */
export interface ReceiptTry {
  number: number;
  /** ISO 8601. */
  startedAt: string;
  /** Null: it is open. */
  outcome: "sent" | "not_sent" | "unknown" | null;
  /** Whether it has a cost. */
  priced: boolean;
  /** Whether nothing is left to say of its cost: it has one, or the answer to it decided that. */
  settled: boolean;
  /** WhatsApp: the category that it counts as in its month; null: as none. */
  countedAs: string | null;
}

export interface ReceiptTarget {
  id: string;
  channel: Channel;
  recipient: string;
  region: string;
  sandbox: boolean;
  providerMessageId: string | null;
  /** How many attempts there were. */
  attempts: number;
  /** WhatsApp: the category of its approved template, as decided there or else as the template says; null: it has none. */
  category: string | null;
  /** When a provider took it; null: not known yet. */
  sentAt: Date | null;
  segments: number | null;
  /** The attempts over this connection, in their order. */
  tries: ReceiptTry[];
  /** The trace that it belongs to; read only while tracing is on. */
  traceContext?: string | null;
}

const targetCategory = `CASE WHEN n.channel = 'whatsapp' THEN (SELECT c.category FROM template_categories c
         WHERE c.tenant_id = n.tenant_id AND c.template_id = n.template_id AND c.version = n.template_version) END`;

const targetTries = `(SELECT jsonb_agg(jsonb_build_object('number', a.number, 'startedAt', a.started_at, 'outcome', a.outcome,
           'priced', c.attempt IS NOT NULL, 'settled', coalesce(a.outcome = 'sent', false) OR c.attempt IS NOT NULL,
           'countedAs', c.counted_as) ORDER BY a.number)
         FROM attempts a LEFT JOIN message_costs c
           ON c.tenant_id = a.tenant_id AND c.notification_id = a.notification_id AND c.attempt = a.number
         WHERE a.tenant_id = n.tenant_id AND a.notification_id = n.id AND a.connection_id = $2)`;
const targetColumns = `n.id, n.channel, n.recipient, n.region, n.sandbox, n.provider_message_id AS "providerMessageId", n.attempts,
       ${targetCategory} AS category, n.sent_at AS "sentAt", n.segments, coalesce(${targetTries}, '[]') AS tries`;

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
  const traced = isTracing()
    ? `, (SELECT ${traceContext} FROM send_requests r WHERE r.tenant_id = n.tenant_id AND r.id = n.request_id) AS "traceContext"`
    : "";
  return queryInTenant<ReceiptTarget>(
    ctx,
    `SELECT ${targetColumns}${traced}
     FROM notifications n
     WHERE n.tenant_id = $1 AND n.id = ANY ($3::uuid[])
       AND EXISTS (SELECT FROM attempts a WHERE a.tenant_id = $1 AND a.notification_id = n.id AND a.connection_id = $2)
     UNION
     SELECT ${targetColumns}${traced}
     FROM notifications n
     WHERE n.tenant_id = $1 AND n.connection_id = $2 AND n.provider_message_id = ANY ($4::text[])`,
    [ctx.tenantId, connectionId, ids, providerMessageIds],
  );
}

/** How the newest e-mails to an address stand, newest first. */
export function selectMailOutcomes(
  ctx: Ctx,
  sandbox: boolean,
  recipient: string,
  limit: number,
): Promise<MailOutcome[]> {
  return queryInTenant<MailOutcome>(
    ctx,
    `SELECT n.id, n.status, n.failure->>'code' AS code FROM notifications n
     WHERE n.tenant_id = $1 AND n.recipient = $2 AND n.channel = 'email' AND n.sandbox = $3 ORDER BY n.id DESC LIMIT $4`,
    [ctx.tenantId, recipient, sandbox, limit],
  );
}

/** A message whose job is to be added once more. */
export type JoblessMessage = Pick<Delivery, "tenantId" | "id" | "class" | "sandbox" | "status"> & {
  requestId: string;
};

/**
 * Due for longer than `graceSeconds` and without a job, oldest first; any tenant (worker's role). At most `limit` of those that are
 * waiting for their receipt, and as many of all others: neither kind hides the other, nor do messages that have their job.
 */
export async function selectNotificationsWithoutJob(
  db: Db,
  options: { graceSeconds: number; limit: number },
): Promise<JoblessMessage[]> {
  const without = (status: string) =>
    `(SELECT tenant_id, id, request_id, class, sandbox, status FROM notifications n
      WHERE due_at < now() - make_interval(secs => $1) AND ${status} AND NOT EXISTS (SELECT FROM waiting WHERE waiting.id = n.id::text)
      ORDER BY due_at LIMIT $2)`;
  const result = await db.pool.query<object>(
    `WITH waiting AS MATERIALIZED (
       SELECT jsonb_array_elements_text(coalesce(j.payload::jsonb->'notificationIds',
                jsonb_build_array(j.payload->>'notificationId'))) AS id
       FROM graphile_worker._private_jobs j
       JOIN graphile_worker._private_tasks t ON t.id = j.task_id AND t.identifier LIKE 'deliver\\_%'
       WHERE EXISTS (SELECT FROM notifications WHERE due_at < now() - make_interval(secs => $1))
         AND (j.attempts < j.max_attempts OR j.locked_at IS NOT NULL) AND t.identifier <> 'deliver_webhook'
     )
     ${without("status <> 'sent'")} UNION ALL ${without("status = 'sent'")}`,
    [options.graceSeconds, options.limit],
  );
  return camelRows(result);
}

/** With which a message waits that is held back: nobody has it in hand, and no provider has it for certain. */
const waits = "status IN ('scheduled', 'queued', 'sending') AND open_attempt IS NULL";

/**
 * Messages that were held back while their organisation was suspended: put off until their time is up, and it is not. The next
 * to end first, from those on that end when `after` does; with the database's time.
 */
export async function selectHeld(
  db: Db,
  input: { tenantId: string; after: Date | null; limit: number },
): Promise<HeldMessage[]> {
  const result = await db.pool.query<object>(
    `SELECT id, request_id, class, sandbox, due_at, now() AS now FROM notifications
     WHERE tenant_id = $1 AND due_at >= greatest($2, now()) AND due_at = expires_at AND ${waits}
     ORDER BY due_at LIMIT $3`,
    [input.tenantId, input.after, input.limit],
  );
  return camelRows(result);
}

export type HeldMessage = Pick<Delivery, "id" | "class" | "sandbox"> & {
  requestId: string;
  dueAt: Date;
  now: Date;
};

/** The same of marketing mails to the mailboxes of a group, because of a hold. */
export async function selectHeldMails(
  db: Db,
  input: { tenantId: string; group: string; after: Date | null; limit: number },
): Promise<HeldMessage[]> {
  const result = await db.pool.query<object>(
    `SELECT id, request_id, class, sandbox, due_at, now() AS now FROM notifications
     WHERE tenant_id = $1 AND due_at >= greatest($2, now()) AND due_at = expires_at AND ${waits}
       AND reason_code = 'mail_hold' AND mail_domain_group(channel, recipient) = $4
     ORDER BY due_at LIMIT $3`,
    [input.tenantId, input.after, input.limit, input.group],
  );
  return camelRows(result);
}

/** Of these requests, those to `recipients` or more: they named as many themselves, or their broadcast has them. */
export async function selectLargeRequests(
  db: Db,
  requests: readonly { tenantId: string; requestId: string }[],
  recipients: number,
): Promise<ReadonlySet<string>> {
  const distinct = [...new Map(requests.map((each) => [each.requestId, each])).values()];
  const result = await db.pool.query<{ id: string }>(
    `SELECT r.id FROM unnest($1::uuid[], $2::uuid[]) AS r(tenant_id, id)
     WHERE EXISTS (SELECT FROM broadcasts b
         WHERE b.tenant_id = r.tenant_id AND b.request_id = r.id AND b.first_position + b.total >= $3)
       OR EXISTS (SELECT FROM notifications n
         WHERE n.tenant_id = r.tenant_id AND n.request_id = r.id AND n.position >= $3 - 1)`,
    [distinct.map(({ tenantId }) => tenantId), distinct.map(({ requestId }) => requestId), recipients],
  );
  return new Set(result.rows.map(({ id }) => id));
}

/** callAdvance inside the caller's transaction, for changes that are audited with it. Returns how many took effect. */
export async function advanceInTransaction(
  tx: Tx,
  tenantId: string,
  changes: readonly NotificationChange[],
): Promise<number> {
  const rows = await tx.$queryRaw<
    unknown[]
  >`SELECT id FROM advance_notifications(${tenantId}::uuid, ${JSON.stringify(changes.map(changeJson))}::jsonb)`;
  return rows.length;
}

/** Adds jobs outside any other change. */
export async function callEnqueue(db: Db, jobs: readonly Job[]): Promise<void> {
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

/** Messages to these addresses that may still be sent. */
export function selectOpenOf(
  tx: Tx,
  tenantId: string,
  addresses: readonly string[],
  limit: number,
): Promise<
  { id: string; status: NotificationStatus; openAttempt: number | null; unknownOutcomes: number }[]
> {
  return tx.$queryRaw`
    SELECT id, status, open_attempt AS "openAttempt", unknown_outcomes AS "unknownOutcomes" FROM notifications
    WHERE tenant_id = ${tenantId}::uuid AND recipient = ANY (${[...addresses]}::text[])
      AND status IN ('scheduled', 'queued', 'sending') LIMIT ${limit}`;
}

/** The category at WhatsApp of the approved template that a version names, null: the newest one; null: it names none. */
export async function selectTemplateCategory(
  ctx: Pick<Ctx, "db" | "tenantId">,
  templateId: string,
  version: number | null,
): Promise<string | null> {
  const rows = await queryInTenant<{ category: string | null }>(
    ctx,
    `SELECT category FROM template_categories WHERE tenant_id = $1 AND template_id = $2 AND ($3::int IS NULL OR version = $3)
     ORDER BY version DESC LIMIT 1`,
    [ctx.tenantId, templateId, version],
  );
  return rows[0]?.category ?? null;
}
