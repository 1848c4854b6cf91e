/** What a command prints: text for people, JSON lines for programs. */
export interface Output {
  json: boolean;
  /** A result: one line of JSON, or `text` for people. */
  result: (data: object, text: string) => void;
  /** What only people want to know. */
  note: (text: string) => void;
  /** Columns for people, a line of JSON for each row otherwise. */
  table: (rows: readonly object[], columns: Record<string, (row: never) => unknown>) => void;
}

/** Text without control characters: what strangers wrote must not steer the terminal. */
export const printable = (text: string): string => text.replace(/\p{Cc}/gu, " ");

export function outputTo(
  write: (line: string) => void,
  writeError: (line: string) => void,
  json: boolean,
): Output {
  const line = (data: object) => write(JSON.stringify(data));
  return {
    json,
    result: (data, text) => {
      if (json) line(data);
      else if (text) write(text.split("\n").map(printable).join("\n"));
    },
    note: (text) => {
      if (!json) writeError(printable(text));
    },
    table: (rows, columns) => {
      if (json) {
        rows.forEach(line);
        return;
      }
      const names = Object.keys(columns);
      const cells = rows.map((row) =>
        Object.values(columns).map((read) => {
          const value = read(row as never);
          return printable(typeof value === "string" ? value : value == null ? "" : JSON.stringify(value));
        }),
      );
      const widths = names.map((name, at) =>
        cells.reduce((width, row) => Math.max(width, row[at]?.length ?? 0), name.length),
      );
      for (const row of [names, ...cells])
        write(
          row
            .map((cell, at) => cell.padEnd(widths[at] ?? 0))
            .join("  ")
            .trimEnd(),
        );
    },
  };
}
