import { encode } from "next-auth/jwt";
import { expect, test } from "vitest";
import { signInWithPassword } from "../access/sign-in.ts";
import type { SignedIn } from "../access/sign-in.ts";
import { testDatabase } from "../testing/database.ts";
import { makeTenant } from "../testing/factories.ts";
import type { TestTenant } from "../testing/factories.ts";
import { organisationsOf, portalContext } from "./context.ts";
import { sessionSecret } from "./session-token.ts";
import { endBeside, keepBeside, sessionNames } from "./side-sessions.ts";

const database = await testDatabase();
const password = "correct horse battery staple";
const email = "mia@people.example";
const attributes = "HttpOnly; SameSite=Lax";

/** An organisation in which the same address has an account, each with a password of its own. */
async function organisation() {
  const tenant = await makeTenant(database);
  const own = `${password} of ${tenant.slug}`;
  const { id } = await tenant.addMember("owner", { email, password: own });
  return { ...tenant, own, id };
}
const signIn = (tenant: TestTenant & { own: string }) =>
  signInWithPassword(database.web, {
    organisation: tenant.slug,
    email,
    password: tenant.own,
    ip: null,
    userAgent: null,
    requestId: "test",
  });
/** The cookies of a browser after it signed in to these, one after the other, as the sign-in route sets them. */
async function browser(...begun: SignedIn[]): Promise<string> {
  let cookies = "";
  for (const session of begun) {
    const beside = (await keepBeside(database.web, cookies, session, attributes)).split(";", 1)[0] ?? "";
    const token = { sid: session.sessionId, tid: session.tenantId, sub: session.userId };
    const newest = `next-auth.session-token=${await encode({ token, secret: sessionSecret() })}`;
    cookies = `${newest}; ${beside}`;
  }
  return cookies;
}
const whoIn = async (cookies: string, slug?: string) =>
  (await portalContext(cookies, { db: database.web, organisation: slug })).session?.user.id ?? null;

const [acme, umbrella, globex] = [await organisation(), await organisation(), await organisation()];

test("one browser is signed in to several organisations, and a page's address says which is meant", async () => {
  const cookies = await browser(await signIn(acme), await signIn(umbrella));
  expect(await whoIn(cookies)).toBe(umbrella.id);
  expect(await whoIn(cookies, acme.slug)).toBe(acme.id);
  expect(await whoIn(cookies, umbrella.slug)).toBe(umbrella.id);
  // Not signed in there: the same address having an account is no key to it.
  expect(await whoIn(cookies, globex.slug)).toBeNull();
  expect(await whoIn(cookies, "nobody")).toBeNull();
  expect((await organisationsOf(cookies)).organisations.map(({ slug }) => slug).sort()).toEqual(
    [acme.slug, umbrella.slug].sort(),
  );
});

test("a password of one organisation's account opens none of the others", async () => {
  await expect(signIn({ ...umbrella, own: acme.own })).rejects.toMatchObject({ code: "sign_in_failed" });
});

test("a session that ended is not among them, and the others go on", async () => {
  const [first, second] = [await signIn(acme), await signIn(umbrella)];
  const cookies = await browser(first, second);
  await database.owner.query("UPDATE sessions SET revoked_at = now() WHERE id = $1", [second.sessionId]);
  expect(await whoIn(cookies, umbrella.slug)).toBeNull();
  expect(await whoIn(cookies, acme.slug)).toBe(acme.id);
  expect(await whoIn(cookies)).toBe(acme.id);
});

test("signing in anew ends the session with the same organisation only", async () => {
  const first = await signIn(acme);
  const beside = await signIn(umbrella);
  const again = await signIn(acme);
  const cookies = await browser(first, beside, again);
  const { rows } = await database.owner.query<{ id: string }>(
    "SELECT id FROM sessions WHERE id = ANY($1) AND revoked_at IS NULL",
    [[first.sessionId, beside.sessionId, again.sessionId]],
  );
  expect(rows.map(({ id }) => id).sort()).toEqual([beside.sessionId, again.sessionId].sort());
  expect(await sessionNames(cookies)).toHaveLength(2);
});

test("who signs out is out of all of them", async () => {
  const [first, second] = [await signIn(acme), await signIn(umbrella)];
  const cookies = await browser(first, second);
  expect(await endBeside(database.web, cookies, attributes)).toContain("Max-Age=0");
  expect(await whoIn(cookies, acme.slug)).toBeNull();
});

test("a list of sessions that we did not write is none", async () => {
  const session = await signIn(acme);
  const token = { beside: [{ sid: session.sessionId, tid: session.tenantId, sub: session.userId }] };
  const forged = await encode({ token, secret: "another key" });
  expect(await whoIn(`tidings-sessions=${forged}`, acme.slug)).toBeNull();
  expect(await whoIn("tidings-sessions=nonsense", acme.slug)).toBeNull();
  // Nor is the cookie of one session a list, or a list that cookie.
  const listed = await encode({ token, secret: sessionSecret() });
  expect(await whoIn(`next-auth.session-token=${listed}`, acme.slug)).toBeNull();
  expect(await whoIn(`tidings-sessions=${listed}`, acme.slug)).toBe(acme.id);
  const odd = await encode({ token: { beside: [1, null, {}, { sid: 1 }] }, secret: sessionSecret() });
  expect(await whoIn(`tidings-sessions=${odd}`, acme.slug)).toBeNull();
});

test("a browser keeps five beside the newest, and the oldest of more ends", async () => {
  const sessions: SignedIn[] = [];
  for (let count = 0; count < 7; count++) sessions.push(await signIn(await organisation()));
  const names = await sessionNames(await browser(...sessions));
  expect(names).toHaveLength(6);
  const { rows } = await database.owner.query(
    "SELECT 1 FROM sessions WHERE id = $1 AND revoked_at IS NOT NULL",
    [sessions[0]!.sessionId],
  );
  expect(rows).toHaveLength(1);
});
