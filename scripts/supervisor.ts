/**
 * Starts Tidings on one machine and keeps it running: Postgres (unless DATABASE_URL names another one), migrations,
 * build, demo tenant on the first start, mailbox, web and worker. Ends them in the opposite order. The processes log to
 * DATA_DIR/logs; this one only informs the user. With --dev the portal runs in Next's development mode and the worker
 * restarts when its sources change.
 */
import { mkdirSync } from "node:fs";
import path from "node:path";
import { endGraceMs } from "../server/kernel/lifecycle.ts";
import { build, isBuilt } from "./lib/build.ts";
import {
  allowRoleLogins,
  consoleLogin,
  ownLogins,
  DATABASE,
  startEmbedded,
  type DatabaseUrls,
} from "./lib/database.ts";
import { generateClient } from "./lib/generate.ts";
import {
  assignPorts,
  partEnvironments,
  reachableUrl,
  refuseTakenPort,
  wantedAddress,
  webEndGraceMs,
  type Address,
  type MetricsPorts,
} from "./lib/installation.ts";
import { LogFile } from "./lib/log-file.ts";
import { migrate } from "./lib/migrations.ts";
import { logFileOf, nodePart, Part } from "./lib/part.ts";
import { dataFolder } from "./lib/paths.ts";
import { ownerUrl, startPostgres, stopPostgres } from "./lib/postgres.ts";
import { curlOf, readQuickstart } from "./lib/quickstart.ts";
import { webArguments, workerArguments, workerGroups } from "./lib/node-arguments.ts";
import { answersOk, waitUntilOk } from "./lib/readiness.ts";
import { run } from "./lib/run.ts";
import { loadSecrets, type Secrets } from "./lib/secrets.ts";
import { becomeOnlySupervisor, recordEnd, recordParts } from "./lib/single-run.ts";

const READY_MS = 90_000;

const started = Date.now();
const seconds = () => `${((Date.now() - started) / 1000).toFixed(1)} s`;
const log = (line: string) => console.log(`${new Date().toISOString().slice(11, 19)}  ${line}`);

const development = process.argv.includes("--dev");
/** DEMO=off: no demo tenant; whoever opens the portal first sets up an organisation of their own. */
const withDemo = process.env.DEMO !== "off";
/** CONSOLE=on: the web process has the operator console, too, with a login of its own. */
const withConsole = process.env.CONSOLE === "on";
/** Where that is done; undefined once it was. */
let setUpAddress: string | undefined;
const dataDir = dataFolder();
const stopped = new AbortController();
const isStopping = () => stopped.signal.aborted;
/** Where the parts serve metrics. */
let metrics: MetricsPorts = { web: undefined, "worker-urgent": undefined, "worker-volume": undefined };
const metricsUrl = (port: number) => reachableUrl(process.env.METRICS_HOST || "127.0.0.1", port);
/** In the order of their start. */
const parts: Part[] = [];

/** Healthy while its event loop answers; ended when it has been silent for ten seconds. */
const livenessOf = (url: string) => ({
  check: (timeoutMs: number) => answersOk(url, timeoutMs),
  timeoutMs: 2_000,
  everyMs: 1_000,
  patienceMs: 10_000,
  startPatienceMs: READY_MS,
});

async function startPart(definition: ConstructorParameters<typeof Part>[0]): Promise<void> {
  const part = new Part(definition, log, () => {
    const pids = parts.flatMap((one) => (one.pid === undefined ? [] : [[one.name, one.pid] as const]));
    recordParts(dataDir, Object.fromEntries(pids));
  });
  parts.push(part);
  await part.run();
}

/** Opens the database and brings it up to date. */
async function openDatabase(): Promise<{
  urls: Partial<DatabaseUrls> & { ownerUrl: string };
  secrets: Secrets;
}> {
  const given = process.env.DATABASE_URL;
  if (given) {
    log("Database: the one named by DATABASE_URL");
    await migrate(given);
    const secrets = loadSecrets(dataDir);
    const both = process.env.WEB_DATABASE_URL && process.env.WORKER_DATABASE_URL;
    return { urls: both ? { ownerUrl: given } : await ownLogins(given, secrets.postgres), secrets };
  }
  const postgresLog = new LogFile(logFileOf(dataDir, "postgres"));
  const { cluster, secrets, server } = await startEmbedded(dataDir, postgresLog);
  let first: typeof server | undefined = server;
  await startPart({
    name: "postgres",
    start: async () => {
      const child = first ?? (await startPostgres(cluster, postgresLog));
      first = undefined;
      return child;
    },
    stop: async (pid) => {
      await stopPostgres(pid);
      await postgresLog.written();
    },
  });
  const { migrations } = await migrate(ownerUrl(cluster, DATABASE));
  log(
    `Database: embedded Postgres on port ${cluster.port}${migrations.length ? `, ${migrations.length} migrations` : ""}`,
  );
  return {
    urls: await allowRoleLogins(ownerUrl(cluster, DATABASE), {
      webPassword: secrets.postgres.webPassword,
      workerPassword: secrets.postgres.workerPassword,
    }),
    secrets,
  };
}

async function ensureBuilt(): Promise<void> {
  await generateClient();
  if (development || isBuilt()) return;
  log("Building the portal …");
  await build({ quiet: true, signal: stopped.signal });
  log(`Built (${seconds()})`);
}

