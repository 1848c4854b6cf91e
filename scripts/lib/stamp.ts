import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";

/** Whether a step's result was made from exactly this input. */
export function isStamped(file: string, hash: string): boolean {
  try {
    return readFileSync(file, "utf8").trim() === hash;
  } catch {
    return false;
  }
}

/** Records the input of a step after it has succeeded. */
export function stamp(file: string, hash: string): void {
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, `${hash}\n`);
}
