import { randomBytes } from "node:crypto";
import { chmodSync, mkdtempSync, rmSync, statfsSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { choosePort } from "./ports.ts";
import {
  ensureDatabase,
  initialiseCluster,
  ownerUrl,
  startPostgres,
  stopPostgres,
  type Cluster,
} from "./postgres.ts";

/** What a run of all tests needs several times over: two databases at a time and the log of changes. */
const roomyBytes = 6 * 1024 ** 3;

/** Memory where there is plenty, else the disk: a run of the tests copies its first database some three hundred times. */
function scratch(): string {
  try {
    const { bavail, bsize } = statfsSync("/dev/shm");
    if (Math.min(bavail * bsize, process.availableMemory()) >= roomyBytes) return "/dev/shm";
  } catch {
    // No such place on this system.
  }
  return tmpdir();
}

/** Starts a Postgres in a temporary folder that favours speed over durability. `stop` removes every trace. */
export async function startThrowaway(): Promise<{ cluster: Cluster; stop: () => Promise<void> }> {
  const folder = mkdtempSync(path.join(scratch(), "tidings-postgres-"));
  chmodSync(folder, 0o711); // the account of Postgres has to pass through
  const cluster: Cluster = {
    folder: path.join(folder, "data"),
    port: await choosePort(),
    password: randomBytes(12).toString("hex"),
    logFile: path.join(folder, "postgres.log"),
    durable: false,
  };
  initialiseCluster(cluster);
  const server = await startPostgres(cluster);
  return {
    cluster,
    stop: async () => {
      if (server.pid !== undefined) await stopPostgres(server.pid);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Runs `work` on an empty database of a throwaway Postgres. */
export async function withThrowawayCluster<T>(work: (url: string) => Promise<T>): Promise<T> {
  const { cluster, stop } = await startThrowaway();
  try {
    await ensureDatabase(cluster, "scratch");
    return await work(ownerUrl(cluster, "scratch"));
  } finally {
    await stop();
  }
}
