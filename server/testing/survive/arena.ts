import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { randomBytes } from "node:crypto";
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import pg from "pg";
import { allowRoleLogins } from "../../../scripts/lib/database.ts";
import { migrate } from "../../../scripts/lib/migrations.ts";
import { choosePort } from "../../../scripts/lib/ports.ts";
import {
  ensureDatabase,
  initialiseCluster,
  ownerUrl,
  startPostgres,
  stopPostgres,
} from "../../../scripts/lib/postgres.ts";
import type { Cluster } from "../../../scripts/lib/postgres.ts";
import { openDb } from "../../kernel/db.ts";
import { startFakeTwilio } from "../fake-twilio.ts";
import type { FakeMessage, FakeMode, FakeTwilioOptions } from "../fake-twilio.ts";
import { makeSendingWorld } from "../sending-world.ts";
import { startCuttingProxy } from "./cutting-proxy.ts";

const root = path.resolve(import.meta.dirname, "../../..");

/** Waits until `look` finds something; throws when it has not after `ms`. */
export async function until<T>(
  what: string,
  ms: number,
  look: () => Promise<T | undefined | false>,
): Promise<T> {
  const deadline = Date.now() + ms;
  for (;;) {
    const found = await look().catch(() => undefined);
    if (found !== undefined && found !== false) return found;
    if (Date.now() > deadline) throw new Error(`Not within ${String(ms)} ms: ${what}`);
    await pause(50);
  }
}

/** A process of the service that is restarted whenever it ends, as the supervisor does. */
class Part {
  private readonly file: string;
  private readonly env: Record<string, string>;
  private child: ChildProcess | undefined;
  private wanted = true;
  starts = 0;

  constructor(file: string, env: Record<string, string>) {
    this.file = file;
    this.env = env;
    this.start();
  }

  private start(): void {
    this.starts++;
    const child = spawn(process.execPath, [path.join(root, this.file)], {
      cwd: root,
      env: { PATH: process.env.PATH ?? "", NODE_ENV: "production", LOG_LEVEL: "fatal", ...this.env },
      stdio: ["ignore", "ignore", "inherit"],
    });
    this.child = child;
    child.once("exit", () => {
      if (this.wanted) setTimeout(() => this.wanted && this.start(), 100);
    });
  }

  get isRunning(): boolean {
    return this.child?.exitCode === null && this.child.signalCode === null;
  }

  /** Stops it in the middle of its work, without ending it. */
  hang(): void {
    this.child?.kill("SIGSTOP");
  }

  wake(): void {
    this.child?.kill("SIGCONT");
  }

  /** As the kernel's out-of-memory killer would, without a graceful shutdown. */
  kill(): void {
    this.child?.kill("SIGKILL");
  }

  /** Asks it to end, as an operator does; resolves with its exit code, null when it had to be killed. */
  async retire(): Promise<number | null> {
    this.wanted = false;
    const { child } = this;
    if (!child) return null;
    return new Promise((resolve) => {
      child.once("exit", resolve);
      child.kill("SIGTERM");
    });
  }

  async stop(): Promise<void> {
    this.wanted = false;
    const { child } = this;
    if (!child || !this.isRunning) return;
    await new Promise((resolve) => {
      child.once("exit", resolve);
      child.kill("SIGKILL");
    });
  }
}

/** All processes whose parent is `pid`. */
function childrenOf(pid: number): number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((candidate) => {
      try {
        const stat = readFileSync(`/proc/${String(candidate)}/stat`, "utf8");
        return Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1]) === pid;
      } catch {
        return false;
      }
    });
}

/** What the provider received: the message's attempt, by its callback address. */
export interface Received {
  notificationId: string;
  attempt: number;
}

export type Arena = Awaited<ReturnType<typeof openArena>>;

/**
 * The whole service on this machine, in processes that can be killed: a durable Postgres of its own, the API, workers,
 * and a provider that remembers every message it was given and reports its delivery.
 */
