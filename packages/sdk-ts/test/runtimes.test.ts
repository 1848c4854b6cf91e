import { execFile, execFileSync } from "node:child_process";
import { createHmac } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { ServerResponse } from "node:http";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, expect, it } from "vitest";
import { childEnvironment } from "../../../server/testing/api-server.ts";
import { listen } from "./losing-proxy.ts";

/** Where the client promises to run and a test can start a program: Node, and Bun where this machine has it. */
const runtimes = [process.execPath, "bun"].filter((name) => {
  try {
    return execFileSync(name, ["--version"], { encoding: "utf8" }) !== "";
  } catch {
    return false;
  }
});
if (runtimes.length < 2) console.warn("SKIPPED: there is no Bun, so the client is not tried in it.");

const secret = `whsec_${Buffer.alloc(32, 1).toString("base64")}`;
const program = `
import { Tidings, TidingsError, unwrapWebhook } from ${JSON.stringify(path.resolve(import.meta.dirname, "../src/index.ts"))};
const tidings = new Tidings();
const outcomes = {};
const note = async (name, work) => {
  try {
    outcomes[name] = await work();
  } catch (error) {
    outcomes[name] = error instanceof TidingsError ? [error.name, error.status, error.code] : String(error);
  }
};
const mode = (name, more) => [{ recipients: [] }, { headers: { "x-mode": name }, ...more }];
for (const name of ["cut", "half", "busy"]) await note(name, async () => (await tidings.send(...mode(name))).attempts);
for (const name of ["moved", "page", "wrong"]) await note(name, () => tidings.send(...mode(name)));
await note("silent", () => tidings.send(...mode("silent", { timeout: 300, maxRetries: 0 })));
const signal = AbortSignal.abort(new Error("enough"));
await note("aborted", () => tidings.send(...mode("silent", { signal })));
await note("pages", async () => (await tidings.messages.list().toArray()).map(({ notificationId }) => notificationId));
await note("nothing", async () => (await tidings.webhooks.delete("1")) === undefined);
await note("text", () => tidings.exports.download("1"));
await note("nobody", () => new Tidings({ baseUrl: "http://127.0.0.1:1", maxRetries: 0 }).messages.list());
const { body, headers } = JSON.parse(process.env.HOOK);
await note("webhook", async () => (await unwrapWebhook(Buffer.from(body), new Headers(headers))).event);
await note("forged", () => unwrapWebhook(body + " ", headers));
console.log(JSON.stringify(outcomes));
`;

/** Attempts by Idempotency-Key: each first one of some is answered badly. */
const attempts = new Map<string, number>();
const json = (response: ServerResponse, status: number, body: object) =>
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
const server = createServer((request, response) => {
  request.resume().on("end", () => {
    const { pathname, searchParams } = new URL(request.url ?? "", "http://localhost");
    if (request.method === "DELETE") return response.writeHead(204).end();
    if (pathname.startsWith("/v1/exports"))
      return response.writeHead(200, { "content-type": "text/csv" }).end("a,ü\n");
    if (pathname === "/v1/notifications")
      return searchParams.has("cursor")
        ? json(response, 200, { data: [{ notificationId: "2" }], nextCursor: null })
        : json(response, 200, { data: [{ notificationId: "1" }], nextCursor: "after 1" });
    const key = String(request.headers["idempotency-key"]);
    attempts.set(key, (attempts.get(key) ?? 0) + 1);
    const first = attempts.get(key) === 1;
    switch (String(request.headers["x-mode"])) {
      case "cut":
        if (first) return response.destroy();
        break;
      case "half":
        if (!first) break;
        response.writeHead(200, { "content-type": "application/json", "content-length": "100" });
        return response.write('{"a":', () => response.destroy());
      case "busy":
        if (first) return json(response, 503, { code: "service_overloaded", detail: "Busy" });
        break;
      case "moved":
        return response.writeHead(301, { location: "https://elsewhere.example/" }).end();
      case "page":
        return response.writeHead(200, { "content-type": "text/html" }).end("<html>");
      case "wrong":
        return json(response, 422, { code: "invalid_request", detail: "Wrong" });
      case "silent":
        return undefined;
    }
    return json(response, 202, { attempts: attempts.get(key) });
  });
});
const baseUrl = await listen(server);
const folder = mkdtempSync(path.join(tmpdir(), "tidings-runtimes-"));
const file = path.join(folder, "program.mjs");
writeFileSync(file, program);
afterAll(() => {
  server.closeAllConnections();
  server.close();
  rmSync(folder, { recursive: true });
});

it.each(runtimes.map((name) => [path.basename(name), name]))(
  "the client sends, repeats what was lost, tells errors apart, and verifies webhooks in %s",
  async (_, runtime) => {
    const body = JSON.stringify({ event: "notification.sent", data: { to: "ü" } });
    const at = String(Math.floor(Date.now() / 1_000));
    const mac = createHmac("sha256", Buffer.alloc(32, 1)).update(`m1.${at}.${body}`).digest("base64");
    const headers = { "webhook-id": "m1", "webhook-timestamp": at, "webhook-signature": `v1,${mac}` };
    const printed = await new Promise<string>((resolve, reject) => {
      const env = childEnvironment({
        TIDINGS_URL: baseUrl,
        TIDINGS_API_KEY: "tdg_sbx_key",
        TIDINGS_TENANT_ID: "0197f4a0-5b7e-7c1a-9d3e-000000000001",
        TIDINGS_WEBHOOK_SECRET: secret,
        HOOK: JSON.stringify({ body, headers }),
      });
      execFile(runtime, [file], { env }, (error, stdout, stderr) =>
        error ? reject(new Error(stderr, { cause: error })) : resolve(stdout),
      );
    });
    expect(JSON.parse(printed)).toEqual({
      cut: 2,
      half: 2,
      busy: 2,
      moved: ["TidingsError", 301, "unexpected_answer"],
      page: ["TidingsError", 200, "unexpected_answer"],
      wrong: ["InvalidRequestError", 422, "invalid_request"],
      silent: ["TimeoutError", 0, "timeout"],
      aborted: "Error: enough",
      pages: ["1", "2"],
      nothing: true,
      text: "a,ü\n",
      nobody: ["ConnectionError", 0, "connection_failed"],
      webhook: "notification.sent",
      forged: ["WebhookVerificationError", 0, "invalid_webhook"],
    });
  },
  60_000,
);
