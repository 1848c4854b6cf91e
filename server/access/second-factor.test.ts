import { Secret, TOTP } from "otpauth";
import { beforeEach, expect, test } from "vitest";
import { inTenant } from "../kernel/db.ts";
import { newId } from "../kernel/ids.ts";
import { listOwnNotices } from "../notices/own-notices.ts";
import { linkForMember } from "../onboarding/operator-commands.ts";
import { testDatabase } from "../testing/database.ts";
import { makeTenant } from "../testing/factories.ts";
import { codeOf } from "../testing/refusal.ts";
import { elsewhere, newAddress, password, signedInMember } from "../testing/sign-ins.ts";
import { changePassword } from "./change-password.ts";
import {
  confirmSecondFactor,
  getSecondFactor,
  removeSecondFactor,
  renewRecoveryCodes,
  startSecondFactor,
} from "./manage-second-factor.ts";
import { listOwnSessions } from "./manage-sessions.ts";
import { makePasswordLink, setPassword } from "./password-links.ts";
import { makeRecoveryCode, recoveryCodeHash } from "./recovery-codes.ts";
import { removeMember } from "./remove-member.ts";
import { loadSession } from "./sessions.ts";
import { signInWithPassword } from "./sign-in.ts";

const database = await testDatabase();
const tenant = await makeTenant(database);
const member = () => signedInMember(database, tenant);

const signIn = (
  email: string,
  more: { code?: string; password?: string; ip?: string; device?: string } = {},
) =>
  signInWithPassword(database.web, {
    organisation: tenant.slug,
    email,
    password,
    ...elsewhere(),
    ...more,
  });
/** The code of a secret, some steps of 30 seconds from now. */
const codeAt = (secret: string, steps = 0) =>
  TOTP.generate({ secret: Secret.fromBase32(secret), timestamp: Date.now() + steps * 30_000 });

/** Somebody with a second factor, of which the code of now was used to confirm it. */
async function memberWithFactor() {
  const person = await member();
  const { secret } = await startSecondFactor(person.ctx, { password, sessionId: person.sessionId });
  const { recoveryCodes } = await confirmSecondFactor(person.ctx, {
    code: codeAt(secret, -1),
    sessionId: person.sessionId,
  });
  return { ...person, secret, recoveryCodes };
}
beforeEach(async () => {
  await database.owner.query("DELETE FROM sign_in_delays");
});

test("once an app has shown a code, the password alone opens nothing and the code opens the account", async () => {
  const { email, secret, sessionId } = await memberWithFactor();
  expect(await codeOf(signIn(email))).toBe("second_factor_required");
  expect(await codeOf(signIn(email, { code: "" }))).toBe("second_factor_required");
  expect(await codeOf(signIn(email, { code: "000000" }))).toBe("second_factor_failed");
  const session = await signIn(email, { code: codeAt(secret) });
  // A session begins when all was given, and never goes on from one before.
  expect(session.sessionId).not.toBe(sessionId);
  expect(await loadSession(database.web, session)).toMatchObject({ user: { email } });
});

test("a wrong password is answered in the same words with a code and without, also for who has no second factor", async () => {
  const { email, secret } = await memberWithFactor();
  const plain = await member();
  const said = await Promise.all(
    [
      signIn(email, { password: "wrong" }),
      signIn(email, { password: "wrong", code: codeAt(secret) }),
      signIn(plain.email, { password: "wrong" }),
      signIn(`${newId()}@nowhere.example`, { code: "123456" }),
    ].map((work) => work.catch((error: unknown) => error as Error & { code: string })),
  );
  expect(
    new Set(said.map((error) => ("message" in error ? `${error.code} ${error.message}` : "in"))).size,
  ).toBe(1);
  // The code was not spent on a wrong password.
  expect(await codeOf(signIn(email, { code: codeAt(secret) }))).toBe("");
});

test("each code counts once, also of many at the same time, and none from before it", async () => {
  const { email, secret } = await memberWithFactor();
  const code = codeAt(secret);
  const outcomes = await Promise.all(Array.from({ length: 6 }, () => codeOf(signIn(email, { code }))));
  expect(outcomes.filter((outcome) => outcome === "")).toHaveLength(1);
  await database.owner.query("DELETE FROM sign_in_delays");
  expect(await codeOf(signIn(email, { code }))).toBe("second_factor_failed");
  expect(await codeOf(signIn(email, { code: codeAt(secret, -1) }))).toBe("second_factor_failed");
  expect(await codeOf(signIn(email, { code: codeAt(secret, 1) }))).toBe("");
  // Too far from now.
  expect(await codeOf(signIn(email, { code: codeAt(secret, 3) }))).toBe("second_factor_failed");
});

