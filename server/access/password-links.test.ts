import { beforeEach, expect, test } from "vitest";
import { inTenant } from "../kernel/db.ts";
import { newId } from "../kernel/ids.ts";
import { testDatabase } from "../testing/database.ts";
import { makeTenant } from "../testing/factories.ts";
import { makePasswordLink, setPassword } from "./password-links.ts";
import { removeMember } from "./remove-member.ts";
import { loadSession } from "./sessions.ts";
import { signInWithPassword } from "./sign-in.ts";

const database = await testDatabase();
const tenant = await makeTenant(database);
const other = await makeTenant(database);
const chosen = "correct horse battery staple";

const linkFor = (userId: string) =>
  inTenant(tenant.system, (tx) => makePasswordLink(tenant.system, tx, userId));
let addresses = 0;
const choose = (token: string, password = chosen) =>
  setPassword(database.web, {
    token,
    password,
    ip: `198.51.100.${String(++addresses % 250)}`,
    requestId: "test",
  });
const signIn = (email: string, password = chosen) =>
  signInWithPassword(database.web, {
    organisation: tenant.slug,
    email,
    password,
    ip: null,
    userAgent: null,
    requestId: "test",
  });
const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => "fine",
    (error: unknown) => (error as { code: string }).code,
  );
beforeEach(async () => {
  await database.owner.query("DELETE FROM sign_in_delays");
});

test("a link sets a password once, of many at the same time one, and ends the person's sessions", async () => {
  const member = await tenant.addMember("developer", { password: "the former password" });
  const session = await signIn(member.email, "the former password");
  const { token } = await linkFor(member.id);
  const outcomes = await Promise.all(
    Array.from({ length: 4 }, (_, index) => codeOf(choose(token, `${chosen} ${String(index)}`))),
  );
  expect(outcomes.filter((outcome) => outcome === "fine")).toHaveLength(1);
  expect(outcomes.filter((outcome) => outcome === "not_found")).toHaveLength(3);
  expect(await codeOf(choose(token))).toBe("not_found");
  await signIn(member.email, `${chosen} ${String(outcomes.indexOf("fine"))}`);
  expect(await codeOf(signIn(member.email, "the former password"))).toBe("sign_in_failed");
  expect(await loadSession(database.web, session)).toBeUndefined();
});

test("only a hash of a link is kept", async () => {
  const member = await tenant.addMember("developer");
  const { token } = await linkFor(member.id);
  const { rows } = await database.owner.query<{ text: string; hash: Buffer }>(
    "SELECT l::text AS text, hash FROM password_links l WHERE user_id = $1",
    [member.id],
  );
  expect(rows).toHaveLength(1);
  expect(rows[0]!.hash).toHaveLength(32);
  expect(rows[0]!.text).not.toContain(Buffer.from(token, "base64url").subarray(32).toString("hex"));
});

test("a newer link, another password, three days and removal end a link", async () => {
  const member = await tenant.addMember("developer");
  const first = await linkFor(member.id);
  const second = await linkFor(member.id);
  expect(await codeOf(choose(first.token))).toBe("not_found");
  await choose(second.token);

  const late = await linkFor(member.id);
  expect(late.expiresAt.getTime() - Date.now()).toBeLessThanOrEqual(72 * 3_600_000);
  await database.owner.query("UPDATE password_links SET expires_at = now() WHERE user_id = $1", [member.id]);
  expect(await codeOf(choose(late.token))).toBe("not_found");

  const leaving = await linkFor(member.id);
  await removeMember(tenant.as("owner"), { userId: member.id });
  expect(await codeOf(choose(leaving.token))).toBe("not_found");
  const { rows } = await database.owner.query("SELECT FROM password_links WHERE user_id = $1", [member.id]);
  expect(rows).toEqual([]);
});

test("what is no link, or one of another organisation, looks like one that is over", async () => {
  const member = await tenant.addMember("developer");
  const { token } = await linkFor(member.id);
  const bytes = Buffer.from(token, "base64url");
  const elsewhere = Buffer.concat([
    Buffer.from(other.tenantId.replaceAll("-", ""), "hex"),
    bytes.subarray(16),
  ]);
  const guessed = Buffer.concat([bytes.subarray(0, 32), Buffer.alloc(32)]);
  for (const wrong of ["", "x", newId(), elsewhere.toString("base64url"), guessed.toString("base64url")]) {
    expect(await codeOf(choose(wrong)), wrong).toBe("not_found");
  }
  await choose(token);
});

test("who tries links is slowed down", async () => {
  const tries: string[] = [];
  for (let count = 0; count < 8; count++) {
    tries.push(
      await codeOf(
        setPassword(database.web, { token: "x", password: chosen, ip: "203.0.113.9", requestId: "t" }),
      ),
    );
  }
  expect(tries).toContain("sign_in_slowed");
});
