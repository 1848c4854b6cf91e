import { readFileSync, renameSync, writeFileSync } from "node:fs";

/** Writes JSON that only the owner may read (mode 0600), in one step: a reader never sees half of it. */
export function writePrivateJson(file: string, value: unknown): void {
  const next = `${file}.${process.pid}.tmp`;
  writeFileSync(next, `${JSON.stringify(value, null, 2)}\n`, { mode: 0o600 });
  renameSync(next, file);
}

/** Reads a JSON file; undefined when there is none. Broken JSON is an error: it may hold the only copy of a key. */
export function readJson(file: string): unknown {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch {
    return undefined;
  }
  try {
    return JSON.parse(text);
  } catch {
    throw new Error(`${file} is not valid JSON. Restore it, or delete the data folder to start anew.`);
  }
}
