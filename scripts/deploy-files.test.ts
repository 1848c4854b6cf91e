import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, globSync, readFileSync, statSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { allLanes } from "../worker/lanes.ts";
import { ruleOf } from "../server/front-door/path-rules.ts";
import { documentedVariables, serviceVariables } from "./documentation/variables.ts";
import { root } from "./lib/paths.ts";

const read = (file: string) => readFileSync(path.join(root, "deploy", file), "utf8");
const { scripts } = JSON.parse(readFileSync(path.join(root, "package.json"), "utf8")) as {
  scripts: Record<string, string>;
};
interface Service {
  image?: string;
  command?: string[];
  environment?: Record<string, string>;
  depends_on?: Record<string, { condition: string }>;
  read_only?: boolean;
  volumes?: string[];
}
const compose = parse(read("compose.yaml"), { merge: true }) as { services: Record<string, Service> };
const values = parse(read("chart/values.yaml")) as { workers: Record<string, { lanes: string }> };

test("the image starts web and workers exactly as npm run web and npm run worker do", () => {
  const entrypoint = read("entrypoint.sh").replaceAll(/ \\\n\s*/g, " ");
  for (const part of ["web", "worker"])
    expect(entrypoint).toContain(`exec ${scripts[part] ?? "nothing"} "$@"`);
  const commands = /^ {2}(migrate \|[^)]*)\)/m.exec(entrypoint)?.[1]?.split(" | ") ?? [];
  expect(commands.length).toBeGreaterThan(8);
  for (const command of commands)
    expect(existsSync(path.join(root, `scripts/${command}.ts`)), command).toBe(true);
  for (const file of globSync("deploy/**/*.sh", { cwd: root }))
    expect(statSync(path.join(root, file)).mode & 0o111, file).not.toBe(0);
});

test("the workers of compose and chart carry every lane", () => {
  const inCompose = Object.values(compose.services).flatMap(({ command = [] }) =>
    command[0] === "worker" ? (command[2] ?? "").split(",") : [],
  );
  const inChart = Object.values(values.workers).flatMap(({ lanes }) => lanes.split(","));
  expect(inCompose.sort()).toEqual([...allLanes].sort());
  expect(inChart.sort()).toEqual([...allLanes].sort());
});

/** OpenTelemetry's own, which its exporter reads. */
const ofTracing = [
  ...readFileSync(path.join(root, "docs/operations/tracing.md"), "utf8").matchAll(/`(OTEL_[A-Z_]+)`/g),
].map(([, name = ""]) => name);

test("compose hands each part every variable that it may have, and none to a part that has no use for it", () => {
  // What the files and the image decide, and what is not for production.
  const decided = new Set([
    ...["NODE_ENV", "ALLOW_OWNER_LOGIN", "DATA_DIR", "MAILBOX_URL", "MALLOC_ARENA_MAX", "METRICS_HOST"],
    ...["HOST", "PORT", "WEB_METRICS_PORT", "WORKER_METRICS_PORT", "TRUSTED_PROXIES", "WEB_DRAIN_SECONDS"],
    ...["DATABASE_URL", "WEB_DATABASE_URL", "WORKER_DATABASE_URL", "WORKER_DIRECT_DATABASE_URL"],
    ...["TIDINGS_SECRET_KEY", "PUBLIC_URL", "AUDIT_CHECKPOINT_FILE"],
  ]);
  const partsOf = new Map(
    documentedVariables().flatMap(({ names, parts }) => names.map((name) => [name, parts])),
  );
  const optional = [...new Set([...serviceVariables, ...ofTracing])].filter((name) => !decided.has(name));
  expect(optional).toEqual(
    expect.arrayContaining(["AI_API_KEY", "OUTBOUND_ALLOW", "OTEL_EXPORTER_OTLP_HEADERS"]),
  );
  for (const name of optional) {
    const parts = partsOf.get(name) ?? "both";
    expect(["web", "worker", "both"], name).toContain(parts);
    for (const [service, part] of [
      ["web-1", "web"],
      ["web-2", "web"],
      ["worker-urgent", "worker"],
      ["worker-volume", "worker"],
      ["migrate", name === "CONSOLE_DATABASE_URL" ? "web" : "both"],
    ] as const) {
      const expected = parts === "both" || parts === part ? `\${${name}:-}` : undefined;
      expect(compose.services[service]?.environment?.[name], `${name} of ${service}`).toBe(expected);
    }
  }
});

test("the chart takes further variables from its values, and those that are secrets from the Secret", () => {
  const values = parse(read("chart/values.yaml")) as { secrets: Record<string, string> };
  const chart = (file: string) => read(`chart/templates/${file}.yaml`);
  expect(read("chart/templates/_helpers.tpl")).toContain("range $name, $value := .Values.env");
  for (const name of Object.keys(values.secrets)) {
    const used = ["web", "worker", "migrate"].filter((file) => chart(file).includes(`"${name}"`));
    expect(used, name).not.toEqual([]);
    expect(chart("secret"), name).toMatch(new RegExp(`"${name}"|^  ${name}:`, "m"));
  }
});

test("systemd's units read further variables from their files", () => {
  for (const part of ["migrate", "web@", "worker@"])
    expect(read(`systemd/tidings-${part}.service`)).toContain("EnvironmentFile=/etc/tidings/tidings.env");
});

test("each instance under systemd can have a port for metrics that Prometheus knows", () => {
  expect(read("systemd/tidings-web@.service")).toMatch(/^EnvironmentFile=-\/etc\/tidings\/web-%i\.env$/m);
  expect(read("systemd/tidings-worker@.service")).toMatch(
    /^EnvironmentFile=\/etc\/tidings\/worker-%i\.env$/m,
  );
});

