import { Secret, TOTP } from "otpauth";
import { encode } from "next-auth/jwt";
import { beforeEach, expect, test } from "vitest";
import { newId } from "../kernel/ids.ts";
import { testDatabase } from "../testing/database.ts";
import { makeTenant } from "../testing/factories.ts";
import type { TestTenant } from "../testing/factories.ts";
import { portalContext } from "../trpc/context.ts";
import { appRouter } from "../trpc/root.ts";
import { sessionSecret } from "../trpc/session-token.ts";
import { confirmSecondFactor, startSecondFactor } from "./manage-second-factor.ts";
import { listOwnSessions } from "./manage-sessions.ts";
import type { SignInPolicy } from "./schemas.ts";
import { forgetSessions, loadSession, sessionCtx } from "./sessions.ts";
import type { SessionName } from "./sessions.ts";
import { getSignInPolicy, maySignInBy, updateSignInPolicy } from "./sign-in-policy.ts";
import { signInWithIdentity, signInWithPassword } from "./sign-in.ts";

const database = await testDatabase();
const password = "correct horse battery staple";
const from = () => ({ ip: null, userAgent: null, requestId: newId() });
const signIn = (tenant: TestTenant, email: string, code?: string) =>
  signInWithPassword(database.web, {
    organisation: tenant.slug,
    email,
    password,
    ...(code ? { code } : {}),
    ...from(),
  });
const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => "fine",
    (error: unknown) => (error as { code: string }).code,
  );
const ctxOf = async (name: SessionName) =>
  sessionCtx(database.web, (await loadSession(database.web, name))!, newId());
const codeAt = (secret: string, steps = 0) =>
  TOTP.generate({ secret: Secret.fromBase32(secret), timestamp: Date.now() + steps * 30_000 });
async function enrol(name: SessionName): Promise<string> {
  const ctx = await ctxOf(name);
  const { secret } = await startSecondFactor(ctx, { password, sessionId: name.sessionId });
  await confirmSecondFactor(ctx, { code: codeAt(secret, -1), sessionId: name.sessionId });
  return secret;
}
const open: SignInPolicy = {
  secondFactor: false,
  sessionHours: 168,
  idleMinutes: 720,
  ways: ["password", "passkey", "single_sign_on", "identity_provider"],
};
/** An organisation with an owner who has signed in. */
async function organisation() {
  const tenant = await makeTenant(database);
  const owner = await tenant.addMember("owner", { password });
  const session = await signIn(tenant, owner.email);
  const change = async (policy: Partial<SignInPolicy>, by: SessionName = session) =>
    updateSignInPolicy(await ctxOf(by), { ...open, ...policy, sessionId: by.sessionId });
  return { tenant, owner, session, change };
}
/** What somebody's browser may call, through the portal's own door. */
async function portalOf({ sessionId, tenantId, userId }: SessionName) {
  const token = { sid: sessionId, tid: tenantId, sub: userId };
  const cookies = `next-auth.session-token=${await encode({ token, secret: sessionSecret() })}`;
  return appRouter.createCaller(await portalContext(cookies, { db: database.web }));
}
const aged = (sessionId: string, column: "created_at" | "last_seen_at", interval: string) =>
  database.owner
    .query(`UPDATE sessions SET ${column} = now() - $2::interval WHERE id = $1`, [sessionId, interval])
    .then(() => forgetSessions());
beforeEach(async () => {
  await database.owner.query("DELETE FROM sign_in_delays");
});

test("without a word of the organisation all ways are open, and sessions last a week, or twelve hours without use", async () => {
  const { tenant } = await organisation();
  expect(await getSignInPolicy(tenant.as("owner"))).toEqual({ ...open, singleSignOn: null });
});

