import { Secret, TOTP } from "otpauth";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { env } from "../kernel/env.ts";
import type { Ctx } from "../kernel/ctx.ts";
import { inTenant } from "../kernel/db.ts";
import { newId } from "../kernel/ids.ts";
import { testDatabase } from "../testing/database.ts";
import { makeTenant } from "../testing/factories.ts";
import { SoftwareAuthenticator } from "../testing/software-authenticator.ts";
import { changePassword } from "./change-password.ts";
import { addPasskey, removePasskey, startPasskey } from "./manage-passkeys.ts";
import { confirmSecondFactor, startSecondFactor } from "./manage-second-factor.ts";
import { revokeOwnSessions } from "./manage-sessions.ts";
import { makeBrowserCookie } from "./passkey-challenge.ts";
import { makePasswordLink, setPassword } from "./password-links.ts";
import { loadSession, sessionCtx } from "./sessions.ts";
import { signInWithIdentity, signInWithPassword } from "./sign-in.ts";
import { passkeyRequest, signInWithPasskey } from "./sign-in-with-passkey.ts";
import { suspendMember } from "./suspend-member.ts";

const database = await testDatabase();
const tenant = await makeTenant(database);
const password = "correct horse battery staple";
const next = "an entirely different phrase";
const { origin } = new URL(env().publicUrl);

let addresses = 0;
const from = () => ({ ip: `198.51.100.${String(++addresses)}`, userAgent: "test", requestId: newId() });
const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => "fine",
    (error: unknown) => (error as { code: string }).code,
  );

interface Person {
  id: string;
  email: string;
  ctx: Ctx;
  sessionId: string;
}
async function member(): Promise<Person> {
  const made = await tenant.addMember("developer", { password });
  const name = await signIn.password(made);
  const session = await loadSession(database.web, name);
  return { ...made, ctx: sessionCtx(database.web, session!, newId()), sessionId: name.sessionId };
}

const signIn = {
  password: ({ email }: { email: string }) =>
    signInWithPassword(database.web, { organisation: tenant.slug, email, password, ...from() }),
  identity: ({ email }: { email: string }) =>
    signInWithIdentity(database.web, { organisation: tenant.slug, verifiedEmail: email, ...from() }),
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
    enter: () => signInWithPasskey(database.web, { answer, browser, ...from() }),
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

/** Ways to change something while a sign-in is under way, prepared before it begins. */
const resets = async ({ id }: Person) => {
  const { token } = await inTenant(tenant.system, (tx) => makePasswordLink(tenant.system, tx, id));
  return () => setPassword(database.web, { token, password: next, ip: from().ip, requestId: newId() });
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

const waiting = (table: string, count: number) =>
  vi.waitFor(
    async () => {
      const { rows } = await database.owner.query<{ n: number }>(
        `SELECT count(DISTINCT pid)::int AS n FROM pg_locks
         WHERE NOT granted AND ($1 = '' OR relation = to_regclass($1)) AND pid <> pg_backend_pid()`,
        [table],
      );
      expect(rows[0]!.n).toBe(count);
    },
    { timeout: 5_000, interval: 10 },
  );

async function holding(lock: string, work: (release: () => Promise<void>) => Promise<void>): Promise<void> {
  const client = await database.owner.connect();
  try {
    await client.query("BEGIN");
    await client.query(lock);
    await work(async () => {
      await client.query("ROLLBACK");
    });
  } finally {
    await client.query("ROLLBACK");
    client.release();
  }
}

/** What becomes of a sign-in when the change is done between its proof and its session. */
async function doneBefore(enter: () => Promise<unknown>, change: () => Promise<unknown>): Promise<string> {
  let outcome = "";
  // Who has proved who they are is asked for by the policy, before the session begins.
  await holding("LOCK TABLE sign_in_policies IN ACCESS EXCLUSIVE MODE", async (release) => {
    const entering = codeOf(enter());
    await waiting("sign_in_policies", 1);
    await change();
    await release();
    outcome = await entering;
  });
  return outcome;
}

/** Does the change while the session is there and not committed. */
async function doneDuring(enter: () => Promise<unknown>, change: () => Promise<unknown>): Promise<void> {
  await holding("LOCK TABLE audit_events IN SHARE MODE", async (release) => {
    const entering = codeOf(enter());
    await waiting("audit_events", 1);
    const changing = codeOf(change());
    await waiting("", 2);
    await release();
    expect(await entering).toBe("fine");
    expect(await changing).toBe("fine");
  });
}

beforeEach(async () => {
  await database.owner.query("DELETE FROM sign_in_delays");
});

describe("a sign-in that began before starts no session after", () => {
  test.each(endings)("%s", async (_, prepare) => {
    const person = await member();
    const change = await prepare(person);
    expect(await doneBefore(() => signIn.password(person), change)).toBe("sign_in_failed");
    expect(await otherSessions(person)).toBe(0);
  });

  test("the removal of its passkey", async () => {
    const person = await memberWithPasskey();
    const { ctx, sessionId, passkey } = person;
    const remove = () => removePasskey(ctx, { id: passkey.id, password, sessionId });
    expect(await doneBefore(person.enter, remove)).toBe("sign_in_failed");
    expect(await otherSessions(person)).toBe(0);
  });

  test("signing out everywhere, with a passkey", async () => {
    const person = await memberWithPasskey();
    expect(await doneBefore(person.enter, await signsOut(person))).toBe("sign_in_failed");
    expect(await otherSessions(person)).toBe(0);
  });

  test("a suspension, through the identity provider", async () => {
    const person = await member();
    expect(await doneBefore(() => signIn.identity(person), await isSuspended(person))).toBe("sign_in_failed");
    expect(await otherSessions(person)).toBe(0);
  });
});

describe("a session that begins at the same moment is ended by", () => {
  test.each(endings)("%s", async (_, prepare) => {
    const person = await member();
    const change = await prepare(person);
    await doneDuring(() => signIn.password(person), change);
    expect(await otherSessions(person)).toBe(0);
  });

  test("the removal of its passkey", async () => {
    const person = await memberWithPasskey();
    const { ctx, sessionId, passkey } = person;
    await doneDuring(person.enter, () => removePasskey(ctx, { id: passkey.id, password, sessionId }));
    expect(await otherSessions(person)).toBe(0);
  });

  test("signing out everywhere, through the identity provider", async () => {
    const person = await member();
    await doneDuring(() => signIn.identity(person), await signsOut(person));
    expect(await otherSessions(person)).toBe(0);
  });
});

test("sign-ins of one person at the same time do not outdate each other", async () => {
  const person = await member();
  const outcomes = await Promise.all(Array.from({ length: 3 }, () => codeOf(signIn.password(person))));
  expect(outcomes).toEqual(["fine", "fine", "fine"]);
  expect(await otherSessions(person)).toBe(3);
});

test("a change of the password that began before a reset does not overwrite it", async () => {
  const { ctx, id, sessionId } = await member();
  const client = await database.owner.connect();
  try {
    await client.query("BEGIN");
    await client.query("UPDATE users SET password_hash = 'reset' WHERE id = $1", [id]);
    const changing = codeOf(changePassword(ctx, { current: password, next, sessionId }));
    await waiting("", 1);
    await client.query("COMMIT");
    expect(await changing).toBe("conflict");
  } finally {
    await client.query("ROLLBACK");
    client.release();
  }
  const { rows } = await database.owner.query("SELECT password_hash FROM users WHERE id = $1", [id]);
  expect(rows).toEqual([{ password_hash: "reset" }]);
});
