import { randomBytes } from "node:crypto";
import { Secret, TOTP } from "otpauth";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { env } from "../kernel/env.ts";
import { newId } from "../kernel/ids.ts";
import { listOwnNotices } from "../notices/own-notices.ts";
import { linkForMember } from "../onboarding/operator-commands.ts";
import { testDatabase } from "../testing/database.ts";
import { makeTenant } from "../testing/factories.ts";
import type { TestTenant } from "../testing/factories.ts";
import { codeOf } from "../testing/refusal.ts";
import { elsewhere, newAddress, password, signedInMember } from "../testing/sign-ins.ts";
import type { SignedInMember } from "../testing/sign-ins.ts";
import { SoftwareAuthenticator } from "../testing/software-authenticator.ts";
import type { Lies } from "../testing/software-authenticator.ts";
import { addPasskey, listPasskeys, removePasskey, renamePasskey, startPasskey } from "./manage-passkeys.ts";
import { confirmSecondFactor, startSecondFactor } from "./manage-second-factor.ts";
import { challengeSeconds, makeBrowserCookie, makeChallenge, readChallenge } from "./passkey-challenge.ts";
import { removeMember } from "./remove-member.ts";
import { passkeyLimits } from "./vocabulary.ts";
import { loadSession, sessionCtx } from "./sessions.ts";
import { passkeyRequest, signInWithPasskey } from "./sign-in-with-passkey.ts";
import { updateSignInPolicy } from "./sign-in-policy.ts";
import { suspendMember } from "./suspend-member.ts";

const database = await testDatabase();
const tenant = await makeTenant(database);
const { origin } = new URL(env().publicUrl);

const member = (of: TestTenant = tenant, role: "developer" | "owner" = "developer") =>
  signedInMember(database, of, role);

async function add(
  person: SignedInMember,
  authenticator: SoftwareAuthenticator,
  lies: Lies = {},
  name = "Laptop",
) {
  const { ctx, sessionId } = person;
  const options = await startPasskey(ctx, { password, sessionId });
  return addPasskey(ctx, { name, attestation: authenticator.create(options, lies), sessionId });
}
/** Somebody with a passkey. */
async function memberWithPasskey(
  counter: number | null = null,
  of: TestTenant = tenant,
  role: "developer" | "owner" = "developer",
) {
  const person = await member(of, role);
  const authenticator = new SoftwareAuthenticator(origin, counter);
  const passkey = await add(person, authenticator);
  return { ...person, authenticator, passkey };
}
async function signIn(
  authenticator: SoftwareAuthenticator,
  lies: Lies = {},
  more: { ip?: string; device?: string } = {},
) {
  const browser = makeBrowserCookie();
  const options = await passkeyRequest(browser);
  return signInWithPasskey(database.web, {
    answer: authenticator.answer(options, lies),
    browser,
    ...elsewhere(),
    ...more,
  });
}
const counted = async (table: string) =>
  (await database.owner.query<{ n: number }>(`SELECT count(*)::int AS n FROM ${table}`)).rows[0]?.n;

beforeEach(async () => {
  await database.owner.query("DELETE FROM sign_in_delays");
});

test("a passkey signs in without a name or a password, in a session of its own", async () => {
  const { email, authenticator, sessionId, ctx, passkey } = await memberWithPasskey();
  const session = await signIn(authenticator);
  expect(session.sessionId).not.toBe(sessionId);
  expect(session.tenantSlug).toBe(tenant.slug);
  expect(await loadSession(database.web, session)).toMatchObject({ user: { email } });
  const { data } = await listPasskeys(ctx);
  expect(data).toMatchObject([{ id: passkey.id, name: "Laptop" }]);
  expect(data[0]?.lastUsedAt).toBeInstanceOf(Date);
  const { rows } = await database.owner.query<{ method: string }>(
    "SELECT method FROM sessions WHERE id = $1",
    [session.sessionId],
  );
  expect(rows).toEqual([{ method: "passkey" }]);
});