test("what an operator's command writes under compose is not deleted with its container", () => {
  for (const name of ["migrate", "worker-urgent", "worker-volume"])
    expect(compose.services[name]?.volumes, name).toEqual(["data:/app/.data"]);
});

test("every variable that the files set is one that a part reads", () => {
  const ofOurs = Object.entries(compose.services).filter(([, { image }]) => image === "tidings");
  expect(ofOurs.map(([name]) => name).sort()).toEqual([
    "migrate",
    "web-1",
    "web-2",
    "worker-urgent",
    "worker-volume",
  ]);
  const inCompose = ofOurs.flatMap(([, { environment = {} }]) => Object.keys(environment));
  const chart = globSync("deploy/chart/templates/*.yaml", { cwd: root }).map((file) =>
    readFileSync(path.join(root, file), "utf8"),
  );
  const inChart = chart.flatMap((text) => [
    ...[...text.matchAll(/- name: ([A-Z_]+)$/gm)].map(([, name = ""]) => name),
    ...[...text.matchAll(/"([A-Z][A-Z_]+_[A-Z_]+)"/g)].map(([, name = ""]) => name),
  ]);
  const inUnits = globSync("deploy/systemd/*.service", { cwd: root }).flatMap((file) =>
    [...readFileSync(path.join(root, file), "utf8").matchAll(/^Environment=(.*)$/gm)].flatMap(
      ([, line = ""]) => line.split(" ").map((pair) => pair.split("=")[0] ?? ""),
    ),
  );
  const names = new Set([...inCompose, ...inChart, ...inUnits]);
  expect(names.size).toBeGreaterThan(8);
  // The memory allocator's own.
  names.delete("MALLOC_ARENA_MAX");
  const known = [...serviceVariables, ...ofTracing];
  for (const name of names) expect(known, name).toContain(name);
});

test("only the migrations get the owner's address", () => {
  for (const [name, { environment = {} }] of Object.entries(compose.services))
    expect("DATABASE_URL" in environment, name).toBe(name === "migrate");
  for (const file of ["web.yaml", "worker.yaml"])
    expect(read(`chart/templates/${file}`)).not.toContain('"key" "DATABASE_URL"');
  expect(read("systemd/tidings-web@.service") + read("systemd/tidings-worker@.service")).not.toContain(
    "owner.env",
  );
});

test("nginx takes no longer bodies than the longest that Tidings takes, and ends idle connections first", () => {
  const longest = Math.max(
    ...["v1", "api/callbacks", "api/trpc", "api/auth", "scim"].map(
      (where) => ruleOf(where.split("/")).maxBodyBytes,
    ),
  );
  const config = read("nginx/tidings.conf");
  expect(config).toContain(`client_max_body_size ${String(longest / 1_048_576)}m;`);
  expect(config).toContain("proxy_set_header X-Forwarded-For $remote_addr;");
  for (const file of ["upstream-compose.conf", "upstream-systemd.conf"])
    expect(read(`nginx/${file}`)).toContain("keepalive_timeout 3s;");
});

test("nginx logs paths alone, into the file that is rotated or led to the container's output", () => {
  const logs = [...read("nginx/tidings.conf").matchAll(/^ *(server \{|access_log .*)$/gm)].map(
    ([, text]) => text,
  );
  const own = "access_log /var/log/nginx/access.log tidings;";
  expect(logs).toEqual(["server {", own, "server {", own]);
  expect(read("nginx/tidings.conf")).not.toMatch(/\$(?:request|args|query_string|request_uri)\b[^;]*'/);
});

test("systemd starts a part again however often it ended", () => {
  for (const part of ["web", "worker"]) {
    const unit = read(`systemd/tidings-${part}@.service`);
    expect(unit).toMatch(/^\[Unit\][^[]*^StartLimitIntervalSec=0$/ms);
    expect(unit).toMatch(/^Restart=always$/m);
  }
});

test("a web container is healthy when the process answers that it is ready, not before it listens", async () => {
  let status = 503;
  const server = createServer((_request, response) => response.writeHead(status).end());
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const exitCode = async (more: Record<string, string>) => {
    const env = { ...process.env, PORT: String(port), WORKER_METRICS_PORT: "1", ...more };
    const child = spawn(process.execPath, [path.join(root, "deploy/healthy.mjs")], { env });
    return ((await once(child, "exit")) as [number])[0];
  };
  expect(await exitCode({})).toBe(1);
  status = 200;
  expect(await exitCode({})).toBe(0);
  expect(await exitCode({ PORT: "1" })).toBe(1);
  expect(await exitCode({ PORT: "1", WORKER_METRICS_PORT: String(port) })).toBe(0);
  server.close();
});

test("containers run read-only, without capabilities, and wait for the migrations", () => {
  for (const name of ["web-1", "web-2", "worker-urgent", "worker-volume"]) {
    const service = compose.services[name];
    expect(service, name).toMatchObject({
      read_only: true,
      cap_drop: ["ALL"],
      depends_on: { migrate: { condition: "service_completed_successfully" } },
    });
  }
  const image = read("Dockerfile");
  expect(image).toMatch(/^USER node$/m);
  expect(image).toMatch(/^HEALTHCHECK /m);
  // Whatever the build copies in is there.
  for (const [, from = ""] of image.matchAll(/--from=build ((?:\/app\/\S+ )+)/g))
    for (const file of from.trim().split(" ")) {
      const name = file.replace("/app/", "");
      if (!["node_modules", ".next"].includes(name))
        expect(existsSync(path.join(root, name)), name).toBe(true);
    }
});
