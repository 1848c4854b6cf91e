/** What whoever runs the processes meets: addresses, and logs that machines read. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { networkInterfaces } from "node:os";
import path from "node:path";
import { expect, test } from "@playwright/test";
import { parseStrictJson } from "../server/testing/strict-json.ts";

const dataDir = process.env.E2E_DATA_DIR ?? ".data";

/** The environment of the web process that is under test, for another one beside it. */
function webEnvironment(): Record<string, string> {
  const { postgres, secretKey } = JSON.parse(readFileSync(path.join(dataDir, "secrets.json"), "utf8")) as {
    postgres: { port: number; webPassword: string };
    secretKey: string;
  };
  return {
    WEB_DATABASE_URL: `postgres://tidings_web:${postgres.webPassword}@127.0.0.1:${String(postgres.port)}/tidings`,
    TIDINGS_SECRET_KEY: secretKey,
  };
}

test("npm run web listens on all addresses without HOST, and says nothing but lines of JSON, each field once", async () => {
  test.setTimeout(180_000);
  const port = Number(new URL(process.env.E2E_BASE_URL ?? "http://localhost:3210").port) + 5;
  const { scripts } = JSON.parse(readFileSync("package.json", "utf8")) as { scripts: { web: string } };
  const { HOST: _host, WEB_METRICS_PORT: _metrics, NODE_ENV: _mode, ...inherited } = process.env;
  const web = spawn(process.execPath, scripts.web.split(" ").slice(1), {
    env: {
      ...inherited,
      NODE_ENV: "production",
      ...webEnvironment(),
      PORT: String(port),
      LOG_LEVEL: "debug",
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  for (const stream of [web.stdout, web.stderr])
    stream.on("data", (text: Buffer) => (output += text.toString()));
  const ended = once(web, "exit");
  try {
    await expect.poll(() => output, { timeout: 120_000 }).toContain('"msg":"web ready"');
    const base = `http://127.0.0.1:${String(port)}`;
    expect((await fetch(`${base}/healthz`)).status).toBe(200);
    const own = Object.values(networkInterfaces())
      .flat()
      .find((one) => one?.family === "IPv4" && !one.internal)?.address;
    if (own) expect((await fetch(`http://${own}:${String(port)}/healthz`)).status).toBe(200);
    // What makes Next speak: pages, a page that is not there, an action and a body that it cannot read.
    for (const page of ["/", "/sign-in", "/no-such-page", "/acme/overview", "/_next/static/none.js"])
      await (await fetch(`${base}${page}`, { redirect: "manual" })).text();
    for (const headers of [{ "next-action": "0".repeat(42) }, { "next-router-state-tree": "{" }] as Record<
      string,
      string
    >[])
      await (await fetch(`${base}/sign-in`, { method: "POST", headers, body: "[" })).text();
  } finally {
    web.kill("SIGTERM");
    await ended;
  }
  const lines = output
    .trimEnd()
    .split("\n")
    .map((line) => parseStrictJson(line) as Record<string, unknown>);
  for (const line of lines)
    expect(line).toMatchObject({
      level: expect.any(String),
      time: expect.any(String),
      msg: expect.any(String),
    });
  // Next has spoken, so that there was something to catch.
  expect(lines.filter(({ from }) => from === "console")).not.toEqual([]);
  const address = lines.find(({ msg }) => msg === "web ready")?.address as { address: string; port: number };
  expect(["::", "0.0.0.0"]).toContain(address.address);
  expect(address.port).toBe(port);
  // Its default port for metrics is taken by the installation under test, or free: it serves them, and says where.
  const metrics = lines.find(({ msg }) => msg === "metrics are served")?.address;
  expect(metrics).toMatch(/^http:\/\/127\.0\.0\.1:94\d\d\/metrics$/);
  expect(lines.at(-1)).toMatchObject({ msg: "stopped" });
});

test("the logs of all processes under npm start are lines of JSON, each field once", () => {
  for (const name of ["web", "worker-urgent", "worker-volume"]) {
    const lines = readFileSync(path.join(dataDir, "logs", `${name}.log`), "utf8")
      .trimEnd()
      .split("\n");
    expect(lines.length, name).toBeGreaterThan(0);
    for (const line of lines) expect(() => parseStrictJson(line), `${name}: ${line}`).not.toThrow();
  }
});

test("each process under npm start serves metrics on a port of its own, which its log names", async () => {
  const seen = new Set<string>();
  for (const name of ["web", "worker-urgent", "worker-volume"]) {
    const lines = readFileSync(path.join(dataDir, "logs", `${name}.log`), "utf8")
      .trimEnd()
      .split("\n");
    const facts = lines.map((line) => JSON.parse(line) as { msg: string; address?: string });
    const address = facts.findLast(({ msg }) => msg === "metrics are served")?.address ?? "";
    seen.add(address);
    const text = await (await fetch(address)).text();
    expect(text, name).toContain("nodejs_eventloop_lag_p99_seconds ");
    expect(text, name).toContain('tidings_db_pool_connections{pool="');
    // Those of the installation are one process's.
    expect(text.includes("tidings_queue_messages{"), name).toBe(name === "worker-volume");
    const table = readFileSync("docs/metrics.md", "utf8");
    for (const [, metric = ""] of text.matchAll(/^# TYPE (tidings_\w+)/gm))
      expect(table).toContain(`| \`${metric}\` |`);
  }
  expect(seen.size).toBe(3);
});
