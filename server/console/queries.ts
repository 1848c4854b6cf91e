import type { Pool } from "pg";
import { camelRows } from "../kernel/db.ts";
import type { Db, Tx } from "../kernel/db.ts";

type Sql = Pick<Pool, "query">;

export interface OperatorRow {
  id: string;
  email: string;
  name: string;
  passwordHash: string | null;
  /** Changes with the row: a sign-in that began with another one starts no session (holdOperator). */
  version: string;
}

const operatorColumns = `o.id, o.email, o.name, o.password_hash AS "passwordHash", o.xmin::text AS version`;

export async function findOperator(db: Db, email: string): Promise<OperatorRow | undefined> {
  const { rows } = await db.pool.query<OperatorRow>(
    `SELECT ${operatorColumns} FROM operators o WHERE o.email = $1`,
    [email],
  );
  return rows[0];
}

export interface ListedOperator {
  email: string;
  name: string;
  hasPassword: boolean;
  lastSeenAt: Date | null;
}

/** As the owner of the tables. */
export async function selectOperators(owner: Sql): Promise<ListedOperator[]> {
  const { rows } = await owner.query<ListedOperator>(
    `SELECT email, name, password_hash IS NOT NULL AS "hasPassword",
            (SELECT max(s.last_seen_at) FROM operator_sessions s WHERE s.operator_id = o.id) AS "lastSeenAt"
     FROM operators o ORDER BY email LIMIT 1000`,
  );
  return rows;
}

/** As the owner of the tables. False: there is one with this address. */
export async function insertOperator(
  owner: Sql,
  operator: { id: string; email: string; name: string; event: EventRow },
): Promise<boolean> {
  const { rowCount } = await owner.query(
    `WITH added AS (
       INSERT INTO operators (id, email, name) VALUES ($1, $2, $3) ON CONFLICT (email) DO NOTHING RETURNING id
     )
     INSERT INTO operator_events (id, at, operator_name, action, request_id, data)
     SELECT $4, $5, $6, $7, $8, $9 FROM added`,
    [operator.id, operator.email, operator.name, ...eventValues(operator.event)],
  );
  return rowCount === 1;
}

/** As the owner of the tables: the operator's link, which replaces an earlier one. False: nobody has the address. */
export async function replaceLink(
  owner: Sql,
  link: { email: string; hash: Uint8Array; expiresAt: Date; event: EventRow },
): Promise<boolean> {
  const { rowCount } = await owner.query(
    `WITH linked AS (
       INSERT INTO operator_links (operator_id, hash, expires_at) SELECT id, $2, $3 FROM operators WHERE email = $1
       ON CONFLICT (operator_id) DO UPDATE SET hash = excluded.hash, expires_at = excluded.expires_at RETURNING operator_id
     )
     INSERT INTO operator_events (id, at, operator_name, action, request_id, data)
     SELECT $4, $5, $6, $7, $8, $9 FROM linked`,
    [link.email, Buffer.from(link.hash), link.expiresAt, ...eventValues(link.event)],
  );
  return rowCount === 1;
}

/** As the owner of the tables. What they did stays in the log. False: nobody has the address. */
export async function deleteOperator(owner: Sql, email: string, event: EventRow): Promise<boolean> {
  const { rowCount } = await owner.query(
    `WITH gone AS (DELETE FROM operators WHERE email = $1 RETURNING id),
       factors AS (DELETE FROM operator_second_factors WHERE operator_id IN (SELECT id FROM gone)),
       codes AS (DELETE FROM operator_recovery_codes WHERE operator_id IN (SELECT id FROM gone)),
       links AS (DELETE FROM operator_links WHERE operator_id IN (SELECT id FROM gone)),
       sessions AS (DELETE FROM operator_sessions WHERE operator_id IN (SELECT id FROM gone))
     INSERT INTO operator_events (id, at, operator_name, action, request_id, data)
     SELECT $2, $3, $4, $5, $6, $7 FROM gone`,
    [email, ...eventValues(event)],
  );
  return rowCount === 1;
}

