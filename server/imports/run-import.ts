import { setImmediate as breathe, setTimeout as pause } from "node:timers/promises";
import { actingFor } from "../access/acting-for.ts";
import { systemCtx } from "../access/system-ctx.ts";
import { recordAudit } from "../audit/record-audit.ts";
import type { Ctx } from "../kernel/ctx.ts";
import { plainCell } from "../kernel/csv.ts";
import { inTenant } from "../kernel/db.ts";
import type { Db, Tx } from "../kernel/db.ts";
import { DomainError } from "../kernel/errors.ts";
import { enqueueIn } from "../kernel/tasks.ts";
import { firstPiece, readHead } from "./get-import.ts";
import { giveUp, isUnderWay } from "./go-on.ts";
import { kindOf } from "./kinds.ts";
import type { CellProblem, Cells, ImportKind, Outcome } from "./kinds.ts";
import { Marks } from "./marks.ts";
import {
  countAhead,
  countErrors,
  deleteFile,
  deleteMarks,
  insertErrors,
  insertMarks,
  lockImport,
  selectImport,
  selectMarks,
  selectPiece,
  updateImport,
} from "./queries.ts";
import type { ImportRow, RowError } from "./queries.ts";
import { readRows, windowBytes } from "./read-rows.ts";
import type { FileRow } from "./read-rows.ts";
import { importLimits } from "./vocabulary.ts";
import type { ImportMapping } from "./schemas.ts";
import { importRows } from "./tasks.ts";
import { tellFinished } from "./tell-finished.ts";

/** How long one job works; a stopping worker gives its jobs 20 seconds. */
const sliceMs = 8_000;
/** After which an import looks whether it is its turn. */
const waitMs = 1_000;
/** Rows of one transaction. */
const rowsAtOnce = 500;

/**
 * Goes on with an import for a few seconds and adds a job for the rest. A batch of rows, what came of them and where reading goes on
 * are written in one transaction, so that a job may end anywhere: no row is taken twice, and none is left out. An organisation's
 * imports are carried out one after the other, each in the name of who started it and with their present permissions.
 */
export async function runImport(
  deps: { db: Db },
  key: { tenantId: string; importId: string },
  options: { sliceMs?: number } = {},
): Promise<void> {
  const system = systemCtx(deps.db, key.tenantId, "Import");
  const found = await selectImport(system, key.importId);
  if (!found || !isUnderWay(found)) return;
  if ((await countAhead(system, found)) > 0) return enqueueIn(system, waitMs, importRows, key);
  let row = found;
  const ctx = await actingFor(system, row);
  const kind = kindOf(row.kind);
  let sandbox: boolean;
  try {
    ({ sandbox } = await kind.authorize(ctx, row.environmentId));
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    return giveUp(system, row, "The person who started this import no longer has permission.");
  }
  const file = new FileReader(system, row);
  const marks = row.state === "checking" ? new Marks(row.id) : null;
  if (marks) for await (const data of selectMarks(system, row.id)) marks.put(data);
  const deadline = Date.now() + (options.sliceMs ?? sliceMs);
  for (;;) {
    const began = performance.now();
    const at = row;
    const batch = await file.next(at).catch(async (error: unknown) => {
      // Canceled meanwhile: the file is gone.
      if ((await selectImport(system, at.id))?.state === at.state) throw error;
      return null;
    });
    const next =
      batch &&
      (await inTenant(system, (tx) => writeBatch(ctx, tx, { row: at, kind, sandbox, batch, marks })));
    if (!next) return;
    row = next;
    if (Date.now() > deadline) return enqueueIn(system, 0, importRows, key);
    // Rests for a part of what it took: others use the same database.
    await pause(Math.min((performance.now() - began) / 4, 100));
  }
}

interface Batch {
  rows: FileRow[];
  header: string[];
  /** Where reading goes on. */
  atByte: number;
  skipping: boolean;
  end: boolean;
}

/** Reads the file a window at a time; the piece that was read last is kept. */
class FileReader {
  private readonly ctx: Ctx;
  private readonly file: ImportRow;
  private header: string[] | undefined;
  private kept: { number: number; data: Buffer } | undefined;

  constructor(ctx: Ctx, file: ImportRow) {
    this.ctx = ctx;
    this.file = file;
  }

