import { createServer } from "node:http";
import type { IncomingHttpHeaders, ServerResponse } from "node:http";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import {
  ConnectionError,
  RateLimitError,
  ServerError,
  Tidings,
  TimeoutError,
  WaitTimeoutError,
} from "../src/index.ts";
import type { TidingsError } from "../src/index.ts";
import { backoff } from "../src/transport.ts";
import { listen, order } from "./losing-proxy.ts";

interface Seen {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
  at: number;
}
type Reply = (response: ServerResponse) => unknown;

const seen: Seen[] = [];
let replies: Reply[] = [];
let close: () => void;
let baseUrl = "";

beforeEach(async () => {
  seen.length = 0;
  replies = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const { method = "", url: path = "", headers } = request;
      seen.push({ method, path, headers, body: Buffer.concat(chunks).toString(), at: performance.now() });
      (replies.shift() ?? ok)(response);
    });
  });
  baseUrl = await listen(server);
  close = () => {
    server.closeAllConnections();
    server.close();
  };
});
afterEach(() => {
  close();
  vi.restoreAllMocks();
});

const json = (status: number, body: object, headers: Record<string, string> = {}): Reply => {
  const type = status < 400 ? "application/json" : "application/problem+json";
  return (response) =>
    response.writeHead(status, { "content-type": type, ...headers }).end(JSON.stringify(body));
};
const ok: Reply = json(200, { requestId: "r", transactionId: "t", notifications: [] });
const problem = (status: number, code: string, headers?: Record<string, string>): Reply =>
  json(status, { status, code, detail: `It is ${code}.`, errors: [], requestId: "req-1" }, headers);
const cut: Reply = (response) => response.destroy();
const half: Reply = (response) => {
  response.writeHead(200, { "content-type": "application/json", "content-length": "100" });
  response.write('{"a":', () => response.destroy());
};
const silent: Reply = () => undefined;

const client = (more: object = {}) =>
  new Tidings({ baseUrl, apiKey: "tdg_sbx_key", tenantId: "0197f4a0-5b7e-7c1a-9d3e-000000000001", ...more });
const failure = (work: PromiseLike<unknown>) =>
  work.then(
    () => undefined,
    (error: unknown) => error as TidingsError,
  );
/** The shortest waits there are. */
const hurried = () => vi.spyOn(Math, "random").mockReturnValue(-0.49);