/** What a command writes into the log. */
interface EventRow {
  id: string;
  at: Date;
  operatorName: string;
  action: string;
  requestId: string;
  data: object;
}
const eventValues = (event: EventRow) => [
  event.id,
  event.at,
  event.operatorName,
  event.action,
  event.requestId,
  JSON.stringify(event.data),
];

/** Whose link it is, as long as it counts. */
export async function findLink(db: Db, hash: Uint8Array): Promise<OperatorRow | undefined> {
  const { rows } = await db.pool.query<OperatorRow>(
    `SELECT ${operatorColumns} FROM operator_links l JOIN operators o ON o.id = l.operator_id
     WHERE l.hash = $1 AND l.expires_at > now()`,
    [Buffer.from(hash)],
  );
  return rows[0];
}

/** Takes a link; of two at the same time one gets it. */
export async function takeLink(tx: Tx, hash: Uint8Array<ArrayBuffer>): Promise<boolean> {
  return (await tx.$executeRaw`DELETE FROM operator_links WHERE hash = ${hash} AND expires_at > now()`) === 1;
}

export async function writePassword(tx: Tx, operatorId: string, passwordHash: string): Promise<void> {
  await tx.$executeRaw`UPDATE operators SET password_hash = ${passwordHash} WHERE id = ${operatorId}::uuid`;
}

/** Gives an operator's row another version. Called before their sessions are ended where nothing else of the row changes. */
export async function outdateSignIns(tx: Tx, operatorId: string): Promise<void> {
  await tx.$executeRaw`UPDATE operators SET password_hash = password_hash WHERE id = ${operatorId}::uuid`;
}

/**
 * The version of an operator's row, held until the transaction ends: whoever ends their sessions changes it first, and so either sees
 * the session that this transaction starts or is seen here.
 */
export async function holdOperator(tx: Tx, operatorId: string): Promise<string | undefined> {
  const rows = await tx.$queryRaw<{ version: string }[]>`
    SELECT xmin::text AS version FROM operators WHERE id = ${operatorId}::uuid FOR SHARE`;
  return rows[0]?.version;
}

export async function insertSession(
  tx: Tx,
  session: {
    id: string;
    operatorId: string;
    hash: Uint8Array<ArrayBuffer>;
    at: Date;
    expiresAt: Date;
    ip: string | null;
    userAgent: string | null;
  },
): Promise<void> {
  await tx.$executeRaw`
    INSERT INTO operator_sessions (id, operator_id, hash, created_at, last_seen_at, expires_at, ip, user_agent)
    VALUES (${session.id}::uuid, ${session.operatorId}::uuid, ${session.hash}, ${session.at}, ${session.at}, ${session.expiresAt},
            ${session.ip}, ${session.userAgent})`;
  // Those of a month ago are of no use to anybody.
  await tx.$executeRaw`
    DELETE FROM operator_sessions WHERE operator_id = ${session.operatorId}::uuid AND expires_at < ${session.at}::timestamptz - interval '30 days'`;
}

export interface SessionRow {
  id: string;
  operatorId: string;
  name: string;
  email: string;
  /** Whether the operator has a second factor that counts. */
  secondFactor: boolean;
}

/** A session that has not ended, whose operator is still there. */
export async function selectSession(
  db: Db,
  hash: Uint8Array,
  idleSeconds: number,
): Promise<SessionRow | undefined> {
  const { rows } = await db.pool.query<SessionRow>(
    `SELECT s.id, o.id AS "operatorId", o.name, o.email,
       EXISTS (SELECT FROM operator_second_factors f WHERE f.operator_id = o.id AND f.confirmed_at IS NOT NULL) AS "secondFactor"
     FROM operator_sessions s JOIN operators o ON o.id = s.operator_id
     WHERE s.hash = $1 AND s.ended_at IS NULL AND s.expires_at > now() AND s.last_seen_at > now() - make_interval(secs => $2)`,
    [Buffer.from(hash), idleSeconds],
  );
  return rows[0];
}

