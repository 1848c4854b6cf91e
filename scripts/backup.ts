/**
 * `npm run backup -- [folder]`: a backup of the installation as of one moment, while it runs. Of the database that DATABASE_URL
 * names (its owner's address), else of this checkout's own.
 */
import path from "node:path";
import { printAnswer, readCommandLine, Refused } from "./lib/command.ts";
import { withOwnerUrl } from "./lib/database.ts";
import { makeBackup } from "./lib/make-backup.ts";
import { dataFolder } from "./lib/paths.ts";
import { loadSecrets } from "./lib/secrets.ts";

const usage = `Usage:
  npm run backup -- [folder] [--include-key]

Writes the whole database, as of one moment and while everything runs, into a new folder: DATA_DIR/backups/<time> without one.
It has personal data, and credentials sealed under the master key (TIDINGS_SECRET_KEY, or secretKey in DATA_DIR/secrets.json).
Without that key a restored installation cannot open them: keep it somewhere else, or add it.

  --include-key   put the master key beside the data; whoever has the folder then has every credential

DATABASE_URL is the owner's address; without it the quickstart of this checkout is backed up.
docs/operations/backup.md has more.`;

const { values, positionals } = readCommandLine(
  usage,
  { "include-key": { type: "boolean", default: false } },
  { needs: [], more: "one" },
);
const started = new Date().toISOString().replace(/\.\d+Z$/, "Z");
const folder = path.resolve(
  positionals[0] ?? path.join(dataFolder(), "backups", started.replaceAll(":", "-")),
);
const interrupted = new AbortController();
for (const name of ["SIGINT", "SIGTERM"] as const)
  process.once(name, () => {
    interrupted.abort(new Refused("Interrupted: nothing of it was kept."));
  });
const key = () => process.env.TIDINGS_SECRET_KEY || loadSecrets(dataFolder()).secretKey;

await printAnswer(() =>
  withOwnerUrl(dataFolder(), async (url) => {
    const { tables, takenAt } = await makeBackup(
      url,
      folder,
      values["include-key"] ? key() : undefined,
      interrupted.signal,
    );
    const sum = (of: (table: (typeof tables)[number]) => number) =>
      tables.reduce((all, table) => all + of(table), 0);
    const size = (sum(({ bytes }) => bytes) / 1_000_000).toFixed(1);
    return [
      `${folder}: ${sum(({ rows }) => rows).toLocaleString("en")} rows of ${String(tables.length)} tables as of ${takenAt}, ${size} MB.`,
      values["include-key"]
        ? "The master key is in it: keep it as you keep that."
        : "The master key is not in it; a restored installation needs it.",
    ].join("\n");
  }),
);
