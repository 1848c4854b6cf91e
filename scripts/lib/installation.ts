import path from "node:path";
import { memoryEnvironment } from "./node-arguments.ts";
import { endGraceMs } from "../../server/kernel/lifecycle.ts";
import { metricsPorts } from "../../server/kernel/metrics-ports.ts";
import { choosePort, isPortFree, nextFreePort } from "./ports.ts";
import { mailboxUrl } from "./mailbox-address.ts";
import { saveSecrets, type Secrets } from "./secrets.ts";
import type { DatabaseUrls } from "./database.ts";

/** Where the portal listens. */
export type Address = { host: string; port: number; baseUrl: string };

/**
 * How long the web process may take to end, ms: it takes connections for WEB_DRAIN_SECONDS, and then finishes what is running.
 */
export function webEndGraceMs(drainSeconds: string | undefined): number {
  return Math.max(endGraceMs, (Number(drainSeconds) || 0) * 1_000 + 15_000);
}

/** Reads PORT, HOST and PUBLIC_URL. Throws when the port is not a number. */
export function wantedAddress(): Address {
  const port = Number(process.env.PORT || 3000);
  if (!Number.isInteger(port) || port < 1 || port > 65_535) {
    throw new Error(`PORT is "${process.env.PORT}", which is not a port number.`);
  }
  const host = process.env.HOST || "127.0.0.1";
  const baseUrl = (process.env.PUBLIC_URL || `http://localhost:${port}`).replace(/\/$/, "");
  return { host, port, baseUrl };
}

/** How this machine reaches what listens on a host, which may be every address of its own. */
export function reachableUrl(host: string, port: number): string {
  const name = host === "0.0.0.0" || host === "::" ? "127.0.0.1" : host;
  return `http://${name.includes(":") ? `[${name}]` : name}:${port}`;
}

/** Throws a readable error when another program listens on the portal's port. */
export async function refuseTakenPort({ host, port }: Address): Promise<void> {
  if (await isPortFree(port, host)) return;
  throw new Error(
    `Port ${port} is in use by another program. Choose another one: PORT=${port + 1} npm start`,
  );
}

/**
 * Gives every internal listener a port. The mailbox keeps its own, as long as it stays free from one start to the next. Metrics
 * are where WEB_METRICS_PORT and WORKER_METRICS_PORT say (the second worker one further), else on fixed ports; one that is taken is
 * replaced by the next free one, and `log` says so. 0 is any free port; "off" leaves it out.
 */
export async function assignPorts(
  dataDir: string,
  secrets: Secrets,
  log: (line: string) => void,
): Promise<MetricsPorts> {
  secrets.mailbox.smtpPort = await choosePort(secrets.mailbox.smtpPort);
  secrets.mailbox.httpPort = await choosePort(secrets.mailbox.httpPort);
  saveSecrets(dataDir, secrets);
  const taken = new Set<number>();
  const metricsPort = async (name: string, setting: string | undefined, otherwise: number) => {
    if (setting === "off") return undefined;
    const wanted = setting ? Number(setting) : otherwise;
    if (!Number.isInteger(wanted) || wanted < 0 || wanted > 65_535) {
      throw new Error(`${name} is "${setting}", which is neither a port number nor off.`);
    }
    const port = wanted === 0 ? await choosePort() : await nextFreePort(wanted, taken);
    if (wanted !== 0 && port !== wanted) {
      log(`Port ${wanted} for metrics is in use by another program; ${port} is used instead`);
    }
    taken.add(port);
    return port;
  };
  const [webSetting, workerSetting] = [process.env.WEB_METRICS_PORT, process.env.WORKER_METRICS_PORT];
  const after =
    (workerSetting && Number(workerSetting) > 0 ? Number(workerSetting) : metricsPorts.worker) + 1;
  return {
    web: await metricsPort("WEB_METRICS_PORT", webSetting, metricsPorts.web),
    "worker-urgent": await metricsPort("WORKER_METRICS_PORT", workerSetting, metricsPorts.worker),
    "worker-volume": await metricsPort(
      "WORKER_METRICS_PORT",
      workerSetting && Number(workerSetting) > 0 ? String(after) : workerSetting,
      after,
    ),
  };
}

/** Where each process serves metrics; undefined: nowhere. */
export type MetricsPorts = Record<"web" | "worker-urgent" | "worker-volume", number | undefined>;

/** The environment of each process: what it needs, with only the necessary secrets. */
export function partEnvironments(options: {
  dataDir: string;
  secrets: Secrets;
  metrics: MetricsPorts;
  address: Address;
  urls: Partial<DatabaseUrls> & { ownerUrl: string };
  /** The operator console's login, which only the web process gets. */
  consoleUrl: string | undefined;
  development: boolean;
}): {
  seed: NodeJS.ProcessEnv;
  web: NodeJS.ProcessEnv;
  "worker-urgent": NodeJS.ProcessEnv;
  "worker-volume": NodeJS.ProcessEnv;
  mailbox: NodeJS.ProcessEnv;
} {
  const { dataDir, secrets, metrics, address, urls } = options;
  // What the quickstart itself calls on this machine: its mail server, and its own callback routes.
  const ownListeners = [
    `127.0.0.1:${secrets.mailbox.smtpPort}`,
    `127.0.0.1:${address.port}`,
    `[::1]:${address.port}`,
  ];
  const {
    DATABASE_URL: _owner,
    WEB_DATABASE_URL: web,
    WORKER_DATABASE_URL: worker,
    CONSOLE_DATABASE_URL: _console,
    ...inherited
  } = process.env;
  const common: NodeJS.ProcessEnv = {
    ...memoryEnvironment,
    ...inherited,
    NODE_ENV: options.development ? "development" : "production",
    NEXT_TELEMETRY_DISABLED: "1",
    DATA_DIR: dataDir,
    PORT: String(address.port),
    PUBLIC_URL: address.baseUrl,
  };
  const service: NodeJS.ProcessEnv = {
    ...common,
    TIDINGS_SECRET_KEY: process.env.TIDINGS_SECRET_KEY || secrets.secretKey,
    OUTBOUND_ALLOW: [process.env.OUTBOUND_ALLOW, ...ownListeners].filter(Boolean).join(","),
    MAILBOX_URL: mailboxUrl(secrets.mailbox),
  };
  // Given logins take precedence over generated ones.
  const login = (
    own: string | undefined,
    given: string | undefined,
    name: string,
  ): Record<string, string | undefined> =>
    given || own ? { [name]: given || own } : { DATABASE_URL: urls.ownerUrl };
  const workerService = {
    ...service,
    ...login(urls.workerUrl, worker, "WORKER_DATABASE_URL"),
    AUDIT_CHECKPOINT_FILE: process.env.AUDIT_CHECKPOINT_FILE || path.join(dataDir, "audit-checkpoints.jsonl"),
  };
  return {
    seed: { ...service, DATABASE_URL: urls.ownerUrl },
    web: {
      ...service,
      ...login(urls.webUrl, web, "WEB_DATABASE_URL"),
      ...(options.consoleUrl ? { CONSOLE_DATABASE_URL: options.consoleUrl } : {}),
      WEB_METRICS_PORT: String(metrics.web ?? "off"),
    },
    "worker-urgent": { ...workerService, WORKER_METRICS_PORT: String(metrics["worker-urgent"] ?? "off") },
    "worker-volume": { ...workerService, WORKER_METRICS_PORT: String(metrics["worker-volume"] ?? "off") },
    mailbox: common,
  };
}
