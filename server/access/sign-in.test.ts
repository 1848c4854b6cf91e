import { setTimeout as pause } from "node:timers/promises";
import { encode } from "next-auth/jwt";
import { beforeEach, expect, test, vi } from "vitest";
import { inTenant } from "../kernel/db.ts";
import { newId } from "../kernel/ids.ts";
import { testDatabase } from "../testing/database.ts";
import { makeTenant } from "../testing/factories.ts";
import { portalContext } from "../trpc/context.ts";
import { sessionSecret } from "../trpc/session-token.ts";
import { liveSessions } from "../trpc/side-sessions.ts";
import { changePassword } from "./change-password.ts";
import { listOwnSessions, revokeOwnSession, revokeOwnSessions } from "./manage-sessions.ts";
import { assignRole, unassignRole } from "./assign-role.ts";
import { explainAccess } from "./explain-access.ts";
import { removeMember } from "./remove-member.ts";
import { endSession, loadSession, sessionCtx } from "./sessions.ts";
import type { SessionName } from "./sessions.ts";
import { signInWithIdentity, signInWithPassword } from "./sign-in.ts";

const database = await testDatabase();
const password = "correct horse battery staple";
const tenant = await makeTenant(database, { password });

const from = (ip: string | null = "192.0.2.1") => ({ ip, userAgent: "test", requestId: "test" });
const signIn = (email: string, given = password, ip?: string | null) =>
  signInWithPassword(database.web, { organisation: tenant.slug, email, password: given, ...from(ip) });
/** The same database in a process with empty caches. */
const liveInDatabase = async ({ sessionId }: SessionName) => {
  const { rows } = await database.owner.query<{ live: boolean }>(
    "SELECT revoked_at IS NULL AND expires_at > now() AS live FROM sessions WHERE id = $1",
    [sessionId],
  );
  return rows[0]?.live;
};
const cookieOf = async ({ sessionId, tenantId, userId }: SessionName) =>
  `next-auth.session-token=${await encode({ token: { sid: sessionId, tid: tenantId, sub: userId }, secret: sessionSecret() })}`;
const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => "fine",
    (error: unknown) => (error as { code: string }).code,
  );
beforeEach(async () => {
  await database.owner.query("DELETE FROM sign_in_delays");
});
const within = { timeout: 5_000, interval: 100 };

test("the right password starts a session that carries the person's roles", async () => {
  const name = await signIn(`  ${tenant.owner.email.toUpperCase()} `);
  const session = await loadSession(database.web, name);
  expect(session).toMatchObject({
    id: name.sessionId,
    user: { id: tenant.owner.id, email: tenant.owner.email },
    tenant: { id: tenant.tenantId, slug: tenant.slug },
    roles: ["owner"],
  });
  expect(session?.grants).toHaveLength(1);
  expect(session?.grants[0]).toMatchObject({ unitId: null, applicationId: null, environmentId: null });
});

test("a role in one unit is a grant in that unit only", async () => {
  const member = await tenant.addMember("developer", { unitId: tenant.units.beta, password });
  const session = await loadSession(database.web, await signIn(member.email));
  expect(session?.grants.map((grant) => grant.unitId)).toEqual([tenant.units.beta]);
});

test("unknown, wrong, disabled and password-less accounts all fail with the same words", async () => {
  const disabled = await tenant.addMember("developer", { password });
  await database.owner.query("UPDATE users SET disabled_at = now() WHERE id = $1", [disabled.id]);
  const passwordless = await tenant.addMember("developer");
  const failures: unknown[] = [];
  for (const [email, given] of [
    ["nobody@nowhere.example", password],
    [tenant.owner.email, "wrong"],
    [disabled.email, password],
    [passwordless.email, password],
    [passwordless.email, ""],
  ] as const) {
    failures.push(await signIn(email, given, newId()).catch((error: unknown) => error));
  }
  for (const failure of failures) expect(failure).toMatchObject({ code: "sign_in_failed", status: 401 });
  expect(new Set(failures.map((failure) => (failure as Error).message)).size).toBe(1);
});

