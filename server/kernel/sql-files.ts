import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import path from "node:path";

/** The folders of SQL files, in the order in which they are applied: views and policies may call functions. */
const FOLDERS = ["functions", "views", "policies"];

export type SqlFile = {
  /** Inside the folder, e.g. `functions/accept_sends.sql`. */
  path: string;
  text: string;
  /** Of path and text, so that no two files share one. */
  hash: string;
};

/**
 * The SQL files under a folder like prisma/, in the order in which they are applied. Throws when one of its folders is
 * missing.
 */
export async function readSqlFiles(prismaFolder: string): Promise<SqlFile[]> {
  const folders = await Promise.all(
    FOLDERS.map(async (folder) => {
      const names = (await readdir(/* turbopackIgnore: true */ path.join(prismaFolder, folder))).filter(
        (name) => name.endsWith(".sql"),
      );
      return names.sort().map((name) => `${folder}/${name}`);
    }),
  );
  return Promise.all(
    folders.flat().map(async (file) => {
      const text = await readFile(/* turbopackIgnore: true */ path.join(prismaFolder, file), "utf8");
      return { path: file, text, hash: createHash("sha256").update(`${file}\n${text}`).digest("hex") };
    }),
  );
}
