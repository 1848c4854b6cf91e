import type { Ctx } from "../kernel/ctx.ts";
import { queryInTenant } from "../kernel/db.ts";
import type { Tx } from "../kernel/db.ts";
import { idFloor, isUuid } from "../kernel/ids.ts";
import type { Scope } from "../operations/authorize.ts";
import { scopeSql } from "../operations/scope-sql.ts";
import type { NotificationStatus } from "./notification-state.ts";

/** A notification with what its presentation needs of other tables. */
export interface NotificationRow {
  id: string;
  request_id: string;
  transaction_id: string | null;
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
  class: string;
  template_id: string | null;
  template_version: number | null;
  template_name: string | null;
  status: NotificationStatus;
  final: boolean;
  reason_code: string | null;
  reason_detail: string | null;
  failure: { code: string; detail: string; providerCode?: string; providerMessage?: string } | null;
  connection_id: string | null;
  provider: string | null;
  provider_message_id: string | null;
  segments: number | null;
  cost_amount: string | null;
  cost_currency: string | null;
  cost_source: "reported" | "estimated" | null;
  metadata: Record<string, string>;
  created_at: Date;
  scheduled_at: Date | null;
  expires_at: Date;
  sent_at: Date | null;
  delivered_at: Date | null;
  failed_at: Date | null;
  read_at: Date | null;
}

export interface NotificationFilter {
  environmentId?: string | undefined;
  unitId?: string | undefined;
  statuses?: NotificationStatus[] | undefined;
  channel?: string | undefined;
  to?: string | undefined;
  applicationId?: string | undefined;
  template?: string | undefined;
  transactionId?: string | undefined;
  provider?: string | undefined;
  connectionId?: string | undefined;
  notificationType?: string | undefined;
  failureCode?: string | undefined;
  createdFrom?: Date | undefined;
  createdTo?: Date | undefined;
  /** An address, a transaction id or a notification's id. */
  search?: string | undefined;
  /** Only older than this id. */
  before?: string | undefined;
  limit: number;
}

const minute = 60_000;

/** A page of notifications, newest first: the page is cut before anything is joined to it. */
export function selectNotifications(
  ctx: Ctx,
  scopes: Required<Scope>[] | null,
  filter: NotificationFilter,
): Promise<NotificationRow[]> {
  const values: unknown[] = [ctx.tenantId];
  const where = ["n.tenant_id = $1"];
  const add = (condition: (parameter: string) => string, value: unknown) => {
    if (value === undefined) return;
    where.push(condition(`$${String(values.push(value))}`));
  };
  add((p) => `n.environment_id = ${p}`, filter.environmentId);
  add((p) => `n.unit_id = ${p}`, filter.unitId);
  if (filter.statuses) {
    // Spelled out, so that the index over the unhappy ones can be used.
    where.push(`n.status IN (${filter.statuses.map((status) => `'${status}'`).join(", ")})`);
  }
  add((p) => `n.channel = ${p}`, filter.channel);
  add((p) => `n.recipient = ${p}`, filter.to);
  add((p) => `n.application_id = ${p}`, filter.applicationId);
  add(
    (p) => `n.template_id IN (SELECT id FROM template_facts WHERE tenant_id = $1 AND name = ${p})`,
    filter.template,
  );
  add((p) => `n.provider = ${p}`, filter.provider);
  add((p) => `n.connection_id = ${p}`, filter.connectionId);
  add((p) => `n.notification_type = ${p}`, filter.notificationType);
  // As metric_code() has it.
  add(
    (p) => `CASE WHEN n.status IN ('rejected', 'canceled', 'undetermined') THEN n.reason_code
                 ELSE coalesce(n.failure->>'code', n.reason_code) END = ${p}`,
    filter.failureCode,
  );
  // Ids carry the time and are what the table is partitioned and indexed by; the exact limit is then checked.
  if (filter.createdFrom) {
    add((p) => `n.id >= ${p}`, idFloor(new Date(filter.createdFrom.getTime() - minute)));
    add((p) => `n.created_at >= ${p}`, filter.createdFrom);
  }
  if (filter.createdTo) {
    add((p) => `n.id < ${p}`, idFloor(new Date(filter.createdTo.getTime() + minute)));
    add((p) => `n.created_at < ${p}`, filter.createdTo);
  }
  add((p) => `n.id < ${p}`, filter.before);
  where.push(
    scopeSql(
      scopes,
      { unit: "n.unit_id", application: "n.application_id", environment: "n.environment_id" },
      values,
    ),
  );
  const limit = `$${String(values.push(filter.limit))}`;
  return queryInTenant<NotificationRow>(
    ctx,
    `WITH page AS (SELECT n.* FROM ${lookUp(filter, values)} n WHERE ${where.join(" AND ")} ORDER BY n.id DESC LIMIT ${limit})
     ${presented("page")} ORDER BY n.id DESC`,
    values,
  );
}

