import { expect, test } from "vitest";
import { signInWithPassword } from "../access/sign-in.ts";
import { makeConsole } from "../testing/console-world.ts";
import { testDatabase } from "../testing/database.ts";
import { makeTenant } from "../testing/factories.ts";
import { codeOf, refusal } from "../testing/refusal.ts";
import { doneDuring, holding, waiting } from "../testing/sign-ins.ts";
import { createOperator, linkForOperator, listOperators, removeOperator } from "./manage-operators.ts";
import { findOperator } from "./queries.ts";
import { recordFailedSignIn } from "./record-event.ts";
import { endSession, loadOperator, operatorIdleSeconds, operatorSessionSeconds } from "./sessions.ts";
import { setOperatorPassword, signInOperator } from "./sign-in.ts";

const database = await testDatabase();
const console = await makeConsole(database);
const { dbs } = console;
const from = { ip: "192.0.2.7", userAgent: null, requestId: "r" };
const tokenOf = ({ address }: { address: string }) => address.split("#")[1] ?? "";
const load = (token: string) => loadOperator(dbs, token, { ip: null, requestId: "r" });

test("an operator is made by command, chooses a password with a link that counts once, and signs in", async () => {
  const link = await createOperator(database.owner, { email: "new@operators.example", name: "New" });
  expect(link.address).toMatch(/^http:\/\/localhost:3000\/console\/set-password#[\w-]{43}$/);
  expect(link.expiresAt.getTime()).toBeLessThan(Date.now() + 25 * 3_600_000);
  const input = { token: tokenOf(link), password: "a long enough password 8", ...from };
  const as = { email: "NEW@operators.example", password: input.password };
  expect(await codeOf(console.signIn(as))).toBe("sign_in_failed");
  expect(await setOperatorPassword(dbs, input)).toEqual({ email: "new@operators.example" });
  expect(await codeOf(setOperatorPassword(dbs, input))).toBe("not_found");
  const { token } = await console.signIn(as);
  expect((await load(token))?.operator).toMatchObject({ email: "new@operators.example", name: "New" });
  expect(await listOperators(database.owner)).toContainEqual(
    expect.objectContaining({ email: "new@operators.example", hasPassword: true }),
  );
  expect(
    await codeOf(createOperator(database.owner, { email: "new@operators.example", name: "Again" })),
  ).toBe("conflict");
});

test("only hashes of passwords, links and cookies are stored, and none of the three stands in the log", async () => {
  const { email, password } = await console.addOperator("correct horse battery 9");
  const { token } = await console.signIn({ email, password });
  const link = tokenOf(await linkForOperator(database.owner, email));
  const { rows } = await database.owner.query<{ text: string }>(
    `SELECT (SELECT string_agg(o::text, '') FROM operators o) || (SELECT string_agg(l::text, '') FROM operator_links l)
       || (SELECT string_agg(s::text, '') FROM operator_sessions s) || (SELECT string_agg(e::text, '') FROM operator_events e) AS text`,
  );
  expect(rows[0]?.text).toContain(email);
  for (const secret of [password, token, link]) {
    expect(rows[0]?.text).not.toContain(secret);
    expect(rows[0]?.text).not.toContain(Buffer.from(secret, "base64url").toString("hex"));
  }
});

test("a wrong password, an unknown address and one without a password yet are refused alike", async () => {
  await createOperator(database.owner, { email: "without@operators.example", name: "W" });
  const messages = new Set<string>();
  for (const email of [console.operator.email, "nobody@operators.example", "without@operators.example"]) {
    const refused = await refusal(console.signIn({ email, password: "not the password" }));
    expect(refused.code).toBe("sign_in_failed");
    messages.add(refused.message);
  }
  expect(messages.size).toBe(1);
});

test("failed sign-ins stand in the log, with whose and from where, and a flood of them takes a few lines", async () => {
  const { email, password } = await console.addOperator();
  const operator = await findOperator(console.db, email);
  const failed = async (operatorId: string | null) => {
    const { rows } = await database.owner.query<{ name: string; ip: string; data: object }>(
      `SELECT operator_name AS name, ip, data FROM operator_events
       WHERE action = 'session.refused' AND operator_id IS NOT DISTINCT FROM $1 ORDER BY id`,
      [operatorId],
    );
    return rows;
  };
  const tries = (as: string) =>
    codeOf(console.signIn({ email: as, password: "typed" }, { ip: "198.51.100.30" }));
  for (let i = 0; i < 2; i++) expect(await tries(email)).toBe("sign_in_failed");
  expect(await tries("someone-else@operators.example")).toBe("sign_in_failed");
  const told = [{ name: "Ola Operator", ip: "198.51.100.30", data: { with: "password", failures: 1 } }];
  expect(await failed(operator!.id)).toEqual(told);
  const unknown = await failed(null);
  expect(unknown.at(-1)).toMatchObject({ name: "Unknown address", ip: "198.51.100.30" });
  expect(JSON.stringify(unknown)).not.toMatch(/someone-else|typed/);

  for (let i = 0; i < 15; i++) {
    const attempt = { ip: `192.0.2.${String(i)}`, failures: i, requestId: "r", with: "password" as const };
    for (const of of [operator, undefined]) await recordFailedSignIn(console.db, of, attempt);
  }
  expect(await failed(operator!.id)).toHaveLength(10);
  expect(await failed(null)).toHaveLength(10);
  expect((await console.signIn({ email, password }, { ip: "198.51.100.31" })).token).toHaveLength(43);
});

test("attempts from elsewhere slow down neither a known browser nor lock anybody out", async () => {
  const { email, password } = await console.addOperator();
  const { device } = await console.signIn({ email, password }, { ip: "198.51.100.1" });
  const codes = new Set<string>();
  for (let i = 0; i < 30; i++) {
    const ip = `203.0.113.${String(i % 3)}`;
    codes.add((await refusal(console.signIn({ email, password: "wrong" }, { ip }))).code);
  }
  expect(codes).toEqual(new Set(["sign_in_failed", "sign_in_slowed"]));
  const known = signInOperator(dbs, { email, password, ...from, ip: "203.0.113.0", device });
  expect((await known).token).toHaveLength(43);
  // Nor somebody at an address that has not tried yet.
  expect((await console.signIn({ email, password }, { ip: "203.0.113.99" })).token).toHaveLength(43);
});

test("a session ends after eight hours, when it is idle, when it is ended, and with the operator", async () => {
  const { email, password } = await console.addOperator();
  const sessionOf = async () => {
    const { token } = await console.signIn({ email, password });
    const ctx = await console.ctxOf(token);
    const move = (column: string, seconds: number) =>
      database.owner.query(
        `UPDATE operator_sessions SET ${column} = ${column} - make_interval(secs => $2) WHERE id = $1`,
        [ctx.sessionId, seconds],
      );
    return { token, ctx, move };
  };
  const old = await sessionOf();
  await old.move("expires_at", operatorSessionSeconds);
  expect(await load(old.token)).toBeUndefined();
  const idle = await sessionOf();
  await idle.move("last_seen_at", operatorIdleSeconds + 1);
  expect(await load(idle.token)).toBeUndefined();
  const ended = await sessionOf();
  await endSession(ended.ctx);
  expect(await load(ended.token)).toBeUndefined();
  const changed = await sessionOf();
  const link = await linkForOperator(database.owner, email);
  await setOperatorPassword(dbs, { token: tokenOf(link), password: "another long password", ...from });
  expect(await load(changed.token)).toBeUndefined();
  const { token } = await console.signIn({ email, password: "another long password" });
  await removeOperator(database.owner, email);
  expect(await load(token)).toBeUndefined();
  expect(await codeOf(removeOperator(database.owner, email))).toBe("not_found");
  expect((await console.events("operator.removed")).map(({ data }) => data.email)).toContain(email);
});

test("a sign-in that began before a new password starts no session after it, and one that begins at that moment is ended", async () => {
  const { email, password } = await console.addOperator();
  const choosing = async (next: string) => {
    const token = tokenOf(await linkForOperator(database.owner, email));
    return () => setOperatorPassword(dbs, { token, password: next, ...from, ip: "192.0.2.99" });
  };
  const live = async () => {
    const { rows } = await database.owner.query(
      `SELECT 1 FROM operator_sessions s JOIN operators o ON o.id = s.operator_id
       WHERE o.email = $1 AND s.ended_at IS NULL`,
      [email],
    );
    return rows.length;
  };
  const second = "another long password 2";
  const choose = await choosing(second);
  // Counted before: the next attempt waits for the row, when the operator has been looked up.
  expect(await codeOf(console.signIn({ email, password: "wrong" }))).toBe("sign_in_failed");
  await holding(database, "SELECT FROM sign_in_delays FOR UPDATE", async (release) => {
    const entering = codeOf(console.signIn({ email, password }));
    await waiting(database, 1);
    await choose();
    await release();
    expect(await entering).toBe("sign_in_failed");
  });
  expect(await live()).toBe(0);
  const chooseAgain = await choosing("another long password 3");
  await doneDuring(
    database,
    () => console.signIn({ email, password: second }),
    chooseAgain,
    "operator_events",
  );
  expect(await live()).toBe(0);
});

test("a member is no operator and an operator no member, also with the same address and password", async () => {
  const tenant = await makeTenant(database);
  const password = "the same long password";
  const member = await tenant.addMember("owner", { password });
  expect(await codeOf(console.signIn({ email: member.email, password }))).toBe("sign_in_failed");
  const asMember = signInWithPassword(database.web, {
    organisation: tenant.slug,
    email: console.operator.email,
    password: console.operator.password,
    ...from,
  });
  expect((await refusal(asMember)).code).toBe("sign_in_failed");
  const member2 = await signInWithPassword(database.web, {
    organisation: tenant.slug,
    email: member.email,
    password,
    ...from,
  });
  expect(await load(member2.sessionId)).toBeUndefined();
});
