import { readdirSync } from "node:fs";
import path from "node:path";
import { encode } from "next-auth/jwt";
import { expect, test } from "vitest";
import { root } from "../../scripts/lib/paths.ts";
import { signInWithPassword } from "../access/sign-in.ts";
import { env } from "../kernel/env.ts";
import { testDatabase } from "../testing/database.ts";
import { makeTenant } from "../testing/factories.ts";
import { handleTrpc } from "./handle.ts";
import { appRouter } from "./root.ts";
import { sessionSecret } from "./session-token.ts";

/*
 * What another site can make a signed-in browser send: every procedure that changes something, read from the router, and every route
 * that takes a body, read from the folders of app/. One that is added is in here by being there.
 */

const database = await testDatabase();
const password = "correct horse battery staple";
const site = new URL(env().publicUrl).origin;

async function cookieOf(of: Awaited<ReturnType<typeof makeTenant>>): Promise<string> {
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

type AnyProcedure = { _def: { type: string } };
const mutations = Object.entries(appRouter._def.procedures as unknown as Record<string, AnyProcedure>)
  .filter(([, { _def }]) => _def.type === "mutation")
  .map(([name]) => name);

/** Routes below app/ with what they export and where they answer. */
const routes = await Promise.all(
  readdirSync(path.join(root, "app"), { recursive: true, encoding: "utf8" })
    .filter((file) => path.basename(file) === "route.ts")
    .map(async (file) => ({
      file,
      module: (await import(path.join(root, "app", file))) as Record<string, unknown>,
    })),
);
type Post = (request: Request, context: { params: Promise<Record<string, unknown>> }) => Promise<Response>;
const posts = routes.flatMap(({ file, module }) =>
  typeof module.POST === "function" ? [{ file, post: module.POST as Post }] : [],
);
/** Called with keys, which no browser sends by itself; what a cookie is worth there is tested below. */
const forSystems = "api/app/[[...path]]/route.ts";
/** The operator console's own doors, which are not there without a console: held by server/console/console.test.ts. */
const forOperators = "console/api/[...path]/route.ts";

const json = "application/json";
/** What browsers say of a request that another site had them make, and what old ones leave out. */
const foreign: Record<string, string>[] = [
  { "content-type": json },
  { "content-type": json, origin: "https://evil.example" },
  { "content-type": json, origin: "null" },
  { "content-type": json, origin: `${site}.evil.example` },
  { "content-type": json, origin: site, "sec-fetch-site": "cross-site" },
  { "content-type": json, origin: site, "sec-fetch-site": "same-site" },
  { "content-type": json, origin: site, "sec-fetch-site": "none" },
  // What a form sends without asking, from anywhere.
  { "content-type": "text/plain", origin: "https://evil.example", "sec-fetch-site": "cross-site" },
  { "content-type": "application/x-www-form-urlencoded", origin: "https://evil.example" },
  { "content-type": "multipart/form-data; boundary=x", "sec-fetch-site": "cross-site" },
];
const request = (address: string, headers: Record<string, string>, body = "{}") =>
  new Request(`${site}${address}`, {
    method: "POST",
    body,
    headers: { "content-length": String(body.length), host: new URL(site).host, ...headers },
  });

/** Everything that is stored, by table. */
async function stored(): Promise<Record<string, string>> {
  const { rows } = await database.owner.query<{ name: string }>(
    `SELECT c.oid::regclass::text AS name FROM pg_class c
     WHERE c.relkind = 'r' AND c.relnamespace IN ('public'::regnamespace, 'graphile_worker'::regnamespace) ORDER BY 1`,
  );
  const sums: Record<string, string> = {};
  for (const { name } of rows) {
    const found = await database.owner.query<{ sum: string }>(
      `SELECT coalesce(md5(string_agg(md5(t::text), '' ORDER BY md5(t::text))), '') AS sum FROM ${name} AS t`,
    );
    sums[name] = found.rows[0]?.sum ?? "";
  }
  return sums;
}

test("no procedure that changes something takes a call that another site had a signed-in browser make", async () => {
  expect(mutations.length).toBeGreaterThan(80);
  const cookie = await cookieOf(await makeTenant(database, { password }));
  const before = await stored();
  for (const name of mutations) {
    for (const headers of foreign) {
      const answer = await handleTrpc(request(`/api/trpc/${name}`, { cookie, ...headers }));
      expect(answer.status, `${name} ${JSON.stringify(headers)}`).toBe(403);
    }
    const simple = { cookie, origin: site, "sec-fetch-site": "same-origin", "content-type": "text/plain" };
    expect((await handleTrpc(request(`/api/trpc/${name}`, simple))).status, name).toBe(415);
    // A link or a picture.
    const link = new Request(`${site}/api/trpc/${name}?input=${encodeURIComponent("{}")}`, {
      headers: { cookie },
    });
    expect((await handleTrpc(link)).status, name).toBe(405);
  }
  expect(await stored()).toEqual(before);
}, 60_000);

test("the same calls are taken from the portal's own pages", async () => {
  const headers = { origin: site, "sec-fetch-site": "same-origin", "content-type": json };
  for (const name of mutations) {
    // Nobody's: those without an input would act.
    const answer = await handleTrpc(request(`/api/trpc/${name}`, headers));
    expect(answer.status, name).toBe(401);
  }
});

test("no route below app/ takes a body that another site had a browser send", async () => {
  expect(posts.length).toBeGreaterThan(6);
  const cookie = await cookieOf(await makeTenant(database, { password }));
  const before = await stored();
  const actions = [
    "callback/credentials",
    "callback/passkey",
    "callback/oidc",
    "signin/oidc",
    "signout",
    "session",
  ];
  for (const { file, post } of posts.filter(({ file }) => file !== forSystems && file !== forOperators)) {
    const named = file.includes("[...nextauth]") ? actions : ["sessions.revokeAll"];
    for (const action of named) {
      const params = Promise.resolve({ nextauth: action.split("/"), trpc: action, tenant: "x" });
      for (const headers of foreign) {
        const answer = await post(request(`/api/${action}`, { cookie, ...headers }), { params });
        expect(answer.status, `${file} ${action} ${JSON.stringify(headers)}`).toBe(403);
        expect(answer.headers.get("set-cookie"), file).toBeNull();
      }
    }
  }
  expect(await stored()).toEqual(before);
});

test("the routes for systems take no cookie for a key", async () => {
  const systems = posts.find(({ file }) => file === forSystems);
  const cookie = await cookieOf(await makeTenant(database, { password }));
  const headers = { cookie, origin: site, "sec-fetch-site": "same-origin", "content-type": json };
  const answer = await systems?.post(request("/api/app/notifications/send", headers), {
    params: Promise.resolve({ path: ["notifications", "send"] }),
  });
  expect(answer?.status).toBe(401);
});

test("nothing but POST changes something: no other route writes with a method that a link can have", () => {
  for (const { file, module } of routes) {
    if (file === forSystems) continue;
    const methods = Object.keys(module).filter((name) => /^[A-Z]+$/.test(name));
    expect(["GET", "POST"], file).toEqual(expect.arrayContaining(methods));
  }
});