test("they all take as long: for an unknown address, a wrong password, no password and a second factor", async () => {
  const [plain, passwordless, second] = [
    await tenant.addMember("developer", { password }),
    await tenant.addMember("developer"),
    await tenant.addMember("developer", { password }),
  ];
  await database.owner.query(
    "INSERT INTO second_factors (tenant_id, user_id, secret, created_at, confirmed_at) VALUES ($1, $2, '', now(), now())",
    [tenant.tenantId, second.id],
  );
  const times = new Map<string, number[]>();
  for (let round = 0; round < 15; round++) {
    for (const [kind, email] of [
      ["unknown", `${newId()}@nowhere.example`],
      ["wrong", plain.email],
      ["passwordless", passwordless.email],
      ["second factor", second.email],
    ] as const) {
      const begun = performance.now();
      expect(await codeOf(signIn(email, "wrong", `203.0.113.${String(100 + round)}`))).toBe("sign_in_failed");
      times.set(kind, [...(times.get(kind) ?? []), performance.now() - begun]);
      await database.owner.query("DELETE FROM sign_in_delays");
    }
  }
  const medians = [...times.values()].map((values) => values.toSorted((a, b) => a - b)[7]!);
  expect(Math.max(...medians) - Math.min(...medians)).toBeLessThan(25);
});

/** As if the waiting time had passed. */
const letTimePass = () => database.owner.query("UPDATE sign_in_delays SET next_at = now() - interval '1 s'");
const failures = (email: string, count: number, ip: string) =>
  Promise.all(Array.from({ length: count }, () => codeOf(signIn(email, "wrong", ip))));

test("failed attempts make the next ones wait, twice as long each time up to a minute, and never lock the account", async () => {
  const { email } = await tenant.addMember("developer", { password });
  for (let i = 0; i < 5; i++) expect(await codeOf(signIn(email, "wrong"))).toBe("sign_in_failed");
  const slowed = await signIn(email).catch((error: unknown) => error);
  expect(slowed).toMatchObject({ code: "sign_in_slowed", status: 429, retryAfter: 1 });
  expect((slowed as Error).message).toBe("Too many attempts. Try again in 1 second.");
  for (let i = 0; i < 45; i++) {
    await letTimePass();
    expect(await codeOf(signIn(email, "wrong"))).toBe("sign_in_failed");
  }
  const after50 = await signIn(email).catch((error: unknown) => error);
  expect(after50).toMatchObject({ code: "sign_in_slowed" });
  expect((after50 as { retryAfter: number }).retryAfter).toBeGreaterThan(30);
  expect((after50 as { retryAfter: number }).retryAfter).toBeLessThanOrEqual(60);
  expect(await codeOf(signIn(tenant.owner.email))).toBe("fine");
  await letTimePass();
  expect(await codeOf(signIn(email))).toBe("fine");
});

test("an address without an account is slowed down with the same words", async () => {
  const nobody = `${newId()}@nowhere.example`;
  expect(await failures(nobody, 5, "203.0.113.4")).toEqual(Array.from({ length: 5 }, () => "sign_in_failed"));
  const slowed = await signIn(nobody, password, "203.0.113.4").catch((error: unknown) => error);
  expect((slowed as Error).message).toMatch(/^Too many attempts\. Try again in \d+ seconds?\.$/);
});

test("many concurrent attempts get no more guesses than one after the other", async () => {
  const { email } = await tenant.addMember("developer", { password });
  const outcomes = await failures(email, 20, "203.0.113.5");
  expect(outcomes.filter((code) => code === "sign_in_slowed").length).toBeGreaterThanOrEqual(12);
  expect(outcomes.filter((code) => code === "sign_in_failed").length).toBeLessThanOrEqual(8);
});

test("a success clears the failures before it", async () => {
  const { email } = await tenant.addMember("developer", { password });
  for (let round = 0; round < 3; round++) {
    for (let i = 0; i < 4; i++)
      expect(await codeOf(signIn(email, "wrong", "203.0.113.6"))).toBe("sign_in_failed");
    expect(await codeOf(signIn(email, password, "203.0.113.6"))).toBe("fine");
  }
});

