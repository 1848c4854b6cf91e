import "../testing/local-outbound.ts";
import { afterAll, beforeEach, expect, test } from "vitest";
import { revokeOwnSessions } from "../access/manage-sessions.ts";
import { testDatabase } from "../testing/database.ts";
import { openFakeOidc } from "../testing/fake-oidc.ts";
import { holding, waiting } from "../testing/sign-ins.ts";
import { makeSsoWorld } from "../testing/sso-world.ts";
import { ssoLimits } from "../sso/schemas.ts";
import { portalContext } from "./context.ts";
import { handleFindProviders, handleSsoCallback, handleStartSignIn } from "./sso.ts";

const database = await testDatabase();
const oidc = await openFakeOidc();
afterAll(() => oidc.close());
const world = await makeSsoWorld(database, { oidc });
const { tenant, domain, providerId } = world;
const mia = await tenant.addMember("developer", { email: `mia@${domain}` });
let callers = 0;
let ip = "";
beforeEach(() => {
  callers += 1;
  ip = `192.0.2.${String(callers)}`;
});

const post = (name: string, body: object, headers: Record<string, string> = {}) => {
  const text = JSON.stringify(body);
  return new Request(`http://localhost:3000/api/sso/${name}`, {
    method: "POST",
    body: text,
    headers: {
      "content-type": "application/json",
      "content-length": String(Buffer.byteLength(text)),
      "sec-fetch-site": "same-origin",
      "x-forwarded-for": ip,
      ...headers,
    },
  });
};
const start = (more: object = {}) =>
  handleStartSignIn(post("start", { domain, provider: providerId, ...more }));
/** What a browser keeps of an answer. */
const cookiesOf = (response: Response) =>
  response.headers
    .getSetCookie()
    .map((cookie) => cookie.split(";", 1)[0] ?? "")
    .filter((cookie) => !cookie.endsWith("="))
    .join("; ");
const comeBack = (query: URLSearchParams, cookies: string, tenantId = tenant.tenantId) =>
  handleSsoCallback(
    new Request(`http://localhost:3000/api/sso/callback/${tenantId}?${query.toString()}`, {
      headers: { cookie: cookies, "x-forwarded-for": ip, "sec-fetch-site": "cross-site" },
    }),
    { params: Promise.resolve({ tenant: tenantId }) },
  );
async function signIn(target?: string) {
  const left = await start(target === undefined ? {} : { target });
  const { url } = (await left.json()) as { url: string };
  const { path, query } = await oidc.visit(url);
  expect(path).toBe(`/api/sso/callback/${tenant.tenantId}`);
  return { query, cookies: cookiesOf(left), answer: await comeBack(query, cookiesOf(left)) };
}

test("somebody leaves with a cookie that no script reads, and comes back signed in", async () => {
  const left = await start();
  const [kept = ""] = left.headers.getSetCookie();
  expect(kept).toMatch(/^tidings-sso=[\w-]+; Path=\/; Max-Age=600; HttpOnly; SameSite=Lax$/);
  const { answer } = await signIn();
  expect(answer.status).toBe(303);
  expect(answer.headers.get("location")).toBe(`http://localhost:3000/${tenant.slug}/overview`);
  expect(answer.headers.get("cache-control")).toBe("no-store");
  expect(answer.headers.get("referrer-policy")).toBe("no-referrer");
  expect(answer.headers.getSetCookie()).toContainEqual(expect.stringMatching(/^tidings-sso=; .*Max-Age=0/));
  const { session } = await portalContext(cookiesOf(answer), { db: database.web });
  expect(session).toMatchObject({ tenant: { slug: tenant.slug }, roles: ["developer"] });
});

test("the address that they leave for asks for a code with PKCE, a state and a nonce, and holds no secret", async () => {
  const { url } = (await (await start({ email: `mia@${domain}` })).json()) as { url: string };
  const query = Object.fromEntries(new URL(url).searchParams);
  expect(query).toMatchObject({
    response_type: "code",
    code_challenge_method: "S256",
    client_id: oidc.client.id,
    login_hint: `mia@${domain}`,
  });
  for (const name of ["state", "nonce", "code_challenge"]) expect(query[name]?.length).toBeGreaterThan(40);
  expect(url).not.toContain(oidc.client.secret);
});

