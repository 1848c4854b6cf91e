import { execFile, spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { createServer } from "node:http";
import type { IncomingHttpHeaders } from "node:http";
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { PassThrough, Readable } from "node:stream";
import { afterAll, describe, expect, it } from "vitest";
import { childEnvironment } from "../../../server/testing/api-server.ts";
import { ask } from "../src/cli/ask.ts";
import { commands } from "../src/cli/commands.ts";
import { completionFor } from "../src/cli/completion.ts";
import { carryMcp } from "../src/cli/mcp-stdio.ts";
import type { UsageError } from "../src/cli/usage-error.ts";
import { verifyWebhook } from "../src/index.ts";
import { listen, order } from "./losing-proxy.ts";
import { startWorld } from "./world.ts";

const world = await startWorld();
const folder = mkdtempSync(path.join(tmpdir(), "tidings-cli-"));
const running: ChildProcess[] = [];
afterAll(async () => {
  for (const child of running) child.kill("SIGKILL");
  await world.api.close();
  rmSync(folder, { recursive: true });
});

const main = path.resolve(import.meta.dirname, "../src/cli/main.ts");
const variables = [
  "customerName=Ada",
  "orderNumber=A-1",
  "status=shipped",
  "trackingUrl=https://shop.example/1",
];
const withVariables = variables.flatMap((pair) => ["--var", pair]);

const environment = (more: Record<string, string> = {}) =>
  childEnvironment({ HOME: folder, TIDINGS_CONFIG: path.join(folder, "config.json"), ...more });
const asSandbox = {
  TIDINGS_URL: world.api.url,
  TIDINGS_API_KEY: world.keys.sandbox,
  TIDINGS_TENANT_ID: world.tenantId,
};

interface Result {
  code: number;
  stdout: string;
  stderr: string;
}

/** Runs the real command in a folder of its own. */
function tidings(
  args: string[],
  { env = asSandbox, input }: { env?: Record<string, string>; input?: string } = {},
) {
  return new Promise<Result>((resolve) => {
    const child = execFile(
      process.execPath,
      [main, ...args],
      { cwd: folder, env: environment(env) },
      (error, stdout, stderr) =>
        resolve({
          code: error ? Number(error.code ?? -1) : 0,
          stdout,
          stderr: stderr.replace(/^\(node:.*\n.*\n/gm, ""),
        }),
    );
    child.stdin?.end(input ?? "");
  });
}
const lines = ({ stdout }: Result): Record<string, unknown>[] =>
  stdout
    .trim()
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Record<string, unknown>);
const errorIn = ({ stderr }: Result) => (JSON.parse(stderr) as { error: Record<string, unknown> }).error;

/** A command that does not end by itself, and what it has printed so far. */
function follow(args: string[], env: Record<string, string> = asSandbox) {
  const child = spawn(process.execPath, [main, ...args], { cwd: folder, env: environment(env) });
  running.push(child);
  let printed = "";
  child.stdout.on("data", (chunk: Buffer) => (printed += chunk.toString()));
  return {
    child,
    until: async (wanted: RegExp) => {
      for (const end = Date.now() + 20_000; Date.now() < end;) {
        if (wanted.test(printed)) return printed;
        await new Promise((resolve) => setTimeout(resolve, 30));
      }
      throw new Error(`It never printed ${String(wanted)}, only: ${printed}`);
    },
    ended: () => new Promise<number | null>((resolve) => child.once("exit", resolve)),
  };
}

describe("every command", () => {
  it("explains itself with --help, and is in the overview", async () => {
    const overview = await tidings(["--help"]);
    expect(overview.code).toBe(0);
    const names = Object.keys(commands);
    const helps = await Promise.all(names.map((name) => tidings([...name.split(" "), "--help"])));
    names.forEach((name, at) => {
      expect(overview.stdout).toContain(name);
      expect(helps[at]).toMatchObject({ code: 0, stderr: "" });
      expect(helps[at]!.stdout).toMatch(new RegExp(`^Usage:\n  tidings ${name}`));
      for (const option of Object.keys(commands[name]?.options ?? {}))
        expect(helps[at]!.stdout, `${name} --${option}`).toContain(`--${option}`);
    });
    const page = readFileSync(path.resolve(import.meta.dirname, "../../../docs/cli.md"), "utf8");
    for (const name of names) expect(page).toContain(`tidings ${name}`);
  }, 60_000);

  it("ends with 2 and what to change when it is not right", async () => {
    const wrong: [string[], RegExp][] = [
      [["fly"], /There is no command fly/],
      [["keys"], /tidings keys list, tidings keys create/],
      [["messages", "get"], /<id> is missing/],
      [["messages", "get", "a", "b"], /b is one word too many/],
      [["send", "--colour", "red"], /Unknown option '--colour'/],
      [["send", "--template", "x"], /--to ada@example.com/],
      [["send", "--template", "x", "--to", "a@b.example", "--var", "x"], /name=value/],
      [["webhooks", "listen"], /--forward http:\/\/localhost/],
      [["webhooks", "listen", "--forward", "localhost:4000/hooks"], /--forward http:\/\/localhost/],
      [["webhooks", "listen", "--forward", "http://localhost:4000", "--secret", "x"], /begins with whsec_/],
      [["messages", "get", ".."], /needs the id/],
      [["completion", "tcsh"], /There are bash, zsh and fish/],
    ];
    const results = await Promise.all(wrong.map(([args]) => tidings(args)));
    results.forEach((result, at) => {
      expect(result.code, wrong[at]![0].join(" ")).toBe(2);
      expect(result.stdout).toBe("");
      expect(String(errorIn(result).detail)).toMatch(wrong[at]![1]);
    });
    expect((await tidings([])).code).toBe(2);
    const nowhere = await tidings(["messages", "list"], { env: {} });
    expect(nowhere.code).toBe(2);
    expect(errorIn(nowhere).detail).toMatch(/tidings login/);
    const half = await tidings(["messages", "list"], { env: { TIDINGS_URL: world.api.url } });
    expect(errorIn(half).detail).toBe("Set TIDINGS_API_KEY as well.");
  }, 60_000);

  it("ends with 1 when the service refuses, and with 3 when it is not there", async () => {
    const refused = await tidings(["send", "--template", "none", "--to", "ada@example.com"]);
    expect(refused.code).toBe(1);
    expect(errorIn(refused)).toMatchObject({ status: 422, code: "unknown_template" });
    const wrongKey = { ...asSandbox, TIDINGS_API_KEY: "tdg_sbx_nonsense" };
    expect(errorIn(await tidings(["messages", "list"], { env: wrongKey }))).toMatchObject({ status: 401 });
    const gone = await tidings(["messages", "list"], {
      env: { ...asSandbox, TIDINGS_URL: "http://127.0.0.1:9" },
    });
    expect(gone.code).toBe(3);
    expect(errorIn(gone).code).toBe("connection_failed");
    // Half an answer is none.
    const half = createServer((_request, response) => {
      response.writeHead(200, { "content-type": "application/json" }).end('{"data":[');
    });
    const broken = await tidings(["messages", "list"], {
      env: { ...asSandbox, TIDINGS_URL: await listen(half) },
    });
    half.close();
    expect(broken.code).toBe(3);
  }, 60_000);
});

it("a key that is asked for is not shown, and Ctrl-C and Ctrl-D end the command", async () => {
  const answered = async (typed: string) => {
    const input = new PassThrough();
    let shown = "";
    const asked = ask("API key: ", { secret: true, input, show: (text) => (shown += text) });
    input.write(typed);
    const outcome = await asked.catch((error: unknown) => (error as UsageError).exitCode);
    expect(shown).toContain("API key: ");
    expect(shown).not.toContain("tdg");
    return outcome;
  };
  expect(await answered("tdg_sbx_1\r")).toBe("tdg_sbx_1");
  expect(await answered("tdg\u0003")).toBe(130);
  expect(await answered("\u0004")).toBe(130);
});

it("login keeps the key in a file that only its owner can read, and the other commands use it", async () => {
  const file = path.join(folder, "config.json");
  const refused = await tidings(["login", "--url", world.api.url], { env: {}, input: "tdg_sbx_nonsense\n" });
  expect(refused.code).toBe(1);
  const done = await tidings(["login", "--url", `${world.api.url}/`, "--tenant", world.tenantId], {
    env: {},
    input: `${world.keys.sandbox}\n`,
  });
  expect(done.code).toBe(0);
  expect(done.stdout + done.stderr).not.toContain(world.keys.sandbox);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect((await tidings(["messages", "list"], { env: {} })).code).toBe(0);
  chmodSync(file, 0o644);
  const open = await tidings(["messages", "list"], { env: {} });
  expect(open.code).toBe(2);
  expect(errorIn(open).detail).toContain(`chmod 600 ${file}`);
  expect((await tidings(["logout"], { env: {} })).code).toBe(0);
  expect((await tidings(["messages", "list"], { env: {} })).code).toBe(2);
});

it("the quickstart of a checkout is used when nothing else is configured", async () => {
  const data = path.join(folder, "data");
  mkdirSync(data);
  writeFileSync(
    path.join(data, "quickstart.json"),
    JSON.stringify({ baseUrl: world.api.url, tenantId: world.tenantId, keys: world.keys }),
  );
  const sent = await tidings(
    [
      "send",
      "--sandbox",
      "--template",
      "order-status",
      "--to",
      "ada@example.com",
      "--application",
      "webshop",
      ...withVariables,
    ],
    { env: { DATA_DIR: data } },
  );
  expect(sent.stderr).toBe("");
  expect(lines(sent)).toMatchObject([{ environment: "sandbox", status: "queued" }]);
});

it("send sends by template or a whole request, and messages get and list show it", async () => {
  const one = await tidings([
    "send",
    ...["--template", "order-status", "--to", "ada@example.com", "--to", "+4915112345678"],
    ...["--application", "webshop", "--region", "DE", "--language", "en", ...withVariables],
  ]);
  expect(one.stderr).toBe("");
  expect(lines(one)).toMatchObject([{ channel: "email" }, { channel: "sms" }]);
  const request = JSON.stringify({ ...order, transactionId: "cli-1" });
  const first = lines(await tidings(["send", "--file", "-"], { input: request }));
  writeFileSync(path.join(folder, "request.json"), request);
  expect(lines(await tidings(["send", "--file", "request.json"]))).toEqual(first);
  const id = String(first[0]!.notificationId);
  expect(lines(await tidings(["messages", "get", id]))).toMatchObject([{ notificationId: id }]);
  const listed = lines(await tidings(["messages", "list", "--limit", "2"]));
  expect(listed).toHaveLength(2);
  expect(listed[0]).toMatchObject({ notificationId: id });
  const tooLong = `${"a".repeat(400)}@example.com`;
  const several = await tidings([
    "send",
    ...["--template", "order-status", "--to", "ada@example.com", "--to", tooLong, "--to", "eve@example.com"],
    ...["--application", "webshop", "--region", "DE", "--language", "en", ...withVariables],
  ]);
  expect(several.code).toBe(1);
  expect(lines(several)).toMatchObject([
    { status: "queued" },
    { notificationId: null, to: tooLong, status: "rejected", reason: { code: "invalid_request" } },
    { status: "queued" },
  ]);
  const bad = await tidings(["send", "--file", "-"], { input: "{" });
  expect(errorIn(bad).detail).toBe("Standard input is not JSON.");
});

it("templates pull and push carry templates, and types writes what tsc needs", async () => {
  const live = { ...asSandbox, TIDINGS_API_KEY: world.keys.live };
  const [pulled] = lines(await tidings(["templates", "pull", "texts"], { env: live }));
  expect(pulled).toMatchObject({ application: "webshop", removed: 0 });
  const body = path.join(folder, "texts/webshop/order-status/sms.lang-en/body.txt");
  writeFileSync(body, `${readFileSync(body, "utf8").trimEnd()} Bye.\n`);
  const dry = await tidings(["templates", "push", "texts", "--dry-run"], { env: live });
  expect(lines(dry).at(-1)).toMatchObject({ create: 0, update: 1 });
  const written = await tidings(["types", "--output", "texts.d.ts"], { env: live });
  expect(lines(written)).toMatchObject([{ applications: ["webshop"] }]);
  expect(readFileSync(path.join(folder, "texts.d.ts"), "utf8")).toContain('"order_status"');
});

it("templates push says what to check when nobody works on its import, and ends after --wait with a code of its own", async () => {
  const live = { ...asSandbox, TIDINGS_API_KEY: world.keys.live };
  await tidings(["templates", "pull", "waiting"], { env: live });
  const body = path.join(folder, "waiting/webshop/order-status/sms.lang-en/body.txt");
  writeFileSync(body, `${readFileSync(body, "utf8").trimEnd()} Bye.\n`);
  const pushed = await tidings(["templates", "push", "waiting", "--wait", "1"], { env: live });
  expect([pushed.code, pushed.stderr]).toEqual([4, ""]);
  expect(lines(pushed).slice(-2)).toEqual([
    { application: "webshop", waiting: expect.stringContaining("lanesWithoutWorker") as string },
    { application: "webshop", saved: 0, failed: 0, state: "running" },
  ]);
  const wrong = await tidings(["templates", "push", "waiting", "--wait", "soon"], { env: live });
  expect([wrong.code, errorIn(wrong).detail]).toEqual([2, "--wait is a number of seconds."]);
}, 60_000);

it("messages tail follows what happens, until Ctrl-C", async () => {
  const tail = follow(["messages", "tail", "--since", new Date(Date.now() - 1_000).toISOString()]);
  const sent = await world.client().send(order);
  const id = sent.notifications[0]!.notificationId;
  const printed = await tail.until(new RegExp(id));
  const event = printed.split("\n").find((line) => line.includes(id));
  expect(JSON.parse(event!)).toMatchObject({ event: "notification.queued", data: { notificationId: id } });
  const ended = tail.ended();
  tail.child.kill("SIGINT");
  expect(await ended).toBe(130);
}, 60_000);

it("webhooks listen forwards events to a program here, signed, and again while it restarts", async () => {
  const got: { headers: IncomingHttpHeaders; body: string }[] = [];
  const receiver = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      got.push({ headers: request.headers, body: Buffer.concat(chunks).toString() });
      response.writeHead(got.length === 1 ? 503 : 204).end();
    });
  });
  const url = await listen(receiver);
  const listening = follow([
    "webhooks",
    "listen",
    "--forward",
    `${url}/hooks`,
    "--event",
    "notification.queued",
  ]);
  const { secret } = JSON.parse((await listening.until(/whsec_.*\n/)).split("\n")[0]!) as { secret: string };
  const sent = await world.client().send(order);
  await listening.until(/"status":204/);
  receiver.close();
  expect(got).toHaveLength(2);
  for (const { body, headers } of got) await verifyWebhook(body, headers as Record<string, string>, secret);
  expect(got[0]!.headers["webhook-id"]).toBe(got[1]!.headers["webhook-id"]);
  expect(JSON.parse(got[1]!.body)).toMatchObject({
    event: "notification.queued",
    data: { notificationId: sent.notifications[0]!.notificationId },
    signature: expect.stringMatching(/^sha256=[0-9a-f]{64}$/) as string,
  });
  const ended = listening.ended();
  listening.child.kill("SIGTERM");
  expect(await ended).toBe(130);

  // Ctrl-C also ends the wait before another attempt.
  const away = follow(
    [
      "webhooks",
      "listen",
      "--forward",
      `${url}/hooks`,
      "--since",
      new Date(Date.now() - 60_000).toISOString(),
    ],
    {
      ...asSandbox,
      TIDINGS_WEBHOOK_SECRET: secret,
    },
  );
  let complaint = "";
  away.child.stderr.on("data", (chunk: Buffer) => (complaint += chunk.toString()));
  expect(await away.until(/"forward".*\n/)).toContain('"secret":null');
  await new Promise((resolve) => setTimeout(resolve, 1_200));
  const interrupted = away.ended();
  away.child.kill("SIGINT");
  expect([await interrupted, complaint.replace(/^\(node:.*\n.*\n/gm, "")]).toEqual([130, ""]);
}, 60_000);

