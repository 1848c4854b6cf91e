import {
  memoryEnvironment,
  webArguments,
  workerArguments,
  workerGroups,
} from "../../scripts/lib/node-arguments.ts";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { createInterface } from "node:readline";
import path from "node:path";
import { lowerPriority } from "../../scripts/lib/part.ts";
import { root } from "../../scripts/lib/paths.ts";
import { choosePort } from "../../scripts/lib/ports.ts";
import { startChild, waitFor } from "./children.ts";
import type { Child } from "./children.ts";

/** The one key of the run: bench and product must open the same sealed credentials. */
export const secretKey = randomBytes(32).toString("base64");

export interface Web {
  child: Child;
  baseUrl: string;
}

const node = process.execPath;
const profiling = (name: string, folder: string) =>
  process.env.BENCH_PROFILE?.split(",").includes(name)
    ? ["--cpu-prof", `--cpu-prof-dir=${path.join(folder, "profiles")}`, `--cpu-prof-name=${name}.cpuprofile`]
    : [];

/** The real web process, started as `npm run web` does, with the build in place. */
export async function startWeb(databaseUrl: string, folder: string): Promise<Web> {
  const port = await choosePort();
  const baseUrl = `http://127.0.0.1:${port}`;
  const child = startChild(
    "web",
    node,
    [...profiling("web", folder), ...webArguments("start", ["-H", "127.0.0.1", "-p", String(port)])],
    {
      folder,
      env: {
        ...productEnvironment(databaseUrl),
        PORT: String(port),
        PUBLIC_URL: baseUrl,
      },
    },
  );
  await waitUntilServing(child, `${baseUrl}/api/app/notifications/send`);
  return { child, baseUrl };
}

/** The product's worker processes, as one. */
export interface Workers extends Child {
  /** The process that carries what is urgent, and the one that carries the volume. */
  parts: Child[];
}

/** The real worker processes, as `npm start` runs them. `publicUrl` is where the provider posts its callbacks. */
export function startWorkers(
  databaseUrl: string,
  folder: string,
  options: { publicUrl?: string; bulk?: number } = {},
): Workers {
  const parts = workerGroups.map((group) => {
    const child = startChild(
      group.name,
      node,
      [...profiling(group.name, folder), ...workerArguments("start", group)],
      {
        folder,
        env: {
          ...productEnvironment(databaseUrl),
          PUBLIC_URL: options.publicUrl ?? "http://127.0.0.1:9",
          ...(options.bulk === undefined ? {} : { WORKER_CONCURRENCY_BULK: String(options.bulk) }),
        },
      },
    );
    if (group.nice > 0 && child.process.pid !== undefined) lowerPriority(child.process.pid, group.nice);
    return child;
  });
  const volume = parts.at(-1);
  if (!volume) throw new Error("there are no worker processes");
  const sum = (of: (part: Child) => number) => parts.reduce((total, part) => total + of(part), 0);
  return {
    parts,
    name: "workers",
    process: volume.process,
    logFile: volume.logFile,
    peakBytes: () => sum((part) => part.peakBytes()),
    cpuSeconds: () => sum((part) => part.cpuSeconds()),
    stop: async () => {
      await Promise.all(parts.map((part) => part.stop()));
    },
  };
}

/** Several worker processes that carry the same lanes, each with so many slots for volume. */
export function startSameWorkers(
  databaseUrl: string,
  folder: string,
  options: { count: number; lanes: string; slots: number },
): Child[] {
  return Array.from({ length: options.count }, (_, index) =>
    startChild(
      `worker-${String(index + 1)}`,
      node,
      workerArguments("start", { lanes: [options.lanes], semiSpace: 24 }),
      {
        folder,
        env: {
          ...productEnvironment(databaseUrl),
          PUBLIC_URL: "http://127.0.0.1:9",
          WORKER_CONCURRENCY_BULK: String(options.slots),
        },
      },
    ),
  );
}

/** A bare Next app with one route, built from bench/floor. */
export async function startFloorWeb(databaseUrl: string, folder: string): Promise<Web> {
  const port = await choosePort();
  const child = startChild(
    "floor-web",
    node,
    [
      ...profiling("floor-web", folder),
      nextCli(),
      "start",
      "bench/floor",
      "-H",
      "127.0.0.1",
      "-p",
      String(port),
    ],
    { folder, env: { NODE_ENV: "production", DATABASE_URL: databaseUrl, NEXT_TELEMETRY_DISABLED: "1" } },
  );
  const baseUrl = `http://127.0.0.1:${port}`;
  await waitUntilServing(child, `${baseUrl}/send`);
  return { child, baseUrl };
}

/** A provider: answers after `latencyMs`, posts these statuses afterwards, and writes what it received to `logFile`. */
export async function startEmulator(
  folder: string,
  options: { name: string; latencyMs: number; logFile: string; callbacks?: readonly string[] },
): Promise<{ child: Child; baseUrl: string }> {
  const child = startChild(
    options.name,
    node,
    [
      "bench/emulators/twilio.ts",
      "--log",
      options.logFile,
      "--latency",
      String(options.latencyMs),
      ...(options.callbacks ? ["--callbacks", options.callbacks.join(",")] : []),
    ],
    { folder, pipeOutput: true },
  );
  if (!child.process.stdout) throw new Error("the emulator has no output");
  const lines = createInterface({ input: child.process.stdout });
  const [line] = (await once(lines, "line", { signal: AbortSignal.timeout(20_000) })) as [string];
  return { child, baseUrl: (JSON.parse(line) as { baseUrl: string }).baseUrl };
}

export function nextCli(): string {
  return path.join(root, "node_modules/next/dist/bin/next");
}

function productEnvironment(databaseUrl: string): Record<string, string> {
  return {
    ...memoryEnvironment,
    NODE_ENV: "production",
    NEXT_TELEMETRY_DISABLED: "1",
    LOG_LEVEL: "warn",
    DATABASE_URL: databaseUrl,
    ALLOW_OWNER_LOGIN: "true",
    WEB_DATABASE_URL: "",
    WORKER_DATABASE_URL: "",
    TIDINGS_SECRET_KEY: secretKey,
    MESSAGES_PER_MINUTE: "100000000",
    OUTBOUND_ALLOW: "127.0.0.1/32",
    WEB_METRICS_PORT: "0",
    WORKER_METRICS_PORT: "0",
  };
}

async function waitUntilServing(child: Child, url: string): Promise<void> {
  await waitFor(child, `${child.name} answers`, async () => {
    try {
      const answer = await fetch(url, { method: "POST", body: "{}", signal: AbortSignal.timeout(5_000) });
      await answer.arrayBuffer();
      return answer.status;
    } catch {
      return undefined;
    }
  });
}