describe("a request that failed", () => {
  it.each([
    ["a connection that breaks", cut],
    ["an answer that breaks off", half],
    ["408", problem(408, "timeout")],
    ["409 request_in_progress", problem(409, "request_in_progress")],
    ["429", problem(429, "rate_limited")],
    ["500", problem(500, "internal_error")],
    ["502 of a proxy", (response: ServerResponse) => response.writeHead(502).end("<html>")],
    ["503", problem(503, "service_overloaded")],
  ] as [string, Reply][])("is repeated after %s, with the same body and ids", async (_, reply) => {
    hurried();
    replies = [reply, reply];
    await client().send(order);
    expect(seen).toHaveLength(3);
    expect(new Set(seen.map(({ body }) => body)).size).toBe(1);
    expect((JSON.parse(seen[0]!.body) as { transactionId: string }).transactionId).toMatch(/^[0-9a-f-]{36}$/);
    expect(new Set(seen.map(({ headers }) => headers["idempotency-key"])).size).toBe(1);
    for (const { headers } of seen)
      expect(headers).toMatchObject({
        authorization: "Bearer tdg_sbx_key",
        "x-tenant-id": "0197f4a0-5b7e-7c1a-9d3e-000000000001",
      });
  });

  it("is given up after two retries, with the last error", async () => {
    hurried();
    replies = Array.from({ length: 5 }, () => problem(503, "service_overloaded"));
    const error = await failure(client().messages.list());
    expect(error).toBeInstanceOf(ServerError);
    expect(error).toMatchObject({ status: 503, code: "service_overloaded", requestId: "req-1" });
    expect(seen).toHaveLength(3);
  });

  it.each([
    [400, "invalid_json"],
    [401, "unauthenticated"],
    [403, "permission_denied"],
    [404, "not_found"],
    [409, "revision_conflict"],
    [422, "invalid_request"],
    [429, "ai_budget_exhausted"],
    [302, "moved"],
  ])("is not repeated after %i %s, which would be the same again", async (status, code) => {
    replies = [problem(status, code)];
    expect(await failure(client().send(order))).toMatchObject({ status, code });
    expect(seen).toHaveLength(1);
  });

  it("waits as long as Retry-After says, in seconds or as a date", async () => {
    hurried();
    replies = [problem(429, "rate_limited", { "retry-after": "1" })];
    await client().send(order);
    expect(seen[1]!.at - seen[0]!.at).toBeGreaterThan(990);
    seen.length = 0;
    replies = [
      problem(503, "service_overloaded", { "retry-after": new Date(Date.now() + 2_000).toUTCString() }),
    ];
    await client().send(order);
    expect(seen[1]!.at - seen[0]!.at).toBeGreaterThan(500);
    // By the clock of the service, which may be hours away from the one here.
    for (const hours of [-2, 2]) {
      seen.length = 0;
      const there = Date.now() + hours * 3_600_000;
      const date = (ms: number) => new Date(there + ms).toUTCString();
      replies = [problem(503, "service_overloaded", { date: date(0), "retry-after": date(1_000) })];
      await client().send(order);
      expect(seen[1]!.at - seen[0]!.at).toBeGreaterThan(990);
    }
  });

  it("does not wait longer than it was told to: a month's quota is an error at once", async () => {
    replies = [problem(429, "quota_exceeded", { "retry-after": "86400" })];
    const error = await failure(client().send(order));
    expect(error).toBeInstanceOf(RateLimitError);
    expect(error).toMatchObject({ code: "quota_exceeded", retryAfter: 86_400 });
    expect(seen).toHaveLength(1);
  });

  it("waits longer each time, and never the same", () => {
    const waits = Array.from({ length: 8 }, (_, attempt) => backoff(attempt));
    waits.forEach((wait, attempt) => {
      const middle = Math.min(500 * 2 ** attempt, 8_000);
      expect(wait).toBeGreaterThanOrEqual(middle * 0.5);
      expect(wait).toBeLessThan(middle * 1.5);
    });
    expect(new Set(waits).size).toBe(8);
  });

  it("ends after the time for each attempt, and says that it was late", async () => {
    hurried();
    replies = [silent, silent];
    await client({ timeout: 500 }).send(order);
    expect(seen).toHaveLength(3);
    replies = [silent];
    const error = await failure(client({ maxRetries: 0 }).send(order, { timeout: 500 }));
    expect(error).toBeInstanceOf(TimeoutError);
    expect(error).toBeInstanceOf(ConnectionError);
    expect(error).toMatchObject({ status: 0, code: "timeout" });
  });

  it("without a bound in time waits as long as it takes", async () => {
    const late: Reply = (response) => setTimeout(() => ok(response), 100);
    replies = [late];
    await client({ timeout: Number.POSITIVE_INFINITY }).send(order);
    replies = [(response) => setTimeout(() => json(200, { status: "sent", final: true })(response), 100)];
    const message = await client().messages.waitFor("m", { timeoutMs: Number.POSITIVE_INFINITY });
    expect(message.status).toBe("sent");
    expect(seen).toHaveLength(2);
  });

  it("ends when its signal says so, during an attempt and between two", async () => {
    const during = new AbortController();
    replies = [() => during.abort(new Error("enough"))];
    await expect(client().send(order, { signal: during.signal })).rejects.toThrow("enough");
    expect(seen).toHaveLength(1);
    const between = new AbortController();
    replies = [
      (response) => {
        problem(429, "rate_limited", { "retry-after": "30" })(response);
        setTimeout(() => between.abort(new Error("enough")), 200);
      },
    ];
    await expect(client().send(order, { signal: between.signal })).rejects.toThrow("enough");
    expect(seen).toHaveLength(2);
    const before = AbortSignal.abort(new Error("enough"));
    await expect(client().send(order, { signal: before })).rejects.toThrow("enough");
    expect(seen).toHaveLength(2);
  });

  it("because nothing listens says where", async () => {
    close();
    const error = await failure(client({ maxRetries: 0 }).send(order));
    expect(error).toBeInstanceOf(ConnectionError);
    expect(error?.message).toContain(baseUrl);
  });
});