async function startEverything(address: Address): Promise<void> {
  await becomeOnlySupervisor(dataDir);
  await refuseTakenPort(address);
  mkdirSync(path.join(dataDir, "logs"), { recursive: true });

  // Two cores: the build is the long part, the database comes up beside it.
  const [{ urls, secrets }] = await Promise.all([openDatabase(), ensureBuilt()]);
  if (isStopping()) return;
  metrics = await assignPorts(dataDir, secrets, log);
  const consoleUrl = withConsole ? await consoleLogin(urls.ownerUrl) : process.env.CONSOLE_DATABASE_URL;
  const environments = partEnvironments({
    dataDir,
    secrets,
    metrics,
    address,
    urls,
    consoleUrl,
    development,
  });

  const node = (
    name: keyof typeof environments,
    args: string[],
    patienceMs: number,
    health?: string,
    nice = 0,
  ) =>
    nodePart({
      name,
      args,
      env: environments[name],
      logFile: logFileOf(dataDir, name),
      patienceMs,
      nice,
      ...(health && !development ? { liveness: livenessOf(health) } : {}),
    });
  await startPart(node("mailbox", ["scripts/mailbox.ts"], 2_500));

  if (withDemo) {
    const seed = await run(process.execPath, ["scripts/seed.ts"], {
      quiet: true,
      env: environments.seed,
      signal: stopped.signal,
    });
    if (seed.code !== 0) throw new Error(`The demo tenant could not be set up.\n${seed.output}`);
  } else {
    const asked = { quiet: true, env: environments.seed, signal: stopped.signal };
    const address = await run(process.execPath, ["scripts/tenant.ts", "set-up"], asked);
    if (address.code === 0) setUpAddress = address.output.trim();
  }
  if (isStopping()) return;

  const listen = ["-H", address.host, "-p", String(address.port)];
  const mode = development ? "dev" : "start";
  // On a listener of its own, so that no flood of requests makes the process look dead.
  const healthOf = (name: keyof MetricsPorts) => {
    const port = metrics[name];
    return port === undefined ? undefined : `${metricsUrl(port)}/healthz`;
  };
  const webPatienceMs = webEndGraceMs(process.env.WEB_DRAIN_SECONDS);
  await startPart(node("web", webArguments(mode, listen), webPatienceMs, healthOf("web")));
  for (const group of workerGroups) {
    const args = workerArguments(mode, group);
    await startPart(node(group.name, args, endGraceMs, healthOf(group.name), group.nice));
  }

  if (!(await waitUntilOk(`${reachableUrl(address.host, address.port)}/readyz`, READY_MS, stopped.signal))) {
    if (isStopping()) return;
    throw new Error(`The portal does not become ready; see ${logFileOf(dataDir, "web")}.`);
  }
  for (const group of workerGroups) {
    const health = healthOf(group.name);
    if (health && !(await waitUntilOk(health, READY_MS, stopped.signal)) && !isStopping()) {
      throw new Error(`The worker does not become ready; see ${logFileOf(dataDir, group.name)}.`);
    }
  }
}

/** Where metrics are, in one line. */
function metricsLine(): string {
  const served = Object.entries(metrics).flatMap(([name, port]) =>
    port === undefined ? [] : [`${metricsUrl(port)}/metrics (${name})`],
  );
  return served.length === 0 ? "off" : served.join("  ");
}

function welcome(): void {
  if (isStopping()) return;
  if (setUpAddress !== undefined) {
    console.log(`
  Tidings is ready (${seconds()}). There is no organisation yet; set one up at

  ${setUpAddress}

  Metrics    ${metricsLine()}
`);
    return;
  }
  const quickstart = readQuickstart(dataDir);
  if (!quickstart) {
    log(
      `Ready (${seconds()}). The tenants in this database were made elsewhere; sign in with their credentials.`,
    );
    log(`Metrics: ${metricsLine()}`);
    return;
  }
  console.log(`
  Tidings is ready (${seconds()}).

  Portal     ${quickstart.baseUrl}
  Sign in    ${quickstart.email}   ${quickstart.password}
${quickstart.reviewer ? `  Reviewer   ${quickstart.reviewer.email}   ${quickstart.reviewer.password}\n` : ""}  API key    ${quickstart.keys.live}
  Sandbox    ${quickstart.keys.sandbox}
  Mailbox    ${quickstart.mailbox}
  Logs       ${path.join(dataDir, "logs")}
  Metrics    ${metricsLine()}

  Send a first message:

  ${curlOf(quickstart)}

  The same facts are in ${path.join(dataDir, "quickstart.json")}. Ctrl-C stops everything.
`);
}

/** Ends web and worker together, then the mailbox, then Postgres. */
async function stopEverything(): Promise<void> {
  const named = (name: string) => parts.filter((part) => part.name === name);
  const workers = workerGroups.flatMap(({ name }) => named(name));
  await Promise.all([...named("web"), ...workers].map((part) => part.stop()));
  for (const name of ["mailbox", "postgres"]) await Promise.all(named(name).map((part) => part.stop()));
  recordEnd(dataDir);
}

let firstSignal: number | undefined;
function onSignal(): void {
  if (firstSignal !== undefined) {
    // Ctrl-C arrives twice, from the terminal and from npm. A later one is a user who will not wait.
    if (Date.now() - firstSignal < 1_500) return;
    for (const part of parts) {
      if (part.pid !== undefined && part.name !== "postgres") process.kill(part.pid, "SIGKILL");
    }
    return;
  }
  firstSignal = Date.now();
  log("Stopping …");
  stopped.abort();
  stopEverything().then(
    () => {
      log("Stopped.");
      process.exit(0);
    },
    (error: unknown) => {
      console.error(error);
      process.exit(1);
    },
  );
}
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, onSignal);

try {
  await startEverything(wantedAddress());
  welcome();
} catch (error) {
  if (!isStopping()) {
    console.error(`\n${error instanceof Error ? error.message : String(error)}\n`);
    if (parts.length > 0) await stopEverything();
    process.exit(1);
  }
}