/** At most once a minute. */
export async function updateLastSeen(db: Db, sessionId: string): Promise<void> {
  await db.pool.query(
    "UPDATE operator_sessions SET last_seen_at = now() WHERE id = $1 AND last_seen_at < now() - interval '1 minute'",
    [sessionId],
  );
}

/** Ends one session of an operator, or all of them. */
export async function endSessions(
  tx: Tx,
  which: { operatorId: string; id?: string },
  at: Date,
): Promise<void> {
  await tx.$executeRaw`
    UPDATE operator_sessions SET ended_at = ${at} WHERE operator_id = ${which.operatorId}::uuid AND ended_at IS NULL
      AND (${which.id ?? null}::uuid IS NULL OR id = ${which.id ?? null}::uuid)`;
}

/** Ends all sessions of an operator but one. */
export async function endOtherSessions(
  tx: Tx,
  which: { operatorId: string; exceptId: string },
  at: Date,
): Promise<void> {
  await tx.$executeRaw`
    UPDATE operator_sessions SET ended_at = ${at}
    WHERE operator_id = ${which.operatorId}::uuid AND ended_at IS NULL AND id <> ${which.exceptId}::uuid`;
}

export interface NewEvent {
  id: string;
  at: Date;
  operatorId: string | null;
  operatorName: string;
  sessionId: string | null;
  action: string;
  organisation: string | null;
  organisationSlug: string | null;
  requestId: string;
  ip: string | null;
  data: object;
}

export async function insertEvent(tx: Tx, event: NewEvent): Promise<void> {
  await tx.operatorEvent.create({
    data: event,
    select: { id: true },
  });
}

/** Adds a look, unless the session's log says the same a few minutes ago. */
export async function insertLook(
  db: Db,
  event: Omit<NewEvent, "organisationSlug">,
  minutes: number,
): Promise<void> {
  await db.pool.query(
    `INSERT INTO operator_events (id, at, operator_id, operator_name, session_id, action, organisation, organisation_slug,
                                  request_id, ip, data)
     SELECT $1, $2, $3, $4, $5, $6, $7, (SELECT t.slug FROM tenant_states t WHERE t.id = $7), $8, $9, $10
     WHERE NOT EXISTS (
       SELECT FROM operator_events e WHERE e.session_id = $5 AND e.at > now() - make_interval(mins => $11) AND e.action = $6
         AND e.organisation IS NOT DISTINCT FROM $7 AND e.data = $10::jsonb)`,
    [
      event.id,
      event.at,
      event.operatorId,
      event.operatorName,
      event.sessionId,
      event.action,
      event.organisation,
      event.requestId,
      event.ip,
      JSON.stringify(event.data),
      minutes,
    ],
  );
}

/**
 * Adds a failed sign-in, unless the log has one of the same operator from the same address of the last ten minutes, or enough of the
 * last hour. Those for addresses that are no operator's count together.
 */
export async function insertFailedSignIn(
  db: Db,
  event: Pick<NewEvent, "id" | "operatorId" | "operatorName" | "action" | "requestId" | "ip" | "data">,
  mostAnHour: number,
): Promise<void> {
  await db.pool.query(
    `INSERT INTO operator_events (id, at, operator_id, operator_name, action, request_id, ip, data)
     SELECT $1, now(), $2, $3, $4, $5, $6, $7 FROM (
       SELECT count(*) AS count, count(*) FILTER (WHERE e.ip IS NOT DISTINCT FROM $6 AND e.at > now() - interval '10 minutes') AS same
       FROM operator_events e WHERE e.session_id IS NULL AND e.at > now() - interval '1 hour' AND e.action = $4
         AND e.operator_id IS NOT DISTINCT FROM $2
     ) AS told WHERE told.count < $8 AND told.same = 0`,
    [
      event.id,
      event.operatorId,
      event.operatorName,
      event.action,
      event.requestId,
      event.ip,
      JSON.stringify(event.data),
      mostAnHour,
    ],
  );
}

export interface EventListRow {
  id: string;
  at: Date;
  operatorName: string;
  action: string;
  organisation: string | null;
  organisationSlug: string | null;
  requestId: string;
  ip: string | null;
  data: Record<string, unknown>;
}

