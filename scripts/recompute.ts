/**
 * `npm run recompute -- <day> [organisation …] [--write]`: holds the figures of a day (UTC) in reports and dashboards against
 * messages, attempts and the cost ledger, and prints where they differ; with --write the ledger's take their place. Ends with 1 when
 * something differed and was not written. docs/reports.md says more.
 */
import { mostDifferences } from "../server/insights/recompute-day.ts";
import { recomputeDays } from "../server/insights/recomputed-days.ts";
import { readCommandLine, Refused, runOperatorCommand } from "./lib/command.ts";

const usage = `Usage:
  npm run recompute -- <day, as 2026-11-20> [short name of an organisation …] [--write]

Compares the figures of a day (UTC) in reports and dashboards with messages, attempts and the cost ledger, of all organisations or
of those named, and prints where they differ. Ends with 1 when something differs and was not written.

  --write   the ledger's figures take the place of those that differ

  npm run recompute -- 2026-11-20 acme

DATABASE_URL and TIDINGS_SECRET_KEY are those of the installation; without them the quickstart of this checkout is used.
docs/reports.md has more.`;
const { values, argument, positionals } = readCommandLine(
  usage,
  { write: { type: "boolean", default: false } },
  { needs: ["day"], more: "many" },
);

await runOperatorCommand(async ({ db }) => {
  const text = argument(0);
  const day = new Date(`${text}T00:00:00Z`);
  if (!/^\d{4}-\d\d-\d\d$/.test(text) || Number.isNaN(day.getTime()))
    throw new Refused(`${text} is not a day, as 2026-11-20.\n\n${usage}`);
  const slugs = positionals.slice(1);
  const missing = new Set(slugs);
  let different = 0;
  for await (const { slug, kept, differences } of recomputeDays(db, day, { slugs, write: values.write })) {
    missing.delete(slug);
    if (!kept) {
      console.log(`${slug}: messages of that day are no longer kept`);
      continue;
    }
    different += differences.length;
    console.log(`${slug}: difference ${String(differences.length)}`);
    for (const { at, key, measure, ledger, stored } of differences.slice(0, mostDifferences))
      console.log(`  ${at.toISOString()} ${key} ${measure}: ledger ${ledger}, stored ${stored}`);
  }
  if (missing.size > 0) throw new Refused(`There is no organisation ${[...missing].join(", ")}.`);
  if (different > 0 && !values.write) process.exitCode = 1;
  if (different === 0) return `${text}: no difference.`;
  return values.write
    ? `${text}: what differed is now as the ledger says.`
    : `${text}: reports and ledger differ. With --write the ledger's figures take their place.`;
});
