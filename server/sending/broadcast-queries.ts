import type pg from "pg";
import type { Channel } from "../kernel/channel.ts";
import type { Ctx } from "../kernel/ctx.ts";
import { camelRows, queryInTenant } from "../kernel/db.ts";
import type { Db, Tx } from "../kernel/db.ts";
import type { Scope } from "../operations/authorize.ts";
import { Conditions } from "../operations/conditions.ts";
import type { NotificationClass } from "../tenancy/schemas.ts";
import type { NotificationStatus } from "./notification-state.ts";
import type { AcceptRequest, AcceptResult } from "./queries.ts";

export type BroadcastState =
  "listing" | "ready" | "sending" | "canceling" | "finished" | "canceled" | "failed";

/** A group that a broadcast goes to, as it was when it was asked for. */
export interface BroadcastGroup {
  id: string;
  name: string;
  channels: Channel[];
  /** How many contacts it had; null: not counted yet. */
  contacts: number | null;
}

/** Of a draft, what would become of its recipients on one channel. */
export interface ChannelForecast {
  recipients: number;
  consentDenied: number;
  suppressed: number;
  /** Contacts of the groups that have no address there. */
  noAddress: number;
}

export interface BroadcastRow {
  tenantId: string;
  /** Of its request. */
  id: string;
  environmentId: string;
  applicationId: string;
  unitId: string;
  sandbox: boolean;
  name: string;
  class: NotificationClass;
  groups: BroadcastGroup[];
  sourceId: string | null;
  state: BroadcastState;
  draft: boolean;
  firstPosition: number;
  total: number;
  released: number;
  leftOut: number;
  forecast: Partial<Record<Channel, ChannelForecast>>;
  ratePerSecond: number | null;
  startsAt: Date | null;
  endsAt: Date | null;
  pausedAt: Date | null;
  pausedByName: string | null;
  problem: { code: string; detail: string } | null;
  createdByName: string;
  createdAt: Date;
  endedAt: Date | null;
  transactionId: string | null;
  region: string;
  language: string;
  notificationType: string;
  notificationSubtype: string;
  variables: Record<string, string>;
  metadata: Record<string, string>;
}

/** What the worker needs besides. */
export interface RunningBroadcast extends BroadcastRow {
  listingGroup: number;
  listingAfter: string | null;
  window: number;
  releasedAt: Date | null;
  now: Date;
}

const columns = `b.tenant_id, b.request_id AS id, b.environment_id, b.application_id, b.unit_id, b.sandbox, b.name, b.class, b.groups,
  b.source_id, b.state, b.draft, b.first_position, b.total, b.released, b.left_out, b.forecast, b.rate_per_second, b.starts_at,
  b.ends_at, b.paused_at, b.paused_by_name, b.problem, b.created_by_name, b.created_at, b.ended_at, r.transaction_id, r.region,
  r.language, r.notification_type, r.notification_subtype, r.variables, r.metadata`;
const joined = `broadcasts b JOIN send_requests r ON r.tenant_id = b.tenant_id AND r.id = b.request_id`;

export interface NewBroadcast {
  requestId: string;
  environmentId: string;
  applicationId: string;
  unitId: string;
  sandbox: boolean;
  name: string;
  class: string;
  groups: BroadcastGroup[];
  sourceId: string | null;
  draft: boolean;
  firstPosition: number;
  ratePerSecond: number | null;
  window: number;
  startsAt: Date | null;
  endsAt: Date | null;
  createdByType: string;
  createdById: string | null;
  createdByName: string;
  createdAt: Date;
}

/** As callAcceptSends, in the caller's transaction. */
export async function acceptInTransaction(
  tx: Tx,
  tenantId: string,
  request: AcceptRequest,
): Promise<AcceptResult> {
  const rows = await tx.$queryRaw<{ result: AcceptResult }[]>`
    SELECT accept_sends(${tenantId}::uuid, ${JSON.stringify([request])}::jsonb) AS result`;
  const row = rows[0];
  if (!row) throw new Error("accept_sends answered nothing");
  return row.result;
}

