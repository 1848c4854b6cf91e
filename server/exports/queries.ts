import type { Actor, Ctx } from "../kernel/ctx.ts";
import { queryInTenant } from "../kernel/db.ts";
import type { Db, Prisma, Tx } from "../kernel/db.ts";
import type { Rights } from "./rights.ts";
import type { ExportInput, ExportKind, ExportState } from "./schemas.ts";

type Reader = Pick<Ctx, "db" | "tenantId">;

export interface ExportRow {
  id: string;
  kind: ExportKind;
  state: ExportState;
  fileName: string;
  filter: ExportInput["filter"];
  until: Date;
  rights: Rights | null;
  columns: string[];
  fromId: string | null;
  afterId: string | null;
  chunks: number;
  rows: number;
  bytes: number;
  stored: number;
  problem: string | null;
  actorType: Actor["type"];
  actorId: string | null;
  actorName: string;
  createdAt: Date;
  finishedAt: Date | null;
}

const columns = `id, kind, state, file_name, filter, until, rights, columns, from_id, after_id, chunks, rows, bytes::float8 AS bytes,
  stored::float8 AS stored, problem, actor_type, actor_id, actor_name, created_at, finished_at`;

export async function selectExport(ctx: Reader, id: string): Promise<ExportRow | undefined> {
  const rows = await queryInTenant<ExportRow>(
    ctx,
    `SELECT ${columns} FROM exports WHERE tenant_id = $1 AND id = $2`,
    [ctx.tenantId, id],
  );
  return rows[0];
}

/** What one person or key has asked for, newest first. */
export function selectExports(
  ctx: Reader,
  of: { actor: Actor; before: string | undefined; limit: number },
): Promise<ExportRow[]> {
  return queryInTenant<ExportRow>(
    ctx,
    `SELECT ${columns} FROM exports WHERE tenant_id = $1 AND actor_type = $2 AND actor_id IS NOT DISTINCT FROM $3::uuid
       AND ($4::uuid IS NULL OR id < $4) ORDER BY id DESC LIMIT $5`,
    [ctx.tenantId, of.actor.type, of.actor.id, of.before ?? null, of.limit],
  );
}

/** For each that waits, how many exports of the organisation come before it. */
export async function countAhead(ctx: Reader, ids: readonly string[]): Promise<Map<string, number>> {
  if (ids.length === 0) return new Map();
  const rows = await queryInTenant<{ id: string; ahead: number }>(
    ctx,
    `SELECT w.id, count(*)::int AS ahead FROM unnest($2::uuid[]) AS w(id)
     JOIN exports e ON e.tenant_id = $1 AND e.state IN ('waiting', 'running') AND e.id < w.id GROUP BY w.id`,
    [ctx.tenantId, ids],
  );
  return new Map(rows.map(({ id, ahead }) => [id, ahead]));
}

