import { standingWithErased } from "../consent/standing.ts";
import type { Standing } from "../consent/standing.ts";
import type { Channel } from "../kernel/channel.ts";
import type { Ctx } from "../kernel/ctx.ts";
import { isCanceled, queryInTenant, readInTenant } from "../kernel/db.ts";
import type { Db, Tx } from "../kernel/db.ts";
import { idFloor, isUuid } from "../kernel/ids.ts";
import type { Scope } from "../operations/authorize.ts";
import { Conditions, scopeSql } from "../operations/conditions.ts";
import { builtInType } from "../templates/built-in-templates.ts";
import type { NotificationStatus } from "./notification-state.ts";
import type { RecordedDecision } from "./recorded-decision.ts";
import type { Absentee } from "./schemas.ts";

/** A notification with joined data for its presentation. */
export interface NotificationRow {
  id: string;
  requestId: string;
  transactionId: string | null;
  environmentId: string;
  applicationId: string;
  unitId: string;
  sandbox: boolean;
  channel: Channel;
  recipient: string;
  variables: Record<string, string>;
  region: string;
  country: string | null;
  language: string;
  notificationType: string;
  notificationSubtype: string;
  class: string;
  templateId: string | null;
  templateVersion: number | null;
  templateName: string | null;
  status: NotificationStatus;
  final: boolean;
  reasonCode: string | null;
  reasonDetail: string | null;
  failure: { code: string; detail: string; providerCode?: string; providerMessage?: string } | null;
  connectionId: string | null;
  provider: string | null;
  /** Carried by the simulator. */
  simulated: boolean;
  providerMessageId: string | null;
  segments: number | null;
  costAmount: string | null;
  costCurrency: string | null;
  costSource: "reported" | "estimated" | null;
  metadata: Record<string, string>;
  createdAt: Date;
  scheduledAt: Date | null;
  expiresAt: Date;
  sentAt: Date | null;
  deliveredAt: Date | null;
  failedAt: Date | null;
  readAt: Date | null;
}

export interface NotificationFilter {
  environmentId?: string | undefined;
  unitId?: string | undefined;
  /** Only these. */
  ids?: string[] | undefined;
  statuses?: NotificationStatus[] | undefined;
  channel?: string | undefined;
  /** Spellings of one address. */
  to?: string[] | undefined;
  /** Where the caller sees addresses: only there messages are found by theirs. Null: everywhere. */
  revealed: Required<Scope>[] | null;
  applicationId?: string | undefined;
  template?: string | undefined;
  transactionId?: string | undefined;
  provider?: string | undefined;
  connectionId?: string | undefined;
  notificationType?: string | undefined;
  failureCode?: string | undefined;
  templateId?: string | undefined;
  notificationSubtype?: string | undefined;
  country?: string | undefined;
  mailDomain?: string | undefined;
  providerCode?: string | undefined;
  /** Handed to a provider, whatever became of it. */
  sent?: boolean | undefined;
  /** At its end, or sent through a provider without receipts. */
  final?: boolean | undefined;
  /** Carried by a simulator, as `simulated` of NotificationRow has it. */
  simulated?: boolean | undefined;
  /** Those that have none of it. */
  without?: Absentee[] | undefined;
  createdFrom?: Date | undefined;
  createdTo?: Date | undefined;
  /** A transaction id, or a notification's or a request's id; */
  search?: string | undefined;
  /** ... or one of these addresses. */
  addresses?: string[] | undefined;
  /** Only what comes after this id in the order of the page. */
  beyond?: string | undefined;
  /** By when they were accepted; without it newest first. */
  order?: "newest" | "oldest" | undefined;
  limit: number;
}

/** A filter without what makes a page of it. */
export type UnpagedFilter = Omit<NotificationFilter, "beyond" | "order" | "limit">;

const minute = 60_000;

/**
 * A page of notifications; the page is selected before anything is joined to it. Both orders are those of the primary key, which ids
 * with the time in them follow, so that no page is sorted; another order would read every message of the environment.
 */
