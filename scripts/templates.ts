/**
 * `npm run templates -- pull|push [folder]`: templates as files, so that they can live in version control.
 *
 *   pull   writes every template of an application to <folder>/<application>, and removes what is gone
 *   push   plans an import of <folder>/<application>, shows it, and carries it out
 *
 * The installation is TIDINGS_URL with TIDINGS_API_KEY; without them the quickstart of this checkout.
 */
import path from "node:path";
import { outputTo } from "../packages/sdk-ts/src/cli/output.ts";
import { pullTemplates, pushTemplates, waitOf } from "../packages/sdk-ts/src/cli/templates.ts";
import { UsageError } from "../packages/sdk-ts/src/cli/usage-error.ts";
import { Tidings, TidingsError } from "../packages/sdk-ts/src/index.ts";
import { readCommandLine, Refused } from "./lib/command.ts";
import { dataFolder } from "./lib/paths.ts";
import { readQuickstart } from "./lib/quickstart.ts";

const usage = `Usage:
  npm run templates -- pull [folder] [--application webshop] [--environment production]
  npm run templates -- push [folder] [--application webshop] [--note "What changes"] [--dry-run] [--wait 600]

pull  writes every template of an application to <folder>/<application>, and removes what is gone
push  plans an import of <folder>/<application>, shows it, and carries it out; with --dry-run it only shows it.
      After --wait seconds in which nothing was saved it ends with exit code 4, and the import continues by itself

The folder is "templates" unless named. TIDINGS_URL and TIDINGS_API_KEY name the installation and a key that may read
(pull) or write (push) templates; without them the quickstart of this checkout is used. docs/templates.md has more.`;

const options = {
  application: { type: "string" },
  environment: { type: "string" },
  note: { type: "string" },
  "dry-run": { type: "boolean", default: false },
  wait: { type: "string" },
} as const;
const { values, positionals } = readCommandLine(usage, options, {
  pull: { needs: [], more: "one" },
  push: { needs: [], more: "one" },
});

const quickstart = readQuickstart(dataFolder());
const baseUrl = (process.env.TIDINGS_URL ?? quickstart?.baseUrl ?? "http://localhost:3000").replace(
  /\/$/,
  "",
);
const key = process.env.TIDINGS_API_KEY ?? (process.env.TIDINGS_URL ? undefined : quickstart?.keys.live);

const out = outputTo(
  (line) => {
    console.log(line);
  },
  (line) => {
    console.log(line);
  },
  false,
);

try {
  if (!key) throw new Refused("Set TIDINGS_API_KEY to an API key of the installation.");
  const tidings = new Tidings({
    baseUrl,
    apiKey: key,
    tenantId:
      process.env.TIDINGS_TENANT_ID ?? (process.env.TIDINGS_URL ? null : (quickstart?.tenantId ?? null)),
  });
  const [command, folder = "templates"] = positionals;
  const place = path.resolve(folder);
  if (command === "pull") await pullTemplates(tidings, out, place, values);
  else {
    const { wait, "dry-run": dryRun, ...named } = values;
    process.exitCode = await pushTemplates(tidings, out, place, { ...named, dryRun, waitMs: waitOf(wait) });
  }
} catch (error) {
  const known = error instanceof Refused || error instanceof UsageError || error instanceof TidingsError;
  console.error(known ? error.message : error);
  process.exitCode = 1;
}