/** How many have not ended, of the organisation and of one person or key; nobody asks for another one until the transaction has. */
export async function countOpen(
  tx: Tx,
  tenantId: string,
  actor: Actor,
): Promise<{ all: number; own: number; stored: number }> {
  await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(${`exports ${tenantId}`}, 0))`;
  const rows = await tx.$queryRaw<{ all: number; own: number; stored: number }[]>`
    SELECT count(*) FILTER (WHERE open)::int AS all,
           count(*) FILTER (WHERE open AND actor_type = ${actor.type} AND actor_id IS NOT DISTINCT FROM ${actor.id}::uuid)::int AS own,
           coalesce(sum(stored), 0)::float8 AS stored
    FROM (SELECT *, state IN ('waiting', 'running') AS open FROM exports WHERE tenant_id = ${tenantId}::uuid) AS e`;
  return rows[0] ?? { all: 0, own: 0, stored: 0 };
}

/** What the files of an organisation take up. */
export async function sumStored(tx: Tx, tenantId: string): Promise<number> {
  const sum = await tx.export.aggregate({ where: { tenantId }, _sum: { stored: true } });
  return Number(sum._sum.stored ?? 0);
}

export async function insertExport(tx: Tx, row: Prisma.ExportUncheckedCreateInput): Promise<void> {
  await tx.export.create({ data: row, select: { id: true } });
}

/** Where an export is; it stays so until the transaction ends. */
export async function lockExport(
  tx: Tx,
  tenantId: string,
  id: string,
): Promise<Pick<ExportRow, "state" | "chunks" | "afterId"> | undefined> {
  const rows = await tx.$queryRaw<Pick<ExportRow, "state" | "chunks" | "afterId">[]>`
    SELECT state, chunks, after_id AS "afterId" FROM exports
    WHERE tenant_id = ${tenantId}::uuid AND id = ${id}::uuid FOR UPDATE`;
  return rows[0];
}

export async function updateExport(
  tx: Tx,
  tenantId: string,
  id: string,
  change: Prisma.ExportUncheckedUpdateInput,
): Promise<void> {
  await tx.export.update({
    where: { tenantId_id: { tenantId, id } },
    data: change,
    select: { id: true },
  });
}

export async function deleteExport(tx: Tx, tenantId: string, id: string): Promise<void> {
  await tx.export.delete({ where: { tenantId_id: { tenantId, id } }, select: { id: true } });
}

export async function insertChunks(
  tx: Tx,
  tenantId: string,
  exportId: string,
  from: number,
  chunks: readonly Buffer[],
): Promise<void> {
  await tx.exportChunk.createMany({
    data: chunks.map((data, index) => ({
      tenantId,
      exportId,
      number: from + index,
      data: Uint8Array.from(data),
    })),
  });
}

export async function deleteChunks(tx: Tx, tenantId: string, exportId: string): Promise<void> {
  await tx.exportChunk.deleteMany({ where: { tenantId, exportId } });
}

export async function selectChunk(
  ctx: Reader,
  exportId: string,
  number: number,
): Promise<Buffer | undefined> {
  const rows = await queryInTenant<{ data: Buffer }>(
    ctx,
    "SELECT data FROM export_chunks WHERE tenant_id = $1 AND export_id = $2 AND number = $3",
    [ctx.tenantId, exportId, number],
  );
  return rows[0]?.data;
}

type Client = Pick<Db["pool"], "query">;

/** The next piece of any of an organisation's files of messages, in the order of exports and pieces. */
export async function selectNextChunk(
  client: Client,
  tenantId: string,
  after: { exportId: string; number: number } | null,
): Promise<{ exportId: string; number: number; data: Buffer } | undefined> {
  const { rows } = await client.query<{ exportId: string; number: number; data: Buffer }>(
    `SELECT c.export_id AS "exportId", c.number, c.data
     FROM export_chunks c JOIN exports e ON e.tenant_id = c.tenant_id AND e.id = c.export_id AND e.kind = 'messages'
     WHERE c.tenant_id = $1 AND ($2::uuid IS NULL OR (c.export_id, c.number) > ($2, $3::int))
     ORDER BY c.export_id, c.number LIMIT 1`,
    [tenantId, after?.exportId ?? null, after?.number ?? null],
  );
  return rows[0];
}

/** Waits until nobody is writing to an organisation's files, and keeps it so until the transaction ends. */
export async function lockFiles(client: Client, tenantId: string): Promise<void> {
  await client.query(
    "SELECT FROM exports WHERE tenant_id = $1 AND state IN ('waiting', 'running', 'finished') ORDER BY id FOR UPDATE",
    [tenantId],
  );
}

/** Puts another text in place of a piece. */
export async function rewriteChunk(
  client: Client,
  tenantId: string,
  piece: { exportId: string; number: number; data: Buffer; bytesMore: number; storedMore: number },
): Promise<void> {
  const { exportId, number, data, bytesMore, storedMore } = piece;
  await client.query(
    "UPDATE export_chunks SET data = $4 WHERE tenant_id = $1 AND export_id = $2 AND number = $3",
    [tenantId, exportId, number, data],
  );
  await client.query(
    "UPDATE exports SET bytes = bytes + $3, stored = stored + $4 WHERE tenant_id = $1 AND id = $2",
    [tenantId, exportId, bytesMore, storedMore],
  );
}

/**
 * Of all organisations (worker's role): deletes files that are so many days old, and forgets exports that ended so many days ago.
 * Returns how many files.
 */
export async function purgeOld(db: Db, after: { fileDays: number; endedDays: number }): Promise<number> {
  const { rows } = await db.pool.query<{ files: number }>(
    `WITH old AS (
       UPDATE exports SET state = 'expired', stored = 0
       WHERE state = 'finished' AND finished_at < now() - make_interval(days => $1) RETURNING tenant_id, id
     ), files AS (
       DELETE FROM export_chunks c USING old WHERE c.tenant_id = old.tenant_id AND c.export_id = old.id
     )
     SELECT count(*)::int AS files FROM old`,
    [after.fileDays],
  );
  await db.pool.query("DELETE FROM exports WHERE finished_at < now() - make_interval(days => $1)", [
    after.endedDays,
  ]);
  return rows[0]?.files ?? 0;
}
