import { describe, expect, it } from "vitest";
import { z } from "zod";
import { inTenant } from "../kernel/db.ts";
import { DomainError } from "../kernel/errors.ts";
import { newId } from "../kernel/ids.ts";
import { restOnly } from "../operations/operation.ts";
import { testDatabase } from "../testing/database.ts";
import { makeTenant } from "../testing/factories.ts";
import { restClient } from "../testing/rest-client.ts";
import type { Problem } from "../testing/rest-client.ts";
import { MAX_IN_FLIGHT_OF_ONE } from "./serve-route.ts";

const database = await testDatabase();
const tenant = await makeTenant(database);
const { key } = await tenant.makeKey("staging");
const rest = restClient(database.web);

const base = { tag: "Test", summary: "A test", permission: "notifications:send" as const };
const { rest: echo } = restOnly({
  ...base,
  method: "POST",
  path: "/v1/echo/{id}",
  operationId: "echo",
  params: z.object({ id: z.uuid() }),
  query: z.object({
    limit: z.coerce.number().int().min(1).max(200).default(50),
    tag: z.array(z.string()).optional(),
  }),
  requestHeaders: z.object({ "idempotency-key": z.string().max(10).optional() }),
  body: z.strictObject({ name: z.string().max(5), list: z.array(z.int()).default([]) }),
  answer: { status: 201, description: "Echo", schema: z.object({ seen: z.unknown() }) },
  run: async (_ctx, seen) => ({ seen }),
});
const failing = (error: unknown) =>
  restOnly({
    ...base,
    method: "GET",
    path: "/v1/failing",
    operationId: "failing",
    answer: { status: 204, description: "Nothing" },
    run: async () => {
      throw error as Error;
    },
  }).rest;
const { rest: optional } = restOnly({
  ...base,
  method: "POST",
  path: "/v1/optional",
  operationId: "optional",
  body: z.object({ a: z.string() }).optional(),
  answer: {
    status: 200,
    description: "It is done",
    schema: z.object({ a: z.string().nullable() }),
    alternative: { status: 202, description: "It will be done", when: ({ a }) => a === "later" },
  },
  run: async (_ctx, { body }) => ({ a: body?.a ?? null }),
});

const id = newId();
const post = (options: Parameters<typeof rest.callContract>[2], query = "") =>
  rest.callContract<Problem>(echo, `/v1/echo/${id}${query}`, { key, json: { name: "ada" }, ...options });

describe("a request that fits its contract", () => {
  it("reaches the handler parsed, and is answered with quota, request id and without caching", async () => {
    const answer = await rest.callContract(echo, `/v1/echo/${id}?limit=7&tag=a&tag=b`, {
      key,
      json: { name: "ada" },
      headers: { "idempotency-key": "k1", "x-request-id": "mine-1" },
    });
    expect(answer).toMatchObject({
      status: 201,
      body: {
        seen: {
          params: { id },
          query: { limit: 7, tag: ["a", "b"] },
          headers: { "idempotency-key": "k1" },
          body: { name: "ada", list: [] },
        },
      },
    });
    expect(answer.headers.get("x-request-id")).toBe("mine-1");
    expect(answer.headers.get("cache-control")).toBe("no-store");
    expect(answer.headers.get("ratelimit-policy")).toBe('"default";q=6000;w=60');
    expect(answer.headers.get("ratelimit")).toMatch(/^"default";r=\d+;t=\d+$/);
  });

  it("may leave out an optional body", async () => {
    const call = (options: object) => rest.callContract(optional, "/v1/optional", { key, ...options });
    expect(await call({})).toMatchObject({ status: 200, body: { a: null } });
    expect(await call({ raw: "" })).toMatchObject({ status: 200, body: { a: null } });
    expect(await call({ json: { a: "x" } })).toMatchObject({ status: 200, body: { a: "x" } });
    expect(await call({ json: { a: "later" } })).toMatchObject({ status: 202, body: { a: "later" } });
    expect(await call({ raw: "x", headers: { "content-type": "text/plain" } })).toMatchObject({
      status: 415,
    });
  });
});