  async next({ atByte, skipping }: ImportRow): Promise<Batch> {
    const { id, size, utf8, encoding, delimiter } = this.file;
    if (encoding === null || delimiter === null) throw new Error("the file was not looked at");
    this.header ??= readHead(await firstPiece(this.ctx, id), { utf8, size }, 0).header;
    const window = await this.window(atByte);
    const end = atByte + window.length >= size;
    const read = readRows(window, { encoding, delimiter }, { end, most: rowsAtOnce, skipping });
    const next = atByte + read.used;
    return {
      rows: read.rows,
      header: this.header,
      atByte: next,
      skipping: read.skipping,
      // A single byte can be left of a file in two-byte characters.
      end: next >= size || (end && read.used === 0),
    };
  }

  private async window(from: number): Promise<Buffer> {
    const { pieceBytes } = importLimits;
    const to = Math.min(this.file.size, from + windowBytes);
    const parts: Buffer[] = [];
    for (let at = from; at < to;) {
      const number = Math.floor(at / pieceBytes);
      const start = number * pieceBytes;
      parts.push((await this.piece(number)).subarray(at - start, to - start));
      at = start + pieceBytes;
    }
    return parts.length === 1 ? (parts[0] ?? Buffer.alloc(0)) : Buffer.concat(parts);
  }

  private async piece(number: number): Promise<Buffer> {
    if (this.kept?.number === number) return this.kept.data;
    const data = await selectPiece(this.ctx, this.file.id, number);
    if (!data) throw new Error("a piece of the file is missing");
    this.kept = { number, data };
    return data;
  }
}

/** Writes a batch and where reading goes on. Returns the import as it is then, or undefined when there is nothing more to do. */
async function writeBatch(
  ctx: Ctx,
  tx: Tx,
  {
    row,
    kind,
    sandbox,
    batch,
    marks,
  }: { row: ImportRow; kind: ImportKind<unknown>; sandbox: boolean; batch: Batch; marks: Marks | null },
): Promise<ImportRow | undefined> {
  const { tenantId } = ctx;
  const now = await lockImport(tx, tenantId, row.id);
  // Canceled meanwhile, or another worker was given the job of one that was taken for dead.
  if (now?.state !== row.state || now.atByte !== row.atByte || now.atRow !== row.atRow) return undefined;
  const { mapping } = row;
  if (!mapping) throw new Error("the import has no mapping");
  const errors: RowError[] = [];
  const fail = (number: number, problems: readonly CellProblem[]) => {
    for (const { target, code, detail } of problems)
      errors.push({ row: number, column: columnOf(mapping, batch.header, target), code, detail });
  };
  const counts = { created: row.created, updated: row.updated, unchanged: row.unchanged, failed: row.failed };
  const read: { number: number; value: unknown }[] = [];
  for (const [index, fileRow] of batch.rows.entries()) {
    const number = row.atRow + index + 1;
    // The first row names the columns.
    if (number === 1) continue;
    const cells = cellsOf(fileRow, mapping, batch.header, kind);
    if (cells === null) continue;
    const value = Array.isArray(cells)
      ? cells
      : kind.read(cells, { constants: mapping.constants, now: ctx.now() });
    if (Array.isArray(value)) {
      counts.failed++;
      fail(number, value as CellProblem[]);
    } else read.push({ number, value });
    // Others have their turn: reading five hundred rows takes ten milliseconds and more.
    if (index % 100 === 99) await breathe();
  }
  if (read.length > 0) {
    const outcomes = await kind.write(ctx, tx, {
      sandbox,
      groupIds: mapping.groupIds,
      dry: marks !== null,
      rows: read.map(({ value }) => value),
    });
    if (marks) {
      await breathe();
      recountRepeated(kind, marks, read, outcomes);
      const data = marks.take();
      if (data) await insertMarks(tx, { tenantId, importId: row.id, number: row.atRow, data });
    }
    for (const [index, { number }] of read.entries()) {
      const outcome = outcomes[index];
      if (outcome === undefined) throw new Error("a row has no outcome");
      if (typeof outcome === "string") counts[outcome]++;
      else {
        counts.failed++;
        fail(number, [outcome]);
      }
    }
  }
  if (errors.length > 0) {
    const kept = await countErrors(tx, tenantId, row.id);
    errors.sort((a, b) => a.row - b.row);
    await insertErrors(
      tx,
      tenantId,
      row.id,
      kept,
      errors.slice(0, Math.max(0, importLimits.errorsKept - kept)),
    );
  }
  const place = { atByte: batch.atByte, atRow: row.atRow + batch.rows.length, skipping: batch.skipping };
  const state = !batch.end ? row.state : row.state === "checking" ? "checked" : "finished";
  await updateImport(tx, tenantId, row.id, {
    ...place,
    ...counts,
    state,
    ...(state === "finished" ? { finishedAt: ctx.now() } : {}),
  });
  if (!batch.end) return { ...row, ...place, ...counts };
  if (marks) await deleteMarks(tx, tenantId, row.id);
  if (state === "finished") {
    await deleteFile(tx, tenantId, row.id);
    await tellFinished(ctx, tx, { ...row, ...counts }, "finished");
    await recordAudit(ctx, tx, {
      action: "import.finished",
      targetType: "import",
      targetId: row.id,
      environmentId: row.environmentId,
      before: { state: row.state },
      after: { state },
      data: { kind: row.kind, ...counts },
    });
  }
  return undefined;
}