/** Newest first. */
export async function selectEvents(
  db: Db,
  filter: { changesOnly: boolean; organisation: string | null; before: string | null; limit: number },
): Promise<EventListRow[]> {
  return camelRows(
    await db.pool.query(
      `SELECT id, at, operator_name, action, organisation, organisation_slug, request_id, ip, data FROM operator_events
       WHERE (NOT $1 OR action NOT LIKE '%.viewed') AND ($2::uuid IS NULL OR organisation = $2) AND ($3::uuid IS NULL OR id < $3)
       ORDER BY id DESC LIMIT $4`,
      [filter.changesOnly, filter.organisation, filter.before, filter.limit],
    ),
  );
}

export interface OrganisationRow {
  id: string;
  slug: string;
  name: string;
  dataRegion: string;
  platformFees: unknown;
  createdAt: Date;
  suspendedAt: Date | null;
  resumedAt: Date | null;
  /** Set when it is deleted: from when on, and what is left. */
  dueAt: Date | null;
  startedAt: Date | null;
  tablesLeft: number | null;
  /** How long a deletion can be taken back. */
  deletionDays: number;
}

const organisationColumns = `t.id, t.slug, t.name, t.data_region, t.platform_fees, t.created_at, t.suspended_at, t.resumed_at,
  d.due_at, d.started_at, d.tables_left, deletion_days() FROM tenant_states t LEFT JOIN organisation_deletions d ON d.organisation = t.id`;

/** Newest first. */
export async function selectOrganisations(
  db: Db,
  filter: { search: string | null; suspended: boolean | null; before: string | null; limit: number },
): Promise<OrganisationRow[]> {
  return camelRows(
    await db.pool.query(
      `SELECT ${organisationColumns}
       WHERE ($1::text IS NULL OR t.slug ILIKE $1 OR t.name ILIKE $1) AND ($2::boolean IS NULL OR (t.suspended_at IS NOT NULL) = $2)
         AND ($3::uuid IS NULL OR t.id < $3)
       ORDER BY t.id DESC LIMIT $4`,
      [
        filter.search === null ? null : `%${filter.search.replace(/[\\%_]/g, "\\$&")}%`,
        filter.suspended,
        filter.before,
        filter.limit,
      ],
    ),
  );
}

export async function selectOrganisation(db: Db, id: string): Promise<OrganisationRow | undefined> {
  const result = await db.pool.query(`SELECT ${organisationColumns} WHERE t.id = $1`, [id]);
  return camelRows<OrganisationRow>(result)[0];
}

export async function selectOrganisationBySlug(
  db: Db,
  slug: string,
): Promise<{ id: string; slug: string } | undefined> {
  const { rows } = await db.pool.query<{ id: string; slug: string }>(
    "SELECT id, slug FROM tenant_states WHERE slug = $1",
    [slug],
  );
  return rows[0];
}

/** Asks for a deletion; the database answers from when on. Undefined: it is asked for already. */
export async function insertDeletion(tx: Tx, row: { id: string; slug: string }): Promise<Date | undefined> {
  const rows = await tx.$queryRaw<{ dueAt: Date }[]>`
    INSERT INTO organisation_deletions (organisation, organisation_slug)
    VALUES (${row.id}::uuid, ${row.slug}) ON CONFLICT (organisation) DO NOTHING RETURNING due_at AS "dueAt"`;
  return rows[0]?.dueAt;
}

/** Whether it is to be deleted. */
export async function hasDeletion(tx: Tx, id: string): Promise<boolean> {
  const rows = await tx.$queryRaw<
    unknown[]
  >`SELECT 1 FROM organisation_deletions WHERE organisation = ${id}::uuid`;
  return rows.length > 0;
}

/** Takes it back; false: there is none, or its time has come. */
export async function takeBackDeletion(tx: Tx, id: string, at: Date): Promise<boolean> {
  return (
    (await tx.$executeRaw`
      DELETE FROM organisation_deletions WHERE organisation = ${id}::uuid AND started_at IS NULL AND due_at > ${at}`) ===
    1
  );
}