test("a recovery code works once, however it is typed; the person is told, and it is in the trail", async () => {
  const { id, email, ctx, recoveryCodes } = await memberWithFactor();
  expect(new Set(recoveryCodes).size).toBe(10);
  const [code = "", other = ""] = recoveryCodes;
  const outcomes = await Promise.all(
    Array.from({ length: 4 }, () => codeOf(signIn(email, { code: code.toUpperCase().replaceAll("-", " ") }))),
  );
  expect(outcomes.filter((outcome) => outcome === "")).toHaveLength(1);
  await database.owner.query("DELETE FROM sign_in_delays");
  expect(await codeOf(signIn(email, { code }))).toBe("second_factor_failed");
  expect(await getSecondFactor(ctx)).toMatchObject({ recoveryCodes: 9 });
  expect((await listOwnNotices(ctx, { limit: 10 })).data).toMatchObject([
    { kind: "sign_in.recovery_code", data: { left: 9 } },
  ]);
  const { rows } = await database.owner.query<{ data: object }>(
    "SELECT data FROM audit_events WHERE target_id = $1 AND action = 'second_factor.recovery_code_used'",
    [id],
  );
  expect(rows.map(({ data }) => data)).toEqual([
    { before: { recoveryCodes: 10 }, after: { recoveryCodes: 9 } },
  ]);
  // Somebody else's is none of theirs.
  const another = await memberWithFactor();
  expect(await codeOf(signIn(another.email, { code: other }))).toBe("second_factor_failed");
});

test("codes are tried slowly, from however many addresses, and a browser that is known waits for nobody", async () => {
  const { email, secret } = await memberWithFactor();
  const { device } = await signIn(email, { code: codeAt(secret) });
  const tried: string[] = [];
  for (let count = 0; count < 12; count++) tried.push(await codeOf(signIn(email, { code: "123456" })));
  // Five, and what a slow machine has waited for.
  expect(tried.slice(0, 5)).toEqual(Array.from({ length: 5 }, () => "second_factor_failed"));
  expect(tried.filter((outcome) => outcome === "sign_in_slowed").length).toBeGreaterThan(3);
  await database.owner.query(
    "UPDATE sign_in_delays SET next_at = now() + interval '9 s' WHERE failures >= 5",
  );
  // The right one has to wait as well: otherwise waiting would say which it was.
  expect(await codeOf(signIn(email, { code: codeAt(secret, 1) }))).toBe("sign_in_slowed");
  expect(await codeOf(signIn(email, { code: codeAt(secret, 1), device }))).toBe("");
});

test("the person is told of codes that were wrong: then somebody knows the password", async () => {
  const { id, email, ctx } = await memberWithFactor();
  for (let count = 0; count < 5; count++) await codeOf(signIn(email, { code: "123456" }));
  const { rows } = await database.owner.query<{ action: string }>(
    "SELECT action FROM audit_events WHERE target_id = $1 AND action LIKE 'sign_in.%'",
    [id],
  );
  expect(rows.filter(({ action }) => action === "sign_in.failed")).toHaveLength(5);
  expect((await listOwnNotices(ctx, { limit: 10 })).data).toMatchObject([{ kind: "sign_in.failed" }]);
});

test("setting it up asks for the password again, and ends the person's other sessions", async () => {
  const person = await member();
  const other = await signIn(person.email);
  const { ctx, sessionId } = person;
  expect(await codeOf(startSecondFactor(ctx, { password: "wrong", sessionId }))).toBe("invalid_request");
  const { secret, address } = await startSecondFactor(ctx, { password, sessionId });
  expect(decodeURIComponent(address)).toContain(person.email);
  // Until a code was seen nothing is asked for: who loses the app half-way is not locked out.
  expect(await getSecondFactor(ctx)).toMatchObject({ since: null });
  expect(await codeOf(signIn(person.email))).toBe("");
  expect(await codeOf(confirmSecondFactor(ctx, { code: "000000", sessionId }))).toBe("invalid_request");
  await confirmSecondFactor(ctx, { code: codeAt(secret), sessionId });
  expect((await listOwnSessions(ctx)).data.map(({ id }) => id)).toEqual([sessionId]);
  expect(await loadSession(database.web, other)).toBeUndefined();
  // The code that confirmed it opens nothing afterwards.
  expect(await codeOf(signIn(person.email, { code: codeAt(secret) }))).toBe("second_factor_failed");
  expect(await codeOf(startSecondFactor(ctx, { password, sessionId }))).toBe("conflict");
  expect(await codeOf(confirmSecondFactor(ctx, { code: codeAt(secret, 1), sessionId }))).toBe("conflict");
});

