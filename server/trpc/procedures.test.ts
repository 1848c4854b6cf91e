import { AsyncLocalStorage } from "node:async_hooks";
import { getHTTPStatusCodeFromError } from "@trpc/server/http";
import { encode } from "next-auth/jwt";
import { expect, test } from "vitest";
import { z } from "zod";
import { signInWithPassword } from "../access/sign-in.ts";
import { DomainError, errorTable } from "../kernel/errors.ts";
import { pageRequestKey, type PageRequest } from "../kernel/page-request.ts";
import { permissions } from "../operations/permissions.ts";
import { testDatabase } from "../testing/database.ts";
import { makeTenant } from "../testing/factories.ts";
import { answerPage } from "./answer-page.ts";
import { portalContext } from "./context.ts";
import { errorFacts, toTrpcError } from "./errors.ts";
import { handleTrpc } from "./handle.ts";
import type { ProcedureMeta } from "./init.ts";
import { portalCallsPerMinute } from "./portal-rate-limit.ts";
import { appRouter } from "./root.ts";
import { isSameOrigin } from "./same-origin.ts";
import { sessionSecret } from "./session-token.ts";

const database = await testDatabase();
const password = "correct horse battery staple";
const tenant = await makeTenant(database, { password });
const site = "http://localhost:3000";

type AnyProcedure = { _def: { type: string; meta?: ProcedureMeta } };
const procedures = Object.entries(appRouter._def.procedures as unknown as Record<string, AnyProcedure>);

async function cookie(of = tenant): Promise<string> {
  const name = await signInWithPassword(database.web, {
    organisation: of.slug,
    email: of.owner.email,
    password,
    ip: "192.0.2.1",
    userAgent: null,
    requestId: "test",
  });
  const token = { sid: name.sessionId, tid: name.tenantId, sub: name.userId };
  return `next-auth.session-token=${await encode({ token, secret: sessionSecret() })}`;
}

async function call(path: string, init: RequestInit = {}) {
  const headers = new Headers(init.headers);
  // As browsers do.
  if (typeof init.body === "string") headers.set("content-length", String(init.body.length));
  const response = await handleTrpc(new Request(`${site}/api/trpc/${path}`, { ...init, headers }));
  const body = (await response.json()) as {
    result?: { data: unknown };
    error?: { message: string; data: Record<string, unknown> };
  };
  return {
    status: response.status,
    headers: response.headers,
    data: body.result?.data,
    error: body.error,
  };
}

const fromHere = { origin: site, "sec-fetch-site": "same-origin", "content-type": "application/json" };

test("every procedure says which permission it needs", () => {
  expect(procedures.length).toBeGreaterThan(10);
  for (const [path, { _def }] of procedures) {
    expect(permissions, path).toEqual(expect.arrayContaining([...(_def.meta?.permissions ?? ["none"])]));
  }
});

test("no procedure answers somebody who is not signed in", async () => {
  for (const [path, { _def }] of procedures) {
    const answer =
      _def.type === "query"
        ? await call(path)
        : await call(path, { method: "POST", headers: fromHere, body: "{}" });
    expect(answer, path).toMatchObject({ status: 401, error: { data: { code: "unauthenticated" } } });
  }
});

test("a page that is drawn is answered as its browser would be, also where it is refused", async () => {
  const pages = new AsyncLocalStorage<PageRequest>();
  (globalThis as Record<symbol, unknown>)[pageRequestKey] = pages;
  const cookies = await cookie();
  const context = await portalContext(cookies, { db: database.web });
  const page: PageRequest = { viewer: { locale: "en", timeZone: "UTC" }, waitsUntil: Date.now() + 5_000 };
  pages.run(page, () => answerPage(context));
  const both = async (path: string, input?: object) => {
    const query = input ? `?input=${encodeURIComponent(JSON.stringify(input))}` : "";
    const { data, error } = await call(path + query, { headers: { cookie: cookies } });
    if (error) error.data.requestId = context.requestId;
    return { drawn: await page.call?.(path, input), asked: error ? { error } : { data } };
  };
  const me = await both("tenancy.me");
  expect(me.drawn).toEqual(me.asked);
  const gone = await both("contactGroups.get", { id: "018f2f6e-0000-7000-8000-000000000000" });
  expect(gone.drawn).toEqual(gone.asked);
  expect(gone.drawn).toMatchObject({ error: { data: { code: "not_found", httpStatus: 404 } } });
});