test("an account is protected from many addresses together, and an address from trying many accounts", async () => {
  const { email } = await tenant.addMember("developer", { password });
  const count = (key: string) =>
    database.owner.query("UPDATE sign_in_delays SET failures = 1000 WHERE key LIKE $1", [key]);
  expect(await codeOf(signIn(email, "wrong", "203.0.113.7"))).toBe("sign_in_failed");
  await count("account:%");
  for (let i = 0; i < 2; i++)
    expect(await codeOf(signIn(email, "wrong", "203.0.113.8"))).toBe("sign_in_failed");
  const slowed = await signIn(email, password, "203.0.113.8").catch((error: unknown) => error);
  expect(slowed).toMatchObject({ code: "sign_in_slowed" });
  expect((slowed as { retryAfter: number }).retryAfter).toBeLessThanOrEqual(30);
  await database.owner.query("DELETE FROM sign_in_delays");

  const stranger = `${newId()}@nowhere.example`;
  expect(await codeOf(signIn(stranger, "wrong", "2001:db8::1"))).toBe("sign_in_failed");
  await count("address:%");
  expect(await codeOf(signIn(stranger, "wrong", "2001:db8::2"))).toBe("sign_in_failed");
  expect(await codeOf(signIn(email, password, "2001:db8::3"))).toBe("sign_in_slowed");
  expect(await codeOf(signIn(email, password, "2001:db8:1::3"))).toBe("fine");
  await database.owner.query("DELETE FROM sign_in_delays");
});

test("whoever signed in before, from this device or address, is not slowed down by attempts from elsewhere", async () => {
  const { email } = await tenant.addMember("developer", { password });
  const { device } = await signIn(email, password, "203.0.113.20");
  for (let from = 0; from < 25; from++) await failures(email, 1, `198.51.100.${String(from)}`);
  await failures(email, 2, "203.0.113.99");
  expect(await codeOf(signIn(email, password, "203.0.113.99"))).toBe("sign_in_slowed");
  expect(await codeOf(signIn(email, password, "203.0.113.20"))).toBe("fine");

  // The known device comes first, even over attempts from its own address; a device of somebody else does not count.
  await failures(email, 12, "203.0.113.20");
  expect(await codeOf(signIn(email, password, "203.0.113.20"))).toBe("sign_in_slowed");
  const other = await signIn(tenant.owner.email, password, "203.0.113.21");
  const withDevice = (own: string) =>
    codeOf(
      signInWithPassword(database.web, {
        organisation: tenant.slug,
        email,
        password,
        ...from("203.0.113.20"),
        device: own,
      }),
    );
  expect(await withDevice(other.device)).toBe("sign_in_slowed");
  expect(await withDevice(`${device}x`)).toBe("sign_in_slowed");
  expect(await withDevice(device)).toBe("fine");
});

test("however many attempts an account sees, a person's first two from a new place do not wait", async () => {
  const { email } = await tenant.addMember("developer", { password });
  for (let from = 0; from < 15; from++) await failures(email, 3, `198.51.100.${String(from)}`);
  // All free attempts of the account are used up, for others and for whoever has tried twice.
  expect(await codeOf(signIn(email, password, "198.51.100.3"))).toBe("sign_in_slowed");
  expect(await codeOf(signIn(email, "mistyped", "203.0.113.40"))).toBe("sign_in_failed");
  expect(await codeOf(signIn(email, password, "203.0.113.40"))).toBe("fine");
});

