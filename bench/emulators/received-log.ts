import { closeSync, openSync, writeSync } from "node:fs";

/**
 * The file in which an emulator records what it received; written in batches, because a write per message would be the
 * load.
 */
export function openReceivedLog(path: string): { note(line: object): void; close(): void } {
  const file = openSync(path, "a");
  let lines: string[] = [];
  const flush = (): void => {
    if (lines.length === 0) return;
    const text = lines.join("");
    lines = [];
    writeSync(file, text);
  };
  const timer = setInterval(flush, 50);
  return {
    note: (line) => {
      lines.push(`${JSON.stringify(line)}\n`);
    },
    close: () => {
      clearInterval(timer);
      flush();
      closeSync(file);
    },
  };
}