describe("errors", () => {
  it("are problem documents with every member", async () => {
    const answer = await post({ json: { name: 3 } });
    expect(answer.headers.get("content-type")).toBe("application/problem+json");
    expect(Object.keys(answer.body)).toEqual([
      "type",
      "title",
      "status",
      "detail",
      "instance",
      "code",
      "requestId",
      "errors",
    ]);
    expect(answer.body.type).toMatch(/\/docs\/errors#invalid_request$/);
    expect(answer.headers.get("x-request-id")).toBe(answer.body.requestId);
  });

  it("replace a request id that is not a plain token", async () => {
    const answer = await post({ headers: { "x-request-id": 'a b"c' } });
    expect(answer.headers.get("x-request-id")).toMatch(/^[0-9a-f-]{36}$/);
  });

  it("403 for a key without the permission anywhere, before anything is read", async () => {
    const { key: of } = await tenant.makeKey("staging", { role: "finance" });
    const answer = await rest.callContract<Problem>(failing(new Error("read")), "/v1/failing", { key: of });
    expect(answer).toMatchObject({ status: 403, body: { code: "permission_denied" } });
    expect(answer.body.detail).toContain("notifications:send");
  });

  it("401 without a key or with a wrong one, saying how to authenticate", async () => {
    for (const headers of [
      {},
      { authorization: "Bearer nonsense" },
      { authorization: "Basic abc" },
    ] as Record<string, string>[]) {
      const answer = await rest.callContract<Problem>(echo, `/v1/echo/${id}`, { json: {}, headers });
      expect(answer).toMatchObject({ status: 401, body: { code: "unauthenticated" } });
      expect(answer.headers.get("www-authenticate")).toContain("Bearer");
    }
  });

  it("403 when X-Tenant-Id names another tenant, and none when it names the key's", async () => {
    expect(await post({ headers: { "x-tenant-id": newId() } })).toMatchObject({
      status: 403,
      body: { code: "tenant_mismatch" },
    });
    expect(await post({ headers: { "x-tenant-id": tenant.tenantId } })).toMatchObject({ status: 201 });
  });

  it("404 for invalid ids, the same as for unknown ones", async () => {
    for (const bad of ["1", "%00", "..%2f", encodeURIComponent(`${id}'`)]) {
      const answer = await rest.callContract<Problem>(echo, `/v1/echo/${bad}`, {
        key,
        json: { name: "ada" },
      });
      expect(answer).toMatchObject({ status: 404, body: { code: "not_found" } });
    }
  });

  it("422 with a pointer for each invalid member of query, headers and body, and never the input", async () => {
    expect((await post({}, "?limit=many")).body.errors).toEqual([
      { pointer: "/query/limit", code: "invalid_type", detail: "This must be a number." },
    ]);
    expect((await post({ headers: { "idempotency-key": "x".repeat(11) } })).body.errors[0]).toMatchObject({
      pointer: "/headers/idempotency-key",
    });
    const answer = await post({ json: { name: "much too long", list: ["a"], "x/y": 1 } });
    expect(answer.status).toBe(422);
    expect(answer.body.errors.map(({ pointer, code }) => [pointer, code])).toEqual([
      ["/name", "too_big"],
      ["/list/0", "invalid_type"],
      ["/x~1y", "unknown_member"],
    ]);
    expect(answer.text).not.toContain("much too long");
  });

  it("list at most 20 invalid members, however many there are", async () => {
    const answer = await post({ json: { name: "ada", list: Array.from({ length: 5_000 }, () => "a") } });
    expect(answer.body.errors).toHaveLength(20);
    const names = Object.fromEntries(Array.from({ length: 1_000 }, (_, i) => [`n${"x".repeat(200)}${i}`, 1]));
    const unknown = await post({ json: { name: "ada", ...names } });
    expect(unknown.body.errors).toHaveLength(20);
    expect(unknown.text.length).toBeLessThan(20_000);
  });

  it("400 for NUL in the query", async () => {
    expect(await post({}, "?tag=%00&tag=b")).toMatchObject({
      status: 400,
      body: { code: "invalid_encoding" },
    });
  });

  it.each([
    "text/plain",
    "application/x-www-form-urlencoded",
    "application/json; charset=latin1",
    "application/jsonx",
    "",
  ])("415 for the content type %j", async (type) => {
    expect(await post({ headers: { "content-type": type } })).toMatchObject({
      status: 415,
      body: { code: "unsupported_media_type" },
    });
  });

  it("415 for compressed bodies; UTF-8 may be named", async () => {
    expect(await post({ headers: { "content-encoding": "gzip" } })).toMatchObject({ status: 415 });
    expect(await post({ headers: { "content-type": "Application/JSON; charset=UTF-8" } })).toMatchObject({
      status: 201,
    });
  });

  it("413 as soon as a body is announced or turns out to be too long, without reading the rest", async () => {
    expect(await post({ headers: { "content-length": "10000000" } })).toMatchObject({ status: 413 });
    let pulled = 0;
    const endless = new ReadableStream<Uint8Array>({
      pull(controller) {
        pulled++;
        controller.enqueue(new Uint8Array(64 * 1024).fill(0x20));
      },
    });
    expect(await post({ raw: endless })).toMatchObject({ status: 413, body: { code: "payload_too_large" } });
    expect(pulled).toBeLessThan(25);
  });

  it("400 when the body breaks off", async () => {
    const broken = new ReadableStream<Uint8Array>({
      start: (controller) => controller.enqueue(new TextEncoder().encode('{"name"')),
      pull: (controller) => controller.error(new Error("aborted")),
    });
    expect(await post({ raw: broken })).toMatchObject({ status: 400, body: { code: "invalid_json" } });
  });

  it("500 without any detail for unexpected errors", async () => {
    const answer = await rest.callContract<Problem>(failing(new Error("password=hunter2")), "/v1/failing", {
      key,
    });
    expect(answer).toMatchObject({ status: 500, body: { code: "internal_error" } });
    expect(answer.text).not.toContain("hunter2");
  });

  it("503 with Retry-After without the database", async () => {
    const lost = Object.assign(new Error("x"), { code: "57P01" });
    for (const error of [
      lost,
      new Error("wrapped", { cause: lost }),
      new Error("timeout exceeded when trying to connect"),
    ]) {
      const answer = await rest.callContract<Problem>(failing(error), "/v1/failing", { key });
      expect(answer).toMatchObject({ status: 503, body: { code: "service_overloaded" } });
      expect(Number(answer.headers.get("retry-after"))).toBeGreaterThan(0);
    }
  });

  it("carry the extra members and Retry-After of a domain's error", async () => {
    const error = new DomainError("rate_limited", "Later.", {
      retryAfter: 2.5,
      extra: { allowed: ["x"] },
    });
    const answer = await rest.callContract<Problem>(failing(error), "/v1/failing", { key });
    expect(answer).toMatchObject({ status: 429, body: { allowed: ["x"] } });
    expect(answer.headers.get("retry-after")).toBe("3");
  });

  it("429 with Retry-After once a key has used up its minute", async () => {
    const { key: small } = await tenant.makeKey("staging", { rateLimitPerMinute: 2 });
    const statuses = [];
    // Four, because the minute may end in between.
    for (let i = 0; i < 5; i++)
      statuses.push(await rest.callContract<Problem>(optional, "/v1/optional", { key: small }));
    const refused = statuses.find((answer) => answer.status === 429);
    expect(refused?.body).toMatchObject({ code: "rate_limited" });
    expect(Number(refused?.headers.get("retry-after"))).toBeGreaterThan(0);
    expect(refused?.headers.get("ratelimit")).toContain("r=0");
  });

  it("429 when one organisation has too many concurrent requests, without affecting others", async () => {
    let open: () => void = () => undefined;
    const opened = new Promise<void>((resolve) => (open = resolve));
    let under = 0;
    const { rest: waiting } = restOnly({
      ...base,
      method: "GET",
      path: "/v1/waiting",
      operationId: "waiting",
      answer: { status: 204, description: "Nothing" },
      run: async () => {
        under++;
        await opened;
      },
    });
    const { key: ample } = await tenant.makeKey("staging", { rateLimitPerMinute: 1_000_000 });
    const call = (of: string) => rest.callContract<Problem>(waiting, "/v1/waiting", { key: of });
    const all = Array.from({ length: MAX_IN_FLIGHT_OF_ONE }, () => call(ample));
    await expect.poll(() => under).toBe(MAX_IN_FLIGHT_OF_ONE);
    const refused = await call(ample);
    expect(refused).toMatchObject({ status: 429, body: { code: "rate_limited" } });
    expect(refused.headers.get("retry-after")).toBe("1");
    const other = await makeTenant(database);
    const { key: foreign } = await other.makeKey("staging");
    const answered = call(foreign);
    await expect.poll(() => under).toBe(MAX_IN_FLIGHT_OF_ONE + 1);
    open();
    expect(await answered).toMatchObject({ status: 204, text: "" });
    expect(new Set((await Promise.all(all)).map((answer) => answer.status))).toEqual(new Set([204]));
    expect((await call(ample)).status).toBe(204);
  });

  it("500 outside production when an answer does not match the contract", async () => {
    const { rest: lying } = restOnly({
      ...base,
      method: "GET",
      path: "/v1/lying",
      operationId: "lying",
      answer: { status: 200, description: "A number", schema: z.object({ n: z.number() }) },
      run: async () => ({ n: 1, secret: "x" }),
    });
    expect(await rest.callContract(lying, "/v1/lying", { key })).toMatchObject({ status: 500 });
  });
});

it("500 outside production for an error that the operation does not declare, whose 409 the document would not have", async () => {
  const conflict = new DomainError("conflict", "It is taken.");
  expect(await rest.callContract(failing(conflict), "/v1/failing", { key })).toMatchObject({
    status: 500,
    body: { code: "internal_error" },
  });
  const declaring = { ...failing(conflict), errors: ["conflict"] as const };
  expect(await rest.callContract(declaring, "/v1/failing", { key })).toMatchObject({
    status: 409,
    body: { code: "conflict" },
  });
});

describe("a revoked key", () => {
  it("is refused", async () => {
    const made = await tenant.makeKey("staging");
    await inTenant(tenant.system, (tx) =>
      tx.apiKey.update({
        where: { tenantId_id: { tenantId: tenant.tenantId, id: made.id } },
        data: { revokedAt: new Date() },
      }),
    );
    expect(await rest.callContract(optional, "/v1/optional", { key: made.key })).toMatchObject({
      status: 401,
    });
  });
});