export function selectNotifications(
  ctx: Ctx,
  scopes: Required<Scope>[] | null,
  filter: NotificationFilter,
): Promise<NotificationRow[]> {
  const [direction, beyond] = filter.order === "oldest" ? ["ASC", ">"] : ["DESC", "<"];
  const where = conditionsOf(ctx, scopes, filter).given(`n.id ${beyond} ?`, filter.beyond);
  const order = `ORDER BY n.id ${direction}`;
  return queryInTenant<NotificationRow>(
    ctx,
    `WITH page AS (SELECT n.* FROM ${lookUp(filter, where, () => `${order} LIMIT ${where.bind(filter.limit)}`)} n WHERE ${where.sql} ${order} LIMIT ${where.bind(filter.limit)})
     ${presented("page")} ${order}`,
    where.values,
  );
}

/** Notifications after an id, up to another one that may be among them, oldest first, without their variables. */
export function selectOldestFirst(
  ctx: Ctx,
  scopes: Required<Scope>[] | null,
  filter: UnpagedFilter & Pick<NotificationFilter, "limit">,
  between: { after: string | null; upTo: string },
): Promise<NotificationRow[]> {
  const where = conditionsOf(ctx, scopes, filter)
    .given("n.id > ?", between.after)
    .given("n.id <= ?", between.upTo);
  return queryInTenant<NotificationRow>(
    ctx,
    `WITH page AS (SELECT n.* FROM ${lookUp(filter, where, () => `ORDER BY n.id LIMIT ${where.bind(filter.limit)}`)} n WHERE ${where.sql} ORDER BY n.id LIMIT ${where.bind(filter.limit)})
     ${presented("page", "'{}'::jsonb")} ORDER BY n.id`,
    where.values,
  );
}

/**
 * The id so many notifications after another one, whatever a filter says of them, so that a search through all of them can be cut into
 * pieces of work of a known size. Null: there are fewer.
 */
export async function selectIdAhead(
  ctx: Ctx,
  from: { environmentId: string | undefined; after: string | null; upTo: string; ahead: number },
): Promise<string | null> {
  const where = new Conditions([ctx.tenantId], "tenant_id = $1")
    .given("environment_id = ?", from.environmentId)
    .given("id > ?", from.after)
    .given("id <= ?", from.upTo);
  const rows = await queryInTenant<{ id: string }>(
    ctx,
    `SELECT id FROM notifications WHERE ${where.sql} ORDER BY id OFFSET ${where.bind(from.ahead - 1)} LIMIT 1`,
    where.values,
  );
  return rows[0]?.id ?? null;
}

/** Bound also of a count of few among many, ms. */
const longestCount = 1_500;

/** How many notifications a filter leaves over, counted up to `most`; null where that takes longer than a list may wait for it. */
export async function countNotifications(
  ctx: Ctx,
  scopes: Required<Scope>[] | null,
  filter: UnpagedFilter,
  most: number,
): Promise<number | null> {
  const where = conditionsOf(ctx, scopes, filter);
  const source = lookUp(filter, where, () => `LIMIT ${where.bind(most)}`);
  const count = async (client: Pick<Db["pool"], "query">) => {
    const { rows } = await client.query<{ count: number }>(
      `SELECT count(*)::int AS count FROM (SELECT FROM ${source} n WHERE ${where.sql} LIMIT ${where.bind(most)}) AS found`,
      where.values,
    );
    return rows[0]?.count ?? 0;
  };
  try {
    return await readInTenant(ctx, count, longestCount);
  } catch (error) {
    if (isCanceled(error)) return null;
    throw error;
  }
}

/** As metric_code() has it. */
const codeOf = `CASE WHEN n.status IN ('rejected', 'canceled', 'undetermined') THEN n.reason_code
            ELSE coalesce(n.failure->>'code', n.reason_code) END`;

/** As the rollups count what has none of it. */
const lacks: Record<Absentee, string> = {
  provider: "n.connection_id IS NULL",
  template: "n.template_id IS NULL",
  country: "coalesce(n.country, n.region) = ''",
  mailDomain: "coalesce(n.mail_domain, '') = ''",
  notificationType: "n.notification_type = ''",
  notificationSubtype: "n.notification_subtype = ''",
  code: `coalesce(${codeOf}, '') = ''`,
  providerCode: "coalesce(n.failure->>'providerCode', '') = ''",
};