/**
 * Of rows about which an earlier batch of the file had one already, says what will come of them: for a dry run that one was not
 * written. Within a batch the kind has seen to it.
 */
function recountRepeated(
  kind: ImportKind<unknown>,
  marks: Marks,
  read: readonly { value: unknown }[],
  outcomes: Outcome[],
): void {
  const here = new Set<string>();
  for (const [index, { value }] of read.entries()) {
    const outcome = outcomes[index];
    if (typeof outcome !== "string") continue;
    const { names, says } = kind.mark(value);
    const before = names.find((name) => !here.has(name) && marks.get(name) !== undefined);
    const said = before === undefined ? undefined : marks.get(before);
    const found =
      said === undefined || names.some((name) => here.has(name)) ? undefined : kind.after(said, says);
    if (found) outcomes[index] = found.outcome;
    // What changes nothing that is stored changes nothing for those that come after it either.
    if ((found?.outcome ?? outcome) === "unchanged") continue;
    for (const name of names) {
      here.add(name);
      marks.set(name, found?.says ?? says);
    }
  }
}

/** The cells of a row by what they become; null: the row is empty. */
function cellsOf(
  row: FileRow,
  mapping: ImportMapping,
  header: readonly string[],
  { mayEndEarly }: Pick<ImportKind<unknown>, "mayEndEarly">,
): Cells | CellProblem[] | null {
  if ("problem" in row) {
    return [
      row.problem === "row_too_long"
        ? {
            target: null,
            code: row.problem,
            detail: "This row is longer than 64 KiB. A quotation mark may be missing.",
          }
        : { target: null, code: row.problem, detail: "A quotation mark is opened here and never closed." },
    ];
  }
  if (row.cells.every((cell) => cell.trim() === "")) return null;
  if (row.cells.length !== header.length) {
    // What spreadsheets leave behind: empty cells at the end, or none.
    const beyond = row.cells.slice(header.length).some((cell) => cell.trim() !== "");
    const lacking = !mayEndEarly && mapping.columns.slice(row.cells.length).some((target) => target !== null);
    if (beyond || lacking) {
      return [
        {
          target: null,
          code: "wrong_number_of_cells",
          detail: `This row has ${String(row.cells.length)} cells, the header has ${String(header.length)}.`,
        },
      ];
    }
  }
  const cells = new Map<string, { name: string; text: string }[]>();
  const problems: CellProblem[] = [];
  for (const [index, target] of mapping.columns.entries()) {
    if (target === null) continue;
    const text = plainCell((row.cells[index] ?? "").trim());
    if (text === "") continue;
    if (text.includes("\uFFFD") || !text.isWellFormed())
      problems.push({
        target,
        code: "invalid_encoding",
        detail: "A character here cannot be read. Save the file as UTF-8.",
      });
    // Line breaks and tabs are plain space.
    else if (/[^\P{Cc}\n\r\t]/u.test(text))
      problems.push({ target, code: "control_character", detail: "There is a control character here." });
    else {
      const own = cells.get(target) ?? [];
      own.push({ name: header[index] ?? "", text: text.replaceAll(/[\n\r\t]+/g, " ") });
      cells.set(target, own);
    }
  }
  return problems.length > 0 ? problems : cells;
}

/** The name of the column that becomes this. */
function columnOf(mapping: ImportMapping, header: readonly string[], target: string | null): string | null {
  if (target === null) return null;
  const index = mapping.columns.indexOf(target);
  const name = header[index];
  return name === undefined || name === "" ? target : name;
}