/**
 * Where a page is cut from: the table, or only what a look-up by address, transaction or id finds. Each look-up uses its
 * own index; as one condition they would make Postgres read the environment's whole list when little or nothing matches.
 */
function lookUp(filter: NotificationFilter, values: unknown[]): string {
  const byTransaction = (text: string) =>
    `request_id IN (SELECT id FROM send_requests WHERE tenant_id = $1 AND transaction_id = $${text}::text)`;
  const found: string[][] = [];
  if (filter.transactionId !== undefined) {
    found.push([byTransaction(String(values.push(filter.transactionId)))]);
  }
  if (filter.search !== undefined) {
    const text = String(values.push(filter.search));
    found.push([
      `recipient = $${text}::text`,
      byTransaction(text),
      ...(isUuid(filter.search) ? [`id = $${text}::text::uuid`, `request_id = $${text}::text::uuid`] : []),
    ]);
  }
  if (found.length === 0) return "notifications";
  const ids = found.map(
    (conditions) =>
      `(${conditions.map((condition) => `SELECT id FROM notifications WHERE tenant_id = $1 AND ${condition}`).join(" UNION ")})`,
  );
  return `(SELECT m.* FROM (${ids.join(" INTERSECT ")}) AS hit
    CROSS JOIN LATERAL (SELECT * FROM notifications WHERE tenant_id = $1 AND id = hit.id OFFSET 0) AS m)`;
}

/** One notification; undefined when the tenant has none of this id. */
export async function selectNotification(ctx: Ctx, id: string): Promise<NotificationRow | undefined> {
  const rows = await queryInTenant<NotificationRow>(
    ctx,
    `${presented("notifications")} WHERE n.tenant_id = $1 AND n.id = $2`,
    [ctx.tenantId, id],
  );
  return rows[0];
}

function presented(from: string): string {
  return `
    SELECT n.id, n.request_id, r.transaction_id, n.environment_id, n.application_id, n.unit_id, n.sandbox, n.channel, n.recipient,
      r.variables || coalesce(n.variables, '{}') AS variables, n.region, n.language, n.notification_type,
      n.notification_subtype, n.class, n.template_id, n.template_version, t.name AS template_name, n.status, n.final,
      n.reason_code, n.reason_detail, n.failure, n.connection_id, n.provider, n.provider_message_id, n.segments,
      c.amount AS cost_amount, c.currency AS cost_currency, c.source AS cost_source, r.metadata, n.created_at, n.scheduled_at,
      n.expires_at, n.sent_at, n.delivered_at, n.failed_at, n.read_at
    FROM ${from} n
    JOIN send_requests r ON r.tenant_id = n.tenant_id AND r.id = n.request_id
    LEFT JOIN template_facts t ON t.tenant_id = n.tenant_id AND t.id = n.template_id
    LEFT JOIN LATERAL (
      SELECT sum(e.amount)::text AS amount, e.currency, CASE WHEN bool_and(e.source = 'reported') THEN 'reported' ELSE 'estimated' END AS source
      FROM message_costs e WHERE e.tenant_id = n.tenant_id AND e.notification_id = n.id
      GROUP BY e.currency ORDER BY max(e.attempt) DESC LIMIT 1) c ON true`;
}

export interface EventRow {
  sequence: number;
  at: Date;
  type: string;
  data: {
    provider?: string;
    attempt?: number;
    source?: string;
    /** Of a click: the address that was opened. */
    url?: string;
    /** What went wrong on the way without stopping the message. */
    problem?: { code: string; detail: string };
    reason?: { code: string; detail: string };
    failure?: { code: string; detail: string; providerCode?: string; providerMessage?: string };
  };
}

