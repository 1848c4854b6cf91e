import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import { root } from "../lib/paths.ts";
import { readPage, type Page } from "./page.ts";

/** The pages whose blocks are run: README.md and everything under docs/, by their path in the checkout. */
export function documentationPages(): { name: string; page: Page }[] {
  const names = ["README.md", ...globSync("docs/**/*.md", { cwd: root }).sort()];
  return names.map((name) => ({ name, page: readPage(readFileSync(path.join(root, name), "utf8")) }));
}