test("a signed-in person is answered, and the answer is not cached", async () => {
  const answer = await call("tenancy.me", { headers: { cookie: await cookie() } });
  expect(answer.status).toBe(200);
  expect(answer.data).toMatchObject({ tenant: { id: tenant.tenantId }, user: { id: tenant.owner.id } });
  expect(answer.headers.get("cache-control")).toBe("no-store");
  expect(answer.headers.get("x-request-id")).toMatch(/^[0-9a-f-]{36}$/);
});

test("a page answers the person it was drawn for, and nobody who signed in after them in the same browser", async () => {
  const ask = async (person: string) =>
    (await call("tenancy.me", { headers: { cookie: await cookie(), "x-tidings-person": person } })).status;
  expect(await ask(tenant.owner.id)).toBe(200);
  const { id } = await tenant.addMember("owner");
  expect(await ask(id)).toBe(401);
});

test("a mutation is taken from the portal's own pages only", async () => {
  const body = JSON.stringify({ slug: "csrf", name: "CSRF" });
  const signedIn = await cookie();
  const post = (headers: Record<string, string>) =>
    call("tenancy.createUnit", { method: "POST", body, headers: { cookie: signedIn, ...headers } });
  const json = { "content-type": "application/json" };
  for (const headers of [
    json,
    { ...json, origin: "https://evil.example" },
    { ...json, origin: "null" },
    { ...json, origin: site, "sec-fetch-site": "cross-site" },
    { ...json, origin: site, "sec-fetch-site": "same-site" },
  ]) {
    expect(await post(headers), JSON.stringify(headers)).toMatchObject({
      status: 403,
      error: { data: { code: "permission_denied" } },
    });
  }
  expect((await post({ origin: site, "content-type": "text/plain" })).status).toBe(415);
  expect(
    (await call(`tenancy.createUnit?input=${encodeURIComponent(body)}`, { headers: { cookie: signedIn } }))
      .status,
  ).toBe(405);
  expect((await post({ ...json, origin: site })).status).toBe(200);
});

test("same origin is decided by Sec-Fetch-Site, or by Origin without it", () => {
  const of = (headers: Record<string, string>) =>
    isSameOrigin(new Headers(headers), "https://tidings.example");
  expect(of({ "sec-fetch-site": "same-origin" })).toBe(true);
  expect(of({ "sec-fetch-site": "none", origin: "https://tidings.example" })).toBe(false);
  expect(of({ origin: "https://tidings.example" })).toBe(true);
  expect(of({ origin: "http://127.0.0.1:3000", host: "127.0.0.1:3000" })).toBe(true);
  expect(of({ origin: "https://tidings.example.evil.example", host: "tidings.example" })).toBe(false);
  expect(of({})).toBe(false);
});

test("a refusal contains its code, status, fields and request, as in REST", async () => {
  const signedIn = await cookie();
  const answer = await call("apiKeys.create", {
    method: "POST",
    headers: { ...fromHere, cookie: signedIn },
    body: JSON.stringify({ name: "", environmentId: "x" }),
  });
  expect(answer).toMatchObject({
    status: 422,
    error: {
      data: {
        code: "invalid_request",
        status: 422,
        httpStatus: 422,
        title: errorTable.invalid_request.title,
        requestId: answer.headers.get("x-request-id"),
      },
    },
  });
  const errors = answer.error!.data.errors as { pointer: string }[];
  expect(errors.map((error) => error.pointer).sort()).toEqual(["/environmentId", "/name"]);

  const missing = await call("apiKeys.revoke", {
    method: "POST",
    headers: { ...fromHere, cookie: signedIn },
    body: JSON.stringify({ id: tenant.tenantId }),
  });
  expect(missing).toMatchObject({ status: 404, error: { data: { code: "not_found" } } });
});

