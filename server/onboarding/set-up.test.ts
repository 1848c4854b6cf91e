import { randomBytes } from "node:crypto";
import { afterEach, expect, test } from "vitest";
import { authenticateApiKey } from "../access/authenticate-api-key.ts";
import { signInWithPassword } from "../access/sign-in.ts";
import { openDb } from "../kernel/db.ts";
import { env } from "../kernel/env.ts";
import { replaceMasterKeys } from "../kernel/secrets.ts";
import { newId } from "../kernel/ids.ts";
import { orderOfSend } from "../sending/orders.ts";
import { planRequest } from "../sending/plan-request.ts";
import { sendRequestSchema } from "../sending/schemas.ts";
import { testDatabase } from "../testing/database.ts";
import { handleSetPassword, handleSetUp } from "../trpc/public-forms.ts";
import { announcedSetUp } from "./announce-set-up.ts";
import { forgetSetUpToken } from "./operator-commands.ts";
import { setUp } from "./set-up.ts";
import { needsSetUp, readSetUpToken } from "./set-up-token.ts";

/* One installation from its first start to its first organisation: the tests follow each other. */

const database = await testDatabase();
const password = "correct horse battery staple";
const form = (token: string, more: object = {}) => ({
  token,
  name: "Café & Söhne",
  slug: "cafe",
  ownerName: "Ada",
  email: "Ada@cafe.example",
  password,
  ...more,
});
const tokenNow = async () => (await readSetUpToken(database.web.pool)) ?? "";
const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => "fine",
    (error: unknown) => (error as { code: string }).code,
  );
const post = (body: unknown, headers: Record<string, string> = {}) => {
  const text = JSON.stringify(body);
  return new Request("http://localhost:3000/api/set-up", {
    method: "POST",
    body: text,
    headers: {
      "content-type": "application/json",
      "content-length": String(Buffer.byteLength(text)),
      "sec-fetch-site": "same-origin",
      ...headers,
    },
  });
};
afterEach(() => replaceMasterKeys(undefined));

test("all processes of an installation have the same token, and print the address that it opens", async () => {
  const second = openDb("web", database.webUrl, { poolSize: 2 });
  try {
    const tokens = await Promise.all([
      readSetUpToken(database.web.pool),
      readSetUpToken(second.pool),
      readSetUpToken(database.owner),
      readSetUpToken(second.pool),
    ]);
    expect(new Set(tokens).size).toBe(1);
    expect(tokens[0]).toMatch(/^[\w-]{43}$/);
    expect(await announcedSetUp(second.pool)).toBe(`http://localhost:3000/set-up#${String(tokens[0])}`);
    expect(await needsSetUp(second)).toBe(true);
  } finally {
    await second.close();
  }
});

test("the database holds a hash of the token, and the web's role not even that to read", async () => {
  const token = await tokenNow();
  const { rows } = await database.owner.query<{ text: string; hash: Buffer }>(
    "SELECT t::text AS text, hash FROM set_up_tokens t",
  );
  expect(rows).toHaveLength(1);
  expect(rows[0]!.hash).toHaveLength(32);
  expect(rows[0]!.text).not.toContain(Buffer.from(token, "base64url").toString("hex"));
  for (const statement of ["SELECT * FROM set_up_tokens", "DELETE FROM set_up_tokens"]) {
    await expect(database.web.pool.query(statement)).rejects.toThrow(/permission denied/);
  }
});

test("another token, a previous one and one of another master key set up nothing", async () => {
  const former = await tokenNow();
  await forgetSetUpToken(database.owner);
  expect(await tokenNow()).not.toBe(former);
  for (const token of [former, "x", randomBytes(32).toString("base64url")]) {
    expect(await codeOf(setUp(database.web, { ...form(token), ip: newAddress() }))).toBe("invalid_request");
  }
  const token = await tokenNow();
  replaceMasterKeys({ current: randomBytes(32), previous: [] });
  expect(await readSetUpToken(database.web.pool)).toBeNull();
  expect(await codeOf(setUp(database.web, { ...form(token), ip: newAddress() }))).toBe("invalid_request");
});

