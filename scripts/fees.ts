/**
 * `npm run fees -- <organisation> [sms=0.001 EUR] [email=0.0002 EUR] [whatsapp=none]`: shows, and with fees sets, what
 * the operator charges an organisation per message, by channel. The organisation is given by its short name, as in the
 * portal's address. Works on the database that DATABASE_URL names, else on this checkout's own.
 */
import { setPlatformFees, getPlatformFees } from "../server/costs/set-platform-fees.ts";
import { parseFees } from "../server/costs/parse-fees.ts";
import { openDb } from "../server/kernel/db.ts";
import { DomainError } from "../server/kernel/errors.ts";
import { withOwnerUrl } from "./lib/database.ts";
import { dataFolder } from "./lib/paths.ts";

const [slug, ...words] = process.argv.slice(2);
const usage = "npm run fees -- <organisation> [sms=0.001 EUR] [email=0.0002 EUR] [whatsapp=none]";

function fail(text: string): never {
  process.stderr.write(`${text}\n`);
  process.exit(1);
}

if (slug === "--help") {
  process.stdout.write(`${usage}\n`);
  process.exit();
}
if (!slug) fail(usage);
const changes = parseFees(words);
if ("problem" in changes) fail(`${changes.problem}\n${usage}`);

await withOwnerUrl(dataFolder(), async (url) => {
  const db = openDb("worker", url, { poolSize: 2 });
  try {
    if (words.length > 0) await setPlatformFees(db, slug, changes.fees);
    const { name, fees } = await getPlatformFees(db, slug);
    const lines = Object.entries(fees).map(
      ([channel, fee]) => `  ${channel.padEnd(9)} ${fee.amount} ${fee.currency} a message`,
    );
    process.stdout.write(`${name}\n${lines.length > 0 ? lines.join("\n") : "  no fees"}\n`);
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    // Not fail(): a database that was started for this still has to be stopped.
    process.stderr.write(
      `${error.code === "not_found" ? `There is no organisation ${slug}.` : error.message}\n`,
    );
    process.exitCode = 1;
  } finally {
    await db.close();
  }
});