test("a change leaves what it does not name as it is: two people who change at the same time keep both", async () => {
  const { session, change } = await organisation();
  await change({ sessionHours: 8, ways: ["password", "passkey"] });
  const portal = await portalOf(session);
  expect(await portal.signInPolicy.update({ idleMinutes: 30 })).toEqual({
    secondFactor: false,
    sessionHours: 8,
    idleMinutes: 30,
    ways: ["password", "passkey"],
  });
});

test("where a second factor is asked for, who has none may do nothing but set one up, in every procedure", async () => {
  const { tenant, session, change } = await organisation();
  const mia = await tenant.addMember("administrator", { password });
  const before = await signIn(tenant, mia.email);
  await enrol(session);
  await change({ secondFactor: true });
  // It holds for the session that was open, and for one that begins now.
  for (const name of [before, await signIn(tenant, mia.email)]) {
    const live = await loadSession(database.web, name);
    expect(live).toMatchObject({ secondFactorMissing: true, grants: [], roles: [] });
    const portal = await portalOf(name);
    expect(await codeOf(portal.members.list({}))).toBe("FORBIDDEN");
    expect((await portal.tenancy.me()).permissions).toEqual([]);
    expect((await portal.tenancy.me()).environments).toEqual([]);
  }
  const open = /^(secondFactor|sessions)\.|^tenancy\.me$/;
  const portal = await portalOf(before);
  for (const path of Object.keys(appRouter._def.procedures).filter((each) => !open.test(each))) {
    let target: unknown = portal;
    for (const part of path.split(".")) target = (target as Record<string, unknown>)[part];
    const outcome = await (target as (input: unknown) => Promise<unknown>)({}).catch(
      (error: unknown) => (error as { cause: { code: string } }).cause.code,
    );
    expect(outcome, path).toBe("second_factor_missing");
  }
  // Once it is there, everything is.
  await enrol(before);
  expect((await (await portalOf(before)).members.list({})).data.length).toBeGreaterThan(0);
});

test("who came through the identity provider has their second factor there", async () => {
  const { tenant, session, change } = await organisation();
  const mia = await tenant.addMember("developer");
  await enrol(session);
  await change({ secondFactor: true });
  const name = await signInWithIdentity(database.web, {
    organisation: tenant.slug,
    verifiedEmail: mia.email,
    ...from(),
  });
  expect(await loadSession(database.web, name)).toMatchObject({ secondFactorMissing: false });
});

test("a way that is not allowed opens nothing, says so only to who has proved who they are, and ends its sessions", async () => {
  const { tenant, session, change } = await organisation();
  const mia = await tenant.addMember("administrator", { password });
  const [byPassword, byProvider] = [
    await signIn(tenant, mia.email),
    await signInWithIdentity(database.web, {
      organisation: tenant.slug,
      verifiedEmail: mia.email,
      ...from(),
    }),
  ];
  await change({ ways: ["single_sign_on"] }, byProvider);
  expect(await loadSession(database.web, byPassword)).toBeUndefined();
  // An owner's password stays the way back; without a second factor it opens nothing but the setting up of one.
  expect(await loadSession(database.web, session)).toMatchObject({ secondFactorMissing: true, grants: [] });
  const ctx = await ctxOf(byProvider);
  expect((await listOwnSessions(ctx)).data.map(({ id }) => id)).toEqual([byProvider.sessionId]);
  expect(await codeOf(signIn(tenant, mia.email))).toBe("sign_in_way_not_allowed");
  const wrong = signInWithPassword(database.web, {
    organisation: tenant.slug,
    email: mia.email,
    password: "wrong",
    ...from(),
  });
  expect(await codeOf(wrong)).toBe("sign_in_failed");
  expect(await maySignInBy(ctx, "password")).toBe(false);

  const reverse = await organisation();
  await reverse.change({ ways: ["password"] });
  expect(
    await codeOf(
      signInWithIdentity(database.web, {
        organisation: reverse.tenant.slug,
        verifiedEmail: reverse.owner.email,
        ...from(),
      }),
    ),
  ).toBe("sign_in_way_not_allowed");
  expect(await codeOf(signIn(reverse.tenant, reverse.owner.email))).toBe("fine");
});

