import { setImmediate as breathe, setTimeout as pause } from "node:timers/promises";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { actingFor } from "../access/acting-for.ts";
import { systemCtx } from "../access/system-ctx.ts";
import { recordAudit } from "../audit/record-audit.ts";
import { csvText } from "../kernel/csv.ts";
import type { Ctx } from "../kernel/ctx.ts";
import { inTenant } from "../kernel/db.ts";
import type { Db, Tx } from "../kernel/db.ts";
import { idFloor } from "../kernel/ids.ts";
import { enqueueIn } from "../kernel/tasks.ts";
import { giveUp, isOpen, tell } from "./go-on.ts";
import { kinds } from "./kinds.ts";
import { countAhead, insertChunks, lockExport, selectExport, sumStored, updateExport } from "./queries.ts";
import type { ExportRow } from "./queries.ts";
import { deciding, grantsOf, has, lostOf, rightsOf } from "./rights.ts";
import { exportLimits } from "./schemas.ts";
import { exportRows } from "./tasks.ts";

const compress = promisify(gzip);

/** How long one job works; a stopping worker gives its jobs 20 seconds. */
const sliceMs = 8_000;
/** After which an export looks whether it is its turn. */
const waitMs = 1_000;
/** Rows of one transaction. */
const rowsAtOnce = 500;
/** Of text: a piece is full then. Ten rows more are some 400 kB at most, so that none is larger than the table allows. */
const pieceBytes = 262_144;
const rowsOfText = 10;

/**
 * Goes on with an export for a few seconds and adds a job for the rest. Rows, compressed, and where reading goes on are written in one
 * transaction, so that a job may end anywhere: no row is there twice, and none is left out. An organisation's exports are written one
 * after the other. What a file holds is decided by what whoever asked for it may see when it begins; if they lose any of that before it
 * ends, it fails.
 */
export async function runExport(
  deps: { db: Db },
  key: { tenantId: string; exportId: string },
  options: { sliceMs?: number; bytes?: number } = {},
): Promise<void> {
  const system = systemCtx(deps.db, key.tenantId, "Export");
  const found = await selectExport(system, key.exportId);
  if (!found || !isOpen(found)) return;
  if (((await countAhead(system, [found.id])).get(found.id) ?? 0) > 0)
    return enqueueIn(system, waitMs, exportRows, key);
  const acting = await actingFor(system, found);
  const now = rightsOf(acting, found.kind);
  const needed = deciding[found.kind][0];
  const lost = has(now, needed) ? lostOf(found.rights ?? {}, now) : needed;
  if (lost) {
    const problem = `The person who requested it no longer has the permission ${lost}, or not for all that it covered.`;
    return inTenant(system, (tx) => giveUp(system, tx, found, problem));
  }
  const rights = found.rights ?? now;
  let row: ExportRow = {
    ...found,
    rights,
    columns: found.rights ? found.columns : kinds[found.kind].columns(rights),
  };
  const ctx: Ctx = { ...acting, grants: grantsOf(rights) };
  const deadline = Date.now() + (options.sliceMs ?? sliceMs);
  for (;;) {
    const began = performance.now();
    const at = row;
    const next = await inTenant(system, (tx) => writeBatch(ctx, tx, at, options.bytes ?? exportLimits.bytes));
    if (!next) return;
    row = next;
    if (Date.now() > deadline) return enqueueIn(system, 0, exportRows, key);
    // Rests for a part of what it took: others use the same database.
    await pause(Math.min((performance.now() - began) / 4, 100));
  }
}

/** Writes the next rows and where reading goes on. Returns the export as it is then, or undefined when there is nothing more to do. */
async function writeBatch(ctx: Ctx, tx: Tx, row: ExportRow, most: number): Promise<ExportRow | undefined> {
  const { tenantId } = ctx;
  const now = await lockExport(tx, tenantId, row.id);
  // Canceled meanwhile, or another worker was given the job of one that was taken for dead.
  if (!now || !isOpen(now) || now.chunks !== row.chunks || now.afterId !== row.afterId) return undefined;
  // Read under the lock: an erasure waits for it, and then finds these rows in the file.
  const read = await kinds[row.kind].read(ctx, row.filter, {
    columns: row.columns,
    after: row.afterId,
    upTo: idFloor(row.until),
    limit: rowsAtOnce,
  });
  const { pieces, bytes } = await piecesOf(read.rows);
  const stored = pieces.reduce((sum, piece) => sum + piece.length, 0);
  if (stored > 0 && (await sumStored(tx, tenantId)) + stored > most) {
    await giveUp(
      ctx,
      tx,
      row,
      "The files of your organisation’s exports would take up more than 2 GiB, compressed. Delete some, or ask for less at a time.",
    );
    return undefined;
  }
  if (pieces.length > 0) await insertChunks(tx, tenantId, row.id, row.chunks, pieces);
  const next = {
    state: read.end ? ("finished" as const) : ("running" as const),
    fromId: row.fromId ?? read.after,
    afterId: read.after,
    chunks: row.chunks + pieces.length,
    rows: row.rows + read.rows.length,
    bytes: row.bytes + bytes,
    stored: row.stored + stored,
  };
  await updateExport(tx, tenantId, row.id, {
    ...next,
    ...(row.state === "waiting" ? { rights: row.rights ?? {}, columns: row.columns } : {}),
    ...(read.end ? { finishedAt: ctx.now() } : {}),
  });
  if (!read.end) return { ...row, ...next };
  await tell(ctx, tx, row, "export.finished", { rows: next.rows });
  await recordAudit(ctx, tx, {
    action: "export.finished",
    targetType: "export",
    targetId: row.id,
    after: { state: next.state },
    data: { kind: row.kind, rows: next.rows, columns: row.columns.length },
  });
  return undefined;
}

/** Rows as text, cut where a piece is full, each compressed. */
async function piecesOf(rows: readonly string[][]): Promise<{ pieces: Buffer[]; bytes: number }> {
  const pieces: Buffer[] = [];
  let bytes = 0;
  let text = "";
  const cut = async () => {
    const data = Buffer.from(text);
    text = "";
    bytes += data.length;
    pieces.push(await compress(data, { level: 4 }));
  };
  for (let at = 0; at < rows.length; at += rowsOfText) {
    text += csvText(rows.slice(at, at + rowsOfText));
    if (text.length >= pieceBytes) await cut();
    // Others have their turn.
    else if (at % 100 === 0) await breathe();
  }
  if (text !== "") await cut();
  return { pieces, bytes };
}
