/**
 * `npm run quotas -- <organisation> [day=10000] [month=200000] [requests=600]`: shows, and with limits sets, how many messages an
 * organisation may have accepted a day and a month and how many requests all its API keys may make a minute; `none` takes a limit
 * away. The organisation is given by its short name, as in the portal's address. Works on the database that DATABASE_URL names, with
 * the installation's TIDINGS_SECRET_KEY, else on this checkout's own.
 */
import { parseQuota } from "../server/quotas/parse-quota.ts";
import { getQuotaOf, setQuota } from "../server/quotas/set-quota.ts";
import { onOrganisation, Refused, runOperatorCommand } from "./lib/command.ts";

const [slug, ...words] = process.argv.slice(2);
const usage = "npm run quotas -- <organisation> [day=10000] [month=200000] [requests=600] [day=none]";
const shown = (limit: number | null) => (limit === null ? "no limit" : String(limit));

if (slug === "--help") {
  process.stdout.write(`${usage}\n`);
} else {
  await runOperatorCommand(async ({ db }) => {
    if (!slug) throw new Refused(usage);
    const changes = parseQuota(words);
    if ("problem" in changes) throw new Refused(`${changes.problem}\n${usage}`);
    const { name, quota, use } = await onOrganisation(slug, async () => {
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
}
