import { afterAll, beforeEach, expect, test } from "vitest";
import { setPassword } from "../access/password-links.ts";
import { loadSession } from "../access/sessions.ts";
import { signInWithPassword } from "../access/sign-in.ts";
import { newId } from "../kernel/ids.ts";
import { listNotifications } from "../sending/list-notifications.ts";
import { testDatabase } from "../testing/database.ts";
import { startMailServer } from "../testing/mail-server.ts";
import { makeSendingWorld } from "../testing/sending-world.ts";
import { passwordLinksSent, requestPasswordLink } from "./request-password-link.ts";

const database = await testDatabase();
const mail = await startMailServer();
afterAll(() => mail.close());

const former = "the former password";
const chosen = "quiet otters knit nine";
const world = await makeSendingWorld(database);
const { tenant } = world;
const smtp = await world.addSmtp(mail.port, { name: "Our mail server" });
await world.addRule("production", [[smtp]], { channel: "email" });

let addresses = 0;
const newAddress = () => `198.51.${String(Math.floor(++addresses / 250))}.${String(addresses % 250)}`;
const ask = async (email: string, ip: string | null = newAddress(), organisation = tenant.slug) => {
  await requestPasswordLink(database.web, { organisation, email, ip, requestId: newId() });
  await passwordLinksSent();
  await world.runJobs();
};
/** The tokens that were mailed to an address, oldest first. */
const tokensTo = (email: string) =>
  mail.received
    .filter(({ to }) => to.includes(email))
    .map(
      ({ raw }) =>
        /set-password#([\w-]{86})/.exec(
          raw
            .replaceAll(/=\r?\n/g, "")
            .replaceAll("=3D", "=")
            .replaceAll("=23", "#"),
        )?.[1] ?? "",
    );
const choose = (token: string) =>
  setPassword(database.web, { token, password: chosen, ip: newAddress(), requestId: newId() });
const signIn = (email: string, password: string) =>
  signInWithPassword(database.web, {
    organisation: tenant.slug,
    email,
    password,
    ip: newAddress(),
    userAgent: null,
    requestId: newId(),
  });
const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => "fine",
    (error: unknown) => (error as { code: string }).code,
  );
/** As if so much time had passed since the links of a person were made. */
const letPass = (userId: string, interval: string) =>
  database.owner.query(
    `UPDATE password_links SET created_at = created_at - $2::interval, expires_at = expires_at - $2::interval WHERE user_id = $1`,
    [userId, interval],
  );
beforeEach(async () => {
  await database.owner.query("DELETE FROM sign_in_delays");
});

test("who has forgotten their password gets a link by mail, chooses another with it, and is out everywhere else", async () => {
  const { id, email } = await tenant.addMember("developer", { password: former });
  const session = await signIn(email, former);
  await ask(`  ${email.toUpperCase()} `);
  const [token = ""] = tokensTo(email);
  // Nothing happens before the link is used.
  expect(await loadSession(database.web, session)).toBeDefined();
  await choose(token);
  expect(await loadSession(database.web, session)).toBeUndefined();
  expect(await codeOf(signIn(email, former))).toBe("sign_in_failed");
  expect(await codeOf(signIn(email, chosen))).toBe("fine");
  expect(await codeOf(choose(token))).toBe("not_found");
  const { rows } = await database.owner.query<{ action: string; actor_name: string }>(
    "SELECT action, actor_name FROM audit_events WHERE tenant_id = $1 AND target_id = $2 AND action <> 'sign_in.failed' ORDER BY id",
    [tenant.tenantId, id],
  );
  expect(rows).toMatchObject([
    { action: "password_link.created", actor_name: "Forgotten password" },
    { action: "user.password_changed" },
  ]);
});

test("for unknown, suspended and removed people, and in another organisation, nothing is sent and the answer is the same", async () => {
  const suspended = await tenant.addMember("developer", { password: former });
  await database.owner.query("UPDATE users SET disabled_at = now() WHERE id = $1", [suspended.id]);
  const member = await tenant.addMember("developer", { password: former });
  const before = mail.received.length;
  await ask("nobody@nowhere.example");
  await ask(suspended.email);
  await ask(member.email, newAddress(), "no-such-organisation");
  expect(mail.received).toHaveLength(before);
  const { rows } = await database.owner.query("SELECT 1 FROM password_links WHERE user_id = ANY($1)", [
    [suspended.id, member.id],
  ]);
  expect(rows).toEqual([]);
});

