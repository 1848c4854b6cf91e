import type { Actor, Ctx } from "../kernel/ctx.ts";
import { queryInTenant } from "../kernel/db.ts";
import type { Db, Tx } from "../kernel/db.ts";
import type { Encoding } from "./read-rows.ts";
import type { ImportMapping, ImportState } from "./schemas.ts";
import type { ImportKindName } from "./vocabulary.ts";

type Reader = Pick<Ctx, "db" | "tenantId">;

export interface ImportRow {
  id: string;
  kind: ImportKindName;
  state: ImportState;
  environmentId: string;
  fileName: string;
  size: number;
  received: number;
  utf8: boolean;
  encoding: Encoding | null;
  delimiter: string | null;
  mapping: ImportMapping | null;
  atByte: number;
  atRow: number;
  skipping: boolean;
  created: number;
  updated: number;
  unchanged: number;
  failed: number;
  problem: string | null;
  actorType: Actor["type"];
  actorId: string | null;
  actorName: string;
  createdAt: Date;
  queuedAt: Date | null;
  finishedAt: Date | null;
}

const columns = `id, kind, state, environment_id, file_name, size, received, utf8, encoding, delimiter, mapping, at_byte, at_row,
  skipping, created, updated, unchanged, failed, problem, actor_type, actor_id, actor_name, created_at, queued_at, finished_at`;

export async function selectImport(ctx: Reader, id: string): Promise<ImportRow | undefined> {
  const rows = await queryInTenant<ImportRow>(
    ctx,
    `SELECT ${columns} FROM imports WHERE tenant_id = $1 AND id = $2`,
    [ctx.tenantId, id],
  );
  return rows[0];
}

/** Imports of these kinds, newest first. */
export function selectImports(
  ctx: Reader,
  filter: { kinds: readonly string[]; before: string | undefined; limit: number },
): Promise<ImportRow[]> {
  return queryInTenant<ImportRow>(
    ctx,
    `SELECT ${columns} FROM imports WHERE tenant_id = $1 AND kind = ANY ($2::text[]) AND ($3::uuid IS NULL OR id < $3)
     ORDER BY id DESC LIMIT $4`,
    [ctx.tenantId, filter.kinds, filter.before ?? null, filter.limit],
  );
}

/** How many imports of the organisation are worked on before this one. */
export async function countAhead(ctx: Reader, row: ImportRow): Promise<number> {
  if (row.queuedAt === null) return 0;
  const rows = await queryInTenant<{ ahead: number }>(
    ctx,
    `SELECT count(*)::int AS ahead FROM imports
     WHERE tenant_id = $1 AND state IN ('checking', 'running') AND (queued_at, id) < ($2, $3::uuid)`,
    [ctx.tenantId, row.queuedAt, row.id],
  );
  return rows[0]?.ahead ?? 0;
}