function conditionsOf(ctx: Ctx, scopes: Required<Scope>[] | null, filter: UnpagedFilter): Conditions {
  const { createdFrom, createdTo } = filter;
  const where = new Conditions([ctx.tenantId], "n.tenant_id = $1")
    .given("n.environment_id = ?", filter.environmentId)
    .given("n.unit_id = ?", filter.unitId)
    .given("n.id = ANY (?::uuid[])", filter.ids)
    .given("n.channel = ?", filter.channel)
    .given("n.recipient = ?", filter.to?.length === 1 ? filter.to[0] : undefined)
    .given("n.recipient = ANY (?::text[])", filter.to?.length === 1 ? undefined : filter.to)
    .given("n.application_id = ?", filter.applicationId)
    .given(
      "n.template_id IN (SELECT id FROM template_facts WHERE tenant_id = $1 AND name = ?)",
      filter.template,
    )
    .given("n.provider = ?", filter.provider)
    .given("n.connection_id = ?", filter.connectionId)
    .given("n.notification_type = ?", filter.notificationType)
    .given("n.template_id = ?", filter.templateId)
    .given("n.notification_subtype = ?", filter.notificationSubtype)
    .given("coalesce(n.country, n.region) = ?", filter.country)
    .given("n.mail_domain = ?", filter.mailDomain)
    .given("left(n.failure->>'providerCode', 40) = ?", filter.providerCode)
    .given("(n.sent_at IS NOT NULL) = ?", filter.sent)
    .given("n.final = ?", filter.final)
    .given(
      `(n.sandbox OR coalesce(n.connection_id IN (
         SELECT id FROM connection_facts WHERE tenant_id = $1 AND adapter = 'simulator'), false)) = ?`,
      filter.simulated,
    )
    .given(`${codeOf} = ?`, filter.failureCode)
    // Ids contain the time, and the table is partitioned and indexed by them; the exact limit is checked as well.
    .given("n.id >= ?", createdFrom && idFloor(new Date(createdFrom.getTime() - minute)))
    .given("n.created_at >= ?", createdFrom)
    .given("n.id < ?", createdTo && idFloor(new Date(createdTo.getTime() + minute)))
    .given("n.created_at < ?", createdTo)
    .within(scopes, "n");
  if (filter.to !== undefined) where.and(addressShown(filter, "n", where));
  for (const each of filter.without ?? []) where.and(lacks[each]);
  if (filter.statuses) {
    // As literals, so that the partial index over unsuccessful ones can be used.
    where.and(`n.status IN (${filter.statuses.map((status) => `'${status}'`).join(", ")})`);
  }
  return where;
}

/** The caller sees the address of the message, as mayReveal() has it. */
function addressShown(
  { revealed }: Pick<NotificationFilter, "revealed">,
  alias: string,
  where: Conditions,
): string {
  return `${alias === "" ? "" : `${alias}.`}notification_type <> '${builtInType}' AND ${scopeSql(revealed, alias, where.values)}`;
}

/**
 * The source of a page: the table, or the results of a lookup by address, transaction or id. Each lookup uses its own
 * index; as one condition they would make Postgres scan the whole environment when little or nothing matches.
 * @param page the order and the limit of a page: of each address, no more messages are looked at
 */
function lookUp(
  filter: Pick<NotificationFilter, "transactionId" | "search" | "addresses" | "revealed">,
  where: Conditions,
  page: () => string,
): string {
  const having = (condition: string) => `SELECT id FROM notifications WHERE tenant_id = $1 AND ${condition}`;
  const byTransaction = (text: string) =>
    having(
      `request_id IN (SELECT id FROM send_requests WHERE tenant_id = $1 AND transaction_id = ${text}::text)`,
    );
  const found: string[][] = [];
  if (filter.transactionId !== undefined) found.push([byTransaction(where.bind(filter.transactionId))]);
  if (filter.search !== undefined) {
    const text = where.bind(filter.search);
    const lookups = [byTransaction(text)];
    if (isUuid(filter.search))
      lookups.push(having(`id = ${text}::text::uuid`), having(`request_id = ${text}::text::uuid`));
    if (filter.addresses && filter.addresses.length > 0)
      lookups.push(
        `SELECT newest.id FROM unnest(${where.bind(filter.addresses)}::text[]) AS one(address) CROSS JOIN LATERAL (
           SELECT n.id FROM notifications n WHERE n.recipient = one.address AND ${addressShown(filter, "n", where)} AND ${where.sql} ${page()}) AS newest`,
      );
    found.push(lookups);
  }
  if (found.length === 0) return "notifications";
  const ids = found.map((lookups) => `(${lookups.join(" UNION ")})`);
  return `(SELECT m.* FROM (${ids.join(" INTERSECT ")}) AS hit
    CROSS JOIN LATERAL (SELECT * FROM notifications WHERE tenant_id = $1 AND id = hit.id OFFSET 0) AS m)`;
}