test("it counts as both factors where the organisation asks for a second one", async () => {
  const strict = await makeTenant(database);
  const { authenticator } = await memberWithPasskey(null, strict, "owner");
  const session = await loadSession(database.web, await signIn(authenticator));
  const ctx = sessionCtx(database.web, session!, newId());
  const policy = { secondFactor: true, sessionHours: 24, idleMinutes: 60 };
  await updateSignInPolicy(ctx, { ...policy, ways: ["password", "passkey"], sessionId: session!.id });
  expect(await loadSession(database.web, await signIn(authenticator))).toMatchObject({
    secondFactorMissing: false,
  });
  const other = await member(strict);
  expect(other.ctx.grants).toEqual([]);
  // Allowing another way only would lock out who asks for it.
  const only = { ...policy, ways: ["single_sign_on" as const], sessionId: session!.id };
  expect(await codeOf(updateSignInPolicy(ctx, only))).toBe("invalid_request");
});

test("where the organisation allows no passkeys none is added, and those that are there open nothing", async () => {
  const strict = await makeTenant(database);
  const { authenticator, ctx, sessionId } = await memberWithPasskey(null, strict, "owner");
  const open = await signIn(authenticator);
  const policy = { secondFactor: false, sessionHours: 24, idleMinutes: 60, ways: ["password" as const] };
  await updateSignInPolicy(ctx, { ...policy, sessionId });
  expect(await codeOf(signIn(authenticator))).toBe("sign_in_way_not_allowed");
  expect(await loadSession(database.web, open)).toBeUndefined();
  expect(await codeOf(startPasskey(ctx, { password, sessionId }))).toBe("sign_in_way_not_allowed");
  expect(await listPasskeys(ctx)).toMatchObject({ allowed: false });
});

describe("an answer opens nothing and says nothing when", () => {
  test.each<[string, Lies]>([
    ["another site asked for it", { origin: "https://tidings.example.evil" }],
    ["it came from a page of this host on another port", { origin: "http://localhost:1" }],
    ["it is for another host's passkeys", { rpId: "evil.example" }],
    ["another site had the page in a frame", { crossOrigin: true }],
    ["the authenticator did not make sure of its user", { verified: false }],
    ["nobody was there", { present: false }],
    ["it was made for adding a passkey", { type: "webauthn.create" }],
    ["the challenge is none of ours", { challenge: randomBytes(52).toString("base64url") }],
    ["there is no challenge", { challenge: "" }],
    ["it names another person", { userHandle: randomBytes(32).toString("base64url") }],
    ["the passkey is not known", { credentialId: randomBytes(32) }],
  ])("%s", async (_, lies) => {
    const { authenticator } = await memberWithPasskey();
    const sessions = await counted("sessions");
    const error = await signIn(authenticator, lies).catch((thrown: unknown) => thrown as Error);
    expect(error).toMatchObject({
      code: "sign_in_failed",
      message: "This passkey belongs to no account here.",
    });
    expect(await counted("sessions")).toBe(sessions);
    expect(await codeOf(signIn(authenticator))).toBe("");
  });

  test("it is signed by another key", async () => {
    const { authenticator } = await memberWithPasskey();
    const other = await memberWithPasskey();
    const browser = makeBrowserCookie();
    const answer = authenticator.answer(await passkeyRequest(browser));
    const forged = other.authenticator.answer(await passkeyRequest(browser));
    forged.id = forged.rawId = answer.id;
    forged.response.userHandle = answer.response.userHandle;
    expect(await codeOf(signInWithPasskey(database.web, { answer: forged, browser, ...elsewhere() }))).toBe(
      "sign_in_failed",
    );
    // A stranger's key under somebody's credential id, and the other way round.
    const stranger = new SoftwareAuthenticator(origin).answer(await passkeyRequest(browser));
    expect(await codeOf(signInWithPasskey(database.web, { answer: stranger, browser, ...elsewhere() }))).toBe(
      "sign_in_failed",
    );
  });

  test("it was given before, also many times at once", async () => {
    const { authenticator } = await memberWithPasskey();
    const browser = makeBrowserCookie();
    const answer = authenticator.answer(await passkeyRequest(browser));
    const outcomes = await Promise.all(
      Array.from({ length: 6 }, () =>
        codeOf(signInWithPasskey(database.web, { answer, browser, ...elsewhere() })),
      ),
    );
    expect(outcomes.filter((outcome) => outcome === "")).toHaveLength(1);
    expect(await codeOf(signInWithPasskey(database.web, { answer, browser, ...elsewhere() }))).toBe(
      "sign_in_failed",
    );
  });

  test("the challenge was another browser's, or another purpose's, or is too old", async () => {
    const { authenticator, id: userId, sessionId } = await memberWithPasskey();
    const browser = makeBrowserCookie();
    const give = (challenge: string, cookie: string | null) =>
      codeOf(
        signInWithPasskey(database.web, {
          answer: authenticator.answer({ challenge }),
          browser: cookie,
          ...elsewhere(),
        }),
      );
    const { challenge } = await passkeyRequest(browser);
    expect(await give(challenge, makeBrowserCookie())).toBe("sign_in_failed");
    expect(await give(challenge, null)).toBe("sign_in_failed");
    const text = (made: Buffer) => made.toString("base64url");
    const now = new Date();
    expect(
      await give(text(makeChallenge({ tenantId: tenant.tenantId, userId, sessionId }, now)), browser),
    ).toBe("sign_in_failed");
    const old = new Date(now.getTime() - challengeSeconds * 1_000 - 1_000);
    expect(await give(text(makeChallenge({ browser }, old)), browser)).toBe("sign_in_failed");
    // None of it has used up the one that the browser has.
    expect(await give(challenge, browser)).toBe("");
  });

  test("it is cut off, gigantic, nested or not an object", async () => {
    const { authenticator } = await memberWithPasskey();
    const browser = makeBrowserCookie();
    const good = authenticator.answer(await passkeyRequest(browser));
    const change = (response: object) => ({ ...good, response: { ...good.response, ...response } });
    const nested = Buffer.from("[".repeat(1_400)).toString("base64url");
    const hostile: unknown[] = [
      undefined,
      null,
      "",
      [],
      42,
      {},
      { ...good, id: "" },
      { ...good, id: "!".repeat(40) },
      { ...good, type: "password" },
      { ...good, id: "A".repeat(100_000), rawId: "A".repeat(100_000) },
      change({ clientDataJSON: "A".repeat(1_000_000) }),
      change({ clientDataJSON: nested }),
      change({ clientDataJSON: Buffer.from("null").toString("base64url") }),
      change({ authenticatorData: good.response.authenticatorData.slice(0, 20) }),
      change({ authenticatorData: "A" }),
      change({ signature: "AAAA" }),
      change({ signature: undefined }),
      change({ userHandle: undefined }),
      change({ authenticatorData: `${good.response.authenticatorData.slice(0, 43)}${"_".repeat(1_000)}` }),
    ];
    const started = performance.now();
    for (const answer of hostile) {
      expect(await codeOf(signInWithPasskey(database.web, { answer, browser, ...elsewhere() }))).toBe(
        "sign_in_failed",
      );
    }
    expect(performance.now() - started).toBeLessThan(5_000);
  });
});