it("keys create, list and revoke work with a key that may manage keys, and give no more than it has", async () => {
  const env = { ...asSandbox, TIDINGS_API_KEY: world.keys.live };
  const [created] = lines(await tidings(["keys", "create", "Checkout", "--role", "sender"], { env }));
  expect(created).toMatchObject({ key: expect.stringMatching(/^tdg_live_/) as string });
  const listed = lines(await tidings(["keys", "list"], { env }));
  expect(listed.find(({ id }) => id === created!.id)).toMatchObject({
    name: "Checkout",
    environment: "production",
  });
  expect(JSON.stringify(listed)).not.toContain(String(created!.key));
  const use = { ...asSandbox, TIDINGS_API_KEY: String(created!.key) };
  expect((await tidings(["messages", "list"], { env: use })).code).toBe(0);
  expect(errorIn(await tidings(["keys", "list"], { env: use }))).toMatchObject({ code: "permission_denied" });
  expect(errorIn(await tidings(["keys", "create", "More", "--role", "owner"], { env }))).toMatchObject({
    code: "permission_denied",
  });
  expect(errorIn(await tidings(["keys", "create", "Else", "--environment", "sandbox"], { env })).code).toBe(
    "permission_denied",
  );
  expect((await tidings(["keys", "revoke", String(created!.id)], { env })).code).toBe(0);
  expect(lines(await tidings(["keys", "list"], { env })).some(({ id }) => id === created!.id)).toBe(false);
  expect(errorIn(await tidings(["messages", "list"], { env: use }))).toMatchObject({ status: 401 });
}, 60_000);