/**
 * One notification with its events, the first thousand; undefined when the tenant has none of this id. One statement, hence one
 * snapshot: a status never comes without its event, nor an event before its status.
 */
export async function selectNotification(
  ctx: Ctx,
  id: string,
): Promise<(NotificationRow & { events: EventRow[] }) | undefined> {
  const [row] = await queryInTenant<NotificationRow & { events: (Omit<EventRow, "at"> & { at: string })[] }>(
    ctx,
    `SELECT shown.*, (
       SELECT coalesce(jsonb_agg(to_jsonb(e) ORDER BY e.sequence), '[]') FROM (
         SELECT sequence, at, type, data FROM notification_events
         WHERE tenant_id = $1 AND notification_id = $2 ORDER BY sequence LIMIT 1000) e) AS events
     FROM (${presented("notifications")} WHERE n.tenant_id = $1 AND n.id = $2) AS shown`,
    [ctx.tenantId, id],
  );
  return row && { ...row, events: row.events.map((event) => ({ ...event, at: new Date(event.at) })) };
}

/** Messages of a request in its order, up to `limit`. */
export function selectOfRequest(ctx: Ctx, requestId: string, limit: number): Promise<NotificationRow[]> {
  return queryInTenant<NotificationRow>(
    ctx,
    `${presented("notifications")} WHERE n.tenant_id = $1 AND n.request_id = $2 ORDER BY n.position LIMIT $3`,
    [ctx.tenantId, requestId, limit],
  );
}

