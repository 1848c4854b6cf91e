/**
 * `npm run migrate`: brings DATABASE_URL, or the embedded database, up to date. With `--logins` it then makes a login for the
 * web and one for the worker, and prints their addresses once; with `--console` one for the operator console; with `--given-logins`
 * those that WEB_DATABASE_URL, WORKER_DATABASE_URL and CONSOLE_DATABASE_URL name.
 */
import { randomBytes } from "node:crypto";
import { consoleLogin, givenLogins, ownLogins, withOwnerUrl } from "./lib/database.ts";
import { migrate } from "./lib/migrations.ts";
import { dataFolder } from "./lib/paths.ts";

const logins = process.argv.includes("--logins");
const withConsole = process.argv.includes("--console");

await withOwnerUrl(dataFolder(), async (url) => {
  const { migrations, files } = await migrate(url);
  const applied = [...migrations, ...files];
  console.log(applied.length === 0 ? "The database is up to date." : `Applied: ${applied.join(", ")}`);
  if (process.argv.includes("--given-logins")) {
    console.log(`Logins: ${(await givenLogins(url)).join(", ") || "none; no address names one"}`);
  }
  if (withConsole) console.log(`CONSOLE_DATABASE_URL=${await consoleLogin(url)}`);
  if (!logins) return;
  const password = () => randomBytes(24).toString("base64url");
  const urls = await ownLogins(url, { webPassword: password(), workerPassword: password() });
  console.log(`WEB_DATABASE_URL=${urls.webUrl}\nWORKER_DATABASE_URL=${urls.workerUrl}`);
});
