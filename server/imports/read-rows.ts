import { isUtf8 } from "node:buffer";
import { parse } from "csv-parse/sync";
import { importLimits } from "./vocabulary.ts";

/** How a file is written. */
export interface Format {
  encoding: Encoding;
  delimiter: string;
}
export type Encoding = "utf-8" | "utf-16le" | "utf-16be" | "windows-1252";

/** How much of a file is looked at in one go: a row of the longest kind is whole in it, and it takes some ten milliseconds. */
export const windowBytes = 2 * importLimits.rowBytes;

/** A row of the file: its cells, or why it has none. */
export type FileRow = { cells: string[] } | { problem: "row_too_long" | "quote_not_closed" };

/** What a piece of the file held. Reading goes on `used` bytes later. */
export interface Rows {
  rows: FileRow[];
  used: number;
  /** The rest of a row that is too long is still to be passed over. */
  skipping: boolean;
}

const lineEnds = ["\r\n", "\n", "\r"];
const isWide = (encoding: Encoding) => encoding === "utf-16le" || encoding === "utf-16be";

/**
 * The rows of a piece of the file, at most `most`. It begins where a row begins, or with the rest of one to be passed over.
 * A quote that is never closed costs its own line only: reading goes on with the next.
 * @param end whether the file ends with it
 */
export function readRows(
  bytes: Buffer,
  { encoding, delimiter }: Format,
  { end, most, skipping = false }: { end: boolean; most: number; skipping?: boolean },
): Rows {
  const wide = isWide(encoding);
  let window = bytes;
  if (wide && window.length % 2 === 1) window = window.subarray(0, -1);
  if (encoding === "utf-16be") window = Buffer.from(window).swap16();
  if (skipping) {
    const next = nextLine(window, wide);
    // The odd byte that a file may end with belongs to nothing.
    const rest = end ? bytes.length : window.length;
    return { rows: [], used: next ?? rest, skipping: next === null && !end };
  }
  const found: { cells: string[]; to: number }[] = [];
  let whole = true;
  try {
    parse(window, {
      encoding: wide ? "utf16le" : encoding === "utf-8" ? "utf8" : "latin1",
      delimiter,
      record_delimiter: lineEnds,
      relax_column_count: true,
      relax_quotes: true,
      to: most,
      on_record: (cells: string[], { bytes: to }) => {
        found.push({ cells, to });
        return null;
      },
    });
  } catch (error) {
    if ((error as { code?: unknown }).code !== "CSV_QUOTE_NOT_CLOSED") throw error;
    whole = false;
  }
  // What the piece ends with may go on after it, even a line's end.
  if (!end && (found.at(-1)?.to ?? 0) >= window.length) found.pop();
  const used = found.at(-1)?.to ?? 0;
  const rows = found.map(({ cells, to }, index): FileRow => {
    const from = found[index - 1]?.to ?? 0;
    if (to - from > importLimits.rowBytes) return { problem: "row_too_long" };
    return { cells: encoding === "windows-1252" ? cells.map(fromWindows1252) : cells };
  });
  if (rows.length >= most) return { rows, used, skipping: false };
  if (end && whole) return { rows, used: bytes.length, skipping: false };
  const left = window.length - used;
  if ((end && left > 0) || (!end && rows.length === 0 && left > importLimits.rowBytes)) {
    const next = nextLine(window.subarray(used), wide);
    const tooLong = next === null || next > importLimits.rowBytes || whole;
    return {
      rows: [...rows, { problem: tooLong && !end ? "row_too_long" : "quote_not_closed" }],
      used: next === null ? (end ? bytes.length : window.length) : used + next,
      skipping: next === null && !end,
    };
  }
  return { rows, used, skipping: false };
}

/** Where the line after this one begins. */
function nextLine(bytes: Buffer, wide: boolean): number | null {
  for (const mark of ["\n", "\r"]) {
    const searched = wide ? Buffer.from(mark, "utf16le") : Buffer.from(mark);
    let at = bytes.indexOf(searched);
    while (wide && at % 2 === 1) at = bytes.indexOf(searched, at + 1);
    if (at >= 0) return at + searched.length;
  }
  return null;
}

const windows1252 = new TextDecoder("windows-1252");
/** Cells were read as Latin-1, from which the other differs in these places only. */
const differing = /[\u0080-\u009f]/;
const fromWindows1252 = (cell: string) =>
  differing.test(cell) ? windows1252.decode(Buffer.from(cell, "latin1")) : cell;

/** Whether a piece of a file can be UTF-8; characters that its ends cut through are not held against it. */
export function mayBeUtf8(piece: Buffer): boolean {
  let from = 0;
  while (from < 3 && from < piece.length && ((piece[from] ?? 0) & 0xc0) === 0x80) from++;
  let to = piece.length;
  for (let back = 1; back <= 3 && back <= piece.length - from; back++) {
    const byte = piece[piece.length - back] ?? 0;
    if ((byte & 0xc0) === 0x80) continue;
    const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1;
    if (length > back) to = piece.length - back;
    break;
  }
  return isUtf8(piece.subarray(from, to));
}

const otherKinds: readonly [signature: string, what: string][] = [
  ["504b0304", "This is an Excel workbook or an archive. In Excel, save it as “CSV UTF-8” and import that."],
  ["d0cf11e0", "This is an old Excel workbook. In Excel, save it as “CSV UTF-8” and import that."],
  ["25504446", "This is a PDF. Import a CSV file."],
  ["1f8b", "This file is compressed. Unpack it and import the CSV file."],
];

/** Why a file that begins like this cannot be CSV; null: it can. */
export function notCsv(piece: Buffer): string | null {
  const start = piece.subarray(0, 4).toString("hex");
  const other = otherKinds.find(([signature]) => start.startsWith(signature));
  if (other) return other[1];
  if (markOf(piece)) return null;
  const sample = piece.subarray(0, 65_536);
  let zeros = 0;
  for (const byte of sample) if (byte === 0) zeros++;
  return zeros > sample.length / 10
    ? "This is no text file. Save the table as CSV, in UTF-8, and import that."
    : null;
}

/** The byte order mark that a file begins with. */
function markOf(piece: Buffer): { encoding: Encoding; length: number } | undefined {
  const start = piece.subarray(0, 3).toString("hex");
  if (start === "efbbbf") return { encoding: "utf-8", length: 3 };
  if (start.startsWith("fffe")) return { encoding: "utf-16le", length: 2 };
  if (start.startsWith("feff")) return { encoding: "utf-16be", length: 2 };
  return undefined;
}

/** How a file is written, by its beginning, and where its first row begins. */
export function formatOf(piece: Buffer, utf8: boolean): Format & { from: number } {
  const mark = markOf(piece);
  const from = mark?.length ?? 0;
  // Of a file with a mark that is no UTF-8 after all, the mark is not believed.
  const encoding =
    mark && (mark.encoding !== "utf-8" || utf8) ? mark.encoding : utf8 ? "utf-8" : "windows-1252";
  const window = piece.subarray(from, from + windowBytes);
  const end = piece.length <= from + windowBytes;
  const guesses = [",", ";", "\t"].map((delimiter) => {
    const widths = readRows(window, { encoding, delimiter }, { end, most: 20 }).rows.map((row) =>
      "cells" in row ? row.cells.length : 0,
    );
    const first = widths[0] ?? 0;
    const same = widths.filter((width) => width === first).length;
    return { delimiter, score: first > 1 ? (first * same) / widths.length : 0 };
  });
  const best = guesses.reduce((a, b) => (b.score > a.score ? b : a));
  return { encoding, delimiter: best.delimiter, from };
}