test("removing it takes the password and a code, and so do new recovery codes, which end the old ones", async () => {
  const { ctx, sessionId, email, secret, recoveryCodes } = await memberWithFactor();
  const [former = "", second = ""] = recoveryCodes;
  const renew = (given: { password: string; code: string }) =>
    renewRecoveryCodes(ctx, { ...given, sessionId });
  expect(await codeOf(renew({ password: "wrong", code: codeAt(secret) }))).toBe("invalid_request");
  // Who has the password and an open browser does not come to a passkey or another app by way of new codes.
  expect(await codeOf(renew({ password, code: "000000" }))).toBe("invalid_request");
  expect((await getSecondFactor(ctx)).recoveryCodes).toBe(10);
  const renewed = await renew({ password, code: codeAt(secret) });
  expect(await codeOf(signIn(email, { code: former }))).toBe("second_factor_failed");
  const input = { password, sessionId };
  expect(await codeOf(removeSecondFactor(ctx, { ...input, code: second }))).toBe("invalid_request");
  expect(await codeOf(removeSecondFactor(ctx, { ...input, password: "wrong", code: codeAt(secret) }))).toBe(
    "invalid_request",
  );
  await removeSecondFactor(ctx, { ...input, code: renewed.recoveryCodes[0]! });
  expect(await codeOf(signIn(email))).toBe("");
  expect(await getSecondFactor(ctx)).toMatchObject({ since: null, recoveryCodes: 0 });
});

test("a new password, changed or by a link, leaves the second factor as it is", async () => {
  const { id, email, ctx, sessionId, secret } = await memberWithFactor();
  const next = "quiet otters knit nine";
  await changePassword(ctx, { current: password, next, sessionId });
  expect(await codeOf(signIn(email, { password: next }))).toBe("second_factor_required");
  const { token } = await inTenant(tenant.system, (tx) => makePasswordLink(tenant.system, tx, id));
  await setPassword(database.web, { token, password, ip: newAddress(), requestId: newId() });
  expect(await codeOf(signIn(email))).toBe("second_factor_required");
  expect(await codeOf(signIn(email, { code: codeAt(secret) }))).toBe("");
});

test("the secret is sealed, recovery codes are hashes, and neither is in the audit trail", async () => {
  const { id, secret, recoveryCodes } = await memberWithFactor();
  const { rows } = await database.owner.query<{ text: string }>(
    `SELECT string_agg(t, ' ') AS text FROM (
       SELECT f::text || encode(f.secret, 'escape') FROM second_factors f UNION ALL SELECT r::text FROM recovery_codes r
       UNION ALL SELECT a::text FROM audit_events a UNION ALL SELECT s::text FROM sessions s) AS all_rows(t)`,
  );
  const hex = Buffer.from(Secret.fromBase32(secret).bytes).toString("hex");
  for (const text of [
    secret,
    hex,
    ...recoveryCodes,
    ...recoveryCodes.map((code) => code.replaceAll("-", "")),
  ]) {
    expect(rows[0]?.text).not.toContain(text);
  }
  // Sealed for its person: beside somebody else's name it opens nothing.
  const other = await memberWithFactor();
  await database.owner.query(
    "UPDATE second_factors SET secret = (SELECT secret FROM second_factors WHERE user_id = $1), last_step = 0 WHERE user_id = $2",
    [id, other.id],
  );
  await expect(signIn(other.email, { code: codeAt(secret) })).rejects.toThrow();
});

test("who is removed takes it along, and who comes back begins anew", async () => {
  const { id, email } = await memberWithFactor();
  await removeMember(tenant.as("owner"), { userId: id });
  const { rows } = await database.owner.query(
    "SELECT 1 FROM second_factors WHERE user_id = $1 UNION ALL SELECT 1 FROM recovery_codes WHERE user_id = $1",
    [id],
  );
  expect(rows).toEqual([]);
  expect(await codeOf(signIn(email, { code: "123456" }))).toBe("sign_in_failed");
});

test("the operator takes it away from who has lost everything, with a link for a new password; it is audited", async () => {
  const { id, email } = await memberWithFactor();
  const input = { organisation: tenant.slug, email };
  await linkForMember(database.owner, database.worker, input);
  expect(await codeOf(signIn(email))).toBe("second_factor_required");
  await linkForMember(database.owner, database.worker, { ...input, withoutSecondFactor: true });
  expect(await codeOf(signIn(email))).toBe("");
  const { rows } = await database.owner.query<{ actor_name: string; data: object }>(
    "SELECT actor_name, data FROM audit_events WHERE target_id = $1 AND action = 'second_factor.removed'",
    [id],
  );
  expect(rows).toEqual([
    { actor_name: "Operator", data: { before: { secondFactor: true }, after: { secondFactor: false } } },
  ]);
});

test("a recovery code is read however people write it down, and nothing else is one", () => {
  const code = makeRecoveryCode();
  expect(code).toMatch(/^([0-9a-hjkmnp-tv-z]{4}-){3}[0-9a-hjkmnp-tv-z]{4}$/);
  const stored = recoveryCodeHash(code);
  expect(recoveryCodeHash(` ${code.toUpperCase().replaceAll("-", "")} `)).toEqual(stored);
  expect(recoveryCodeHash(code.replaceAll("0", "O").replaceAll("1", "l"))).toEqual(stored);
  for (const text of ["", "123456", code.slice(1), `${code}a`, "u".repeat(16), "x".repeat(40)]) {
    expect(recoveryCodeHash(text)).toBeNull();
  }
});