function presented(from: string, variables = "r.variables || coalesce(n.variables, '{}')"): string {
  return `
    SELECT n.id, n.request_id AS "requestId", r.transaction_id AS "transactionId", n.environment_id AS "environmentId",
      n.application_id AS "applicationId", n.unit_id AS "unitId", n.sandbox, n.channel, n.recipient,
      ${variables} AS variables, n.region, n.country, n.language,
      n.notification_type AS "notificationType", n.notification_subtype AS "notificationSubtype", n.class,
      n.template_id AS "templateId", n.template_version AS "templateVersion", t.name AS "templateName", n.status, n.final,
      n.reason_code AS "reasonCode", n.reason_detail AS "reasonDetail", n.failure, n.connection_id AS "connectionId",
      n.provider, n.sandbox OR coalesce(p.adapter = 'simulator', false) AS simulated,
      n.provider_message_id AS "providerMessageId", n.segments, c.amount AS "costAmount",
      c.currency AS "costCurrency", c.source AS "costSource", r.metadata, n.created_at AS "createdAt",
      n.scheduled_at AS "scheduledAt", n.expires_at AS "expiresAt", n.sent_at AS "sentAt", n.delivered_at AS "deliveredAt",
      n.failed_at AS "failedAt", n.read_at AS "readAt"
    FROM ${from} n
    JOIN send_requests r ON r.tenant_id = n.tenant_id AND r.id = n.request_id
    LEFT JOIN template_facts t ON t.tenant_id = n.tenant_id AND t.id = n.template_id
    LEFT JOIN connection_facts p ON p.tenant_id = n.tenant_id AND p.id = n.connection_id
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
    /** For a click: the address that was opened. */
    url?: string;
    /** What went wrong on the way without stopping the message. */
    problem?: { code: string; detail: string };
    reason?: { code: string; detail: string };
    failure?: { code: string; detail: string; providerCode?: string; providerMessage?: string };
    /** Of a failure because nothing could carry it. */
    decision?: RecordedDecision;
  };
}

export interface AttemptRow {
  number: number;
  connectionId: string;
  provider: string;
  startedAt: Date;
  finishedAt: Date | null;
  outcome: "sent" | "not_sent" | "unknown" | null;
  code: string | null;
  detail: string | null;
  providerCode: string | null;
  providerMessage: string | null;
  providerMessageId: string | null;
  /** Null: made before decisions were recorded. */
  decision: RecordedDecision | null;
  /** Through the simulator. */
  simulated: boolean;
}

export function selectAttempts(ctx: Ctx, notificationId: string): Promise<AttemptRow[]> {
  return queryInTenant<AttemptRow>(
    ctx,
    `SELECT a.number, a.connection_id AS "connectionId", a.provider, a.started_at AS "startedAt", a.finished_at AS "finishedAt",
            a.outcome, a.code, a.detail, a.provider_code AS "providerCode", a.provider_message AS "providerMessage",
            a.provider_message_id AS "providerMessageId", a.decision, coalesce(p.adapter = 'simulator', false) AS simulated
     FROM attempts a LEFT JOIN connection_facts p ON p.tenant_id = a.tenant_id AND p.id = a.connection_id
     WHERE a.tenant_id = $1 AND a.notification_id = $2 ORDER BY a.number LIMIT 1000`,
    [ctx.tenantId, notificationId],
  );
}

/** Consent and suppression of addresses as they are now, in the order asked. */
export async function selectStanding(
  ctx: Pick<Ctx, "db" | "tenantId">,
  sandbox: boolean,
  region: string,
  addresses: { channel: string; address: string; class: string }[],
): Promise<Standing[]> {
  const asked = addresses.map((address) => ({ sandbox, region, ...address }));
  return (await standingWithErased(ctx, asked)) ?? selectPlainStanding(ctx, sandbox, region, addresses);
}

function selectPlainStanding(
  ctx: Pick<Ctx, "db" | "tenantId">,
  sandbox: boolean,
  region: string,
  addresses: { channel: string; address: string; class: string }[],
): Promise<Standing[]> {
  return queryInTenant(
    ctx,
    `SELECT EXISTS (SELECT FROM suppressed_addresses s WHERE s.tenant_id = $1 AND s.sandbox = $2 AND s.channel = a.channel
                    AND s.address = a.address) AS suppressed,
            consent_state($1, $2, a.channel, a.address, $3, a.class) AS consent
     FROM unnest($4::text[], $5::text[], $6::text[]) WITH ORDINALITY AS a(class, channel, address, position) ORDER BY a.position`,
    [
      ctx.tenantId,
      sandbox,
      region,
      addresses.map((entry) => entry.class),
      addresses.map((entry) => entry.channel),
      addresses.map((entry) => entry.address),
    ],
  );
}

export interface OwedWebhookRow {
  id: string;
  endpointId: string;
  url: string | null;
  event: string;
  sequence: number | null;
  at: Date;
  state: string;
  attempts: number;
  lastStatus: number | null;
  lastError: string | null;
  deliveredAt: Date | null;
}

/** A notification's webhook deliveries. */
export function selectOwedWebhooks(ctx: Ctx, notificationId: string): Promise<OwedWebhookRow[]> {
  return queryInTenant<OwedWebhookRow>(
    ctx,
    `SELECT id, endpoint_id AS "endpointId", url, event, sequence, at, state, attempts, last_status AS "lastStatus",
            last_error AS "lastError", delivered_at AS "deliveredAt"
     FROM delivery_facts WHERE tenant_id = $1 AND notification_id = $2 ORDER BY sequence, id LIMIT 500`,
    [ctx.tenantId, notificationId],
  );
}

/**
 * Which versions have a test that a provider accepted; the sandbox's simulator does not count, as it accepts
 * everything.
 */
export function selectTestedVersions(
  ctx: Ctx,
  versions: readonly { templateId: string; version: number }[],
): Promise<{ templateId: string; version: number }[]> {
  return queryInTenant(
    ctx,
    `SELECT DISTINCT t.template_id AS "templateId", t.version
     FROM unnest($2::uuid[], $3::int[]) AS w(template_id, version)
     JOIN template_tests t ON t.tenant_id = $1 AND t.template_id = w.template_id AND t.version = w.version
     JOIN notifications n ON n.tenant_id = t.tenant_id AND n.id = t.notification_id
     WHERE n.status IN ('sent', 'delivered') AND NOT n.sandbox`,
    [ctx.tenantId, versions.map((entry) => entry.templateId), versions.map((entry) => entry.version)],
  );
}

/** How many tests the tenant has sent since `since`; no other transaction counts or records one until this one ends. */
export async function countRecentTests(tx: Tx, tenantId: string, since: Date): Promise<number> {
  await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended('template tests ' || ${tenantId}, 0))`;
  const rows = await tx.$queryRaw<{ n: number }[]>`
    SELECT count(*)::int AS n FROM template_tests
    WHERE tenant_id = ${tenantId}::uuid AND id >= uuidv7_floor(${since})`;
  return rows[0]?.n ?? 0;
}