test("an answer takes as long whether the passkey is known, another's or nobody's", async () => {
  const { authenticator } = await memberWithPasskey();
  const stranger = new SoftwareAuthenticator(origin);
  const time = async (by: SoftwareAuthenticator, lies: Lies) => {
    const started = performance.now();
    await codeOf(signIn(by, { userHandle: randomBytes(32).toString("base64url"), ...lies }));
    return performance.now() - started;
  };
  const times: [number, number][] = [];
  // In turns, so that whatever else the machine does meets both.
  for (let count = 0; count < 60; count++) {
    times.push([await time(authenticator, {}), await time(stranger, {})]);
  }
  const median = (of: number[]) => of.sort((a, b) => a - b)[of.length / 2] ?? 0;
  const known = median(times.map(([first]) => first));
  const unknown = median(times.map(([, second]) => second));
  expect(Math.abs(known - unknown)).toBeLessThan(Math.max(known, unknown) * 0.35);
});

test("one that has signed no more often than before is refused, and its person is told of the copy", async () => {
  const { id, authenticator, ctx } = await memberWithPasskey(5);
  expect(await codeOf(signIn(authenticator))).toBe("");
  expect(await codeOf(signIn(authenticator, { counter: 6 }))).toBe("sign_in_failed");
  expect(await codeOf(signIn(authenticator, { counter: 3 }))).toBe("sign_in_failed");
  expect(await codeOf(signIn(authenticator, { counter: 0 }))).toBe("sign_in_failed");
  expect(await codeOf(signIn(authenticator, { counter: 20 }))).toBe("");
  const { data } = await listOwnNotices(ctx, { limit: 10 });
  expect(data.filter(({ kind }) => kind === "sign_in.passkey_copied")).toHaveLength(3);
  const { rows } = await database.owner.query(
    "SELECT 1 FROM audit_events WHERE target_id = $1 AND action = 'passkey.copied'",
    [id],
  );
  expect(rows).toHaveLength(3);
  // One that does not count at all is no copy.
  const synced = await memberWithPasskey();
  expect(await codeOf(signIn(synced.authenticator))).toBe("");
  expect(await codeOf(signIn(synced.authenticator))).toBe("");
});

