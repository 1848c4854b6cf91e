/**
 * `npm run check:distributable`: whether the tables, views, functions and statements fit a database that is distributed by tenant
 * (Citus), as a migrated database has them. Of the database that DATABASE_URL names, else of one that is made for it and thrown away.
 */
import pg from "pg";
import { printAnswer, readCommandLine, Refused } from "./lib/command.ts";
import { localTables, readDistribution, referenceTables, remaining, undecided } from "./lib/distribution.ts";
import { migrate } from "./lib/migrations.ts";
import { withThrowawayCluster } from "./lib/throwaway.ts";

const usage = `Usage:
  npm run check:distributable

Says of every table whether it is distributed by tenant, a reference table or local to the coordinator, and what does not fit such a
distribution today. Ends with 1 when there is something that nobody has decided about.

DATABASE_URL names a migrated database; without it one is made and thrown away.
docs/scaling.md has more.`;

readCommandLine(usage, {}, { needs: [] });

async function check(url: string): Promise<string> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const found = await readDistribution(client);
    const of = (kind: string) => found.tables.filter((table) => table.kind === kind).map(({ name }) => name);
    const { unknown, outdated } = undecided(found);
    const lines = [
      `${String(of("distributed").length)} tables are distributed by tenant: ${of("distributed").join(", ")}`,
      "",
      ...of("reference").map((name) => `reference  ${name}: ${String(referenceTables[name])}`),
      ...of("local").map((name) => `local      ${name}: ${String(localTables[name])}`),
      "",
      `${String(found.findings.length)} things do not fit yet:`,
      ...found.findings.map((finding) => `  ${finding}\n    ${remaining[finding] ?? "UNDECIDED"}`),
    ];
    if (unknown.length === 0 && outdated.length === 0) return lines.join("\n");
    console.log(lines.join("\n"));
    throw new Refused(
      [
        ...unknown.map((finding) => `Undecided: ${finding}`),
        ...outdated.map((finding) => `Not found any more: ${finding}`),
      ].join("\n"),
    );
  } finally {
    await client.end();
  }
}

const given = process.env.DATABASE_URL;
await printAnswer(() =>
  given
    ? check(given)
    : withThrowawayCluster(async (url) => {
        await migrate(url);
        return check(url);
      }),
);
