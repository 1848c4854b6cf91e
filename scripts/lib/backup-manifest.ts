import { createHash } from "node:crypto";
import { createReadStream, readFileSync } from "node:fs";
import path from "node:path";
import { pipeline } from "node:stream/promises";
import { z } from "zod";
import { Refused } from "./command.ts";

export const MANIFEST = "manifest.json";
export const KEY_FILE = "secret-key";

const name = z.string().regex(/^\w{1,63}$/);
const sha256 = z.string().regex(/^[0-9a-f]{64}$/);

const manifestSchema = z.strictObject({
  format: z.literal(1),
  /** Version of the release that made it. */
  tidings: z.string(),
  /** When the snapshot was taken, by the database's clock: the backup has what was committed before. */
  takenAt: z.iso.datetime(),
  postgres: z.string(),
  /** The migrations of the tables in it, oldest first, and that of graphile-worker's. */
  migrations: z.array(z.string().regex(/^\d{14}_\w+$/)),
  queueMigration: z.int(),
  /** Whether the installation's master key lies beside it. */
  keyIncluded: z.boolean(),
  tables: z.array(
    z.strictObject({
      schema: name,
      name,
      columns: z.array(name).min(1),
      rows: z.int(),
      /** COPY's text format, gzip. */
      file: z.string().regex(/^\w+\.\w+\.copy\.gz$/),
      bytes: z.int(),
      sha256,
    }),
  ),
  partitions: z.array(
    z.strictObject({
      name,
      of: name,
      /** Ids, as Postgres prints the bounds. */
      from: z.uuid(),
      to: z.uuid(),
    }),
  ),
  sequences: z.array(z.strictObject({ schema: name, name, value: z.string().regex(/^\d+$/) })),
});

/** What a backup has, in its own words; a restore takes nothing that does not agree with it. */
export type Manifest = z.infer<typeof manifestSchema>;

/** Reads and checks the manifest of a backup's folder. Throws Refused. */
export function readManifest(folder: string): Manifest {
  let text: string;
  try {
    text = readFileSync(path.join(folder, MANIFEST), "utf8");
  } catch {
    throw new Refused(`${folder} has no ${MANIFEST}: it is no backup, or one that was not finished.`);
  }
  const parse = (): unknown => {
    try {
      return JSON.parse(text);
    } catch {
      return undefined;
    }
  };
  const result = manifestSchema.safeParse(parse());
  if (!result.success)
    throw new Refused(`${MANIFEST} of ${folder} cannot be read:\n${z.prettifyError(result.error)}`);
  return result.data;
}

/** Compares every file with the manifest, before anything is changed. Throws Refused with all that differ. */
export async function checkFiles(folder: string, manifest: Manifest): Promise<void> {
  const wrong: string[] = [];
  for (const table of manifest.tables) {
    const hash = createHash("sha256");
    try {
      await pipeline(createReadStream(path.join(folder, table.file)), hash);
    } catch {
      wrong.push(`${table.file} is missing or cannot be read`);
      continue;
    }
    if (hash.digest("hex") !== table.sha256) wrong.push(`${table.file} is not what was backed up`);
  }
  if (wrong.length > 0)
    throw new Refused(`The backup is damaged; nothing was restored.\n  ${wrong.join("\n  ")}`);
}
