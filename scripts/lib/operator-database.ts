import pg from "pg";
import { openDb } from "../../server/kernel/db.ts";
import type { Db } from "../../server/kernel/db.ts";
import { withOwnerUrl } from "./database.ts";
import { dataFolder } from "./paths.ts";
import { loadSecrets } from "./secrets.ts";

/**
 * The databases of an operator's command: the one that DATABASE_URL names, else this checkout's own, as its owner and
 * as the worker, with this checkout's master key where none is set.
 */
export async function withOperatorDatabase(
  work: (database: { owner: pg.Pool; db: Db }) => Promise<void>,
): Promise<void> {
  const dataDir = dataFolder();
  process.env.TIDINGS_SECRET_KEY ||= loadSecrets(dataDir).secretKey;
  await withOwnerUrl(dataDir, async (url) => {
    const owner = new pg.Pool({ connectionString: url, max: 2 });
    const db = openDb("worker", url, { poolSize: 2 });
    try {
      await work({ owner, db });
    } finally {
      await Promise.all([owner.end(), db.close()]);
    }
  });
}
