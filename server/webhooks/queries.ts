import type { Ctx } from "../kernel/ctx.ts";
import { queryInTenant } from "../kernel/db.ts";
import type { Db, Prisma, Tx } from "../kernel/db.ts";
import { idFloor } from "../kernel/ids.ts";
import type { Scope } from "../operations/authorize.ts";
import { Conditions } from "../operations/conditions.ts";
import { eventsByName } from "./vocabulary.ts";

export interface EndpointRow {
  id: string;
  applicationId: string;
  environmentId: string;
  unitId: string;
  application: string;
  environment: string;
  url: string;
  description: string | null;
  events: string[];
  retrySchedule: number[];
  enabled: boolean;
  disabledReason: string | null;
  disabledAt: Date | null;
  failingSince: Date | null;
  previousSecretExpiresAt: Date | null;
  createdAt: Date;
  updatedAt: Date;
}

const endpointSelect = `
  SELECT e.id, e.application_id, e.environment_id, a.unit_id, a.name AS application, v.slug AS environment, e.url,
    e.description, e.events, e.retry_schedule, e.enabled, e.disabled_reason, e.disabled_at, e.failing_since,
    e.previous_secret_expires_at, e.created_at, e.updated_at
  FROM webhook_endpoints e
  JOIN application_facts a ON a.tenant_id = e.tenant_id AND a.id = e.application_id
  JOIN environment_facts v ON v.tenant_id = e.tenant_id AND v.id = e.environment_id`;

export async function selectEndpoint(ctx: Ctx, id: string): Promise<EndpointRow | null> {
  const rows = await queryInTenant<EndpointRow>(
    ctx,
    `${endpointSelect} WHERE e.tenant_id = $1 AND e.id = $2`,
    [ctx.tenantId, id],
  );
  return rows[0] ?? null;
}

/** Newest first, below `before`. */
export function selectEndpoints(
  ctx: Ctx,
  filter: {
    scopes: Required<Scope>[] | null;
    environmentId?: string;
    unitId?: string;
    application?: string;
    before: string | null;
    limit: number;
  },
): Promise<EndpointRow[]> {
  const where = new Conditions([ctx.tenantId], "e.tenant_id = $1")
    .within(filter.scopes, {
      unit: "a.unit_id",
      application: "e.application_id",
      environment: "e.environment_id",
    })
    .given("e.environment_id = ?", filter.environmentId)
    .given("a.unit_id = ?", filter.unitId)
    .given("a.name = ?", filter.application)
    .given("e.id < ?", filter.before);
  return queryInTenant<EndpointRow>(
    ctx,
    `${endpointSelect} WHERE ${where.sql} ORDER BY e.id DESC LIMIT ${where.bind(filter.limit)}`,
    where.values,
  );
}

export interface ApplicationRow {
  id: string;
  unitId: string;
  name: string;
}

/** Applications in the scopes; with `name`, at most the one of that name. At most two: enough to see an ambiguity. */
export function selectApplications(
  ctx: Ctx,
  scopes: Required<Scope>[] | null,
  name: string | undefined,
): Promise<ApplicationRow[]> {
  // Which environment a grant is for says nothing about an application.
  const anyEnvironment = scopes?.map((scope) => ({ ...scope, environmentId: null })) ?? null;
  const everywhere = anyEnvironment?.some((scope) => !scope.unitId && !scope.applicationId) === true;
  const where = new Conditions([ctx.tenantId], "tenant_id = $1")
    .within(everywhere ? null : anyEnvironment, { unit: "unit_id", application: "id", environment: "" })
    .given("name = ?", name);
  return queryInTenant<ApplicationRow>(
    ctx,
    `SELECT id, unit_id, name FROM application_facts WHERE ${where.sql} ORDER BY name LIMIT 2`,
    where.values,
  );
}

export async function environmentExists(ctx: Ctx, id: string): Promise<boolean> {
  const rows = await queryInTenant(ctx, "SELECT 1 FROM environment_facts WHERE tenant_id = $1 AND id = $2", [
    ctx.tenantId,
    id,
  ]);
  return rows.length > 0;
}

