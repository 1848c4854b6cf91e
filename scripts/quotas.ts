/**
 * `npm run quotas -- <organisation> [day=10000] [month=200000] [requests=600]`: shows, and with limits sets, how many messages an
 * organisation may have accepted a day and a month and how many requests all its API keys may make a minute; `none` takes a limit
 * away. The organisation is given by its short name, as in the portal's address. Works on the database that DATABASE_URL names, with
 * the installation's TIDINGS_SECRET_KEY, else on this checkout's own.
 */
import { parseQuota } from "../server/quotas/parse-quota.ts";
import { getQuotaOf, setQuota } from "../server/quotas/set-quota.ts";
import { onOrganisation, readCommandLine, Refused, runOperatorCommand } from "./lib/command.ts";

const usage = `Usage:
  npm run quotas -- <organisation> [day=10000] [month=200000] [requests=600]

Shows, and with limits sets, how much an organisation may do. Limits that are not named stay as they are; none takes one away.
The organisation is named by its short name, as in the address of its pages.

  day        messages that are accepted in a day (UTC)
  month      the same in a calendar month
  requests   requests of all its API keys in a minute

  npm run quotas -- acme                        # show, with what is used
  npm run quotas -- acme day=10000 month=none   # set

DATABASE_URL and TIDINGS_SECRET_KEY are those of the installation; without them the quickstart of this checkout is used.
docs/console.md has more.`;

const { positionals } = readCommandLine(usage, {}, { needs: ["organisation's short name"], more: "many" });
const [slug = "", ...words] = positionals;
const changes = parseQuota(words);
const shown = (limit: number | null) => (limit === null ? "no limit" : String(limit));

await runOperatorCommand(async ({ db }) => {
  const { name, quota, use } = await onOrganisation(slug, async () => {
    if ("problem" in changes) throw new Refused(`${changes.problem}.\n\n${usage}`);
    if (words.length > 0) await setQuota(db, slug, changes.quota);
    return getQuotaOf(db, slug);
  });
  return [
    name,
    `  messages a day      ${shown(quota.messagesPerDay)}, ${String(use.day.used)} today`,
    `  messages a month    ${shown(quota.messagesPerMonth)}, ${String(use.month.used)} this month`,
    `  requests a minute   ${shown(quota.requestsPerMinute)}`,
  ].join("\n");
});