/** Broadcasts of the tenant that have not ended, counted no further than `limit`. */
export async function countOpenBroadcasts(tx: Tx, tenantId: string, limit: number): Promise<number> {
  const rows = await tx.$queryRaw<{ count: number }[]>`
    SELECT count(*)::int AS count FROM (
      SELECT FROM broadcasts WHERE tenant_id = ${tenantId}::uuid AND ended_at IS NULL LIMIT ${limit}) AS open`;
  return rows[0]?.count ?? 0;
}

export async function insertBroadcast(tx: Tx, tenantId: string, broadcast: NewBroadcast): Promise<void> {
  const { groups, startsAt, draft, createdAt, ...rest } = broadcast;
  await tx.broadcast.create({
    data: {
      tenantId,
      ...rest,
      draft,
      createdAt,
      startsAt,
      groups: groups.map((group) => ({ ...group })),
      state: "listing",
      // Of a draft the recipients are listed at once; otherwise those are meant who are in the groups when it starts.
      wakeAt: draft ? createdAt : (startsAt ?? createdAt),
    },
  });
}

/** What a request to groups was answered with, for a repetition; null: it named none. */
export async function selectBroadcastGroups(ctx: Ctx, requestId: string): Promise<BroadcastGroup[] | null> {
  const rows = await queryInTenant<{ groups: BroadcastGroup[] }>(
    ctx,
    "SELECT groups FROM broadcasts WHERE tenant_id = $1 AND request_id = $2",
    [ctx.tenantId, requestId],
  );
  return rows[0]?.groups ?? null;
}

export async function selectBroadcast(ctx: Ctx, id: string): Promise<BroadcastRow | undefined> {
  const rows = await queryInTenant<BroadcastRow>(
    ctx,
    `SELECT ${columns} FROM ${joined} WHERE b.tenant_id = $1 AND b.request_id = $2`,
    [ctx.tenantId, id],
  );
  return rows[0];
}

/** A page of broadcasts, newest first. */
export function selectBroadcasts(
  ctx: Ctx,
  scopes: Required<Scope>[] | null,
  filter: { environmentId?: string | undefined; before?: string | undefined; limit: number },
): Promise<BroadcastRow[]> {
  const where = new Conditions([ctx.tenantId], "b.tenant_id = $1")
    .given("b.environment_id = ?", filter.environmentId)
    .given("b.request_id < ?", filter.before)
    .within(scopes, "b");
  return queryInTenant<BroadcastRow>(
    ctx,
    `SELECT ${columns} FROM ${joined} WHERE ${where.sql} ORDER BY b.request_id DESC LIMIT ${where.bind(filter.limit)}`,
    where.values,
  );
}

/** To how many people a connection's WhatsApp messages went in the last 24 hours, of those accepted in the last three days. */
export async function countStarted(ctx: Ctx, connectionId: string): Promise<number> {
  const rows = await queryInTenant<{ count: number }>(
    ctx,
    `SELECT count(DISTINCT recipient)::int AS count FROM notifications
     WHERE tenant_id = $1 AND id >= uuidv7_floor(now() - interval '3 days') AND connection_id = $2
       AND channel = 'whatsapp' AND sent_at >= now() - interval '24 hours'`,
    [ctx.tenantId, connectionId],
  );
  return rows[0]?.count ?? 0;
}

/** How many messages of a request have each status. */
export async function countStatuses(
  ctx: Ctx,
  requestId: string,
): Promise<Partial<Record<NotificationStatus, number>>> {
  const rows = await queryInTenant<{ status: NotificationStatus; count: number }>(
    ctx,
    `SELECT status, count(*)::int AS count FROM notifications WHERE tenant_id = $1 AND request_id = $2 GROUP BY status`,
    [ctx.tenantId, requestId],
  );
  return Object.fromEntries(rows.map(({ status, count }) => [status, count]));
}

/** Why recipients were left out, and how many. */
export async function countLeftOut(ctx: Ctx, requestId: string): Promise<Record<string, number>> {
  const rows = await queryInTenant<{ reason: string; count: number }>(
    ctx,
    `SELECT coalesce(reason, '') AS reason, count(*)::int AS count FROM broadcast_recipients
     WHERE tenant_id = $1 AND request_id = $2 AND state = 'left_out' GROUP BY reason`,
    [ctx.tenantId, requestId],
  );
  return Object.fromEntries(rows.map(({ reason, count }) => [reason, count]));
}

