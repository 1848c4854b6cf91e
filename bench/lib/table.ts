import type { Measure } from "./run.ts";

/** Prints measures as a table for people. */
export function printTable(measures: readonly Measure[]): void {
  const rows = measures.map((entry) => [
    `(${entry.section})`,
    entry.name,
    `${format(entry.value)} ${entry.unit}`.trim(),
    entry.target ?? "",
    entry.met === null ? "" : entry.met ? "met" : "MISSED",
  ]);
  const table = [["", "what", "measured", "target", ""], ...rows];
  const widths = [0, 1, 2, 3, 4].map((column) => Math.max(...table.map((row) => row[column]?.length ?? 0)));
  console.log("");
  for (const row of table) {
    console.log(
      row
        .map((cell, column) =>
          column === 2 ? cell.padStart(widths[column] ?? 0) : cell.padEnd(widths[column] ?? 0),
        )
        .join("  ")
        .trimEnd(),
    );
  }
}

function format(value: number): string {
  return Math.abs(value) >= 100 ? Math.round(value).toLocaleString("en-GB") : value.toFixed(2);
}