test("an owner's password stays the way back where it is not allowed, with a second factor and for owners alone", async () => {
  const { tenant, owner, session, change } = await organisation();
  const secret = await enrol(session);
  const byProvider = await signInWithIdentity(database.web, {
    organisation: tenant.slug,
    verifiedEmail: owner.email,
    ...from(),
  });
  await change({ ways: ["single_sign_on"] }, byProvider);
  expect(await codeOf(signIn(tenant, owner.email))).toBe("second_factor_required");
  const back = await signIn(tenant, owner.email, codeAt(secret));
  expect(await loadSession(database.web, back)).toMatchObject({
    secondFactorMissing: false,
    roles: ["owner"],
  });
  const unitOwner = await tenant.addMember("owner", { password, unitId: tenant.units.alpha });
  expect(await codeOf(signIn(tenant, unitOwner.email))).toBe("sign_in_way_not_allowed");
});

test("sessions end as the organisation says, those that are open too", async () => {
  const { tenant, session, change } = await organisation();
  const mia = await tenant.addMember("developer", { password });
  const [old, idle, fresh] = [
    await signIn(tenant, mia.email),
    await signIn(tenant, mia.email),
    await signIn(tenant, mia.email),
  ];
  await aged(old.sessionId, "created_at", "2 hours");
  for (const name of [old, idle, fresh]) expect(await loadSession(database.web, name)).toBeDefined();
  await aged(idle.sessionId, "last_seen_at", "20 minutes");
  await change({ sessionHours: 1, idleMinutes: 15 });
  expect(await loadSession(database.web, old)).toBeUndefined();
  expect(await loadSession(database.web, idle)).toBeUndefined();
  expect(await loadSession(database.web, fresh)).toBeDefined();
  expect(await loadSession(database.web, session)).toBeDefined();
});

test("nobody locks themselves out: not by a second factor that they lack, nor by taking away the way they came", async () => {
  const { session, change, tenant } = await organisation();
  await expect(change({ secondFactor: true })).rejects.toMatchObject({
    code: "invalid_request",
    errors: [{ pointer: "/secondFactor", code: "locks_out" }],
  });
  await expect(change({ ways: ["single_sign_on"] })).rejects.toMatchObject({
    code: "invalid_request",
    errors: [{ pointer: "/ways", code: "locks_out" }],
  });
  expect(await getSignInPolicy(tenant.as("owner"))).toMatchObject(open);
  expect(await loadSession(database.web, session)).toBeDefined();
});

test("the change is in the audit trail with before and after, and takes settings:manage in the whole organisation", async () => {
  const { tenant, change } = await organisation();
  await change({ idleMinutes: 30 });
  const { rows } = await database.owner.query<{ data: object }>(
    "SELECT data FROM audit_events WHERE tenant_id = $1 AND action = 'sign_in_policy.changed'",
    [tenant.tenantId],
  );
  expect(rows.map(({ data }) => data)).toEqual([
    { before: { idleMinutes: 720 }, after: { idleMinutes: 30 } },
  ]);
  const limited = tenant.as("administrator", tenant.units.alpha);
  expect(await codeOf(updateSignInPolicy(limited, { ...open, sessionId: newId() }))).toBe("not_found");
  expect(await codeOf(getSignInPolicy(tenant.as("developer")))).toBe("permission_denied");
});

test("one organisation's policy is nobody else's", async () => {
  const [first, second] = [await organisation(), await organisation()];
  await first.change({ sessionHours: 1, ways: ["password"] });
  await aged(second.session.sessionId, "created_at", "2 hours");
  expect(await loadSession(database.web, second.session)).toBeDefined();
  expect(await maySignInBy({ db: database.web, tenantId: second.tenant.tenantId }, "single_sign_on")).toBe(
    true,
  );
});