it("completion knows every command and option, in a script that the shell can read", async () => {
  const bash = await tidings(["completion", "bash"]);
  for (const name of Object.keys(commands)) expect(bash.stdout).toContain(name.split(" ").at(-1));
  const completed = await new Promise<string>((resolve, reject) => {
    execFile(
      "bash",
      [
        "-c",
        `${bash.stdout}\nfor line in "tidings mess" "tidings messages t" "tidings messages tail --si"; do
           COMP_WORDS=($line); COMP_CWORD=$((\${#COMP_WORDS[@]} - 1)); _tidings; echo "\${COMPREPLY[@]}"; done`,
      ],
      (error, stdout) => (error ? reject(new Error(stdout, { cause: error })) : resolve(stdout)),
    );
  });
  expect(completed).toBe("messages\ntail\n--since\n");
  expect((await tidings(["completion", "fish"])).stdout).toContain("complete -c tidings");
  const told = { run: () => Promise.resolve(undefined), summary: "What's kept in C:\\" };
  expect(completionFor("fish", { keep: told })).toContain("-d 'What\\'s kept in C:\\\\'\n");
  expect((await tidings(["completion", "zsh"])).stdout).toContain("bashcompinit");
});

it("mcp follows no redirect: what an agent writes and the key go to the configured address only", async () => {
  let elsewhere = 0;
  const other = createServer((_request, response) => {
    elsewhere++;
    response.writeHead(200, { "content-type": "application/json" }).end("{}");
  });
  const location = await listen(other);
  const moved = createServer((_request, response) => response.writeHead(307, { location }).end());
  const written: string[] = [];
  await carryMcp({
    baseUrl: await listen(moved),
    apiKey: "tdg_sbx_key",
    input: Readable.from(['{"jsonrpc":"2.0","id":1,"method":"ping"}\n']),
    write: (line) => written.push(line),
  });
  for (const server of [other, moved]) server.close();
  expect(elsewhere).toBe(0);
  expect(written.join("\n")).toContain("status 307");
});
