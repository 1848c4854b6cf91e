/**
 * `npm run hold -- …`: whether the installation sends. After a restore it does not before an operator has looked at what would go
 * out, and released it. Works on the database that DATABASE_URL names (its owner's address), else on this checkout's own.
 */
import { userInfo } from "node:os";
import pg from "pg";
import { holdSending, holdStatus, releaseSending } from "../server/console/hold.ts";
import type { HeldSums } from "../server/console/hold.ts";
import { printAnswer, readCommandLine, Refused } from "./lib/command.ts";
import { withOwnerUrl } from "./lib/database.ts";
import { dataFolder } from "./lib/paths.ts";

const usage = `Usage:
  npm run hold -- status
  npm run hold -- begin <reason>
  npm run hold -- release

status   says whether sending is on hold, and what would go out or expire on release: by organisation, channel and class.
begin    puts sending on hold: workers finish their running calls and take no other jobs, the API refuses requests to send.
release  ends the hold. Messages whose time is up expire; all others are sent, also those that were sent after the backup was made.

DATABASE_URL is that of the installation; without it the quickstart of this checkout is used.
docs/operations/backup.md has more.`;

const { positionals, argument } = readCommandLine(
  usage,
  {},
  { status: { needs: [] }, begin: { needs: ["reason"] }, release: { needs: [] } },
);

const count = (n: number, one: string) => `${n.toLocaleString("en")} ${one}${n === 1 ? "" : "s"}`;

function sumLines({ messages, expired, later, oldestAt, broadcasts, webhooks, organisations }: HeldSums) {
  return [
    `${count(messages, "message")} of ${count(organisations, "organisation")}${oldestAt ? `, the oldest of ${oldestAt.toISOString()}` : ""}`,
    `  ${count(messages - expired - later, "message")} to send`,
    `  ${count(later, "message")} scheduled for later`,
    `  ${count(expired, "message")} whose time is up: they expire`,
    `${count(broadcasts, "broadcast")} to go on with, ${count(webhooks, "webhook delivery").replace("deliverys", "deliveries")} owed`,
  ];
}

async function run(owner: pg.Pool): Promise<string> {
  const [command] = positionals;
  if (command === "begin") {
    if (argument(1).length > 500) throw new Refused("The reason may have 500 characters.");
    await holdSending(owner, userInfo().username, argument(1));
    return "Sending is on hold. Workers stop within seconds.";
  }
  if (command === "release") {
    const sums = await releaseSending(owner);
    return ["Sending is released. Workers begin within seconds with", ...sumLines(sums)].join("\n");
  }
  const { hold, sums, work } = await holdStatus(owner);
  const head = hold
    ? `Sending is on hold since ${hold.heldAt.toISOString()} (${hold.heldBy}): ${hold.reason}`
    : "Sending is not on hold.";
  const lines = work.messages.map(
    (row) =>
      `  ${row.slug}  ${row.channel}  ${row.class}  ${String(row.waiting)} waiting, ${String(row.expired)} expired, oldest ${row.oldestAt.toISOString()}`,
  );
  return [head, ...sumLines(sums), ...(lines.length > 0 ? ["", ...lines] : [])].join("\n");
}

await printAnswer(() =>
  withOwnerUrl(dataFolder(), async (connectionString) => {
    const owner = new pg.Pool({ connectionString, max: 2 });
    try {
      return await run(owner);
    } finally {
      await owner.end();
    }
  }),
);
