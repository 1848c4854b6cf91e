import { spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { chmodSync, chownSync, copyFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { userInfo } from "node:os";
import path from "node:path";
import { givenLogins } from "../../scripts/lib/database.ts";
import { root } from "../../scripts/lib/paths.ts";
import { choosePort } from "../../scripts/lib/ports.ts";
import { postgresUser } from "../../scripts/lib/postgres-user.ts";
import { startChild, waitFor } from "../lib/children.ts";
import type { Child } from "../lib/children.ts";
import { secretKey } from "../lib/product.ts";

/** The programs of the distribution that the files in deploy/ are for. */
const programs = { nginx: "/usr/sbin/nginx", pgbouncer: "/usr/sbin/pgbouncer", openssl: "/usr/bin/openssl" };

/** Those that are not here, by name; empty: all are. */
export function missingPrograms(): string[] {
  return Object.entries(programs).flatMap(([name, file]) =>
    spawnSync(file, ["version", "-v"], { stdio: "ignore" }).error ? [name] : [],
  );
}

const read = (file: string) => readFileSync(path.join(root, "deploy", file), "utf8");

/** Replaces each part of a file of deploy/ that is of its container; all of them must be there. */
function adapted(file: string, changes: readonly [string, string][]): string {
  let text = read(file);
  for (const [from, to] of changes) {
    if (!text.includes(from)) throw new Error(`deploy/${file} no longer has ${from}`);
    text = text.replaceAll(from, to);
  }
  return text;
}

/** What a part of compose.yaml has in its environment, with addresses of this machine. */
export interface Addresses {
  web: string;
  worker: string;
  workerDirect: string;
  /** For a release that knows no pooler. */
  webDirect: string;
}

/** The logins of deploy/compose.yaml, made as its migrate service makes them, at a pooler's port. */
export async function describedLogins(owner: string, poolerPort: number) {
  const passwords = { web: randomBytes(24).toString("hex"), worker: randomBytes(24).toString("hex") };
  const at = (part: "web" | "worker", port?: number) => {
    const url = new URL(owner);
    Object.assign(url, { username: `tidings_${part}`, password: passwords[part] });
    if (port !== undefined) {
      url.port = String(port);
      url.search = "pgbouncer=true";
    }
    return url.href;
  };
  process.env.WEB_DATABASE_URL = at("web");
  process.env.WORKER_DATABASE_URL = at("worker");
  await givenLogins(owner);
  delete process.env.WEB_DATABASE_URL;
  delete process.env.WORKER_DATABASE_URL;
  const addresses: Addresses = {
    web: at("web", poolerPort),
    worker: at("worker", poolerPort),
    workerDirect: at("worker"),
    webDirect: at("web"),
  };
  return { passwords, addresses };
}

/** deploy/pgbouncer with its own entrypoint and file, in front of a database on this machine. */
export function startPgbouncer(
  folder: string,
  options: {
    owner: string;
    port: number;
    passwords: { web: string; worker: string };
    /** Connections to Postgres for each login, instead of the file's. */
    poolSize?: number;
  },
): Child {
  const place = path.join(folder, "pgbouncer");
  mkdirSync(place, { recursive: true });
  const { hostname, port, pathname } = new URL(options.owner);
  const ini = path.join(place, "pgbouncer.ini");
  writeFileSync(
    ini,
    adapted("pgbouncer/pgbouncer.ini", [
      ["host=postgres port=5432 dbname=tidings", `host=${hostname} port=${port} dbname=${pathname.slice(1)}`],
      ["tidings = host", `${pathname.slice(1)} = host`],
      ["listen_addr = 0.0.0.0", "listen_addr = 127.0.0.1"],
      ["listen_port = 6432", `listen_port = ${String(options.port)}`],
      ["/run/tidings/", `${place}/`],
      ...(options.poolSize === undefined
        ? []
        : ([["default_pool_size = 10", `default_pool_size = ${String(options.poolSize)}`]] as [
            string,
            string,
          ][])),
    ]),
  );
  // It refuses to run as root.
  const user = postgresUser();
  if (user.uid !== undefined && user.gid !== undefined) chownSync(place, user.uid, user.gid);
  chmodSync(place, 0o755);
  chmodSync(ini, 0o644);
  const entrypoint = path.join(root, "deploy/pgbouncer/entrypoint.sh");
  const runnable = path.join(place, "entrypoint.sh");
  copyFileSync(entrypoint, runnable);
  chmodSync(runnable, 0o755);
  const as =
    user.uid === undefined
      ? { command: runnable, args: [] }
      : {
          command: "setpriv",
          args: [`--reuid=${String(user.uid)}`, `--regid=${String(user.gid)}`, "--clear-groups", runnable],
        };
  const child = startChild("pgbouncer", as.command, as.args, {
    folder,
    env: {
      WEB_PASSWORD: options.passwords.web,
      WORKER_PASSWORD: options.passwords.worker,
      PGBOUNCER_RUN: place,
      PGBOUNCER_INI: ini,
      PATH: `/usr/sbin:${process.env.PATH ?? ""}`,
    },
  });
  return child;
}

/** deploy/nginx in front of web processes on this machine, with TLS. */
export async function startNginx(
  folder: string,
  webPorts: readonly [number, number],
): Promise<{ child: Child; baseUrl: string }> {
  const place = path.join(folder, "nginx");
  mkdirSync(path.join(place, "deploy"), { recursive: true });
  // The certificate is that of deploy/make-env.sh.
  const script = path.join(place, "deploy/make-env.sh");
  copyFileSync(path.join(root, "deploy/make-env.sh"), script);
  const made = spawnSync(script, ["https://localhost"], { encoding: "utf8" });
  if (made.status !== 0) throw new Error(`deploy/make-env.sh: ${made.stderr}`);
  const upstream = path.join(place, "upstream.conf");
  writeFileSync(
    upstream,
    adapted("nginx/upstream-systemd.conf", [
      ["127.0.0.1:3001", `127.0.0.1:${String(webPorts[0])}`],
      ["127.0.0.1:3002", `127.0.0.1:${String(webPorts[1])}`],
    ]),
  );
  const [plain, tls] = [await choosePort(), await choosePort()];
  const server = path.join(place, "tidings.conf");
  writeFileSync(
    server,
    adapted("nginx/tidings.conf", [
      ["/etc/nginx/tidings-upstream.conf", upstream],
      ["/etc/nginx/tls/", `${place}/deploy/tls/`],
      ["/var/log/nginx/access.log", `${place}/access.log`],
      ["    listen [::]:80;\n", ""],
      ["    listen [::]:443 ssl http2;\n", ""],
      ["listen 80;", `listen 127.0.0.1:${String(plain)};`],
      ["listen 443 ssl", `listen 127.0.0.1:${String(tls)} ssl`],
    ]),
  );
  const main = path.join(place, "nginx.conf");
  writeFileSync(
    main,
    `${userInfo().uid === 0 ? "user root;\n" : ""}worker_processes 1;
daemon off;
pid ${place}/nginx.pid;
error_log ${place}/error.log warn;
events { worker_connections 4096; }
http {
  client_body_temp_path ${place}/body; proxy_temp_path ${place}/proxy; fastcgi_temp_path ${place}/f; uwsgi_temp_path ${place}/u; scgi_temp_path ${place}/s;
  include ${server};
}
`,
  );
  const tested = spawnSync(programs.nginx, ["-t", "-c", main], { encoding: "utf8" });
  if (tested.status !== 0) throw new Error(`nginx -t: ${tested.stderr}`);
  const child = startChild("nginx", programs.nginx, ["-c", main], { folder });
  return { child, baseUrl: `https://localhost:${String(tls)}` };
}

/** A part of deploy/compose.yaml, by the image's entrypoint; `release` is the folder of another release. */
export function startPart(
  folder: string,
  name: string,
  args: readonly string[],
  env: Record<string, string>,
  release = root,
): Child {
  // The image's node is ours.
  const nodeFirst = `${path.dirname(process.execPath)}:${process.env.PATH ?? ""}`;
  const child = startChild(name, path.join(release, "deploy/entrypoint.sh"), args, {
    folder,
    env: {
      PATH: nodeFirst,
      NODE_ENV: "production",
      NEXT_TELEMETRY_DISABLED: "1",
      MALLOC_ARENA_MAX: "2",
      LOG_LEVEL: "warn",
      TIDINGS_SECRET_KEY: secretKey,
      PUBLIC_URL: "https://localhost",
      OUTBOUND_ALLOW: "127.0.0.1/32",
      TRUSTED_PROXIES: "127.0.0.1/32",
      WEB_METRICS_PORT: "0",
      WORKER_METRICS_PORT: "0",
      MESSAGES_PER_MINUTE: "100000000",
      DATABASE_URL: "",
      ...env,
    },
  });
  return child;
}

export const webEnvironment = (addresses: Addresses, port: number): Record<string, string> => ({
  WEB_DATABASE_URL: addresses.web,
  WEB_DRAIN_SECONDS: "5",
  HOST: "127.0.0.1",
  PORT: String(port),
});

export const workerEnvironment = (addresses: Addresses): Record<string, string> => ({
  WORKER_DATABASE_URL: addresses.worker,
  WORKER_DIRECT_DATABASE_URL: addresses.workerDirect,
});

/** Waits until a web process says that it can work. */
export function untilReady(child: Child, port: number): Promise<true> {
  return waitFor(child, `${child.name} is ready`, async () => {
    const answer = await fetch(`http://127.0.0.1:${String(port)}/readyz`).catch(() => undefined);
    return answer?.ok ? (true as const) : undefined;
  });
}
