/**
 * `npm run migrate`: brings DATABASE_URL, or the embedded database, up to date. With `--logins` it then makes a login for the
 * web and one for the worker, and prints their addresses once.
 */
import { randomBytes } from "node:crypto";
import { ownLogins, withOwnerUrl } from "./lib/database.ts";
import { migrate } from "./lib/migrations.ts";
import { dataFolder } from "./lib/paths.ts";

const logins = process.argv.includes("--logins");

await withOwnerUrl(dataFolder(), async (url) => {
  const { migrations, files } = await migrate(url);
  const applied = [...migrations, ...files];
  console.log(applied.length === 0 ? "The database is up to date." : `Applied: ${applied.join(", ")}`);
  if (!logins) return;
  const password = () => randomBytes(24).toString("base64url");
  const urls = await ownLogins(url, { webPassword: password(), workerPassword: password() });
  console.log(`WEB_DATABASE_URL=${urls.webUrl}\nWORKER_DATABASE_URL=${urls.workerUrl}`);
});
