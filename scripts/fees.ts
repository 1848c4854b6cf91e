/**
 * `npm run fees -- <organisation> [sms=0.001 EUR] [email=0.0002 EUR] [whatsapp=none]`: shows, and with fees sets, what
 * the operator charges an organisation per message, by channel. The organisation is given by its short name, as in the
 * portal's address. Works on the database that DATABASE_URL names, with the installation's TIDINGS_SECRET_KEY, else on
 * this checkout's own.
 */
import { setPlatformFees, getPlatformFees } from "../server/costs/set-platform-fees.ts";
import { parseFees } from "../server/costs/parse-fees.ts";
import { onOrganisation, readCommandLine, Refused, runOperatorCommand } from "./lib/command.ts";

const usage = `Usage:
  npm run fees -- <organisation> [sms=0.001 EUR] [email=0.0002 EUR] [whatsapp=none]

Shows, and with fees sets, what you charge an organisation for each message, by channel. Channels that are not named stay as
they are; none takes a fee away. The organisation is named by its short name, as in the address of its pages.

  npm run fees -- acme                                # show
  npm run fees -- acme sms=0.001 EUR whatsapp=none    # set

DATABASE_URL and TIDINGS_SECRET_KEY are those of the installation; without them the quickstart of this checkout is used.
docs/costs.md has more.`;

const { positionals } = readCommandLine(usage, {}, { needs: ["organisation's short name"], more: "many" });
const [slug = "", ...words] = positionals;
const changes = parseFees(words);

await runOperatorCommand(async ({ db }) => {
  const { name, fees } = await onOrganisation(slug, async () => {
    if ("problem" in changes) throw new Refused(`${changes.problem}.\n\n${usage}`);
    if (words.length > 0) await setPlatformFees(db, slug, changes.fees);
    return getPlatformFees(db, slug);
  });
  const lines = Object.entries(fees).map(
    ([channel, fee]) => `  ${channel.padEnd(9)} ${fee.amount} ${fee.currency} a message`,
  );
  return `${name}\n${lines.length > 0 ? lines.join("\n") : "  no fees"}`;
});