/** Of a broadcast, `each` recipients of every channel, spread over all of them. */
export function selectSample(
  ctx: Ctx,
  broadcast: Pick<BroadcastRow, "id" | "firstPosition" | "total">,
  wanted: number,
): Promise<{ contactId: string; channel: Channel }[]> {
  const step = Math.max(1, Math.floor(broadcast.total / wanted));
  const positions = Array.from({ length: wanted }, (_, n) => broadcast.firstPosition + n * step);
  return queryInTenant(
    ctx,
    `SELECT contact_id, channel FROM broadcast_recipients
     WHERE tenant_id = $1 AND request_id = $2 AND position = ANY ($3::int[]) ORDER BY position`,
    [ctx.tenantId, broadcast.id, positions],
  );
}

/**
 * Recipients whom a broadcast did not reach, in order of their position. Who was left out because they get it anyway is none, nor is
 * who may have got it: nobody gets it twice.
 */
const notReached = `
  SELECT r.position, r.contact_id, r.channel, coalesce(n.status, r.state) AS status,
    coalesce(n.failure->>'code', n.reason_code, r.reason) AS code
  FROM broadcast_recipients r
  LEFT JOIN LATERAL (SELECT status, reason_code, failure FROM notifications
    WHERE tenant_id = r.tenant_id AND id BETWEEN r.notification_id AND r.notification_id ORDER BY id LIMIT 1) n ON true
  WHERE r.tenant_id = $1 AND r.request_id = $2 AND r.position > $3
    AND (r.state = 'left_out' AND r.reason IS DISTINCT FROM 'duplicate_recipient'
      OR n.status IN ('failed', 'rejected', 'expired', 'canceled'))
  ORDER BY r.position LIMIT $4`;

/** Locks a broadcast until the transaction ends; undefined: there is none. */
export async function lockBroadcast(
  tx: Tx,
  tenantId: string,
  id: string,
): Promise<{ state: BroadcastState; pausedAt: Date | null; ratePerSecond: number | null } | undefined> {
  const rows = await tx.$queryRaw<
    { state: BroadcastState; pausedAt: Date | null; ratePerSecond: number | null }[]
  >`
    SELECT state, paused_at AS "pausedAt", rate_per_second AS "ratePerSecond" FROM broadcasts
    WHERE tenant_id = ${tenantId}::uuid AND request_id = ${id}::uuid FOR NO KEY UPDATE`;
  return rows[0];
}

export async function updateBroadcast(
  tx: Tx,
  tenantId: string,
  requestId: string,
  data: {
    state?: BroadcastState;
    draft?: boolean;
    startsAt?: Date | null;
    pausedAt?: Date | null;
    pausedByName?: string | null;
    ratePerSecond?: number | null;
    wakeAt?: Date | null;
  },
): Promise<void> {
  await tx.broadcast.update({ where: { tenantId_requestId: { tenantId, requestId } }, data });
}

type Client = Pick<pg.Pool, "query">;
type Key = Pick<BroadcastRow, "tenantId" | "id">;

/**
 * Claims broadcasts of any tenant that are due, first of each tenant the one that has waited longest, so that nobody's many delay
 * another's; no other process gets them for `leaseMs`.
 */
export async function claimDueBroadcasts(
  db: Db,
  options: { limit: number; leaseMs: number },
): Promise<Key[]> {
  const result = await db.pool.query<{ tenant_id: string; id: string }>({
    name: "broadcasts_claim",
    text: `
      WITH due AS (
        SELECT tenant_id, request_id, wake_at, row_number() OVER (PARTITION BY tenant_id ORDER BY wake_at) AS turn
        FROM broadcasts WHERE wake_at <= now()
      ), free AS (
        SELECT b.tenant_id, b.request_id FROM broadcasts b
        JOIN due ON due.tenant_id = b.tenant_id AND due.request_id = b.request_id
        WHERE b.wake_at <= now() ORDER BY due.turn, due.wake_at LIMIT $1 FOR NO KEY UPDATE OF b SKIP LOCKED
      )
      UPDATE broadcasts b SET wake_at = now() + make_interval(secs => $2::float8 / 1000) FROM free
      WHERE b.tenant_id = free.tenant_id AND b.request_id = free.request_id
      RETURNING b.tenant_id, b.request_id AS id`,
    values: [options.limit, options.leaseMs],
  });
  return camelRows(result);
}

