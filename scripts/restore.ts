/**
 * `npm run restore -- <folder>`: restores a backup into an empty database, the one that DATABASE_URL names (its owner's address) or
 * that of an empty DATA_DIR. The installation sends nothing before `npm run hold -- release`.
 */
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import pg from "pg";
import { holdStatus, recordRestore } from "../server/console/hold.ts";
import { checkMasterKey } from "../server/platform/check-master-key.ts";
import { checkFiles, KEY_FILE, readManifest } from "./lib/backup-manifest.ts";
import { printAnswer, readCommandLine } from "./lib/command.ts";
import { withOwnerUrl } from "./lib/database.ts";
import { dataFolder } from "./lib/paths.ts";
import { restoreBackup } from "./lib/restore-backup.ts";
import { loadSecrets, saveSecrets } from "./lib/secrets.ts";

const usage = `Usage:
  npm run restore -- <folder> [--check]

Restores a backup into an empty database. The restored installation starts with sending on hold: the portal and the console work,
and nothing goes out before you have seen what would (npm run hold -- status) and released it (npm run hold -- release).

  --check   only compare the backup's files with its manifest

TIDINGS_SECRET_KEY is the master key of the installation that was backed up, unless the backup has it.
DATABASE_URL is the owner's address of an empty database; without it the database of an empty DATA_DIR is restored.
docs/operations/backup.md has more.`;

const { values, argument } = readCommandLine(
  usage,
  { check: { type: "boolean", default: false } },
  { needs: ["backup's folder"] },
);
const folder = path.resolve(argument(0));

/** The key that opens what is sealed in the backup, as far as it is known; whether it does is said. */
async function settleKey(owner: pg.Pool): Promise<string> {
  const file = path.join(folder, KEY_FILE);
  const beside = existsSync(file) ? readFileSync(file, "utf8").trim() : undefined;
  const secrets = loadSecrets(dataFolder());
  process.env.TIDINGS_SECRET_KEY ||= beside ?? secrets.secretKey;
  const key = process.env.TIDINGS_SECRET_KEY;
  try {
    await checkMasterKey(owner);
  } catch {
    return "TIDINGS_SECRET_KEY is not the master key of this backup: set the right one before you start, or no credential can be opened.";
  }
  if (process.env.DATABASE_URL) {
    return key === beside
      ? `The master key is in ${file}: give it to web and worker as TIDINGS_SECRET_KEY.`
      : "The master key opens what is sealed in it.";
  }
  saveSecrets(dataFolder(), { ...secrets, secretKey: key });
  return "The master key opens what is sealed in it, and is kept in DATA_DIR.";
}

function restore(): Promise<string> {
  return withOwnerUrl(dataFolder(), async (url) => {
    const { takenAt } = await restoreBackup(url, folder);
    const owner = new pg.Pool({ connectionString: url, max: 2 });
    try {
      await recordRestore(owner, takenAt);
      const key = await settleKey(owner);
      const { sums } = await holdStatus(owner);
      return [
        `Restored as of ${takenAt}. Sending is on hold.`,
        key,
        `${String(sums.messages)} messages wait, of which ${String(sums.expired)} expire. Look at them: npm run hold -- status`,
        "Then send on: npm run hold -- release",
      ].join("\n");
    } finally {
      await owner.end();
    }
  });
}

async function check(): Promise<string> {
  const manifest = readManifest(folder);
  await checkFiles(folder, manifest);
  return `The backup of ${manifest.takenAt} is whole: ${String(manifest.tables.length)} tables.`;
}

await printAnswer(values.check ? check : restore);
