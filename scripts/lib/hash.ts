import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import { root } from "./paths.ts";

function* filesIn(place: string, skip: ReadonlySet<string>): Generator<string> {
  if (!existsSync(place) || skip.has(path.relative(root, place))) return;
  if (statSync(place).isFile()) {
    yield place;
    return;
  }
  for (const name of readdirSync(place).sort()) yield* filesIn(path.join(place, name), skip);
}

/** SHA-256 over names and contents of files and folders of the checkout; missing ones count as empty. */
export function hashOf(places: readonly string[], skip: readonly string[] = []): string {
  const hash = createHash("sha256");
  const skipped = new Set(skip);
  for (const place of places) {
    for (const file of filesIn(path.join(root, place), skipped)) {
      hash
        .update(`${path.relative(root, file)}\0`)
        .update(readFileSync(file))
        .update("\0");
    }
  }
  return hash.digest("hex");
}