test("whether an account exists does not show in which attempts wait", async () => {
  const { email } = await tenant.addMember("developer", { password });
  const outcomes: string[][] = [];
  for (const address of [email, `${newId()}@nowhere.example`]) {
    await database.owner.query("DELETE FROM sign_in_delays");
    const seen: string[] = [];
    for (let from = 0; from < 22; from++)
      seen.push(await codeOf(signIn(address, "wrong", `198.51.100.${String(from)}`)));
    for (let i = 0; i < 3; i++) seen.push(await codeOf(signIn(address, "wrong", "203.0.113.41")));
    outcomes.push(seen);
  }
  expect(outcomes[0]).toEqual(outcomes[1]);
  expect(outcomes[0]?.slice(-3)).toEqual(["sign_in_failed", "sign_in_failed", "sign_in_slowed"]);
});

test("an address that tries account after account waits with each attempt after 300 failures", async () => {
  const { email } = await tenant.addMember("developer", { password });
  const stranger = () => `${newId()}@nowhere.example`;
  expect(await codeOf(signIn(stranger(), "wrong", "203.0.113.42"))).toBe("sign_in_failed");
  await database.owner.query("UPDATE sign_in_delays SET failures = 298 WHERE key LIKE 'address:%'");
  for (let i = 0; i < 2; i++)
    expect(await codeOf(signIn(stranger(), "wrong", "203.0.113.42"))).toBe("sign_in_failed");
  expect(await codeOf(signIn(email, password, "203.0.113.42"))).toBe("sign_in_slowed");
  expect(await codeOf(signIn(email, password, "203.0.113.43"))).toBe("fine");
});

test("the many networks of one IPv6 customer have eight attempts at an account that do not wait", async () => {
  const { email } = await tenant.addMember("developer", { password });
  await failures(email, 1, "203.0.113.44");
  await database.owner.query("UPDATE sign_in_delays SET failures = 1000 WHERE key LIKE 'account:%'");
  for (let network = 0; network < 8; network++)
    expect(await codeOf(signIn(email, "wrong", `2001:db8:5:${String(network)}::1`))).toBe("sign_in_failed");
  expect(await codeOf(signIn(email, password, "2001:db8:5:99::1"))).toBe("sign_in_slowed");
  expect(await codeOf(signIn(email, password, "2001:db8:6::1"))).toBe("fine");
});

test("failed attempts are in the audit trail, and the person is notified once", async () => {
  const { email, id } = await tenant.addMember("developer", { password });
  await failures(email, 5, "203.0.113.30");
  await letTimePass();
  await failures(email, 1, "203.0.113.30");
  await failures(email, 5, "203.0.113.31");
  await vi.waitFor(async () => {
    const { rows } = await database.owner.query<{ action: string; n: number }>(
      "SELECT action, count(*)::int AS n FROM audit_events WHERE target_id = $1 GROUP BY 1 ORDER BY 1",
      [id],
    );
    expect(rows).toEqual([
      { action: "sign_in.failed", n: 11 },
      { action: "sign_in.slowed", n: 2 },
    ]);
  }, within);
  const { rows } = await database.owner.query("SELECT kind FROM notices WHERE user_id = $1", [id]);
  expect(rows).toEqual([{ kind: "sign_in.failed" }]);
});

test("the web role can neither read nor rewrite the counts of sign-ins", async () => {
  for (const statement of [
    "SELECT * FROM sign_in_delays",
    "DELETE FROM sign_in_delays",
    "UPDATE sign_in_delays SET failures = 0",
  ]) {
    await expect(database.web.pool.query(statement)).rejects.toThrow(/permission denied/);
  }
});

test("the table of failures names neither people nor addresses", async () => {
  await codeOf(signIn("someone@secret.example", "wrong", "203.0.113.77"));
  const { rows } = await database.owner.query<{ key: string }>("SELECT key FROM sign_in_delays");
  expect(rows.length).toBeGreaterThan(0);
  for (const { key } of rows) {
    expect(key).not.toContain("someone");
    expect(key).not.toContain("203.0.113");
  }
});

