import { Secret, TOTP } from "otpauth";
import { beforeEach, describe, expect, test } from "vitest";
import { env } from "../kernel/env.ts";
import { inTenant } from "../kernel/db.ts";
import { newId } from "../kernel/ids.ts";
import { testDatabase } from "../testing/database.ts";
import { makeTenant } from "../testing/factories.ts";
import { codeOf } from "../testing/refusal.ts";
import { doneBefore, doneDuring, elsewhere, password, signedInMember, waiting } from "../testing/sign-ins.ts";
import type { SignedInMember as Person } from "../testing/sign-ins.ts";
import { SoftwareAuthenticator } from "../testing/software-authenticator.ts";
import { changePassword } from "./change-password.ts";
import { addPasskey, removePasskey, startPasskey } from "./manage-passkeys.ts";
import { confirmSecondFactor, startSecondFactor } from "./manage-second-factor.ts";
import { revokeOwnSessions } from "./manage-sessions.ts";
import { makeBrowserCookie } from "./passkey-challenge.ts";
import { makePasswordLink, setPassword } from "./password-links.ts";
import { signInWithIdentity, signInWithPassword } from "./sign-in.ts";
import { passkeyRequest, signInWithPasskey } from "./sign-in-with-passkey.ts";
import { suspendMember } from "./suspend-member.ts";

const database = await testDatabase();
const tenant = await makeTenant(database);
const next = "an entirely different phrase";
const { origin } = new URL(env().publicUrl);

const member = () => signedInMember(database, tenant);

const signIn = {
  password: ({ email }: { email: string }) =>
    signInWithPassword(database.web, { organisation: tenant.slug, email, password, ...elsewhere() }),
  identity: ({ email }: { email: string }) =>
    signInWithIdentity(database.web, { organisation: tenant.slug, verifiedEmail: email, ...elsewhere() }),
};

/** Somebody with a passkey, and what is needed to sign in with it. */
async function memberWithPasskey() {
  const person = await member();
  const { ctx, sessionId } = person;
  const authenticator = new SoftwareAuthenticator(origin, null);
  const options = await startPasskey(ctx, { password, sessionId });
  const passkey = await addPasskey(ctx, {
    name: "Laptop",
    attestation: authenticator.create(options, {}),
    sessionId,
  });
  const browser = makeBrowserCookie();
  const answer = authenticator.answer(await passkeyRequest(browser), {});
  return {
    ...person,
    passkey,
    enter: () => signInWithPasskey(database.web, { answer, browser, ...elsewhere() }),
  };
}

/** The sessions of a person that are not ended, but for the one that they began with. */
async function otherSessions({ id, sessionId }: Person): Promise<number> {
  const { rows } = await database.owner.query<{ n: number }>(
    "SELECT count(*)::int AS n FROM sessions WHERE user_id = $1 AND id <> $2 AND revoked_at IS NULL",
    [id, sessionId],
  );
  return rows[0]!.n;
}

/** Ways to change something while a sign-in is in progress, prepared before it begins. */
const resets = async ({ id }: Person) => {
  const { token } = await inTenant(tenant.system, (tx) => makePasswordLink(tenant.system, tx, id));
  return () => setPassword(database.web, { token, password: next, ip: elsewhere().ip, requestId: newId() });
};
const changes = ({ ctx, sessionId }: Person) =>
  Promise.resolve(() => changePassword(ctx, { current: password, next, sessionId }));
const signsOut = ({ ctx, sessionId }: Person) =>
  Promise.resolve(() => revokeOwnSessions(ctx, { exceptId: sessionId }));
const switchesOn = async ({ ctx, sessionId }: Person) => {
  const { secret } = await startSecondFactor(ctx, { password, sessionId });
  const code = TOTP.generate({ secret: Secret.fromBase32(secret) });
  return () => confirmSecondFactor(ctx, { code, sessionId });
};
const isSuspended = ({ id }: Person) =>
  Promise.resolve(() => suspendMember(tenant.as("owner"), { userId: id }));

/** What ends the sessions of somebody who signs in with a password. */
const endings = [
  ["a password reset", resets],
  ["a change of the password", changes],
  ["signing out everywhere", signsOut],
  ["switching on a second factor", switchesOn],
  ["a suspension", isSuspended],
] as const;

beforeEach(async () => {
  await database.owner.query("DELETE FROM sign_in_delays");
});

describe("a sign-in that began before starts no session after", () => {
  test.each(endings)("%s", async (_, prepare) => {
    const person = await member();
    const change = await prepare(person);
    expect(await doneBefore(database, () => signIn.password(person), change)).toBe("sign_in_failed");
    expect(await otherSessions(person)).toBe(0);
  });

  test("the removal of its passkey", async () => {
    const person = await memberWithPasskey();
    const { ctx, sessionId, passkey } = person;
    const remove = () => removePasskey(ctx, { id: passkey.id, password, sessionId });
    expect(await doneBefore(database, person.enter, remove)).toBe("sign_in_failed");
    expect(await otherSessions(person)).toBe(0);
  });

  test("signing out everywhere, with a passkey", async () => {
    const person = await memberWithPasskey();
    expect(await doneBefore(database, person.enter, await signsOut(person))).toBe("sign_in_failed");
    expect(await otherSessions(person)).toBe(0);
  });

  test.each([
    ["signing out everywhere", signsOut],
    ["a suspension", isSuspended],
  ])("%s, through the identity provider of the installation", async (_, prepare) => {
    const person = await member();
    const change = await prepare(person);
    expect(await doneBefore(database, () => signIn.identity(person), change)).toBe("sign_in_failed");
    expect(await otherSessions(person)).toBe(0);
  });
});

describe("a session that begins at the same moment is ended by", () => {
  test.each(endings)("%s", async (_, prepare) => {
    const person = await member();
    const change = await prepare(person);
    await doneDuring(database, () => signIn.password(person), change);
    expect(await otherSessions(person)).toBe(0);
  });

  test("the removal of its passkey", async () => {
    const person = await memberWithPasskey();
    const { ctx, sessionId, passkey } = person;
    await doneDuring(database, person.enter, () =>
      removePasskey(ctx, { id: passkey.id, password, sessionId }),
    );
    expect(await otherSessions(person)).toBe(0);
  });

  test("signing out everywhere, through the identity provider", async () => {
    const person = await member();
    await doneDuring(database, () => signIn.identity(person), await signsOut(person));
    expect(await otherSessions(person)).toBe(0);
  });
});

test("sign-ins of one person at the same time do not outdate each other", async () => {
  const person = await member();
  const outcomes = await Promise.all(Array.from({ length: 3 }, () => codeOf(signIn.password(person))));
  expect(outcomes).toEqual(["", "", ""]);
  expect(await otherSessions(person)).toBe(3);
});

test("a change of the password that began before a reset does not overwrite it", async () => {
  const { ctx, id, sessionId } = await member();
  const client = await database.owner.connect();
  try {
    await client.query("BEGIN");
    await client.query("UPDATE users SET password_hash = 'reset' WHERE id = $1", [id]);
    const changing = codeOf(changePassword(ctx, { current: password, next, sessionId }));
    await waiting(database, 1);
    await client.query("COMMIT");
    expect(await changing).toBe("conflict");
  } finally {
    await client.query("ROLLBACK");
    client.release();
  }
  const { rows } = await database.owner.query("SELECT password_hash FROM users WHERE id = $1", [id]);
  expect(rows).toEqual([{ password_hash: "reset" }]);
});