/** A broadcast, locked until the transaction ends; undefined when another process has it. */
export async function lockRunning(
  client: Client,
  { tenantId, id }: Key,
): Promise<RunningBroadcast | undefined> {
  const result = await client.query<Record<string, unknown>>(
    `SELECT ${columns}, b.listing_group, b.listing_after, b."window", b.released_at, now() AS now FROM ${joined}
     WHERE b.tenant_id = $1 AND b.request_id = $2 FOR NO KEY UPDATE OF b SKIP LOCKED`,
    [tenantId, id],
  );
  return camelRows<RunningBroadcast>(result)[0];
}

/** Where a broadcast is after a step of the worker. */
export interface Progress {
  state: BroadcastState;
  listingGroup: number;
  listingAfter: string | null;
  total: number;
  released: number;
  leftOut: number;
  forecast: BroadcastRow["forecast"];
  window: number;
  problem: { code: string; detail: string } | null;
  /** Messages were released just now. */
  hasReleased: boolean;
  /** When to look again, ms from now; null: a person comes first, or it has ended. */
  wakeInMs: number | null;
  ended: boolean;
}

export async function writeProgress(
  client: Client,
  { tenantId, id }: Key,
  progress: Progress,
): Promise<void> {
  await client.query(
    `UPDATE broadcasts SET state = $3, listing_group = $4, listing_after = $5, total = $6, released = $7, left_out = $8,
       forecast = $9, "window" = $10, problem = $11, released_at = CASE WHEN $12 THEN clock_timestamp() ELSE released_at END,
       wake_at = clock_timestamp() + make_interval(secs => $13::float8 / 1000),
       ended_at = CASE WHEN $14 THEN now() ELSE ended_at END
     WHERE tenant_id = $1 AND request_id = $2`,
    [
      tenantId,
      id,
      progress.state,
      progress.listingGroup,
      progress.listingAfter,
      progress.total,
      progress.released,
      progress.leftOut,
      JSON.stringify(progress.forecast),
      progress.window,
      progress.problem && JSON.stringify(progress.problem),
      progress.hasReleased,
      progress.wakeInMs,
      progress.ended,
    ],
  );
}

/** Looks at it later, after a step that failed. */
export async function postponeBroadcast(
  db: Db,
  { tenantId, id }: Key,
  problem: { code: string; detail: string } | null,
  inMs: number,
): Promise<void> {
  await db.pool.query(
    `UPDATE broadcasts SET problem = coalesce($3, problem), wake_at = now() + make_interval(secs => $4::float8 / 1000)
     WHERE tenant_id = $1 AND request_id = $2 AND wake_at IS NOT NULL`,
    [tenantId, id, problem && JSON.stringify(problem), inMs],
  );
}

/**
 * Appends recipients that are not in the list yet; returns those that were new. Each is looked for as the next entry of the index, which
 * no other can answer; see markReleased.
 */