test("tries from one address slow down it alone: neither the owner elsewhere, nor their browser there", async () => {
  const { authenticator } = await memberWithPasskey();
  const { device } = await signIn(authenticator);
  const ip = newAddress();
  const tried: string[] = [];
  const lies = { verified: false };
  for (let count = 0; count < 12; count++) tried.push(await codeOf(signIn(authenticator, lies, { ip })));
  expect(tried.slice(0, 5)).toEqual(Array.from({ length: 5 }, () => "sign_in_failed"));
  expect(tried.filter((outcome) => outcome === "sign_in_slowed").length).toBeGreaterThan(3);
  expect(await codeOf(signIn(authenticator, {}, { ip, device }))).toBe("");
  expect(await codeOf(signIn(authenticator))).toBe("");
  // Passkeys that nobody has: many from one address wait for that address.
  const flood = newAddress();
  const strangers: string[] = [];
  for (let count = 0; count < 55; count++) {
    strangers.push(await codeOf(signIn(new SoftwareAuthenticator(origin), {}, { ip: flood })));
  }
  expect(await codeOf(signIn((await memberWithPasskey()).authenticator, {}, { ip: flood }))).toBe("");
  expect(new Set(strangers)).toEqual(new Set(["sign_in_failed"]));
});

test("adding one takes the password, and a code where there is a second factor; the person is told, and it is audited", async () => {
  const person = await member();
  const { ctx, sessionId, id } = person;
  expect(await codeOf(startPasskey(ctx, { password: "wrong", sessionId }))).toBe("invalid_request");
  const { secret } = await startSecondFactor(ctx, { password, sessionId });
  const codeAt = (steps: number) =>
    TOTP.generate({ secret: Secret.fromBase32(secret), timestamp: Date.now() + steps * 30_000 });
  const { recoveryCodes } = await confirmSecondFactor(ctx, { code: codeAt(-1), sessionId });
  expect(await codeOf(startPasskey(ctx, { password, sessionId }))).toBe("invalid_request");
  expect(await codeOf(startPasskey(ctx, { password, code: "000000", sessionId }))).toBe("invalid_request");
  const options = await startPasskey(ctx, { password, code: codeAt(0), sessionId });
  const authenticator = new SoftwareAuthenticator(origin);
  const attestation = authenticator.create(options);
  const passkey = await addPasskey(ctx, { name: "Laptop", attestation, sessionId });
  expect(await codeOf(signIn(authenticator))).toBe("");
  await renamePasskey(ctx, { id: passkey.id, name: "Work laptop" });
  expect(await codeOf(removePasskey(ctx, { id: passkey.id, password, sessionId }))).toBe("invalid_request");
  await removePasskey(ctx, { id: passkey.id, password, code: recoveryCodes[0]!, sessionId });
  expect(await codeOf(signIn(authenticator))).toBe("sign_in_failed");
  const { rows } = await database.owner.query<{ action: string; data: object }>(
    "SELECT action, data FROM audit_events WHERE target_id = $1 AND action LIKE 'passkey%' ORDER BY id",
    [id],
  );
  expect(rows).toMatchObject([
    { action: "passkey.started" },
    { action: "passkey.added", data: { after: { passkey: "Laptop" } } },
    {
      action: "passkey.renamed",
      data: { before: { passkey: "Laptop" }, after: { passkey: "Work laptop" } },
    },
    { action: "passkey.removed", data: { before: { passkey: "Work laptop" }, after: { passkey: null } } },
  ]);
  expect((await listOwnNotices(ctx, { limit: 10 })).data.map(({ kind }) => kind)).toEqual(
    expect.arrayContaining(["sign_in.passkey_added", "sign_in.passkey_removed"]),
  );
});