test("of several accounts, a person of the identity provider gets the named one, and none without naming it", async () => {
  const member = await tenant.addMember("finance");
  const second = await makeTenant(database);
  const { id } = await second.addMember("finance", { email: member.email });
  const identify = (organisation: string | null) =>
    signInWithIdentity(database.web, { organisation, verifiedEmail: member.email, ...from() });
  await expect(identify(null)).rejects.toMatchObject({ code: "organisation_required", status: 409 });
  await expect(identify(" ")).rejects.toMatchObject({ code: "organisation_required" });
  expect((await identify(second.slug)).userId).toBe(id);
  expect((await identify(` ${tenant.slug.toUpperCase()} `)).userId).toBe(member.id);
  expect(await codeOf(identify("nowhere"))).toBe("sign_in_failed");
});

test("the identity provider signs in members only, by an address it verified", async () => {
  const member = await tenant.addMember("finance");
  const name = await signInWithIdentity(database.web, {
    verifiedEmail: member.email.toUpperCase(),
    ...from(),
  });
  expect(name.userId).toBe(member.id);
  expect(
    await codeOf(signInWithIdentity(database.web, { verifiedEmail: "stranger@nowhere.example", ...from() })),
  ).toBe("sign_in_failed");
});

test("an ended session is over at once here and within seconds everywhere", async () => {
  const here = await signIn(tenant.owner.email);
  await loadSession(database.web, here);
  await endSession(database.web, here);
  expect(await loadSession(database.web, here)).toBeUndefined();

  const elsewhere = await signIn(tenant.owner.email);
  await loadSession(database.web, elsewhere);
  await database.owner.query("UPDATE sessions SET revoked_at = now() WHERE id = $1", [elsewhere.sessionId]);
  await vi.waitFor(async () => expect(await loadSession(database.web, elsewhere)).toBeUndefined(), within);
});

test("sessions end by age and by idling", async () => {
  const old = await signIn(tenant.owner.email);
  await database.owner.query("UPDATE sessions SET expires_at = now() - interval '1 s' WHERE id = $1", [
    old.sessionId,
  ]);
  expect(await loadSession(database.web, old)).toBeUndefined();
  const idle = await signIn(tenant.owner.email);
  await database.owner.query("UPDATE sessions SET last_seen_at = now() - interval '13 h' WHERE id = $1", [
    idle.sessionId,
  ]);
  expect(await loadSession(database.web, idle)).toBeUndefined();
});

test("work keeps a session from idling; a page that refreshes itself does not, nor work in another organisation", async () => {
  const name = await signIn(tenant.owner.email);
  const cookie = await cookieOf(name);
  await database.owner.query("UPDATE sessions SET last_seen_at = now() - interval '1 h' WHERE id = $1", [
    name.sessionId,
  ]);
  const isRecent = async () => {
    const { rows } = await database.owner.query<{ recent: boolean }>(
      "SELECT last_seen_at > now() - interval '1 min' AS recent FROM sessions WHERE id = $1",
      [name.sessionId],
    );
    return rows[0]?.recent;
  };
  const isAnswered = async (unattended: boolean) =>
    (await portalContext(cookie, { db: database.web, unattended })).session !== null;
  expect(await isAnswered(true)).toBe(true);
  expect(await liveSessions(database.web, cookie)).toHaveLength(1);
  await pause(300);
  expect(await isRecent()).toBe(false);
  expect(await isAnswered(false)).toBe(true);
  await vi.waitFor(async () => expect(await isRecent()).toBe(true), within);
});

test("people see and end only their own sessions", async () => {
  const { email } = await tenant.addMember("developer", { password });
  const [first, second, third] = [await signIn(email), await signIn(email), await signIn(email)];
  const owners = await signIn(tenant.owner.email);
  const ctx = sessionCtx(database.web, (await loadSession(database.web, first))!, "test");

  const { data } = await listOwnSessions(ctx);
  expect(data.map((session) => session.id)).toEqual([third.sessionId, second.sessionId, first.sessionId]);
  await revokeOwnSession(ctx, { id: second.sessionId });
  expect(await loadSession(database.web, second)).toBeUndefined();
  await expect(revokeOwnSession(ctx, { id: owners.sessionId })).rejects.toMatchObject({ code: "not_found" });
  expect(await liveInDatabase(owners)).toBe(true);

  expect(await revokeOwnSessions(ctx, { exceptId: first.sessionId })).toEqual({ revoked: 1 });
  expect(await loadSession(database.web, first)).toBeDefined();
  await revokeOwnSessions(ctx, {});
  expect(await loadSession(database.web, first)).toBeUndefined();
  expect(await liveInDatabase(owners)).toBe(true);
});