/** Over the worker's role: whose time has come. */
export async function selectDueDeletions(db: Db): Promise<string[]> {
  const { rows } = await db.pool.query<{ organisation: string }>(
    "SELECT organisation FROM organisation_deletions WHERE due_at <= now() ORDER BY due_at LIMIT 20",
  );
  return rows.map(({ organisation }) => organisation);
}

/** Over the worker's role: removes so many rows; whether there is more to do now. */
export async function advanceDeletion(db: Db, organisation: string, limit: number): Promise<boolean> {
  const { rows } = await db.pool.query<{ more: boolean }>("SELECT delete_organisation($1, $2) AS more", [
    organisation,
    limit,
  ]);
  return rows[0]?.more ?? false;
}

export interface QueueRow {
  task: string;
  ready: number;
  later: number;
  givenUp: number;
  waitingSince: Date | null;
  givenUpAt: Date | null;
}
export interface WorkerRow {
  name: string;
  lanes: string[];
  beatAt: Date;
  givenUpAt: Date | null;
}
export interface DatabaseRow {
  bytes: string;
  connections: number;
  mostConnections: number;
  version: string;
}
export interface SweepRow {
  at: Date;
  found: number;
  total: string;
  foundAt: Date | null;
}
export interface CheckpointRow {
  number: string;
  at: Date;
  filedAt: Date | null;
}

/** The state of the installation, by the functions that the console's role may call; the time is the database's. */
export async function selectState(db: Db, most: number) {
  const ask = async <Row>(text: string, values: unknown[] = []) =>
    camelRows<Row>(await db.pool.query(text, values));
  const [queue, workers, database, sweep, checkpoint, now] = await Promise.all([
    ask<QueueRow>("SELECT * FROM queue_state($1)", [most]),
    ask<WorkerRow>("SELECT * FROM worker_state()"),
    ask<DatabaseRow>("SELECT * FROM database_state()"),
    ask<SweepRow>("SELECT * FROM sweep_state()"),
    ask<CheckpointRow>("SELECT * FROM last_checkpoint()"),
    ask<{ now: Date }>("SELECT clock_timestamp() AS now"),
  ]);
  return {
    queue,
    workers,
    database: database[0],
    sweep: sweep[0] ?? null,
    checkpoint: checkpoint[0] ?? null,
    now: now[0]?.now ?? new Date(),
  };
}

/** As insertEvent(), in a transaction without Prisma. Over the console's role or the owner's. */
export async function insertEventOf(sql: Sql, event: NewEvent): Promise<void> {
  await sql.query(
    `INSERT INTO operator_events (id, at, operator_id, operator_name, session_id, action, organisation, organisation_slug,
                                  request_id, ip, data)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
    [
      event.id,
      event.at,
      event.operatorId,
      event.operatorName,
      event.sessionId,
      event.action,
      event.organisation,
      event.organisationSlug,
      event.requestId,
      event.ip,
      JSON.stringify(event.data),
    ],
  );
}

/** What a hold of sending keeps, by organisation. */
export interface HeldWork {
  messages: {
    slug: string;
    channel: string;
    class: string;
    waiting: number;
    expired: number;
    later: number;
    oldestAt: Date;
  }[];
  broadcasts: { slug: string; broadcasts: number; oldestAt: Date }[];
  webhooks: { slug: string; waiting: number; oldestAt: Date }[];
}

/** Over the console's role or the owner's. */
export async function selectHeldWork(sql: Sql): Promise<HeldWork> {
  const ask = async <Row>(text: string) => camelRows<Row>(await sql.query<Record<string, unknown>>(text));
  return {
    messages: await ask(
      `SELECT slug, channel, class, waiting::float8, expired::float8, later::float8, oldest_at FROM held_messages()`,
    ),
    broadcasts: await ask("SELECT slug, broadcasts::float8, oldest_at FROM held_broadcasts()"),
    webhooks: await ask("SELECT slug, waiting::float8, oldest_at FROM held_webhooks()"),
  };
}