test("a new passkey counts when it was made here, for this person and session, with its user, a moment ago and once", async () => {
  const person = await member();
  const { ctx, sessionId } = person;
  const begin = () => startPasskey(ctx, { password, sessionId });
  const give = (attestation: ReturnType<SoftwareAuthenticator["create"]>, as: SignedInMember = person) =>
    codeOf(addPasskey(as.ctx, { name: "Laptop", attestation, sessionId: as.sessionId }));
  const make = async (lies: Lies = {}) => new SoftwareAuthenticator(origin).create(await begin(), lies);
  const refused = "invalid_request";
  expect(await give(await make({ origin: "https://evil.example" }))).toBe(refused);
  expect(await give(await make({ rpId: "evil.example" }))).toBe(refused);
  expect(await give(await make({ verified: false }))).toBe(refused);
  expect(await give(await make({ present: false }))).toBe(refused);
  expect(await give(await make({ crossOrigin: true }))).toBe(refused);
  expect(await give(await make({ type: "webauthn.get" }))).toBe(refused);
  expect(await give(await make({ credentialId: Buffer.alloc(4) }))).toBe(refused);
  expect(await give(await make({ credentialId: randomBytes(1_024) }))).toBe(refused);
  expect(await give(await make({ challenge: randomBytes(52).toString("base64url") }))).toBe(refused);
  expect(await give(await make(), await member())).toBe(refused);
  const { challenge } = await passkeyRequest(makeBrowserCookie());
  expect(await give(await make({ challenge }))).toBe(refused);
  const used = await make();
  expect(await give(used)).toBe("");
  expect(await give(used)).toBe(refused);
  const late = await make();
  const later = { ...ctx, now: () => new Date(Date.now() + challengeSeconds * 1_000 + 1_000) };
  expect(await give(late, { ...person, ctx: later })).toBe(refused);
  expect((await listPasskeys(ctx)).data).toHaveLength(1);
});

test("hostile attestations are refused fast, and nobody's certificates are looked at", async () => {
  const person = await member();
  const { ctx, sessionId } = person;
  const spy = vi.spyOn(globalThis, "fetch");
  // A statement of its make that would have its certificates fetched and read: it is left out, the key itself is fine.
  const authenticator = new SoftwareAuthenticator(origin);
  const statement = new Map<string, unknown>([
    ["x5c", [Uint8Array.from(randomBytes(600))]],
    ["sig", Uint8Array.from(randomBytes(64))],
    ["alg", -7],
  ]);
  await add(person, authenticator, { format: "packed", statement });
  expect(await codeOf(signIn(authenticator))).toBe("");
  const options = await startPasskey(ctx, { password, sessionId });
  const good = new SoftwareAuthenticator(origin).create(options);
  const started = performance.now();
  for (const attestationObject of [
    Buffer.alloc(6_000, 0x81).toString("base64url"),
    Buffer.from("a0", "hex").toString("base64url"),
    Buffer.from("bb7fffffffffffffff", "hex").toString("base64url"),
    Buffer.from("5a7fffffff", "hex").toString("base64url"),
    good.response.attestationObject.slice(0, 100),
    "AAAA",
  ]) {
    const again = new SoftwareAuthenticator(origin).create(await startPasskey(ctx, { password, sessionId }));
    const attestation = { ...again, response: { ...again.response, attestationObject } };
    expect(await codeOf(addPasskey(ctx, { name: "x", attestation, sessionId }))).toBe("invalid_request");
  }
  expect(performance.now() - started).toBeLessThan(10_000);
  expect(spy).not.toHaveBeenCalled();
  spy.mockRestore();
});

test("a credential id is one account's in the whole installation", async () => {
  const { authenticator, ctx } = await memberWithPasskey();
  const other = await member(await makeTenant(database));
  const options = await startPasskey(other.ctx, { password, sessionId: other.sessionId });
  const stolen = new SoftwareAuthenticator(origin).create(options, {
    credentialId: Buffer.from(authenticator.id, "base64url"),
  });
  expect(
    await codeOf(addPasskey(other.ctx, { name: "Theirs", attestation: stolen, sessionId: other.sessionId })),
  ).toBe("conflict");
  expect((await signIn(authenticator)).userId).toBe(ctx.actor.id);
});