test("a new password ends all other sessions, and the old one no longer works", async () => {
  const { email } = await tenant.addMember("developer", { password });
  const [mine, other] = [await signIn(email), await signIn(email)];
  const ctx = sessionCtx(database.web, (await loadSession(database.web, mine))!, "test");
  const next = "an entirely different phrase";
  const attempt = { sessionId: mine.sessionId, next };
  await expect(changePassword(ctx, { ...attempt, current: "wrong" })).rejects.toMatchObject({
    code: "invalid_request",
  });
  await changePassword(ctx, { ...attempt, current: password });
  expect(await loadSession(database.web, other)).toBeUndefined();
  expect(await loadSession(database.web, mine)).toBeDefined();
  expect(await codeOf(signIn(email))).toBe("sign_in_failed");
  expect(await codeOf(signIn(email, next))).toBe("fine");
});

test("a changed role and a removed member take effect in open sessions", async () => {
  const member = await tenant.addMember("developer", { password });
  const name = await signIn(member.email);
  expect((await loadSession(database.web, name))?.roles).toEqual(["developer"]);
  const owner = tenant.as("owner");
  await assignRole(owner, { userId: member.id, role: "finance", unitId: tenant.units.beta });
  expect((await loadSession(database.web, name))?.roles).toEqual(["developer", "finance"]);
  const { assignments } = await explainAccess(owner, { userId: member.id });
  await unassignRole(owner, { userId: member.id, assignmentId: assignments[0]!.id });
  expect((await loadSession(database.web, name))?.roles).toEqual(["finance"]);
  await removeMember(tenant.as("owner"), { userId: member.id });
  expect(await loadSession(database.web, name)).toBeUndefined();
  expect(await codeOf(signIn(member.email))).toBe("sign_in_failed");
});

test("a cookie is accepted only under our key and with all of its names", async () => {
  const name = await signIn(tenant.owner.email);
  const context = async (cookie: string | null) =>
    (await portalContext(cookie, { db: database.web })).tidings?.actor.id ?? null;
  expect(await context(await cookieOf(name))).toBe(tenant.owner.id);
  expect(await context(`a=b; ${await cookieOf(name)}; c=d`)).toBe(tenant.owner.id);

  const stranger = await makeTenant(database);
  expect(await context(await cookieOf({ ...name, tenantId: stranger.tenantId }))).toBeNull();
  expect(await context(await cookieOf({ ...name, userId: stranger.owner.id }))).toBeNull();
  expect(await context(await cookieOf({ ...name, sessionId: newId() }))).toBeNull();
  expect(await context(await cookieOf({ ...name, sessionId: "x" }))).toBeNull();
  const forged = await encode({
    token: { sid: name.sessionId, tid: name.tenantId, sub: name.userId },
    secret: "another key",
  });
  expect(await context(`next-auth.session-token=${forged}`)).toBeNull();
  expect(await context("next-auth.session-token=nonsense")).toBeNull();
  expect(await context(null)).toBeNull();
});

test("passwords are stored as argon2id with 19 MiB and two passes, sign-ins are audited", async () => {
  const { userId, sessionId } = await signIn(tenant.owner.email);
  const row = await inTenant(tenant.system, (tx) =>
    tx.user.findFirst({ where: { tenantId: tenant.tenantId, id: userId } }),
  );
  expect(row?.passwordHash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  const { rows } = await database.owner.query<{ action: string; actor_id: string }>(
    "SELECT action, actor_id FROM audit_events WHERE target_id = $1",
    [sessionId],
  );
  expect(rows).toEqual([{ action: "session.started", actor_id: userId }]);
});