export async function appendRecipients(
  client: Client,
  { tenantId, id }: Key,
  from: number,
  recipients: readonly { contactId: string; channel: Channel }[],
): Promise<{ contactId: string; channel: Channel }[]> {
  const result = await client.query<Record<string, unknown>>(
    `INSERT INTO broadcast_recipients (tenant_id, request_id, position, contact_id, channel, state)
     SELECT $1, $2, $3 - 1 + row_number() OVER (ORDER BY x.place), x.contact_id, x.channel, 'waiting'
     FROM unnest($4::uuid[], $5::text[]) WITH ORDINALITY AS x(contact_id, channel, place)
     LEFT JOIN LATERAL (SELECT * FROM broadcast_recipients o
       WHERE (o.tenant_id, o.request_id, o.contact_id, o.channel) >= ($1, $2, x.contact_id, x.channel)
       ORDER BY o.tenant_id, o.request_id, o.contact_id, o.channel LIMIT 1) next
       ON next.tenant_id = $1 AND next.request_id = $2 AND next.contact_id = x.contact_id AND next.channel = x.channel
     WHERE next.contact_id IS NULL
     RETURNING contact_id, channel`,
    [
      tenantId,
      id,
      from,
      recipients.map(({ contactId }) => contactId),
      recipients.map(({ channel }) => channel),
    ],
  );
  return camelRows(result);
}

/** A recipient whom a broadcast did not reach: without a message (`left_out`), or what became of it. */
export interface NotReached {
  position: number;
  contactId: string;
  channel: Channel;
  status: "left_out" | NotificationStatus;
  code: string | null;
}

/** A page of those whom an earlier broadcast did not reach. */
export async function selectSourcePage(
  client: Client,
  of: { tenantId: string; id: string; after: number; limit: number },
): Promise<NotReached[]> {
  return camelRows(await client.query(notReached, [of.tenantId, of.id, of.after, of.limit]));
}

/** An address of a planned message. `addresses`: itself, and the token that stays of it. `policy` as send_refusal() takes it. */
export interface RefusableAddress {
  channel: string;
  addresses: string[];
  region: string;
  class: string;
  policy: string;
}

interface RefusalCount {
  channel: Channel;
  /** Null: nothing stands against them. */
  code: string | null;
  count: number;
}

const refusalCounts = `
  SELECT a.channel, f.code, count(*)::int AS count
  FROM jsonb_to_recordset($3) AS a(channel text, addresses text[], region text, class text, policy text)
  CROSS JOIN LATERAL send_refusal_of($1, $2, a.channel, a.addresses, a.region, a.class, a.policy) AS f
  GROUP BY a.channel, f.code`;

/** By channel, how many of these addresses would be refused. */
export async function countRefusals(
  client: Client,
  tenantId: string,
  { sandbox }: { sandbox: boolean },
  addresses: readonly RefusableAddress[],
): Promise<RefusalCount[]> {
  const result = await client.query<RefusalCount>(refusalCounts, [
    tenantId,
    sandbox,
    JSON.stringify(addresses),
  ]);
  return result.rows;
}

/** As countRefusals, for a person who asks. */
export function countRefusalsFor(
  ctx: Ctx,
  { sandbox }: { sandbox: boolean },
  addresses: readonly RefusableAddress[],
): Promise<RefusalCount[]> {
  return queryInTenant(ctx, refusalCounts, [ctx.tenantId, sandbox, JSON.stringify(addresses)]);
}

/**
 * Looks at messages on their way, and at those that wait for long if told: which have ended, and which will take more than five
 * minutes, such as for the end of quiet hours, and do not count against the window. Returns what is left of each.
 */
export async function settleReleased(
  client: Client,
  { tenantId, id }: Key,
  options: { parkedToo: boolean; limit: number },
): Promise<{ underWay: number; hasParked: boolean }> {
  // The rows are written where they were read, see markReleased.
  await client.query(
    `UPDATE broadcast_recipients r SET state = open.next FROM (
       SELECT o.place, o.state, CASE
         WHEN n.status IS NULL OR notification_rank(n.status) >= 2 THEN 'ended'
         WHEN n.due_at > now() + interval '5 minutes' THEN 'parked' ELSE 'under_way' END AS next
       FROM (SELECT ctid AS place, * FROM broadcast_recipients WHERE tenant_id = $1 AND request_id = $2 AND state = ANY ($3::text[])
             ORDER BY state DESC, position LIMIT $4) o
       LEFT JOIN LATERAL (SELECT status, due_at FROM notifications
         WHERE tenant_id = o.tenant_id AND id BETWEEN o.notification_id AND o.notification_id ORDER BY id LIMIT 1) n ON true
     ) open
     WHERE r.ctid = open.place AND open.state <> open.next`,
    [tenantId, id, options.parkedToo ? ["under_way", "parked"] : ["under_way"], options.limit],
  );
  const result = await client.query<{ underWay: number; hasParked: boolean }>(
    `SELECT (SELECT count(*)::int FROM broadcast_recipients
             WHERE tenant_id = $1 AND request_id = $2 AND state = 'under_way') AS "underWay",
       EXISTS (SELECT FROM broadcast_recipients
               WHERE tenant_id = $1 AND request_id = $2 AND state = 'parked') AS "hasParked"`,
    [tenantId, id],
  );
  return result.rows[0] ?? { underWay: 0, hasParked: false };
}

