/** The names of the environment variables that configure the product, read off its sources. */
import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import { root } from "../lib/paths.ts";

const read = (file: string) => readFileSync(path.join(root, file), "utf8");

/** Those of web and worker: the members of the schema in server/kernel/env.ts. */
export const serviceVariables: readonly string[] = [
  ...(
    /^const schema = z\n {2}\.object\(\{\n([^]*?)^ {2}\}\)/m.exec(read("server/kernel/env.ts"))?.[1] ?? ""
  ).matchAll(/^ {4}([A-Z][A-Z0-9_]+):/gm),
].map(([, name = ""]) => name);

/** Those that files read themselves. */
export function variablesReadIn(pattern: string): string[] {
  const files = globSync(pattern, { cwd: root });
  return [
    ...new Set(
      files.flatMap((file) =>
        [...read(file).matchAll(/\bprocess\.env\.([A-Z][A-Z0-9_]+)/g)].map(([, name = ""]) => name),
      ),
    ),
  ].filter((name) => name !== "PATH");
}

/** Those of the commands in scripts/. */
export const startVariables: readonly string[] = variablesReadIn("scripts/{,lib/}*.{ts,mjs}");

/** Rows of README.md's tables of variables: what each says of which variables, and in the table "In production" for which parts. */
export function documentedVariables(): { names: string[]; parts: string; row: string }[] {
  const rows = read("README.md")
    .split("\n")
    .filter((line) => /^\| `[A-Z]/.test(line));
  return rows.map((row) => {
    const [cell = "", parts = ""] = row.slice(2).split(" | ");
    const names = [...cell.matchAll(/`([A-Z_][A-Z0-9_]*)`/g)].map(([, name = ""]) => name);
    const [first = ""] = names;
    // `WORKER_CONCURRENCY_OTP`, `_BULK`: the others begin as the first does.
    const stem = first.slice(0, first.lastIndexOf("_"));
    return { names: names.map((name) => (name.startsWith("_") ? stem + name : name)), parts, row };
  });
}