/** How many have not ended; nobody begins another one until the transaction has. */
export async function countOpen(tx: Tx, tenantId: string): Promise<number> {
  await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended('imports ' || ${tenantId}, 0))`;
  return tx.import.count({
    where: { tenantId, state: { notIn: ["finished", "canceled", "failed"] } },
  });
}

export async function insertImport(
  tx: Tx,
  row: Pick<
    ImportRow,
    | "id"
    | "kind"
    | "environmentId"
    | "fileName"
    | "size"
    | "actorType"
    | "actorId"
    | "actorName"
    | "createdAt"
  > & { tenantId: string },
): Promise<void> {
  await tx.import.create({ data: { ...row, state: "uploading" } });
}

type Standing = Pick<
  ImportRow,
  "state" | "received" | "size" | "utf8" | "atByte" | "atRow" | "created" | "updated" | "unchanged" | "failed"
>;

/** The import as it is, locked until the transaction ends. */
export async function lockImport(tx: Tx, tenantId: string, id: string): Promise<Standing | undefined> {
  const rows = await tx.$queryRaw<Standing[]>`
    SELECT state, received, size, utf8, at_byte AS "atByte", at_row AS "atRow", created, updated, unchanged, failed
    FROM imports WHERE tenant_id = ${tenantId}::uuid AND id = ${id}::uuid FOR UPDATE`;
  return rows[0];
}

type Change = Partial<Omit<ImportRow, "id" | "kind" | "environmentId" | "mapping">> & {
  mapping?: ImportMapping;
};

export async function updateImport(tx: Tx, tenantId: string, id: string, change: Change): Promise<void> {
  await tx.import.update({ where: { tenantId_id: { tenantId, id } }, data: change });
}

export async function insertPiece(
  tx: Tx,
  piece: { tenantId: string; importId: string; number: number; data: Buffer },
): Promise<void> {
  await tx.importChunk.create({ data: { ...piece, data: Uint8Array.from(piece.data) } });
}

export async function selectPiece(ctx: Reader, importId: string, number: number): Promise<Buffer | null> {
  const rows = await queryInTenant<{ data: Buffer }>(
    ctx,
    "SELECT data FROM import_chunks WHERE tenant_id = $1 AND import_id = $2 AND number = $3",
    [ctx.tenantId, importId, number],
  );
  return rows[0]?.data ?? null;
}

/** Takes the file away: what is left is what became of it. */
export async function deleteFile(tx: Tx, tenantId: string, importId: string): Promise<void> {
  await tx.importChunk.deleteMany({ where: { tenantId, importId } });
  await deleteMarks(tx, tenantId, importId);
}

/** Ends an import before its time; what a dry run has counted did not come about. */
export async function endEarly(
  tx: Tx,
  tenantId: string,
  { id, state }: Pick<ImportRow, "id" | "state">,
  end: { state: "canceled" | "failed"; problem?: string; finishedAt: Date },
): Promise<void> {
  const nothing = { created: 0, updated: 0, unchanged: 0, failed: 0 };
  await updateImport(tx, tenantId, id, { ...end, ...(state === "running" ? {} : nothing) });
  await deleteFile(tx, tenantId, id);
}

export async function insertMarks(
  tx: Tx,
  row: { tenantId: string; importId: string; number: number; data: Buffer },
): Promise<void> {
  await tx.importMark.create({ data: { ...row, data: Uint8Array.from(row.data) } });
}

/** What a dry run has read so far, in its order, a few hundred kilobytes at a time. */
export async function* selectMarks(ctx: Reader, importId: string): AsyncGenerator<Buffer> {
  const atOnce = 32;
  let after = -1;
  for (;;) {
    const rows: { number: number; data: Buffer }[] = await queryInTenant(
      ctx,
      `SELECT number, data FROM import_marks WHERE tenant_id = $1 AND import_id = $2 AND number > $3 ORDER BY number LIMIT $4`,
      [ctx.tenantId, importId, after, atOnce],
    );
    for (const { data } of rows) yield data;
    after = rows.at(-1)?.number ?? after;
    if (rows.length < atOnce) return;
  }
}

export async function deleteMarks(tx: Tx, tenantId: string, importId: string): Promise<void> {
  await tx.importMark.deleteMany({ where: { tenantId, importId } });
}

export interface RowError {
  row: number;
  column: string | null;
  code: string;
  detail: string;
}

export async function insertErrors(
  tx: Tx,
  tenantId: string,
  importId: string,
  from: number,
  errors: readonly RowError[],
): Promise<void> {
  if (errors.length === 0) return;
  await tx.importError.createMany({
    data: errors.map((error, index) => ({ tenantId, importId, number: from + index, ...error })),
  });
}

export async function countErrors(tx: Tx, tenantId: string, importId: string): Promise<number> {
  return tx.importError.count({ where: { tenantId, importId } });
}

export async function deleteErrors(tx: Tx, tenantId: string, importId: string): Promise<void> {
  await tx.importError.deleteMany({ where: { tenantId, importId } });
}

export function selectErrors(ctx: Reader, importId: string, limit: number): Promise<RowError[]> {
  return queryInTenant<RowError>(
    ctx,
    `SELECT row, "column", code, detail FROM import_errors WHERE tenant_id = $1 AND import_id = $2 ORDER BY number LIMIT $3`,
    [ctx.tenantId, importId, limit],
  );
}

/**
 * Of all organisations (worker's role): takes files away that have waited for so many days, and forgets imports that ended so many
 * days ago. Never one that is under way. Returns how many were forgotten.
 */
export async function purgeOld(db: Db, after: { fileDays: number; endedDays: number }): Promise<number> {
  await db.pool.query(
    `WITH old AS (
       UPDATE imports SET state = 'canceled', finished_at = now(), created = 0, updated = 0, unchanged = 0, failed = 0
       WHERE state IN ('uploading', 'mapping', 'checked') AND coalesce(queued_at, created_at) < now() - make_interval(days => $1)
       RETURNING tenant_id, id)
     DELETE FROM import_chunks c USING old WHERE c.tenant_id = old.tenant_id AND c.import_id = old.id`,
    [after.fileDays],
  );
  const { rows } = await db.pool.query<{ imports: number }>(
    `WITH old AS (
       DELETE FROM imports WHERE finished_at < now() - make_interval(days => $1) RETURNING tenant_id, id
     ), errors AS (
       DELETE FROM import_errors e USING old WHERE e.tenant_id = old.tenant_id AND e.import_id = old.id
     ), files AS (
       DELETE FROM import_chunks c USING old WHERE c.tenant_id = old.tenant_id AND c.import_id = old.id
     )
     SELECT count(*)::int AS imports FROM old`,
    [after.endedDays],
  );
  return rows[0]?.imports ?? 0;
}