/** The next recipients in order of their position. */
export async function selectNextRecipients(
  client: Client,
  { tenantId, id }: Key,
  from: number,
  limit: number,
): Promise<{ position: number; contactId: string; channel: Channel }[]> {
  const result = await client.query<Record<string, unknown>>(
    `SELECT position, contact_id, channel FROM broadcast_recipients
     WHERE tenant_id = $1 AND request_id = $2 AND position >= $3 ORDER BY position LIMIT $4`,
    [tenantId, id, from, limit],
  );
  return camelRows(result);
}

/** Which of these addresses a message of the request goes to. */
export async function selectWrittenTo(
  client: Client,
  { tenantId, id }: Key,
  addresses: readonly string[],
): Promise<{ channel: string; recipient: string }[]> {
  const result = await client.query<{ channel: string; recipient: string }>(
    `SELECT channel, recipient FROM notifications
     WHERE tenant_id = $1 AND recipient = ANY ($3::text[]) AND request_id = $2`,
    [tenantId, id, addresses],
  );
  return result.rows;
}

/**
 * What became of recipients: a message, or the reason why not. Each is looked up on its own, in the order of the index: of a list that
 * was made a moment ago the planner knows nothing, takes it for one row, and would read all of it for every recipient. Nobody else writes
 * them while the broadcast is locked, so they stay where they are.
 */
export async function markReleased(
  client: Client,
  { tenantId, id }: Key,
  released: readonly { position: number; notificationId: string | null; reason: string | null }[],
): Promise<void> {
  await client.query(
    `UPDATE broadcast_recipients r SET notification_id = x.notification_id, reason = x.reason,
       state = CASE WHEN x.notification_id IS NULL THEN 'left_out' ELSE 'under_way' END
     FROM unnest($3::int[], $4::uuid[], $5::text[]) AS x(position, notification_id, reason)
     CROSS JOIN LATERAL (SELECT ctid AS place FROM broadcast_recipients
       WHERE tenant_id = $1 AND request_id = $2 AND position BETWEEN x.position AND x.position ORDER BY position LIMIT 1) o
     WHERE r.ctid = o.place`,
    [
      tenantId,
      id,
      released.map(({ position }) => position),
      released.map(({ notificationId }) => notificationId),
      released.map(({ reason }) => reason),
    ],
  );
}

/** Leaves out the next recipients; returns how many. */
export async function leaveOut(
  client: Client,
  { tenantId, id }: Key,
  from: number,
  limit: number,
  reason: string,
): Promise<number> {
  const result = await client.query(
    `UPDATE broadcast_recipients SET state = 'left_out', reason = $5
     WHERE tenant_id = $1 AND request_id = $2 AND position >= $3 AND position < $3 + $4`,
    [tenantId, id, from, limit, reason],
  );
  return result.rowCount ?? 0;
}

/** Messages of a request that no provider is being called for. */
export async function selectCancelable(
  client: Client,
  { tenantId, id }: Key,
  limit: number,
): Promise<{ id: string; unknownOutcomes: number }[]> {
  const result = await client.query<{ id: string; unknownOutcomes: number }>(
    `SELECT id, unknown_outcomes AS "unknownOutcomes" FROM notifications
     WHERE tenant_id = $1 AND request_id = $2 AND status IN ('scheduled', 'queued', 'sending') AND open_attempt IS NULL
     ORDER BY id LIMIT $3`,
    [tenantId, id, limit],
  );
  return result.rows;
}