export async function openArena(options: { workers?: number; providerLatencyMs?: number } = {}) {
  const folder = mkdtempSync(path.join(tmpdir(), "tidings-survive-"));
  chmodSync(folder, 0o711);
  const cluster: Cluster = {
    folder: path.join(folder, "data"),
    port: await choosePort(),
    password: randomBytes(12).toString("hex"),
    logFile: path.join(folder, "postgres.log"),
    durable: true,
  };
  initialiseCluster(cluster);
  let postgres = await startPostgres(cluster);
  await ensureDatabase(cluster, "tidings");
  const url = ownerUrl(cluster, "tidings");
  await migrate(url);
  const urls = await allowRoleLogins(url, { webPassword: "web", workerPassword: "worker" });
  const owner = new pg.Pool({ connectionString: url, max: 4, connectionTimeoutMillis: 5_000 });
  owner.on("error", () => undefined);
  const database = {
    ...urls,
    owner,
    web: openDb("web", urls.webUrl, { poolSize: 4 }),
    worker: openDb("worker", urls.workerUrl, { poolSize: 4 }),
  };

  const received: Received[] = [];
  const open = new Set<Promise<void>>();
  let closing = false;
  let hanging = false;
  const receipts = { flowing: Promise.resolve(undefined), release: (): void => undefined };
  /** Posts a message's receipts, each until it is accepted, as providers do. */
  async function report(message: FakeMessage): Promise<void> {
    await receipts.flowing;
    for (const status of ["sent", "delivered"]) {
      while (!closing) {
        const answer = await provider.postStatus(message, status).catch(() => 0);
        if (answer === 204) break;
        await pause(100);
      }
    }
  }
  const providerOptions: FakeTwilioOptions = {
    latencyMs: options.providerLatencyMs ?? 20,
    onMessage: (message) => {
      const query = new URL(message.statusCallback ?? "").searchParams;
      received.push({
        notificationId: query.get("notification") ?? "",
        attempt: Number(query.get("attempt")),
      });
      // A hanging provider sends no receipts either.
      if (hanging) return;
      const reporting = report(message).finally(() => open.delete(reporting));
      open.add(reporting);
    },
  };
  const provider = await startFakeTwilio(providerOptions);

  const world = await makeSendingWorld(database);
  const connection = await world.addTwilio(provider.baseUrl, { name: "Provider", maxConcurrency: 200 });
  await world.addRule("production", [[connection.id]]);
  const { key } = await world.tenant.makeKey("production", { rateLimitPerMinute: 1_000_000 });

  const wire = await startCuttingProxy(cluster.port);
  const webUrl = new URL(urls.webUrl);
  webUrl.port = String(wire.port);
  const port = await choosePort();
  const publicUrl = `http://127.0.0.1:${String(port)}`;
  const shared = {
    TIDINGS_SECRET_KEY: process.env.TIDINGS_SECRET_KEY ?? "",
    PUBLIC_URL: publicUrl,
    OUTBOUND_ALLOW: "127.0.0.0/8",
  };
  const web = new Part("server/testing/survive/web-process.ts", {
    ...shared,
    PORT: String(port),
    WEB_DATABASE_URL: webUrl.href,
  });
  const startWorker = () => new Part("worker/main.ts", { ...shared, WORKER_DATABASE_URL: urls.workerUrl });
  const workers = Array.from({ length: options.workers ?? 2 }, startWorker);

  return {
    world,
    key,
    owner,
    provider,
    received,
    wire,
    web,
    workers,
    setProvider: (mode: FakeMode) => {
      hanging = mode.kind === "hang";
      provider.setMode(mode);
    },
    /** From now on the provider holds its receipts back, until they are released. */
    holdReceipts: () => {
      const { promise, resolve } = Promise.withResolvers<undefined>();
      receipts.flowing = promise;
      receipts.release = () => resolve(undefined);
    },
    /** Releases held receipts; resolves when all of them have been accepted. */
    releaseReceipts: async (): Promise<void> => {
      receipts.release();
      while (open.size > 0) await Promise.all(open);
    },
    /** How long each answer of the provider takes from now on. */
    setLatency: (ms: number) => {
      providerOptions.latencyMs = ms;
    },
    /** Starts one more worker. */
    addWorker: () => workers.push(startWorker()),
    /** How many worker processes have registered. */
    liveWorkers: async (): Promise<number> => {
      const { rows } = await owner.query<{ n: number }>(
        `SELECT count(*)::int AS n FROM worker_processes p
         WHERE given_up_at IS NULL AND EXISTS (SELECT FROM pg_stat_activity a WHERE a.application_name = 'tidings worker ' || p.name)`,
      );
      return rows[0]?.n ?? 0;
    },
    /** Kills the server and all its processes at once, and restarts it from its disk. */
    crashPostgres: async (): Promise<void> => {
      const { pid } = postgres;
      if (pid === undefined) throw new Error("Postgres is not running");
      // Stopped before its processes are counted, so that it makes no new one meanwhile.
      process.kill(pid, "SIGSTOP");
      for (const victim of [...childrenOf(pid), pid]) {
        try {
          process.kill(victim, "SIGKILL");
        } catch {
          // It has just ended by itself.
        }
      }
      postgres = await startPostgres(cluster);
    },
    /**
     * Sends a request to the API until it is accepted, whatever happens meanwhile; the same body each time. Returns the
     * answer and the number of tries.
     */
    accept: async (
      body: Record<string, unknown>,
    ): Promise<{ ids: string[]; requestId: string; tries: number }> => {
      for (let tries = 1; ; tries++) {
        const answer = await post(publicUrl, key, body);
        if (answer.status === 202) {
          const accepted = JSON.parse(answer.text) as {
            requestId: string;
            notifications: { notificationId: string }[];
          };
          return {
            requestId: accepted.requestId,
            ids: accepted.notifications.map((one) => one.notificationId),
            tries,
          };
        }
        if (answer.status !== 0 && answer.status < 500 && answer.status !== 409) {
          throw new Error(`refused: ${String(answer.status)} ${answer.text}`);
        }
        await pause(50);
      }
    },
    /** Tries once; status 0: no answer. */
    ask: (body: Record<string, unknown>) => post(publicUrl, key, body),
    close: async (): Promise<void> => {
      closing = true;
      receipts.release();
      await Promise.all([web, ...workers].map((part) => part.stop()));
      await provider.close();
      await Promise.all(open);
      await wire.close();
      await Promise.all([owner.end(), database.web.close(), database.worker.close(), world.http.close()]);
      if (postgres.pid !== undefined) await stopPostgres(postgres.pid);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function post(
  baseUrl: string,
  key: string,
  body: Record<string, unknown>,
): Promise<{ status: number; text: string }> {
  try {
    const response = await fetch(`${baseUrl}/api/app/notifications/send`, {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(8_000),
    });
    return { status: response.status, text: await response.text() };
  } catch {
    return { status: 0, text: "" };
  }
}