test("hostile input is refused as the caller's mistake", async () => {
  const headers = { ...fromHere, cookie: await cookie() };
  const post = (path: string, body: string) => call(path, { method: "POST", headers, body });
  const nested = `${"[".repeat(100_000)}${"]".repeat(100_000)}`;
  const environmentId = tenant.environments.production;
  for (const [body, status] of [
    ["{", 400],
    ["null", 422],
    ["[]", 422],
    ['"x"', 422],
    [nested, 400],
    [JSON.stringify({ name: "a\u0000b", environmentId }), 400],
    ['{"name":"\\ud800","environmentId":"x"}', 400],
    ['{"__proto__":{"name":"x"},"name":1}', 422],
  ] as const) {
    const answer = await post("apiKeys.create", body);
    expect(answer.status, body.slice(0, 80)).toBe(status);
  }
  expect(({} as { name?: string }).name).toBeUndefined();
  expect((await post("no.such", "{}")).status).toBe(404);
  expect((await call("apiKeys.list?input=%7B", { headers })).status).toBe(400);
});

test("an unforeseen error reveals nothing", () => {
  const facts = errorFacts(new Error("password=hunter2 at db.internal"), "r1");
  expect(facts).toMatchObject({ code: "internal_error", status: 500, requestId: "r1", errors: [] });
  expect(JSON.stringify(facts)).not.toMatch(/hunter2|db\.internal/);
});

test("every status of the error table reaches the browser unchanged", () => {
  for (const [code, { status }] of Object.entries(errorTable)) {
    const error = toTrpcError(new DomainError(code as keyof typeof errorTable, "x"));
    expect(getHTTPStatusCodeFromError(error), code).toBe(status);
  }
});

test("pointers into input follow RFC 6901", () => {
  const result = z.object({ "a/b": z.array(z.object({ "~": z.string() })) }).safeParse({ "a/b": [{}] });
  expect(errorFacts(result.error, null).errors.map((error) => error.pointer)).toEqual(["/a~1b/0/~0"]);
});

test("a request holds at most twenty calls", async () => {
  const signedIn = await cookie();
  const batch = (size: number) =>
    call(`${Array.from({ length: size }, () => "tenancy.me").join(",")}?batch=1&input=%7B%7D`, {
      headers: { cookie: signedIn },
    });
  expect((await batch(20)).status).toBe(200);
  expect((await batch(21)).status).toBe(422);
});

test("annotations that cost more than their length are refused before anything traverses their result", async () => {
  const signedIn = await cookie();
  const body = JSON.stringify({
    json: { slug: "x", name: "X" },
    meta: { referentialEqualities: { slug: ["name"] } },
  });
  expect(
    await call("tenancy.createUnit", { method: "POST", body, headers: { ...fromHere, cookie: signedIn } }),
  ).toMatchObject({ status: 422, error: { data: { code: "invalid_request" } } });
});

test("a person's calls are limited over all sessions, without affecting others", async () => {
  const busy = await makeTenant(database, { password });
  const signedIn = [await cookie(busy), await cookie(busy)];
  const twenty = `${Array.from({ length: 20 }, () => "tenancy.me").join(",")}?batch=1&input=%7B%7D`;
  let refused: Awaited<ReturnType<typeof call>> | undefined;
  // Twice as often as a minute allows, because it may end in between.
  for (let i = 0; i < (2 * portalCallsPerMinute) / 20 && !refused; i++) {
    const answer = await call(twenty, { headers: { cookie: signedIn[i % 2] ?? "" } });
    if (answer.status !== 200) refused = answer;
  }
  expect(refused?.status).toBe(429);
  expect((await call("tenancy.me", { headers: { cookie: await cookie() } })).status).toBe(200);
});
