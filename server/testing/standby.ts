import { execFileSync } from "node:child_process";
import { appendFileSync, chownSync, rmSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import pg from "pg";
import { choosePort } from "../../scripts/lib/ports.ts";
import { ensureDatabase, ownerUrl, startPostgres, stopPostgres } from "../../scripts/lib/postgres.ts";
import type { Cluster } from "../../scripts/lib/postgres.ts";
import { startThrowaway } from "../../scripts/lib/throwaway.ts";

/** A Postgres of its own and a standby that follows it by streaming, each with a database `app`. */
export interface Pair {
  primary: pg.Pool;
  primaryUrl: string;
  standbyUrl: string;
  /** A pool as the standby's superuser. */
  asStandbyOwner: <T>(work: (client: pg.Client) => Promise<T>) => Promise<T>;
  stopStandby: () => Promise<void>;
  startStandby: () => Promise<void>;
  stop: () => Promise<void>;
}

async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** Copies a running server as its documentation says: between the beginning and the end of a backup. */
async function copyForStandby(primary: Cluster, standby: Cluster): Promise<void> {
  await withClient(ownerUrl(primary, "app"), async (client) => {
    await client.query("SELECT pg_backup_start('standby', true)");
    execFileSync("cp", ["-a", primary.folder, standby.folder]);
    const { rows } = await client.query<{ labelfile: string }>("SELECT labelfile FROM pg_backup_stop(false)");
    const inside = (file: string) => path.join(standby.folder, file);
    rmSync(inside("postmaster.pid"), { force: true });
    const { uid, gid } = statSync(standby.folder);
    for (const [file, text] of [
      ["backup_label", rows[0]?.labelfile ?? ""],
      ["standby.signal", ""],
    ] as const) {
      writeFileSync(inside(file), text);
      chownSync(inside(file), uid, gid);
    }
    const { port, password } = primary;
    appendFileSync(
      inside("postgresql.auto.conf"),
      `primary_conninfo = 'host=127.0.0.1 port=${String(port)} user=tidings password=${password}'\nwal_retrieve_retry_interval = '100ms'\n`,
    );
  });
}

/** Starts both. @param prepare fills the database before the standby is copied */
export async function startPair(prepare: (client: pg.Client) => Promise<void>): Promise<Pair> {
  const { cluster, stop: stopPrimary } = await startThrowaway();
  await ensureDatabase(cluster, "app");
  const primaryUrl = ownerUrl(cluster, "app");
  await withClient(primaryUrl, prepare);
  const standby: Cluster = {
    ...cluster,
    folder: `${cluster.folder}-standby`,
    logFile: `${cluster.logFile}-standby`,
    port: await choosePort(),
  };
  await copyForStandby(cluster, standby);
  let pid: number | undefined;
  const startStandby = async () => {
    pid = (await startPostgres(standby)).pid;
  };
  const stopStandby = async () => {
    if (pid !== undefined) await stopPostgres(pid);
    pid = undefined;
  };
  await startStandby();
  const standbyUrl = ownerUrl(standby, "app");
  const primary = new pg.Pool({ connectionString: primaryUrl, max: 2 });
  return {
    ...{ primary, primaryUrl, standbyUrl, startStandby, stopStandby },
    asStandbyOwner: (work) => withClient(standbyUrl, work),
    stop: async () => {
      await primary.end();
      await stopStandby();
      await stopPrimary();
    },
  };
}