test("nobody lists, renames or removes another's; there are at most as many as the limit says", async () => {
  const { passkey, ctx, sessionId } = await memberWithPasskey();
  for (const of of [tenant, await makeTenant(database)]) {
    const other = await member(of);
    expect((await listPasskeys(other.ctx)).data).toEqual([]);
    expect(await codeOf(renamePasskey(other.ctx, { id: passkey.id, name: "Mine" }))).toBe("not_found");
    expect(
      await codeOf(removePasskey(other.ctx, { id: passkey.id, password, sessionId: other.sessionId })),
    ).toBe("not_found");
  }
  expect((await listPasskeys(ctx)).data).toMatchObject([{ name: "Laptop" }]);
  const pending = await startPasskey(ctx, { password, sessionId });
  await database.owner.query(
    `INSERT INTO passkeys SELECT tenant_id, uuidv7_new(), user_id, name, sha256(n::text::bytea), public_key, 0, transports, now(), NULL
     FROM passkeys, generate_series(2, $2) AS n WHERE id = $1`,
    [passkey.id, passkeyLimits.each],
  );
  expect(await codeOf(startPasskey(ctx, { password, sessionId }))).toBe("conflict");
  const attestation = new SoftwareAuthenticator(origin).create(pending);
  expect(await codeOf(addPasskey(ctx, { name: "x", attestation, sessionId }))).toBe("conflict");
});

test("what names the account to a device is random and the same for all of a person's passkeys", async () => {
  const { ctx, sessionId, id, email } = await memberWithPasskey();
  const [first, second] = [
    await startPasskey(ctx, { password, sessionId }),
    await startPasskey(ctx, { password, sessionId }),
  ];
  expect(first.user.id).toBe(second.user.id);
  expect(first.challenge).not.toBe(second.challenge);
  const handle = Buffer.from(first.user.id, "base64url");
  expect(handle).toHaveLength(32);
  for (const known of [id, tenant.tenantId]) {
    expect(handle.toString("hex")).not.toContain(known.replaceAll("-", ""));
  }
  expect(handle.toString("latin1")).not.toContain(email);
  const other = await memberWithPasskey();
  const theirs = await startPasskey(other.ctx, { password, sessionId: other.sessionId });
  expect(theirs.user.id).not.toBe(first.user.id);
});

test("removing one ends the person's other sessions; suspension, removal and the operator end what a passkey opens", async () => {
  const { passkey, authenticator, ctx, sessionId } = await memberWithPasskey();
  const begun = await signIn(authenticator);
  await removePasskey(ctx, { id: passkey.id, password, sessionId });
  expect(await loadSession(database.web, begun)).toBeUndefined();
  expect(await loadSession(database.web, { ...begun, sessionId })).toBeDefined();

  const suspended = await memberWithPasskey();
  await suspendMember(tenant.as("owner"), { userId: suspended.id });
  expect(await codeOf(signIn(suspended.authenticator))).toBe("sign_in_failed");

  const removed = await memberWithPasskey();
  await removeMember(tenant.as("owner"), { userId: removed.id });
  expect(await codeOf(signIn(removed.authenticator))).toBe("sign_in_failed");
  const { rows } = await database.owner.query<{ handle: Buffer | null; n: number }>(
    `SELECT u.passkey_handle AS handle, (SELECT count(*)::int FROM passkeys p WHERE p.user_id = u.id) AS n
     FROM users u WHERE u.id = $1`,
    [removed.id],
  );
  expect(rows).toEqual([{ handle: null, n: 0 }]);

  const lost = await memberWithPasskey();
  const input = { organisation: tenant.slug, email: lost.email };
  await linkForMember(database.owner, database.worker, input);
  expect(await codeOf(signIn(lost.authenticator))).toBe("");
  await linkForMember(database.owner, database.worker, { ...input, withoutSecondFactor: true });
  expect(await codeOf(signIn(lost.authenticator))).toBe("sign_in_failed");
});

test("challenges that were answered are forgotten when they would not count any more, and asking for one stores nothing", async () => {
  const { authenticator } = await memberWithPasskey();
  const before = await counted("passkey_challenges");
  for (let count = 0; count < 50; count++) await passkeyRequest(makeBrowserCookie());
  expect(await counted("passkey_challenges")).toBe(before);
  await database.owner.query("UPDATE passkey_challenges SET expires_at = now() - interval '1 s'");
  await signIn(authenticator);
  expect(await counted("passkey_challenges")).toBeLessThanOrEqual(Math.max(1, (before ?? 0) - 19));
  const browser = makeBrowserCookie();
  const made = makeChallenge({ browser }, new Date()).toString("base64url");
  expect(readChallenge(made, { browser }, new Date())).not.toBeNull();
  for (let place = 0; place < made.length; place += 7) {
    const changed = `${made.slice(0, place)}${made[place] === "A" ? "B" : "A"}${made.slice(place + 1)}`;
    expect(readChallenge(changed, { browser }, new Date())).toBeNull();
  }
});
