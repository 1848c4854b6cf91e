import { stringify } from "csv-stringify/sync";

/** What spreadsheets may take for a formula, also after apostrophes of its own. */
const formula = /^'*[=+\-@\t\r]/;

/** Rows as CSV. No cell is one that a spreadsheet would take for a formula: it gets an apostrophe, which `plainCell` takes away. */
export function csvText(rows: readonly (readonly string[])[]): string {
  return stringify(rows.map((row) => row.map((cell) => (formula.test(cell) ? `'${cell}` : cell))));
}

/** First in a file, so that spreadsheets read it as UTF-8. */
export const byteOrderMark = "\uFEFF";

/** A cell as it was before `csvText`. */
export function plainCell(cell: string): string {
  return cell.startsWith("'") && formula.test(cell) ? cell.slice(1) : cell;
}
