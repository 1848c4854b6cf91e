import type { Ctx } from "../kernel/ctx.ts";
import { decodeCursor, toPage } from "../kernel/cursor.ts";
import { DomainError, notFound } from "../kernel/errors.ts";
import { byteOrderMark, csvText } from "../kernel/csv.ts";
import { acrossEnvironments, may } from "../operations/authorize.ts";
import { guessMapping } from "./guess-mapping.ts";
import { kindNames, kindOf } from "./kinds.ts";
import { countAhead, selectErrors, selectImport, selectImports, selectPiece } from "./queries.ts";
import type { ImportRow } from "./queries.ts";
import { formatOf, readRows, windowBytes } from "./read-rows.ts";
import { importLimits } from "./vocabulary.ts";
import type { ImportDetails, ImportView } from "./schemas.ts";
import type { ImportKindName } from "./vocabulary.ts";

/** Of the file, that the page shows: enough to see what is what, with the button for what comes next still in sight. */
const rowsShown = 8;

/** The import, for somebody who may make such ones for its environment; `not_found` for all others. */
export async function requireImport(ctx: Ctx, id: string): Promise<ImportRow> {
  const row = await selectImport(ctx, id);
  if (!row) throw notFound();
  try {
    await kindOf(row.kind).authorize(ctx, row.environmentId);
  } catch (error) {
    if (error instanceof DomainError && error.code === "permission_denied") throw notFound();
    throw error;
  }
  return row;
}

export async function firstPiece(ctx: Ctx, id: string): Promise<Buffer> {
  const piece = await selectPiece(ctx, id, 0);
  if (!piece) throw notFound();
  return piece;
}

/** The organisation's imports, newest first, of the kinds that the caller may make. */
export async function listImports(
  ctx: Ctx,
  input: { kind?: ImportKindName | undefined; limit: number; cursor?: string | undefined },
): Promise<{ data: ImportView[]; nextCursor: string | null }> {
  const kinds = kindNames.filter(
    (name) =>
      (input.kind === undefined || input.kind === name) &&
      may(acrossEnvironments(ctx), kindOf(name).permission, {}),
  );
  const before = decodeCursor(input.cursor);
  return toPage(
    await selectImports(ctx, { kinds, before, limit: input.limit + 1 }),
    input.limit,
    presentImport,
  );
}

/** An import with what its page shows. */
export async function getImport(ctx: Ctx, input: { id: string }): Promise<ImportDetails> {
  const row = await requireImport(ctx, input.id);
  const [ahead, errors, head] = await Promise.all([
    row.state === "checking" || row.state === "running" ? countAhead(ctx, row) : 0,
    selectErrors(ctx, row.id, importLimits.errorsShown),
    row.state === "mapping" || row.state === "checked" ? headOf(ctx, row) : null,
  ]);
  return {
    ...presentImport(row),
    ahead,
    head,
    errors: errors.map(({ row: number, column, detail }) => ({ row: number, column, detail })),
  };
}

async function headOf(ctx: Ctx, row: ImportRow): Promise<ImportDetails["head"]> {
  const piece = await firstPiece(ctx, row.id);
  const { header, rows } = readHead(piece, row, rowsShown);
  // Who brought the file knows what is in it.
  const own = row.actorId !== null && row.actorId === ctx.actor.id;
  const reveal = own || may(ctx, "content:reveal", { environmentId: row.environmentId });
  return {
    header,
    rows: reveal ? rows : null,
    guesses: row.mapping ?? guessMapping(kindOf(row.kind), header),
  };
}

/** As it is shown, and stored with errors and evidence: signs that cannot be stored are gone. */
const headerName = (name: string): string =>
  name
    .replaceAll(/\p{Cc}+/gu, " ")
    .trim()
    .slice(0, 200)
    .toWellFormed();

/** The header of a file and its first rows. */
export function readHead(
  piece: Buffer,
  { utf8, size }: Pick<ImportRow, "utf8" | "size">,
  rows: number,
): { header: string[]; rows: string[][] } {
  const format = formatOf(piece, utf8);
  const window = piece.subarray(format.from, format.from + windowBytes);
  const read = readRows(window, format, { end: format.from + window.length >= size, most: rows + 1 }).rows;
  const [header = [], ...others] = read.map((row) => ("cells" in row ? row.cells : []));
  return {
    header: header.slice(0, importLimits.columns).map(headerName),
    rows: others.map((cells) => cells.slice(0, header.length).map((cell) => cell.slice(0, 200))),
  };
}

/** How far reading has come, 0 to 1. */
const shareOf = ({ state, atByte, size, received }: ImportRow) =>
  state === "uploading" ? received / size : Math.min(1, atByte / size);

export function presentImport(row: ImportRow): ImportView {
  const { created, updated, unchanged, failed } = row;
  return {
    id: row.id,
    kind: row.kind,
    state: row.state,
    environmentId: row.environmentId,
    fileName: row.fileName,
    size: row.size,
    received: row.received,
    encoding: row.encoding,
    delimiter: row.delimiter,
    mapping: row.mapping,
    rows: created + updated + unchanged + failed,
    counts: { created, updated, unchanged, failed },
    share: shareOf(row),
    problem: row.problem,
    startedBy: row.actorName,
    createdAt: row.createdAt.toISOString(),
    finishedAt: row.finishedAt?.toISOString() ?? null,
  };
}

/** The errors that were kept, as CSV. They quote nothing from the file. */
export async function errorsFile(ctx: Ctx, input: { id: string }): Promise<{ name: string; text: string }> {
  const row = await requireImport(ctx, input.id);
  const errors = await selectErrors(ctx, row.id, importLimits.errorsKept);
  return {
    name: `${row.fileName.replace(/\.[^.]*$/, "").replaceAll(/[^\w-]+/g, "-")}-errors.csv`,
    text:
      byteOrderMark +
      csvText([
        ["row", "column", "code", "detail"],
        ...errors.map(({ row: number, column, code, detail }) => [
          String(number),
          column ?? "",
          code,
          detail,
        ]),
      ]),
  };
}
