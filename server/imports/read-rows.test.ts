import { expect, test } from "vitest";
import { formatOf, mayBeUtf8, notCsv, readRows, windowBytes } from "./read-rows.ts";
import type { FileRow, Format } from "./read-rows.ts";

/** All rows of a file, read as an import reads it, with the place after each window. */
function readAll(file: Buffer, most = 1_000): { rows: FileRow[]; format: Format; windows: number } {
  const utf8 = mayBeUtf8(file);
  const { from, ...format } = formatOf(file, utf8);
  const rows: FileRow[] = [];
  let windows = 0;
  for (let at = from, skipping = false; at < file.length; windows++) {
    const window = file.subarray(at, at + windowBytes);
    const end = at + window.length >= file.length;
    const read = readRows(window, format, { end, most, skipping });
    rows.push(...read.rows);
    ({ skipping } = read);
    if (read.used === 0) {
      expect(end, "reading goes on").toBe(true);
      break;
    }
    at += read.used;
  }
  return { rows, format, windows };
}
const cells = (file: Buffer | string, most?: number) =>
  readAll(Buffer.from(file), most).rows.map((row) => ("cells" in row ? row.cells : row.problem));

const utf16 = (text: string, big = false) => {
  const bytes = Buffer.from(`\uFEFF${text}`, "utf16le");
  return big ? bytes.swap16() : bytes;
};

test("files are read in the encodings and with the delimiters that spreadsheets write", () => {
  const text = 'name;note\r\nZoë;"a; ""b""\r\nc"\r\nŁukasz;€5\r\n';
  const rows = [
    ["name", "note"],
    ["Zoë", 'a; "b"\r\nc'],
    ["Łukasz", "€5"],
  ];
  for (const [file, encoding] of [
    [Buffer.from(text), "utf-8"],
    [Buffer.from(`\uFEFF${text}`), "utf-8"],
    [utf16(text), "utf-16le"],
    [utf16(text, true), "utf-16be"],
  ] as const) {
    const read = readAll(file);
    expect(read.format).toEqual({ encoding, delimiter: ";" });
    expect(read.rows).toEqual(rows.map((row) => ({ cells: row })));
  }
  const western = Buffer.from("name\tprice\nZo\u00EB\t\u00805\n", "latin1");
  expect(readAll(western)).toMatchObject({
    format: { encoding: "windows-1252", delimiter: "\t" },
    rows: [{ cells: ["name", "price"] }, { cells: ["Zoë", "€5"] }],
  });
  // What is not UTF-8 further on is not UTF-8, whatever the mark at its beginning says.
  expect(
    readAll(Buffer.concat([Buffer.from("\uFEFFa,b\n"), Buffer.from([0xe9]), Buffer.from(",x\n")])).rows[1],
  ).toEqual({
    cells: ["é", "x"],
  });
});

test("line ends of every kind, no last one, blank lines, ragged rows and stray quotes are rows", () => {
  expect(cells('a,b\r\n1,2\n3,4\r\n\r\n5\n6,7,8\n5" pipe,"x"y\n9,10')).toEqual([
    ["a", "b"],
    ["1", "2"],
    ["3", "4"],
    [""],
    ["5"],
    ["6", "7", "8"],
    ['5" pipe', '"x"y'],
    ["9", "10"],
  ]);
  expect(cells("a,b\r1,2\r3,4\r")).toEqual([
    ["a", "b"],
    ["1", "2"],
    ["3", "4"],
  ]);
  expect(cells("a,b")).toEqual([["a", "b"]]);
});

test("a row that is too long, and a quote that is never closed, cost their own line only", () => {
  const long = "x".repeat(70_000);
  const longer = "y".repeat(3_000_000);
  for (const [broken, problem] of [
    [`1,${long}`, "row_too_long"],
    [`1,${longer}`, "row_too_long"],
    [`1,"${long}"`, "row_too_long"],
    [`1,"${longer}"`, "row_too_long"],
    [`1,"open`, "quote_not_closed"],
  ] as const) {
    const filler = Array.from({ length: 20_000 }, (_, index) => [`r${String(index)}`, "z"]);
    for (const tail of [[["2", "two"]], filler]) {
      const file = ["a,b", "0,zero", broken, ...tail.map((row) => row.join(","))].join("\n");
      const rows = cells(file);
      expect(rows.slice(0, 3).map((row) => (typeof row === "string" ? row : row[0]))).toEqual([
        "a",
        "0",
        problem,
      ]);
      expect(rows.slice(3)).toEqual(tail);
    }
  }
});

test("wherever windows and batches end, every row is read once", () => {
  let seed = 7;
  const random = (below: number) => (seed = (seed * 48_271) % 2_147_483_647) % below;
  const some = ["", "a", 'say "hi"', "two\r\nlines", "ä€😀", "x".repeat(900), "; , \t", "\r", "'"];
  for (const end of ["\n", "\r\n"]) {
    const rows = Array.from({ length: 4_000 }, (_, index) => [
      String(index),
      some[random(some.length)] ?? "",
      some[random(some.length)] ?? "",
    ]);
    const quoted = (cell: string) => (/["\r\n,;\t]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);
    const text = `id,b,c${end}${rows.map((row) => row.map(quoted).join(",")).join(end)}${end}`;
    for (const file of [Buffer.from(text), utf16(text), utf16(text, true)]) {
      for (const most of [7, 1_000]) expect(cells(file, most).slice(1)).toEqual(rows);
    }
  }
});

test("a hostile file takes no longer than its size: quotes in every line, and none", () => {
  const began = performance.now();
  for (const line of ['"\n', '"a\nb\n', '""",\n', "\n", ",\n", '"",""x\n']) {
    const { windows } = readAll(Buffer.from(line.repeat(Math.ceil(2_000_000 / line.length))));
    // Each batch moves on by a thousand rows, each line that is given up by itself.
    expect(windows).toBeLessThan(2_500);
  }
  expect(performance.now() - began).toBeLessThan(60_000);
}, 120_000);

test("what is no CSV is told apart, with what to do", () => {
  expect(notCsv(Buffer.from("504b030414000600", "hex"))).toContain("Excel");
  expect(notCsv(Buffer.from("d0cf11e0a1b11ae1", "hex"))).toContain("Excel");
  expect(notCsv(Buffer.from("%PDF-1.7"))).toContain("PDF");
  expect(notCsv(Buffer.from("1f8b0800", "hex"))).toContain("compressed");
  expect(notCsv(Buffer.alloc(5_000))).toContain("no text file");
  expect(notCsv(Buffer.from("name,b\nsomebody,\0\n"))).toBeNull();
  expect(notCsv(utf16("a,b\n"))).toBeNull();
});
