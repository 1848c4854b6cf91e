import type { Ctx } from "../kernel/ctx.ts";
import { inTransaction, queryInTenant } from "../kernel/db.ts";
import type { Db, Tx } from "../kernel/db.ts";
import { blankSql } from "./queries.ts";
import type { FilePlace } from "../exports/erase-from-exports.ts";
import { columnsOf, ofRecipients, registry } from "./registry.ts";
import { eraseRecipients } from "./tasks.ts";

export interface ErasureRow {
  id: string;
  state: "waiting" | "running" | "done";
  addresses: number;
  reference: string | null;
  requestedByName: string;
  requestedAt: Date;
  finishedAt: Date | null;
  counts: Record<string, number>;
}

export function selectErasures(
  ctx: Pick<Ctx, "db" | "tenantId">,
  page: { id?: string; before?: string | undefined; limit: number },
): Promise<ErasureRow[]> {
  return queryInTenant<ErasureRow>(
    ctx,
    `SELECT id, state, addresses, reference, requested_by_name, requested_at, finished_at, counts FROM erasures
     WHERE tenant_id = $1 AND ($2::uuid IS NULL OR id = $2) AND ($3::uuid IS NULL OR id < $3) ORDER BY id DESC LIMIT $4`,
    [ctx.tenantId, page.id ?? null, page.before ?? null, page.limit],
  );
}

