import { cpSync, existsSync, mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { Pool } from "undici";
import { migrate } from "../../scripts/lib/migrations.ts";
import { root } from "../../scripts/lib/paths.ts";
import { choosePort } from "../../scripts/lib/ports.ts";
import { newId } from "../../server/kernel/ids.ts";
import { waitFor } from "../lib/children.ts";
import type { Child } from "../lib/children.ts";
import { query } from "../lib/cluster.ts";
import type { BenchCluster } from "../lib/cluster.ts";
import { startEmulator } from "../lib/product.ts";
import { readReceived } from "../lib/received.ts";
import { application, createWorld, messageKind } from "../lib/world.ts";
import {
  describedLogins,
  startNginx,
  startPart,
  startPgbouncer,
  untilReady,
  webEnvironment,
  workerEnvironment,
} from "./stack.ts";

/** What the next release would bring, where no release before is given: a column of the busiest table, a table, another function. */
const nextMigration = `ALTER TABLE "notifications" ADD COLUMN "next_release" TEXT;
CREATE TABLE "next_release" ("tenant_id" UUID NOT NULL, "id" UUID NOT NULL, CONSTRAINT "next_release_pkey" PRIMARY KEY ("tenant_id", "id"));
CREATE INDEX "next_release_idx" ON "applications"("tenant_id", "title");
`;

const atOnce = 16;
const groups = {
  urgent: "otp,transactional",
  volume: "bulk,sandbox,webhook,maintenance",
} as const;

/**
 * Everything of deploy/ under load while the database is migrated and every process is replaced, one after the other: nginx with TLS,
 * two web processes, PgBouncer, two workers. No request may fail, and every accepted message reaches the provider once.
 *
 * @param options.before  the folder of a built checkout of the release before: its processes run first, on its own migrations;
 *   otherwise this release is replaced by itself, and the migration is one that only adds
 */
export async function rolling(
  cluster: BenchCluster,
  folder: string,
  options: { seconds: number; before: string | undefined },
): Promise<boolean> {
  const before = options.before === undefined ? undefined : path.resolve(options.before);
  if (before && !existsSync(path.join(before, ".next/BUILD_ID"))) throw new Error(`${before} is not built`);
  const owner = await cluster.createEmpty("tidings_rolling");
  await migrate(owner, path.join(before ?? root, "prisma"));
  const poolerPort = await choosePort();
  const { passwords, addresses } = await describedLogins(owner, poolerPort);
  const logFile = path.join(folder, "received.ndjson");
  writeFileSync(logFile, "");
  const emulator = await startEmulator(folder, { name: "provider", latencyMs: 50, logFile });
  const world = await createWorld(owner, { providerUrl: emulator.baseUrl });
  const bouncer = startPgbouncer(folder, { owner, port: poolerPort, passwords });
  await waitFor(bouncer, "pgbouncer answers", () =>
    query(addresses.web, "SELECT 1").then(
      () => true as const,
      () => undefined,
    ),
  );

  const ports: [number, number] = [await choosePort(), await choosePort()];
  // A release from before deploy/ is started by this one's entrypoint.
  const release = before;
  if (release && !existsSync(path.join(release, "deploy/entrypoint.sh"))) {
    mkdirSync(path.join(release, "deploy"), { recursive: true });
    cpSync(path.join(root, "deploy/entrypoint.sh"), path.join(release, "deploy/entrypoint.sh"));
  }
  const startWeb = async (index: 0 | 1, from?: string) => {
    const child = startPart(
      folder,
      `web-${String(index + 1)}`,
      ["web"],
      { ...webEnvironment(addresses, ports[index]), ...(from && { WEB_DATABASE_URL: addresses.webDirect }) },
      from,
    );
    await untilReady(child, ports[index]);
    return child;
  };
  // The release before may know no pooler: it gets Postgres itself.
  const startWorker = (name: keyof typeof groups, from?: string) =>
    startPart(
      folder,
      `worker-${name}`,
      ["worker", "--lanes", groups[name]],
      from ? { WORKER_DATABASE_URL: addresses.workerDirect } : workerEnvironment(addresses),
      from,
    );
  const webs: [Child, Child] = [await startWeb(0, release), await startWeb(1, release)];
  const workers = { urgent: startWorker("urgent", release), volume: startWorker("volume", release) };
  const { child: nginx, baseUrl } = await startNginx(folder, ports);
  const clients = new Pool(baseUrl, {
    connections: atOnce,
    allowH2: false,
    connect: { rejectUnauthorized: false },
  });
  await waitFor(nginx, "nginx answers", async () =>
    (await clients.request({ path: "/healthz", method: "GET" }).catch(() => undefined))?.statusCode === 200
      ? (true as const)
      : undefined,
  );

  let isOver = false;
  let accepted = 0;
  const counts = new Map<string, number>();
  const failures: string[] = [];
  const times: number[] = [];
  const authorization = `Bearer ${world.apiKey}`;
  const steps = ["GET", "POST", "page", "POST", "POST", "GET"] as const;
  async function client(number: number): Promise<void> {
    let last: string | undefined;
    for (let turn = number; !isOver; turn++) {
      const step = steps[turn % steps.length] ?? "POST";
      const id = newId();
      const started = performance.now();
      try {
        const { statusCode, body } = await clients.request(
          step === "POST"
            ? {
                path: "/api/app/notifications/send",
                method: "POST",
                headers: { authorization, "content-type": "application/json" },
                body: JSON.stringify({
                  transactionId: id,
                  application,
                  region: "DE",
                  language: "en",
                  ...messageKind(turn % 2 === 0 ? "order" : "otp"),
                  recipients: [{ channel: "sms", recipient: "+4915112345678" }],
                  templateVariables: [{ name: "Ada", order: id.slice(-8) }],
                }),
              }
            : step === "GET" && last !== undefined
              ? { path: `/v1/notifications/${last}`, method: "GET", headers: { authorization } }
              : { path: "/sign-in", method: "GET" },
        );
        const text = await body.text();
        times.push(performance.now() - started);
        const ok = statusCode === (step === "POST" ? 202 : 200);
        counts.set(`${step} ${String(statusCode)}`, (counts.get(`${step} ${String(statusCode)}`) ?? 0) + 1);
        if (!ok) failures.push(`${step} ${String(statusCode)} ${text.slice(0, 200)}`);
        else if (step === "POST") {
          accepted++;
          last = (JSON.parse(text) as { notifications: { notificationId: string }[] }).notifications[0]
            ?.notificationId;
        }
      } catch (error) {
        failures.push(
          `${step} ${error instanceof Error ? `${error.name}: ${error.message}` : String(error)}`,
        );
      }
      await pause(40);
    }
  }
  const began = Date.now();
  const told = (what: string) =>
    console.log(
      `    ${((Date.now() - began) / 1_000).toFixed(1)} s: ${what} (${String(failures.length)} failed so far)`,
    );
  const load = Promise.all(Array.from({ length: atOnce }, (_, number) => client(number)));
  await pause(5_000);

  if (before) {
    const { migrations, files } = await migrate(owner);
    told(
      `migrated, with the release before still running: ${String(migrations.length)} migrations, ${String(files.length)} files`,
    );
  } else {
    const next = path.join(folder, "next");
    cpSync(path.join(root, "prisma"), next, { recursive: true });
    mkdirSync(path.join(next, "migrations/29990101000000_next_release"));
    writeFileSync(path.join(next, "migrations/29990101000000_next_release/migration.sql"), nextMigration);
    const { migrations } = await migrate(owner, next);
    told(`migrated: ${migrations.join(", ")}`);
  }
  await pause(3_000);
  for (const index of [0, 1] as const) {
    await webs[index].stop();
    told(`web-${String(index + 1)} has ended`);
    webs[index] = await startWeb(index);
    told(`web-${String(index + 1)} is back`);
    await pause(3_000);
  }
  for (const name of ["urgent", "volume"] as const) {
    await workers[name].stop();
    workers[name] = startWorker(name);
    told(`worker-${name} was replaced`);
    await pause(3_000);
  }
  await pause(Math.max(0, options.seconds * 1_000 - (Date.now() - began)));
  isOver = true;
  await load;
  told("the load has ended");
  const open = "SELECT FROM notifications WHERE status IN ('queued', 'sending', 'scheduled')";
  await waitFor(
    workers.urgent,
    "all messages are sent",
    async () => ((await query(owner, open)).length === 0 ? (true as const) : undefined),
    120,
    500,
  );
  await clients.close();
  for (const child of [nginx, ...webs, workers.urgent, workers.volume, bouncer, emulator.child])
    await child.stop();

  const received = await readReceived(logFile);
  times.sort((a, b) => a - b);
  const total = [...counts.values()].reduce((sum, one) => sum + one, 0);
  console.log(
    `    ${String(total)} requests, ${String(failures.length)} failed; p50 ${(times[times.length >> 1] ?? 0).toFixed(0)} ms, p99 ${(times[Math.floor(times.length * 0.99)] ?? 0).toFixed(0)} ms, longest ${(times.at(-1) ?? 0).toFixed(0)} ms`,
  );
  console.log(`    ${[...counts].map(([what, count]) => `${what}: ${String(count)}`).join(", ")}`);
  console.log(
    `    ${String(accepted)} accepted, ${String(received.at.size)} reached the provider, ${String(received.repeated)} more than once`,
  );
  for (const line of failures.slice(0, 10)) console.log(`    FAILED ${line}`);
  return failures.length === 0 && received.at.size === accepted && received.repeated === 0 && accepted > 500;
}
