import { existsSync, globSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { domains } from "./import-rules.ts";
import { readOwnedSql, readTables } from "./table-owners.ts";

/* Each domain's README says what the code can be held to: its tables and views, what it imports, which files to read. */

const root = path.resolve(import.meta.dirname, "../..");

const readme = (domain: string) => readFileSync(path.join(root, "server", domain, "README.md"), "utf8");
const listed = (domain: string, heading: string) =>
  [
    ...(new RegExp(`^\\*\\*${heading}:\\*\\* (.*)$`, "m").exec(readme(domain))?.[1] ?? "").matchAll(
      /`([^`]+)`/g,
    ),
  ].map(([, name = ""]) => name);

const { owners } = readTables(path.join(root, "prisma/schema"));
const tablesOf = (domain: string) =>
  [...owners].flatMap(([table, owner]) => (owner === domain ? [table] : [])).sort();

const views = readOwnedSql(path.join(root, "prisma/views"));
const viewsOf = (domain: string) =>
  views.flatMap(({ file, owner }) => (owner === domain ? [file] : [])).sort();

/** The domains that a domain imports, tests left out. */
function imported(domain: string): Set<string> {
  const rooms = new Set<string>();
  for (const file of globSync(`server/${domain}/**/*.ts`, { cwd: root })) {
    if (file.endsWith(".test.ts")) continue;
    const text = readFileSync(path.join(root, file), "utf8");
    for (const [, target = ""] of text.matchAll(/(?:from|import\()\s*"(\.[^"]+)"/g)) {
      const [top, room] = path.join(path.dirname(file), target).split(path.sep);
      if (top === "server" && room !== undefined && room !== domain && room !== "kernel") rooms.add(room);
    }
  }
  return rooms;
}

test.each(domains)("the README of %s is short and true", (domain) => {
  const text = readme(domain);
  expect(text.split("\n").length).toBeLessThanOrEqual(31);
  for (const [, file = ""] of text.matchAll(/`?((?:[\w-]+\/)*[\w-]+\.(?:ts|md))`?/g)) {
    const places = [path.join(root, "server", domain, file), path.join(root, file)];
    expect(places.some(existsSync), `${file} exists`).toBe(true);
  }
  expect(listed(domain, "Tables").sort()).toEqual(tablesOf(domain));
  expect(listed(domain, "Views").sort()).toEqual(viewsOf(domain));
  expect(listed(domain, "Imports").sort()).toEqual([...imported(domain)].sort());
});
