/**
 * Proves deploy/ on this machine, with nginx and PgBouncer of the distribution, and the files and commands as they are there.
 *
 *   npm run bench:deploy                              both parts
 *   npm run bench:deploy -- pooler --seconds 30       500 clients over 20 connections to Postgres: nobody sees another tenant's rows
 *   npm run bench:deploy -- rolling --seconds 75      a migration and a restart of every process under load: no request fails
 *   npm run bench:deploy -- rolling --before <folder> the same from the release that is built in the folder to this one
 *
 * Needs `npm run build`, and nginx, pgbouncer and openssl. Ends with status 1 when something is not as it should be.
 */
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import { stopAllChildren } from "../lib/children.ts";
import { startCluster } from "../lib/cluster.ts";
import { secretKey } from "../lib/product.ts";
import { missingPrograms } from "./stack.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seconds: { type: "string" },
    before: { type: "string" },
    keep: { type: "boolean", default: false },
  },
});
const missing = missingPrograms();
if (missing.length > 0) throw new Error(`Not on this machine: ${missing.join(", ")}. Nothing was proved.`);
process.env.TIDINGS_SECRET_KEY = secretKey;
process.env.LOG_LEVEL ??= "warn";
const chosen = positionals.length > 0 ? positionals : ["pooler", "rolling"];
const seconds = (otherwise: number) => (values.seconds === undefined ? otherwise : Number(values.seconds));

const folder = mkdtempSync(path.join(tmpdir(), "tidings-deploy-"));
chmodSync(folder, 0o711); // the account of Postgres has to pass through
const cluster = await startCluster(folder);
let failed = false;
async function cleanUp(): Promise<void> {
  await stopAllChildren();
  await cluster.stop();
  if (!values.keep) rmSync(folder, { recursive: true, force: true });
}
for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.once(signal, () => {
    void cleanUp().finally(() => process.exit(130));
  });
}
try {
  if (values.keep) console.log(`Logs are in ${folder}`);
  for (const part of chosen) {
    console.log(part);
    let isGood: boolean;
    if (part === "pooler") isGood = await (await import("./pooler.ts")).pooler(cluster, folder, seconds(30));
    else if (part === "rolling") {
      const { rolling } = await import("./rolling.ts");
      isGood = await rolling(cluster, folder, { seconds: seconds(75), before: values.before });
    } else throw new Error(`No such part: ${part}. There are pooler and rolling.`);
    console.log(isGood ? "    as it should be" : "    NOT as it should be");
    failed ||= !isGood;
  }
} finally {
  await cleanUp();
}
process.exitCode = failed ? 1 : 0;