describe("a wait for a message", () => {
  const message = (status: string, final = false): Reply =>
    json(200, { notificationId: "m", status, final, readAt: null });

  it("ends when the message is final, with pauses that grow", async () => {
    replies = [message("queued"), message("sending"), message("sent"), message("delivered", true)];
    expect(await client().messages.waitFor("m")).toMatchObject({ status: "delivered", final: true });
    expect(seen.map(({ method, path }) => `${method} ${path}`)).toEqual(
      Array.from({ length: 4 }, () => "GET /v1/notifications/m"),
    );
    const pauses = seen.slice(1).map(({ at }, index) => at - seen[index]!.at);
    expect(pauses[0]).toBeGreaterThan(180);
    expect(pauses[2]).toBeGreaterThan(400);
  });

  it("ends at a status that was named, or when none of them can come any more", async () => {
    replies = [message("queued"), message("sent")];
    expect(await client().messages.waitFor("m", { until: "sent" })).toMatchObject({ status: "sent" });
    replies = [message("failed", true)];
    const failed = await client().messages.waitFor("m", { until: ["sent", "delivered"] });
    expect(failed.status).toBe("failed");
    replies = [message("delivered", true), json(200, { status: "delivered", final: true, readAt: "2027" })];
    const read = await client().messages.waitFor("m", { until: ({ readAt }) => readAt !== null });
    expect(read.readAt).toBe("2027");
    expect(seen).toHaveLength(5);
  });

  it("that takes too long is an error with the last state, and bounded in time whatever the service does", async () => {
    const waited = async (timeoutMs: number) => {
      const begun = performance.now();
      const error = await failure(client().messages.waitFor("m", { timeoutMs }));
      expect(performance.now() - begun).toBeLessThan(timeoutMs + 400);
      expect(error).toBeInstanceOf(WaitTimeoutError);
      expect(error).toMatchObject({ status: 0, code: "wait_timeout" });
      return error as WaitTimeoutError;
    };
    replies = Array.from({ length: 50 }, () => message("sending"));
    const late = await waited(600);
    expect(late.lastMessage).toMatchObject({ status: "sending" });
    expect(late.message).toBe("Message m is still sending after 600 ms (wait_timeout)");
    expect(seen.length).toBeLessThan(5);
    // More than one: a request that the wait before gave up may arrive only now.
    replies = Array.from({ length: 50 }, () => silent);
    expect((await waited(300)).lastMessage).toBeUndefined();
    replies = [message("queued"), problem(429, "rate_limited", { "retry-after": "30" })];
    expect((await waited(900)).lastMessage).toMatchObject({ status: "queued" });
  });

  it("waits as long as Retry-After says, and throws what no further request would change", async () => {
    replies = [problem(429, "rate_limited", { "retry-after": "1" }), message("delivered", true)];
    await client().messages.waitFor("m");
    expect(seen[1]!.at - seen[0]!.at).toBeGreaterThan(990);
    replies = [problem(404, "not_found")];
    expect(await failure(client().messages.waitFor("m"))).toMatchObject({ status: 404, code: "not_found" });
  });

  it("ends when its signal says so", async () => {
    const controller = new AbortController();
    replies = [message("queued"), () => controller.abort(new Error("enough"))];
    await expect(client().messages.waitFor("m", { signal: controller.signal })).rejects.toThrow("enough");
    const before = AbortSignal.abort(new Error("enough"));
    await expect(client().messages.waitFor("m", { signal: before })).rejects.toThrow("enough");
    expect(seen).toHaveLength(2);
  });
});