test("the answer takes as long whether or not there is such an account", async () => {
  const times: Record<"known" | "unknown", number[]> = { known: [], unknown: [] };
  for (let round = 0; round < 30; round++) {
    const { email } = await tenant.addMember("developer");
    for (const [kind, asked] of [
      ["known", email],
      ["unknown", `${newId()}@nowhere.example`],
    ] as const) {
      const begun = performance.now();
      await requestPasswordLink(database.web, {
        organisation: tenant.slug,
        email: asked,
        ip: newAddress(),
        requestId: newId(),
      });
      times[kind].push(performance.now() - begun);
      await passwordLinksSent();
    }
  }
  const median = (values: number[]) => values.toSorted((a, b) => a - b)[values.length / 2]!;
  expect(Math.abs(median(times.known) - median(times.unknown))).toBeLessThan(5);
});

test("five messages an hour and one a minute at most, and each link works whatever others ask for in the person's name", async () => {
  const { id, email } = await tenant.addMember("developer", { password: former });
  for (let round = 0; round < 9; round++) {
    await ask(email);
    await ask(email);
    await letPass(id, "61 seconds");
  }
  const tokens = tokensTo(email);
  expect(tokens).toHaveLength(5);
  expect(new Set(tokens).size).toBe(5);
  await choose(tokens[0]!);
  // With the password that was chosen the others end.
  expect(await codeOf(choose(tokens[4]!))).toBe("not_found");
});

test("who asks again and again from one address is slowed down, and nobody else is", async () => {
  const { email } = await tenant.addMember("developer");
  const ip = newAddress();
  const outcomes: string[] = [];
  for (let round = 0; round < 8; round++) outcomes.push(await codeOf(ask(email, ip)));
  expect(outcomes).toContain("sign_in_slowed");
  expect(await codeOf(ask(email))).toBe("fine");
  // Nor does it count against their sign-in.
  const member = await tenant.addMember("developer", { password: former });
  for (let round = 0; round < 8; round++) await codeOf(ask(member.email, ip));
  expect(await codeOf(signIn(member.email, former))).toBe("fine");
});

test("a link is over after an hour, and when the person is suspended", async () => {
  const { id, email } = await tenant.addMember("developer");
  await ask(email);
  await letPass(id, "61 minutes");
  expect(await codeOf(choose(tokensTo(email)[0]!))).toBe("not_found");
  await ask(email);
  await database.owner.query("UPDATE users SET disabled_at = now() WHERE id = $1", [id]);
  expect(await codeOf(choose(tokensTo(email)[1]!))).toBe("not_found");
});

test("a password that is easy to guess is refused, and the link goes on", async () => {
  const { email } = await tenant.addMember("developer");
  await ask(email);
  const [token = ""] = tokensTo(email);
  await expect(
    setPassword(database.web, { token, password: "password1234", ip: newAddress(), requestId: newId() }),
  ).rejects.toMatchObject({ code: "invalid_request", errors: [{ pointer: "/password" }] });
  expect(await codeOf(choose(token))).toBe("fine");
});

test("the link stands in the message alone: not in the log of messages, nor in any table once it was sent", async () => {
  const { email } = await tenant.addMember("developer");
  await ask(email);
  const [token = ""] = tokensTo(email);
  const listed = await listNotifications(tenant.as("owner"), {
    environmentId: tenant.environments.production,
    limit: 50,
  });
  expect(JSON.stringify(listed)).not.toContain(token);
  expect(JSON.stringify(listed)).not.toContain(email);
  const { rows } = await database.owner.query<{ text: string }>(
    `SELECT string_agg(t, ' ') AS text FROM (
       SELECT r::text FROM send_requests r UNION ALL SELECT n::text FROM notifications n
       UNION ALL SELECT e::text FROM notification_events e UNION ALL SELECT j.payload::text FROM graphile_worker._private_jobs j
       UNION ALL SELECT s::text FROM short_links s UNION ALL SELECT a::text FROM audit_events a) AS all_rows(t)`,
  );
  expect(rows[0]?.text).not.toContain(token);
});

test("somebody of one team gets it through that team's e-mail, never another's", async () => {
  const apart = await makeSendingWorld(database);
  const { alpha, beta } = apart.tenant.units;
  const theirs = await apart.addSmtp(mail.port, { unitId: alpha });
  await apart.addRule("production", [[theirs]], { channel: "email" });
  const [one, other] = [
    await apart.tenant.addMember("developer", { unitId: alpha }),
    await apart.tenant.addMember("developer", { unitId: beta }),
  ];
  await ask(one.email, newAddress(), apart.tenant.slug);
  await ask(other.email, newAddress(), apart.tenant.slug);
  await apart.runJobs();
  expect(tokensTo(one.email)).toHaveLength(1);
  expect(tokensTo(other.email)).toHaveLength(0);
});