/** The open erasures of an organisation; nobody adds one until the transaction ends. */
export async function lockErasures(
  tx: Tx,
  tenantId: string,
): Promise<{ id: string; digest: Uint8Array | null }[]> {
  await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(${`erasures ${tenantId}`}, 0))`;
  return tx.erasure.findMany({
    where: { tenantId, state: { not: "done" } },
    select: { id: true, digest: true },
    take: 100,
  });
}

export async function insertErasure(
  tx: Tx,
  row: {
    tenantId: string;
    id: string;
    recipients: Buffer;
    digest: Buffer;
    addresses: number;
    reference: string | null;
    requestedByType: string;
    requestedById: string | null;
    requestedByName: string;
    requestedAt: Date;
  },
): Promise<void> {
  const { recipients, digest, ...others } = row;
  await tx.erasure.create({
    data: { ...others, recipients: Uint8Array.from(recipients), digest: Uint8Array.from(digest) },
    select: { id: true },
  });
}

/** Where an erasure goes on. */
export interface Progress {
  phase: "messages" | "texts" | "again";
  /** The table that is being searched, and the last key that was. */
  table?: string;
  after?: string[];
  /** The piece of an exported file that was searched last. */
  file?: FilePlace;
  /** How often it waited for messages that are with a provider. */
  waits?: number;
}

export interface RunningErasure {
  id: string;
  recipients: Buffer;
  dataKey: Buffer;
  progress: Partial<Progress>;
  counts: Record<string, number>;
  /** Another one of the organisation has the turn. */
  behind: boolean;
}

type Client = Pick<Db["pool"], "query">;

/** It has the turn and has come no further for a while: others go first. An hour later it is in line again. */
const isStuck = (row: string) =>
  `(${row}.state = 'running'
    AND coalesce((${row}.progress->>'moved')::timestamptz, '-infinity') < now() - interval '5 minutes')`;

/** In which order the erasures of an organisation have their turn. */
const order = (row: string) => `(${isStuck(row)}, ${row}.state <> 'running', ${row}.id)`;

/**
 * An erasure that is not done, with the key that opens it; worker's role. It has the turn from now on unless another one of the
 * organisation does: the one that is under way, then the oldest, last those that come no further.
 */
export async function takeTurn(db: Db, tenantId: string, id: string): Promise<RunningErasure | null> {
  return inTransaction(db.pool, "BEGIN", async (client) => {
    await client.query("SELECT pg_advisory_xact_lock(hashtextextended($1, 0))", [`erasures ${tenantId}`]);
    const { rows } = await client.query<RunningErasure & { isNew: boolean }>(
      `SELECT e.id, e.recipients, t.data_key AS "dataKey", e.progress - 'moved' AS progress, e.counts,
         e.state = 'waiting' OR ${isStuck("e")} AS "isNew",
         EXISTS (SELECT FROM erasures o WHERE o.tenant_id = e.tenant_id AND o.state <> 'done'
                   AND ${order("o")} < ${order("e")}) AS behind
       FROM erasures e JOIN tenant_facts t ON t.id = e.tenant_id
       WHERE e.tenant_id = $1 AND e.id = $2 AND e.state <> 'done' AND e.recipients IS NOT NULL`,
      [tenantId, id],
    );
    const [row] = rows;
    if (!row || row.behind || !row.isNew) return row ?? null;
    // Others may have had the turn since, and changed keys: a table that was being searched is begun again.
    delete row.progress.after;
    await saveProgress(client, tenantId, id, row.progress, row.counts);
    return row;
  });
}

/** Puts erasures back in line that came no further, of any organisation (worker's role). */
export async function putStuckBack(db: Db): Promise<void> {
  await db.pool.query(`UPDATE erasures e SET state = 'waiting' WHERE ${isStuck("e")}`);
}

/**
 * Gives jobs to erasures that have none, and others in place of those that ran out of attempts, of any organisation (worker's
 * role). Returns how many; at most `limit`.
 */
export async function requeueErasures(db: Db, limit: number): Promise<number> {
  const { rows } = await db.pool.query<{ count: number }>(
    `WITH jobs AS MATERIALIZED (
       SELECT j.payload->>'erasureId' AS id FROM graphile_worker._private_jobs j
       JOIN graphile_worker._private_tasks t ON t.id = j.task_id AND t.identifier = $1
       WHERE j.attempts < j.max_attempts OR j.locked_at IS NOT NULL
     ), lost AS (
       SELECT tenant_id, id FROM erasures e
       WHERE state <> 'done' AND recipients IS NOT NULL AND NOT EXISTS (SELECT FROM jobs WHERE jobs.id = e.id::text)
       ORDER BY id LIMIT $2
     ), replaced AS (
       DELETE FROM graphile_worker._private_jobs j USING lost WHERE j.payload->>'erasureId' = lost.id::text
     ), added AS MATERIALIZED (
       SELECT count(*)::int AS count, enqueue_jobs(jsonb_agg($3::jsonb || jsonb_build_object('task', $1::text,
         'payload', jsonb_build_object('tenantId', tenant_id, 'erasureId', id)))) AS jobs
       FROM lost HAVING count(*) > 0
     )
     SELECT count, jobs FROM added`,
    [eraseRecipients.name, limit, eraseRecipients.job],
  );
  return rows[0]?.count ?? 0;
}

/** Notes how far it has come, in the transaction of the work, and when. */
export async function saveProgress(
  client: Client,
  tenantId: string,
  id: string,
  progress: Partial<Progress>,
  counts: Record<string, number>,
): Promise<void> {
  await client.query(
    `UPDATE erasures SET state = 'running', progress = $3::jsonb || jsonb_build_object('moved', now()), counts = $4
     WHERE tenant_id = $1 AND id = $2`,
    [tenantId, id, JSON.stringify(progress), JSON.stringify(counts)],
  );
}

/** Ids and requests of some of the messages to these addresses. */
export async function selectMessagesOf(
  client: Client,
  tenantId: string,
  addresses: readonly string[],
  limit: number,
): Promise<{ id: string; requestId: string }[]> {
  const { rows } = await client.query<{ id: string; requestId: string }>(
    `SELECT id, request_id AS "requestId" FROM notification_facts
     WHERE tenant_id = $1 AND recipient = ANY ($2::text[]) LIMIT $3`,
    [tenantId, addresses, limit],
  );
  return rows;
}

/** Takes the contents out of the rows of a table whose `column` is one of these. Returns how many changed. */
export async function blankRows(
  client: Client,
  tenantId: string,
  table: string,
  column: string,
  ids: readonly string[],
  more = "true",
): Promise<number> {
  const { set, needed } = blankSql(table);
  const { rowCount } = await client.query(
    `UPDATE ${table} t SET ${set} WHERE tenant_id = $1 AND ${column} = ANY ($2::uuid[]) AND (${needed}) AND ${more}`,
    [tenantId, ids],
  );
  return rowCount ?? 0;
}

/** Deletes the rows of a table whose `column` is one of these. */
export async function deleteRows(
  client: Client,
  tenantId: string,
  table: string,
  column: string,
  ids: readonly string[],
): Promise<number> {
  const { rowCount } = await client.query(
    `DELETE FROM ${table} WHERE tenant_id = $1 AND ${column} = ANY ($2::uuid[])`,
    [tenantId, ids],
  );
  return rowCount ?? 0;
}

/** Parts of messages that they have not written in full. */
export async function deleteParts(
  client: Client,
  tenantId: string,
  addresses: readonly string[],
): Promise<number> {
  const { rowCount } = await client.query(
    "DELETE FROM inbound_parts WHERE tenant_id = $1 AND address = ANY ($2)",
    [tenantId, addresses],
  );
  return rowCount ?? 0;
}

/** What a request was made from goes with the last of its messages whose recipient is erased. */
export const withoutOthers = `NOT EXISTS (SELECT FROM notification_facts n WHERE n.tenant_id = t.tenant_id AND n.request_id = t.id
  AND n.recipient <> '[erased]')`;

/** Webhook deliveries of these messages. */
export async function selectDeliveriesOf(
  client: Client,
  tenantId: string,
  notificationIds: readonly string[],
): Promise<string[]> {
  const { rows } = await client.query<{ id: string }>(
    "SELECT id FROM delivery_facts WHERE tenant_id = $1 AND notification_id = ANY ($2::uuid[])",
    [tenantId, notificationIds],
  );
  return rows.map(({ id }) => id);
}

/** Some of the conversations with these addresses. */
export async function selectConversationsOf(
  client: Client,
  tenantId: string,
  addresses: readonly string[],
  limit: number,
): Promise<string[]> {
  const { rows } = await client.query<{ id: string }>(
    "SELECT id FROM conversation_facts WHERE tenant_id = $1 AND address = ANY ($2::text[]) LIMIT $3",
    [tenantId, addresses, limit],
  );
  return rows.map(({ id }) => id);
}

/** At most `limit` messages of these conversations go. */
export async function deleteInbound(
  client: Client,
  tenantId: string,
  conversations: readonly string[],
  limit: number,
): Promise<number> {
  const { rowCount } = await client.query(
    `DELETE FROM inbound_messages WHERE tenant_id = $1 AND id IN (
       SELECT id FROM inbound_facts WHERE tenant_id = $1 AND conversation_id = ANY ($2::uuid[]) LIMIT $3)`,
    [tenantId, conversations, limit],
  );
  return rowCount ?? 0;
}

/** A table in which texts may name a recipient, as it is searched. */
export interface SearchedTable {
  table: string;
  /** Columns of the primary key after the tenant, with their types. */
  key: { column: string; type: string }[];
  texts: { column: string; type: string }[];
}

/** The tables of organisations in which a text may name a recipient, as the live schema has them. */
export async function searchedTables(client: Client): Promise<SearchedTable[]> {
  const { rows } = await client.query<{
    table: string;
    column: string;
    type: string;
    position: number | null;
  }>(
    `SELECT c.relname AS "table", a.attname AS "column", format_type(a.atttypid, NULL) AS type,
            array_position(i.indkey::int2[], a.attnum) AS position
     FROM pg_class c
     JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
     JOIN pg_index i ON i.indrelid = c.oid AND i.indisprimary
     WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
     ORDER BY c.relname, position, a.attname`,
  );
  const byTable = Map.groupBy(rows, (row) => row.table);
  return Object.keys(registry)
    .sort()
    .flatMap((table) => {
      const columns = byTable.get(table) ?? [];
      const wanted = columnsOf(table, ofRecipients);
      if (wanted.length === 0 || !columns.some(({ column }) => column === "tenant_id")) return [];
      return [
        {
          table,
          key: columns
            .filter(({ position, column }) => position !== null && column !== "tenant_id")
            .map(({ column, type }) => ({ column, type })),
          texts: columns
            .filter(({ column }) => wanted.includes(column))
            .map(({ column, type }) => ({ column, type })),
        },
      ];
    });
}

/** The next rows of a table after a key, oldest first: their keys, and their texts as the database writes them. */
export async function selectTexts(
  client: Client,
  tenantId: string,
  { table, key, texts }: SearchedTable,
  after: readonly string[] | undefined,
  limit: number,
): Promise<{ key: string[]; texts: (string | null)[] }[]> {
  const keys = key.map(({ column }) => column).join(", ");
  const from = after
    ? `AND (${keys}) > (${key.map(({ type }, index) => `$${String(index + 3)}::${type}`).join(", ")})`
    : "";
  const { rows } = await client.query<{ key: string[]; texts: (string | null)[] }>(
    `SELECT ARRAY[${key.map(({ column }) => `${column}::text`).join(", ")}] AS key,
            ARRAY[${texts.map(({ column }) => `${column}::text`).join(", ")}] AS texts
     FROM ${table} WHERE tenant_id = $1 ${from} ORDER BY ${keys} LIMIT $2`,
    [tenantId, limit, ...(after ?? [])],
  );
  return rows;
}

/** Writes texts without the address into one row. A row that has changed meanwhile keeps its change and is found again. */
export async function writeTexts(
  client: Client,
  tenantId: string,
  { table, key, texts }: SearchedTable,
  row: { key: string[]; before: (string | null)[]; after: (string | null)[] },
): Promise<number> {
  const values: unknown[] = [tenantId, ...row.key];
  const set: string[] = [];
  const still: string[] = [];
  for (const [index, { column, type }] of texts.entries()) {
    if (row.before[index] === row.after[index]) continue;
    values.push(row.after[index], row.before[index]);
    set.push(`${column} = $${String(values.length - 1)}::${type}`);
    still.push(`${column}::text = $${String(values.length)}`);
  }
  const where = key.map(({ column, type }, index) => `${column} = $${String(index + 2)}::${type}`);
  const { rowCount } = await client.query(
    `UPDATE ${table} SET ${set.join(", ")} WHERE tenant_id = $1 AND ${[...where, ...still].join(" AND ")}`,
    values,
  );
  return rowCount ?? 0;
}

/** Errors of the organisation's jobs; the only text about them that is not ours. */
export async function selectJobErrors(
  client: Client,
  tenantId: string,
): Promise<{ id: string; error: string }[]> {
  const { rows } = await client.query<{ id: string; error: string }>(
    `SELECT id, last_error AS error FROM graphile_worker._private_jobs
     WHERE last_error IS NOT NULL AND payload->>'tenantId' = $1 LIMIT 10000`,
    [tenantId],
  );
  return rows;
}

export async function writeJobError(client: Client, id: string, error: string): Promise<void> {
  await client.query("UPDATE graphile_worker._private_jobs SET last_error = $2 WHERE id = $1", [id, error]);
}

/** The report stays; the addresses do not. */
export async function finishErasure(
  tx: Tx,
  tenantId: string,
  id: string,
  counts: Record<string, number>,
  at: Date,
): Promise<boolean> {
  const { count } = await tx.erasure.updateMany({
    where: { tenantId, id, state: { not: "done" } },
    data: { state: "done", recipients: null, digest: null, progress: {}, counts, finishedAt: at },
  });
  return count > 0;
}
