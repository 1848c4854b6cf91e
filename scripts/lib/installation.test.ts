import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeEach, expect, test, vi } from "vitest";
import { endGraceMs } from "../../server/kernel/lifecycle.ts";
import { assignPorts, reachableUrl, webEndGraceMs } from "./installation.ts";
import { choosePort } from "./ports.ts";
import { loadSecrets } from "./secrets.ts";

const folder = mkdtempSync(path.join(tmpdir(), "tidings-ports-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const secrets = loadSecrets(folder);
const said: string[] = [];
const assign = () => assignPorts(folder, secrets, (line) => said.push(line));
const set = (web: string | undefined, worker: string | undefined) => {
  vi.stubEnv("WEB_METRICS_PORT", web);
  vi.stubEnv("WORKER_METRICS_PORT", worker);
};
beforeEach(() => said.splice(0));
afterAll(() => vi.unstubAllEnvs());

/** Something that listens on a port. */
async function occupy(port: number) {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  return { port: (server.address() as AddressInfo).port, free: () => server.close() };
}

test("metrics of npm start are on 9464 and the ports after it, each process on its own", async () => {
  set(undefined, undefined);
  const { web = 0, "worker-urgent": urgent = 0, "worker-volume": volume = 0 } = await assign();
  // Somebody else on this machine may have the first ones; then it is said.
  expect(new Set([web, urgent, volume]).size).toBe(3);
  for (const port of [web, urgent, volume]) expect(port).toBeGreaterThanOrEqual(9464);
  expect([web === 9464, urgent === 9465, volume === 9466].filter((is) => !is)).toHaveLength(said.length);
});

test("a port for metrics that is taken is replaced by the next free one, and npm start says so", async () => {
  const other = await occupy(0);
  set("off", String(other.port));
  const ports = await assign();
  expect(ports.web).toBeUndefined();
  expect(ports["worker-urgent"]).toBeGreaterThan(other.port);
  expect(ports["worker-volume"]).not.toBe(ports["worker-urgent"]);
  expect(said[0]).toBe(
    `Port ${other.port} for metrics is in use by another program; ${ports["worker-urgent"]} is used instead`,
  );
  other.free();
});

test("metrics of npm start are where the variables say, on any free port for 0, and nowhere for off", async () => {
  const free = await choosePort();
  set(String(free), "0");
  const any = await assign();
  expect(any.web).toBe(free);
  expect(any["worker-urgent"]).not.toBe(any["worker-volume"]);
  expect(any["worker-urgent"]).toBeGreaterThan(1_023);
  expect(said).toEqual([]);
  set("off", "off");
  expect(await assign()).toEqual({ web: undefined, "worker-urgent": undefined, "worker-volume": undefined });
  set("http", undefined);
  await expect(assign()).rejects.toThrow(
    'WEB_METRICS_PORT is "http", which is neither a port number nor off.',
  );
});

test("npm start asks its processes where they listen, whatever HOST and METRICS_HOST say", () => {
  expect(
    ["127.0.0.1", "0.0.0.0", "::", "192.0.2.7", "::1", "localhost"].map((host) => reachableUrl(host, 3000)),
  ).toEqual([
    "http://127.0.0.1:3000",
    "http://127.0.0.1:3000",
    "http://127.0.0.1:3000",
    "http://192.0.2.7:3000",
    "http://[::1]:3000",
    "http://localhost:3000",
  ]);
  const supervisor = readFileSync(path.join(import.meta.dirname, "../supervisor.ts"), "utf8");
  expect(supervisor).not.toContain("http://");
});

test("a web process that still takes connections for a while is not ended by force before it has answered them", () => {
  for (const usual of [undefined, "", "0", "5", "what"]) expect(webEndGraceMs(usual), usual).toBe(endGraceMs);
  // What docs/operations/upgrades.md asks of whatever ends processes.
  expect(webEndGraceMs("60")).toBe(75_000);
});
