/**
 * `npm run migrate:diff [name]`: migrates a throwaway database and prints the SQL that it lacks to match
 * prisma/schema, as a draft. With a name, the draft is written to a new folder in prisma/migrations.
 * Partitions and dropped indexes are not part of it: add them by hand. Row-level security and rights go to prisma/policies.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { differenceToSchema, migrate } from "./lib/migrations.ts";
import { root } from "./lib/paths.ts";
import { readSchema } from "./lib/schema-engine.ts";
import { withThrowawayCluster } from "./lib/throwaway.ts";

const sql = await withThrowawayCluster(async (url) => {
  await migrate(url);
  return differenceToSchema(url, readSchema());
});

const name = process.argv[2];
if (sql.trim() === "") {
  console.log("The migrations make exactly what prisma/schema describes.");
} else if (name === undefined) {
  console.log(sql);
} else {
  const time = new Date().toISOString().replaceAll(/\D/g, "").slice(0, 14);
  const folder = path.join(root, "prisma", "migrations", `${time}_${name.replaceAll(/\W+/g, "_")}`);
  mkdirSync(folder);
  writeFileSync(path.join(folder, "migration.sql"), sql);
  console.log(`Draft written to ${path.relative(root, folder)}/migration.sql: read it before you commit it.`);
}