test.each([
  "//evil.example",
  "https://evil.example",
  "/\\evil.example",
  "/\t/evil.example",
  "javascript:alert(1)",
])("nobody is led to another site after signing in: %j", async (target) => {
  const { answer } = await signIn(target);
  expect(new URL(answer.headers.get("location") ?? "").origin).toBe("http://localhost:3000");
});

test("they come back to the page that they wanted", async () => {
  const { answer } = await signIn("/acme/audit?q=x");
  expect(answer.headers.get("location")).toBe("http://localhost:3000/acme/audit?q=x");
});

test("what was used, or belongs to another browser, signs nobody in and leads to a page that says so", async () => {
  const { query, cookies } = await signIn();
  for (const [back, kept] of [
    [query, cookies],
    [query, ""],
    [query, "tidings-sso=garbage"],
    [new URLSearchParams(), cookies],
  ] as const) {
    const answer = await comeBack(back, kept);
    expect(answer.headers.get("location")).toBe("http://localhost:3000/sign-in?error=sso_expired");
    expect(answer.headers.getSetCookie().join()).not.toContain("session-token");
  }
  expect((await comeBack(query, cookies, "not-a-tenant")).headers.get("location")).toContain("sso_expired");
});

test("who is signed out everywhere while they come back is led to a page that says to start again", async () => {
  const left = await start();
  const { url } = (await left.json()) as { url: string };
  const { query } = await oidc.visit(url);
  const actor = { type: "user", name: "Mia", ...mia } as const;
  await holding(database, "LOCK TABLE sign_in_policies IN ACCESS EXCLUSIVE MODE", async (release) => {
    const answer = comeBack(query, cookiesOf(left));
    await waiting(database, 1, "sign_in_policies");
    await revokeOwnSessions({ ...tenant.as("developer"), actor }, {});
    await release();
    expect((await answer).headers.get("location")).toBe("http://localhost:3000/sign-in?error=sso_expired");
  });
});

test("another site can neither ask nor send anybody away", async () => {
  for (const handle of [handleFindProviders, handleStartSignIn]) {
    const answer = await handle(
      post("x", { domain, provider: providerId }, { "sec-fetch-site": "cross-site" }),
    );
    expect(answer.status).toBe(403);
    expect(answer.headers.getSetCookie()).toEqual([]);
  }
});

test("who asks is told of the domain, and the answer is the same whoever is named at it", async () => {
  const ask = async (body: object) =>
    (await handleFindProviders(post("find", body))).json() as Promise<unknown>;
  expect(await ask({ domain })).toEqual({ data: [{ id: providerId, name: "Corporate" }] });
  expect(await ask({ domain: "elsewhere.example" })).toEqual({ data: [] });
  // A person cannot even be asked for.
  expect(await ask({ domain, email: `mia@${domain}` })).toMatchObject({ code: "invalid_request" });
});

test("a provider of another organisation is not reached through a domain that is not theirs", async () => {
  const other = await makeSsoWorld(database);
  const answer = await start({ provider: other.providerId });
  expect(await answer.json()).toEqual({ refused: "sso_failed" });
  await other.oidc.close();
});

test("each door takes so many calls of a minute from one address, and others go on", async () => {
  for (let i = 0; i < ssoLimits.callsPerMinute; i++)
    await handleFindProviders(post("find", { domain: "x.example" }));
  expect((await handleFindProviders(post("find", { domain }))).status).toBe(429);
  expect((await start()).status).toBe(200);
  for (let i = 0; i < ssoLimits.callsPerMinute; i++) await comeBack(new URLSearchParams(), "");
  const refused = await comeBack(new URLSearchParams(), "");
  expect(refused.headers.get("location")).toBe("http://localhost:3000/sign-in?error=sso_busy");
  ip = "198.51.100.7";
  expect((await handleFindProviders(post("find", { domain }))).status).toBe(200);
});

test("no log line, answer or address holds the code, the state or the secret of a failed sign-in", async () => {
  oidc.state.twist = { claims: (claims) => ({ ...claims, nonce: "another" }) };
  const { query, answer } = await signIn();
  oidc.state.twist = {};
  const told = [
    answer.headers.get("location"),
    answer.headers.getSetCookie().join(),
    await answer.text(),
  ].join();
  for (const secret of [query.get("code"), query.get("state"), oidc.client.secret])
    expect(told).not.toContain(secret);
  expect(answer.headers.get("location")).toBe("http://localhost:3000/sign-in?error=sso_failed");
});