describe("following events", () => {
  const page = (id: string) => json(200, { data: [{ id }], nextCursor: `after ${id}`, hasMore: true });
  const take = async (count: number, events: AsyncIterable<{ id: string }>) => {
    const ids: string[] = [];
    for await (const { id } of events) if (ids.push(id) === count) break;
    return ids;
  };

  it("goes on where it was after an outage of whatever length, and says that it tries again", async () => {
    hurried();
    replies = [page("1"), problem(503, "service_overloaded"), cut, problem(500, "internal_error"), page("2")];
    const told: string[] = [];
    const query = { onRetry: ({ code }: TidingsError) => told.push(code) };
    expect(await take(2, client({ maxRetries: 0 }).events.follow(query))).toEqual(["1", "2"]);
    expect(told).toEqual(["service_overloaded", "connection_failed", "internal_error"]);
    expect(seen.slice(1).map(({ path }) => path)).toEqual(Array(4).fill("/v1/events?cursor=after+1"));
  });

  it("ends with an error that does not pass, and with any before the first answer", async () => {
    hurried();
    replies = [page("1"), problem(401, "unauthenticated")];
    expect(await failure(take(2, client().events.follow()))).toMatchObject({ status: 401 });
    replies = [problem(503, "service_overloaded")];
    const first = client({ maxRetries: 0 }).events.follow();
    expect(await failure(take(1, first))).toMatchObject({ code: "service_overloaded" });
    replies = [page("1"), cut];
    const enough = new AbortController();
    const onRetry = () => enough.abort(new Error("enough"));
    const ended = client({ maxRetries: 0 }).events.follow({ onRetry }, { signal: enough.signal });
    await expect(take(2, ended)).rejects.toThrow("enough");
  });
});

describe("an answer of tomorrow", () => {
  it("with fields, values and codes that are new passes", async () => {
    replies = [
      json(200, { data: [{ notificationId: "1", status: "teleported", mood: "good" }], nextCursor: null }),
    ];
    const [message] = await client().messages.list().toArray();
    expect(message).toMatchObject({ status: "teleported", mood: "good" });
    // The type allows it as well.
    if (message!.status === "teleported") expect(message!.notificationId).toBe("1");
    replies = [problem(418, "short_and_stout")];
    expect(await failure(client().messages.list())).toMatchObject({ status: 418, code: "short_and_stout" });
  });

  it("that is no answer of Tidings says so, and a redirect says where to", async () => {
    replies = [(response) => response.writeHead(404, { "content-type": "text/html" }).end("<html>")];
    expect(await failure(client().messages.list())).toMatchObject({ status: 404, code: "unexpected_answer" });
    replies = [(response) => response.writeHead(301, { location: "https://tidings.example/" }).end()];
    const moved = await failure(client().send(order));
    expect(moved).toMatchObject({ status: 301, code: "unexpected_answer" });
    expect(moved?.detail).toContain("https://tidings.example/");
    expect(seen).toHaveLength(2);
    // Such as the page of a proxy, which sends it with any status.
    replies = [(response) => response.writeHead(200, { "content-type": "text/html" }).end("<html>")];
    expect(await failure(client().send(order))).toMatchObject({ status: 200, code: "unexpected_answer" });
    expect(seen).toHaveLength(3);
  });
});

it("an idempotency key of the caller is used, and every POST has one", async () => {
  await client().webhooks.test("id-1", { idempotencyKey: "mine" });
  await client().contacts.create({ externalId: "1" });
  await client().messages.list();
  // As curl sends it.
  await client().contacts.create({ externalId: "1" }, { headers: { "Idempotency-Key": "header" } });
  expect(seen.map(({ headers }) => headers["idempotency-key"])).toEqual([
    "mine",
    expect.stringMatching(/^[0-9a-f-]{36}$/) as string,
    undefined,
    "header",
  ]);
});

describe("what is not configured right", () => {
  it("is told when the client is made, without the key", async () => {
    for (const wrong of [
      { baseUrl: "tidings.example.com" },
      { baseUrl: "https://ada:tdg_live_secret@tidings.example.com" },
      { apiKey: "tdg_live_secret\ntdg_live_other" },
      { apiKey: "tdg_live_secret…" },
    ]) {
      const error = await failure(Promise.resolve().then(() => client(wrong)));
      expect(error).toMatchObject({ status: 0, code: "invalid_configuration" });
      expect(String(error)).not.toContain("secret");
    }
    // As a file with a key ends.
    await client({ apiKey: "tdg_sbx_key\n" }).messages.list();
    expect(seen[0]!.headers.authorization).toBe("Bearer tdg_sbx_key");
  });
});
