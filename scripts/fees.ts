/**
 * `npm run fees -- <organisation> [sms=0.001 EUR] [email=0.0002 EUR] [whatsapp=none]`: shows, and with fees sets, what
 * the operator charges an organisation per message, by channel. The organisation is given by its short name, as in the
 * portal's address. Works on the database that DATABASE_URL names, with the installation's TIDINGS_SECRET_KEY, else on
 * this checkout's own.
 */
import { setPlatformFees, getPlatformFees } from "../server/costs/set-platform-fees.ts";
import { parseFees } from "../server/costs/parse-fees.ts";
import { onOrganisation, Refused, runOperatorCommand } from "./lib/command.ts";

const [slug, ...words] = process.argv.slice(2);
const usage = "npm run fees -- <organisation> [sms=0.001 EUR] [email=0.0002 EUR] [whatsapp=none]";

if (slug === "--help") {
  process.stdout.write(`${usage}\n`);
} else {
  await runOperatorCommand(async ({ db }) => {
    if (!slug) throw new Refused(usage);
    const changes = parseFees(words);
    if ("problem" in changes) throw new Refused(`${changes.problem}\n${usage}`);
    const { name, fees } = await onOrganisation(slug, async () => {
      if (words.length > 0) await setPlatformFees(db, slug, changes.fees);
      return getPlatformFees(db, slug);
    });
    const lines = Object.entries(fees).map(
      ([channel, fee]) => `  ${channel.padEnd(9)} ${fee.amount} ${fee.currency} a message`,
    );
    return `${name}\n${lines.length > 0 ? lines.join("\n") : "  no fees"}`;
  });
}