/** How many endpoints an application has in an environment; nobody adds one until the transaction ends. */
export async function lockEndpoints(
  tx: Tx,
  place: { tenantId: string; applicationId: string; environmentId: string },
): Promise<number> {
  await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended('webhook endpoints ' || ${place.tenantId}, 0))`;
  return tx.webhookEndpoint.count({ where: place });
}

/** Outcomes of the newest deliveries of an endpoint. */
interface OutcomesRow {
  id: string;
  dayDelivered: number;
  dayFailed: number;
  weekDelivered: number;
  weekFailed: number;
  /** Whether all of the period are counted: not where the limit left older ones out. */
  dayComplete: boolean;
  weekComplete: boolean;
}

/**
 * How deliveries of endpoints ended since two instants, of those endpoints of `ids` that lie in the scopes. Of each at most
 * `limit` deliveries are read, the newest, through the index of its log.
 */
export function selectOutcomes(
  ctx: Ctx,
  {
    scopes,
    ids,
    dayAgo,
    weekAgo,
    limit,
  }: { scopes: Required<Scope>[] | null; ids: readonly string[]; dayAgo: Date; weekAgo: Date; limit: number },
): Promise<OutcomesRow[]> {
  const where = new Conditions(
    [ctx.tenantId, ids, idFloor(dayAgo), idFloor(weekAgo), limit],
    "e.tenant_id = $1",
    "e.id = ANY ($2::uuid[])",
  ).within(scopes, {
    unit: "a.unit_id",
    application: "e.application_id",
    environment: "e.environment_id",
  });
  return queryInTenant<OutcomesRow>(
    ctx,
    `SELECT e.id, o.* FROM webhook_endpoints e
     JOIN application_facts a ON a.tenant_id = e.tenant_id AND a.id = e.application_id
     CROSS JOIN LATERAL (
       SELECT
         count(*) FILTER (WHERE state = 'delivered' AND id >= $3::uuid)::int AS day_delivered,
         count(*) FILTER (WHERE state = 'failed' AND id >= $3::uuid)::int AS day_failed,
         count(*) FILTER (WHERE state = 'delivered')::int AS week_delivered,
         count(*) FILTER (WHERE state = 'failed')::int AS week_failed,
         count(*) < $5 OR NOT bool_and(id >= $3::uuid) AS day_complete, count(*) < $5 AS week_complete
       FROM (
         SELECT d.id, d.state FROM webhook_deliveries d
         WHERE d.tenant_id = e.tenant_id AND d.endpoint_id = e.id AND d.id >= $4::uuid
         ORDER BY d.id DESC LIMIT $5
       ) newest
     ) o
     WHERE ${where.sql}`,
    where.values,
  );
}

export interface DeliveryListRow {
  id: string;
  event: string;
  notificationId: string | null;
  sequence: number | null;
  state: string;
  attempts: number;
  nextAttemptAt: Date | null;
  lastStatus: number | null;
  lastError: string | null;
  at: Date;
  deliveredAt: Date | null;
}

const deliveryColumns = `id, event, notification_id, sequence, state, attempts, next_attempt_at, last_status, last_error,
  at, delivered_at`;

/** Newest first, below `before`. */
export function selectDeliveries(
  ctx: Ctx,
  filter: { endpointId: string; state?: string; event?: string; before: string | null; limit: number },
): Promise<DeliveryListRow[]> {
  const where = new Conditions([ctx.tenantId, filter.endpointId], "tenant_id = $1", "endpoint_id = $2")
    .given("state = ?", filter.state)
    .given("event = ?", filter.event)
    .given("id < ?", filter.before);
  return queryInTenant<DeliveryListRow>(
    ctx,
    `SELECT ${deliveryColumns} FROM webhook_deliveries WHERE ${where.sql}
     ORDER BY id DESC LIMIT ${where.bind(filter.limit)}`,
    where.values,
  );
}

export async function selectDelivery(
  ctx: Ctx,
  endpointId: string,
  id: string,
): Promise<DeliveryListRow | null> {
  const rows = await queryInTenant<DeliveryListRow>(
    ctx,
    `SELECT ${deliveryColumns} FROM webhook_deliveries WHERE tenant_id = $1 AND id = $2 AND endpoint_id = $3`,
    [ctx.tenantId, id, endpointId],
  );
  return rows[0] ?? null;
}

export interface AttemptRow {
  number: number;
  startedAt: Date;
  durationMs: number;
  status: number | null;
  error: string | null;
  responseBody: string | null;
  signature: string | null;
  traceparent: string | null;
}

/** The newest 200 attempts of a delivery, oldest first. */
export function selectAttempts(ctx: Ctx, deliveryId: string): Promise<AttemptRow[]> {
  return queryInTenant<AttemptRow>(
    ctx,
    `SELECT number, started_at, duration_ms, status, error, response_body, signature, traceparent FROM (
       SELECT * FROM webhook_attempts WHERE tenant_id = $1 AND delivery_id = $2 ORDER BY number DESC LIMIT 200
     ) AS newest ORDER BY number`,
    [ctx.tenantId, deliveryId],
  );
}

const addJobs = (priority: number, which = "") => `
  jobs AS MATERIALIZED (
    SELECT count(*) AS count, enqueue_jobs(jsonb_agg(
      webhook_job(tenant_id, id) || jsonb_build_object('priority', ${String(priority)}))) AS added
    FROM owed ${which} HAVING count(*) > 0
  )
  SELECT coalesce(sum(count), 0)::int AS count, count(added) AS calls FROM jobs`;

const namedOnly = eventsByName.map((event) => `'${event}'`).join(", ");

/**
 * Inserts events into the feed, and their deliveries for every endpoint that subscribes to them, and jobs for those that are on; what
 * the others miss is kept to be replayed, as endpoints_for_event() says. Returns how many jobs.
 */
export async function insertDeliveries(
  tx: Tx,
  tenantId: string,
  events: readonly {
    event: string;
    applicationId: string | null;
    environmentId: string | null;
    sandbox?: boolean;
    payload: Record<string, unknown>;
    at: Date;
  }[],
): Promise<number> {
  const rows = await tx.$queryRawUnsafe<{ count: number }[]>(
    `WITH x AS (
       SELECT * FROM jsonb_to_recordset($2::jsonb) AS x(event text, "applicationId" uuid, "environmentId" uuid,
         sandbox boolean, payload jsonb, at timestamptz)
     ), fed AS (
       INSERT INTO feed_events (tenant_id, id, event, application_id, environment_id, sandbox, payload, at)
       SELECT $1::uuid, uuidv7_new(), x.event, x."applicationId", x."environmentId", coalesce(x.sandbox, false), x.payload, x.at FROM x
     ), owed AS (
       INSERT INTO webhook_deliveries (tenant_id, id, endpoint_id, event, payload, at, state, next_attempt_at)
       SELECT e.tenant_id, uuidv7_new(), e.id, x.event, x.payload, x.at,
         CASE WHEN e.enabled THEN 'pending' ELSE 'discarded' END, CASE WHEN e.enabled THEN now() END
       FROM x JOIN webhook_endpoints e ON e.tenant_id = $1::uuid AND (e.enabled OR e.disabled_at > now() - interval '30 days')
         AND (e.events = '{}' AND x.event NOT IN (${namedOnly}) OR x.event = ANY (e.events))
         AND (x."applicationId" IS NULL OR e.application_id = x."applicationId")
         -- That an endpoint was switched off is told to the others.
         AND e.id::text IS DISTINCT FROM x.payload->>'webhookId'
       JOIN environment_facts v ON v.tenant_id = e.tenant_id AND v.id = e.environment_id
         AND CASE WHEN x."environmentId" IS NULL THEN (v.kind = 'sandbox') = coalesce(x.sandbox, false)
                  ELSE v.id = x."environmentId" END
       RETURNING tenant_id, id, state
     ), ${addJobs(0, "WHERE state = 'pending'")}`,
    tenantId,
    JSON.stringify(events),
  );
  return rows[0]?.count ?? 0;
}

/** Events of many organisations, of all applications, into the feed alone. */
export async function insertFeedEvents(
  db: Db,
  events: readonly { tenantId: string; event: string; payload: Record<string, unknown>; at: Date }[],
): Promise<void> {
  await db.pool.query(
    `INSERT INTO feed_events (tenant_id, id, event, sandbox, payload, at)
     SELECT x."tenantId", uuidv7_new(), x.event, false, x.payload, x.at
     FROM jsonb_to_recordset($1::jsonb) AS x("tenantId" uuid, event text, payload jsonb, at timestamptz)`,
    [JSON.stringify(events)],
  );
}

/** Organisations with an endpoint that asks for an event by its name: one that is on, or was within what is kept for a replay. */
export async function selectTenantsAsking(db: Db, event: string): Promise<Set<string>> {
  const { rows } = await db.pool.query<{ tenant_id: string }>(
    "SELECT DISTINCT tenant_id FROM webhook_endpoints WHERE (enabled OR disabled_at > now() - interval '30 days') AND $1 = ANY (events)",
    [event],
  );
  return new Set(rows.map(({ tenant_id }) => tenant_id));
}

/** One event for one endpoint, whatever its filter; the caller adds the job. */
export async function insertDelivery(
  tx: Tx,
  delivery: {
    tenantId: string;
    id: string;
    endpointId: string;
    event: string;
    payload: Prisma.InputJsonObject;
    at: Date;
  },
): Promise<void> {
  const { tenantId, id, endpointId, event, payload, at } = delivery;
  await tx.$executeRaw`
    INSERT INTO webhook_deliveries (tenant_id, id, endpoint_id, event, payload, at, next_attempt_at)
    VALUES (${tenantId}::uuid, ${id}::uuid, ${endpointId}::uuid, ${event}, ${JSON.stringify(payload)}::jsonb, ${at}, now())`;
}

/**
 * Puts deliveries of an endpoint back to pending, with a fresh schedule, and adds their jobs; those that have failed and wait for
 * their next attempt are due at once, and a single one keeps its place in its schedule. Returns how many.
 */
export async function reopenDeliveries(
  tx: Tx,
  tenantId: string,
  endpointId: string,
  which: { id: string } | { sinceId: string; limit: number },
): Promise<number> {
  // Bulk replays wait behind current deliveries.
  const single = "id" in which;
  const priority = single ? 0 : 10;
  const chosen = single
    ? `SELECT id FROM webhook_deliveries WHERE tenant_id = $1::uuid AND endpoint_id = $2::uuid AND id = $3::uuid
           AND (state <> 'pending' OR (attempts > replayed_after AND next_attempt_at > now()))`
    : `SELECT id FROM webhook_deliveries WHERE tenant_id = $1::uuid AND endpoint_id = $2::uuid AND id >= $3::uuid
           AND (state IN ('failed', 'discarded')
                OR (state = 'pending' AND attempts > replayed_after AND next_attempt_at > now()))
         ORDER BY id LIMIT ${String(which.limit)}`;
  const rows = await tx.$queryRawUnsafe<{ count: number }[]>(
    `WITH chosen AS (${chosen}), owed AS (
       UPDATE webhook_deliveries d SET state = 'pending', next_attempt_at = now(),
         replayed_after = CASE WHEN d.state = 'pending' AND ${String(single)} THEN d.replayed_after ELSE d.attempts END
       FROM chosen WHERE d.tenant_id = $1::uuid AND d.id = chosen.id
         AND (d.state <> 'pending' OR d.next_attempt_at > now())
       RETURNING d.tenant_id, d.id
     ), ${addJobs(priority)}`,
    tenantId,
    endpointId,
    single ? which.id : which.sinceId,
  );
  return rows[0]?.count ?? 0;
}
