import { mkdirSync } from "node:fs";
import path from "node:path";

/** Folder of the checkout. */
export const root = path.resolve(import.meta.dirname, "../..");

/** An executable of an installed package. */
export function packageBin(name: string): string {
  return path.join(root, "node_modules", ".bin", name);
}

/** The folder for everything that outlives a start: DATA_DIR, or `.data` in the checkout. Created when missing. */
export function dataFolder(): string {
  const folder = path.resolve(root, process.env.DATA_DIR ?? ".data");
  mkdirSync(folder, { recursive: true, mode: 0o755 });
  return folder;
}