test("the token holds while the master key is rotated", async () => {
  const token = await tokenNow();
  const key = Buffer.from(env().secretKey ?? "", "base64");
  replaceMasterKeys({ current: randomBytes(32), previous: [key] });
  expect(await readSetUpToken(database.web.pool)).toBe(token);
});

test("who guesses is slowed down, and nobody else is", async () => {
  const ip = newAddress();
  const guesses: string[] = [];
  for (let count = 0; count < 8; count++) {
    guesses.push(await codeOf(setUp(database.web, { ...form("guess"), ip })));
  }
  expect(guesses).toContain("sign_in_slowed");
  expect(await codeOf(setUp(database.web, { ...form("guess"), ip: newAddress() }))).toBe("invalid_request");
});

test("a form of another site, of another kind, too long or not valid is refused, and repeats no secret", async () => {
  const token = await tokenNow();
  expect((await handleSetUp(post(form(token), { "sec-fetch-site": "cross-site" }))).status).toBe(403);
  expect((await handleSetUp(post(form(token), { "content-type": "text/plain" }))).status).toBe(415);
  expect((await handleSetUp(post(form(token), { "content-length": "20000" }))).status).toBe(413);
  const short = await handleSetUp(post(form(token, { password: "short" })));
  expect(short.status).toBe(422);
  const text = await short.text();
  expect(text).toContain("/password");
  expect(text).not.toContain("short");
  expect(text).not.toContain(token);
  expect((await handleSetUp(post(form(token, { slug: "sign-in" })))).status).toBe(422);
});

test("of many who use the token at the same time one makes the organisation, and it is whole", async () => {
  const token = await tokenNow();
  const tries = await Promise.allSettled(
    Array.from({ length: 6 }, (_, index) =>
      setUp(database.web, { ...form(token, { slug: `cafe-${String(index)}` }), ip: newAddress() }),
    ),
  );
  const done = tries.flatMap((each) => (each.status === "fulfilled" ? [each.value] : []));
  expect(done).toHaveLength(1);
  for (const each of tries) {
    if (each.status === "rejected") expect(each.reason).toMatchObject({ code: "not_found" });
  }
  const { rows } = await database.owner.query<{ tenants: number; users: number; tokens: number }>(
    `SELECT (SELECT count(*)::int FROM tenants) AS tenants, (SELECT count(*)::int FROM users) AS users,
            (SELECT count(*)::int FROM set_up_tokens) AS tokens`,
  );
  expect(rows).toEqual([{ tenants: 1, users: 1, tokens: 0 }]);

  const value = done[0]!;
  const signedIn = await signInWithPassword(database.web, {
    email: "ada@cafe.example",
    password,
    ip: null,
    userAgent: null,
    requestId: "test",
  });
  expect(signedIn.tenantSlug).toBe(value.slug);
  // The request that the page shows is one that works with the key that it shows.
  const caller = await authenticateApiKey(database.web, `Bearer ${value.sandboxKey}`, { requestId: "test" });
  expect(caller.key.environmentKind).toBe("sandbox");
  const order = orderOfSend(caller.key.environmentId, sendRequestSchema.parse(value.example.body));
  expect((await planRequest(caller, order)).messages).toMatchObject([{ channel: "email" }]);
});

test("from then on there is no set-up page, no token and no way to a second organisation", async () => {
  expect(await readSetUpToken(database.web.pool)).toBeUndefined();
  expect(await codeOf(setUp(database.web, { ...form("x"), ip: newAddress() }))).toBe("not_found");
  expect((await handleSetUp(post(form("x")))).status).toBe(404);
  const another = openDb("web", database.webUrl, { poolSize: 2 });
  try {
    expect(await needsSetUp(another)).toBe(false);
    const { rows } = await another.pool.query<{ made: boolean }>(
      "SELECT create_first_tenant($1, 'x', 'X', 'EU', '{}', $2) AS made",
      [randomBytes(32), randomBytes(60)],
    );
    expect(rows).toEqual([{ made: false }]);
  } finally {
    await another.close();
  }
});

test("a password cannot be set without a link", async () => {
  const answer = await handleSetPassword(post({ token: newId(), password }));
  expect(answer.status).toBe(404);
});

let addresses = 0;
/** An address that has tried nothing yet. */
function newAddress(): string {
  return `198.51.100.${String(++addresses)}`;
}
