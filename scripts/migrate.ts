/**
 * `npm run migrate`: brings DATABASE_URL, or the embedded database, up to date. With `--logins` it then makes a login for the
 * web and one for the worker, and prints their addresses once; with `--console` one for the operator console; with `--given-logins`
 * those that WEB_DATABASE_URL, WORKER_DATABASE_URL and CONSOLE_DATABASE_URL name.
 */
import { randomBytes } from "node:crypto";
import { readCommandLine } from "./lib/command.ts";
import { consoleLogin, givenLogins, ownLogins, withOwnerUrl } from "./lib/database.ts";
import { migrate } from "./lib/migrations.ts";
import { dataFolder } from "./lib/paths.ts";

const usage = `Usage:
  npm run migrate -- [--logins] [--console] [--given-logins]

Brings the database up to date: tables, functions, views and rights. Repeating it changes nothing.

  --logins        makes a new login each for web and worker, and prints their addresses once
  --console       makes the login of the operator console, or gives it a new password, and prints its address once
  --given-logins  makes the logins that WEB_DATABASE_URL, WORKER_DATABASE_URL and CONSOLE_DATABASE_URL name

DATABASE_URL is the owner's address; without it the database of this checkout's quickstart is migrated.
docs/operations/upgrades.md has more.`;

const off = { type: "boolean", default: false } as const;
const { values } = readCommandLine(usage, { logins: off, console: off, "given-logins": off }, { needs: [] });

await withOwnerUrl(dataFolder(), async (url) => {
  const { migrations, files } = await migrate(url);
  const applied = [...migrations, ...files];
  console.log(applied.length === 0 ? "The database is up to date." : `Applied: ${applied.join(", ")}`);
  if (values["given-logins"]) {
    console.log(`Logins: ${(await givenLogins(url)).join(", ") || "none; no address names one"}`);
  }
  if (values.console) console.log(`CONSOLE_DATABASE_URL=${await consoleLogin(url)}`);
  if (!values.logins) return;
  const password = () => randomBytes(24).toString("base64url");
  const urls = await ownLogins(url, { webPassword: password(), workerPassword: password() });
  console.log(`WEB_DATABASE_URL=${urls.webUrl}\nWORKER_DATABASE_URL=${urls.workerUrl}`);
});