export function selectEvents(ctx: Ctx, notificationId: string): Promise<EventRow[]> {
  return queryInTenant<EventRow>(
    ctx,
    `SELECT sequence, at, type, data FROM notification_events
     WHERE tenant_id = $1 AND notification_id = $2 ORDER BY sequence LIMIT 1000`,
    [ctx.tenantId, notificationId],
  );
}

export interface AttemptRow {
  number: number;
  connection_id: string;
  provider: string;
  started_at: Date;
  finished_at: Date | null;
  outcome: "sent" | "not_sent" | "unknown" | null;
  code: string | null;
  detail: string | null;
  provider_code: string | null;
  provider_message: string | null;
  provider_message_id: string | null;
}

export function selectAttempts(ctx: Ctx, notificationId: string): Promise<AttemptRow[]> {
  return queryInTenant<AttemptRow>(
    ctx,
    `SELECT number, connection_id, provider, started_at, finished_at, outcome, code, detail, provider_code,
            provider_message, provider_message_id
     FROM attempts WHERE tenant_id = $1 AND notification_id = $2 ORDER BY number LIMIT 1000`,
    [ctx.tenantId, notificationId],
  );
}

/** Consent and suppression of addresses as they are now, in the order asked. */
export function selectStanding(
  ctx: Ctx,
  sandbox: boolean,
  facts: { region: string; class: string },
  addresses: { channel: string; address: string }[],
): Promise<{ suppressed: boolean; consent: "opted_in" | "opted_out" | null }[]> {
  return queryInTenant(
    ctx,
    `SELECT EXISTS (SELECT FROM suppressed_addresses s WHERE s.tenant_id = $1 AND s.sandbox = $2 AND s.channel = a.channel
                    AND s.address = a.address) AS suppressed,
            consent_state($1, $2, a.channel, a.address, $3, $4) AS consent
     FROM unnest($5::text[], $6::text[]) WITH ORDINALITY AS a(channel, address, position) ORDER BY a.position`,
    [
      ctx.tenantId,
      sandbox,
      facts.region,
      facts.class,
      addresses.map((entry) => entry.channel),
      addresses.map((entry) => entry.address),
    ],
  );
}

export interface OwedWebhookRow {
  id: string;
  endpoint_id: string;
  url: string | null;
  event: string;
  sequence: number | null;
  at: Date;
  state: string;
  attempts: number;
  last_status: number | null;
  last_error: string | null;
  delivered_at: Date | null;
}

/** What webhook endpoints were owed for a notification. */
export function selectOwedWebhooks(ctx: Ctx, notificationId: string): Promise<OwedWebhookRow[]> {
  return queryInTenant<OwedWebhookRow>(
    ctx,
    `SELECT id, endpoint_id, url, event, sequence, at, state, attempts, last_status, last_error, delivered_at
     FROM delivery_facts WHERE tenant_id = $1 AND notification_id = $2 ORDER BY sequence, id LIMIT 500`,
    [ctx.tenantId, notificationId],
  );
}

/** Which versions have a test that a provider took; the sandbox's simulator takes everything. */
export function selectTestedVersions(
  ctx: Ctx,
  versions: readonly { templateId: string; version: number }[],
): Promise<{ template_id: string; version: number }[]> {
  return queryInTenant(
    ctx,
    `SELECT DISTINCT t.template_id, t.version
     FROM unnest($2::uuid[], $3::int[]) AS w(template_id, version)
     JOIN template_tests t ON t.tenant_id = $1 AND t.template_id = w.template_id AND t.version = w.version
     JOIN notifications n ON n.tenant_id = t.tenant_id AND n.id = t.notification_id
     WHERE n.status IN ('sent', 'delivered') AND NOT n.sandbox`,
    [ctx.tenantId, versions.map((entry) => entry.templateId), versions.map((entry) => entry.version)],
  );
}

/** How many tests the tenant has sent since then; until the transaction ends nobody else counts or notes one. */
export async function countRecentTests(tx: Tx, tenantId: string, since: Date): Promise<number> {
  await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended('template tests ' || ${tenantId}, 0))`;
  const rows = await tx.$queryRaw<{ n: number }[]>`
    SELECT count(*)::int AS n FROM template_tests
    WHERE tenant_id = ${tenantId}::uuid AND id >= uuidv7_floor(${since})`;
  return rows[0]?.n ?? 0;
}
