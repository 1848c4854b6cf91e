import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { acceptInvitation, readInvitation } from "../access/accept-invitation.ts";
import { makePasswordLink, offerPasswordLink, setPassword } from "../access/password-links.ts";
import { signInWithPassword } from "../access/sign-in.ts";
import { loadSession } from "../access/sessions.ts";
import { authenticateDirectory } from "../directory/authenticate-directory.ts";
import { createToken } from "../directory/manage-tokens.ts";
import { inviteMember } from "../invitations/invite-member.ts";
import { inTenant } from "../kernel/db.ts";
import { newId } from "../kernel/ids.ts";
import { resumeHeldMessages } from "../sending/resume-held.ts";
import { isSuspended } from "../tenancy/suspension.ts";
import { makeConsole } from "../testing/console-world.ts";
import { testDatabase } from "../testing/database.ts";
import { startFakeTwilio } from "../testing/fake-twilio.ts";
import { codeOf, refusal } from "../testing/refusal.ts";
import { restClient } from "../testing/rest-client.ts";
import { becomes, makeSendingWorld, messageId, sendBody } from "../testing/sending-world.ts";
import {
  acceptMessage,
  closeReceivers,
  createWorld,
  endpointAt,
  receiver,
  webhookWorker,
} from "../testing/webhook-world.ts";
import { exampleRequest } from "../onboarding/first-application.ts";
import { setUp } from "../onboarding/set-up.ts";
import { consoleOperations } from "./operations.ts";
import { listOrganisationsSchema, setQuotaSchema } from "./schemas.ts";

const database = await testDatabase();
const console = await makeConsole(database);
const provider = await startFakeTwilio();
afterAll(async () => {
  await provider.close();
  await closeReceivers();
});
const rest = restClient(database.web);
const { organisations } = consoleOperations;
const sql = database.owner;
beforeEach(() => sql.query("DELETE FROM graphile_worker._private_jobs"));

const list = async (query: object = {}) =>
  organisations.list.call(await console.ctx(), listOrganisationsSchema.parse(query));
const suspend = async (id: string, reason = "Unpaid invoices") =>
  organisations.suspend.call(await console.ctx(), { id, reason });
const resume = async (id: string) => organisations.resume.call(await console.ctx(), { id });
const trailOf = async (tenantId: string, action: string) => {
  const { rows } = await sql.query<{
    actor_type: string;
    actor_name: string;
    request_id: string;
    data: object;
  }>(
    "SELECT actor_type, actor_name, request_id, data FROM audit_events WHERE tenant_id = $1 AND action = $2 ORDER BY id",
    [tenantId, action],
  );
  return rows;
};

async function routed() {
  const world = await makeSendingWorld(database);
  const { id } = await world.addTwilio(provider.baseUrl);
  await world.addRule("production", [[id]], { channel: "sms" });
  provider.messages.length = 0;
  return world;
}

describe("the list", () => {
  test("is searched by name and short name, filtered by state, and read page by page", async () => {
    const made: string[] = [];
    for (let i = 0; i < 5; i++) made.push((await makeSendingWorld(database)).tenantId);
    await sql.query("UPDATE tenants SET name = 'Find 100%_me' WHERE id = $1", [made[0]]);
    expect((await list({ search: "100%_ME" })).data.map(({ id }) => id)).toEqual([made[0]]);
    expect((await list({ search: "%" })).data.map(({ id }) => id)).toEqual([made[0]]);
    expect((await list({ search: "nothing like it" })).data).toEqual([]);
    await suspend(made[1]!);
    expect((await list({ state: "suspended" })).data.map(({ id }) => id)).toEqual([made[1]]);
    expect((await list({ state: "active" })).data.map(({ id }) => id)).not.toContain(made[1]);
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await list({ limit: 2, ...(cursor === undefined ? {} : { cursor }) });
      expect(page.data.length).toBeLessThanOrEqual(2);
      seen.push(...page.data.map(({ id }) => id));
      cursor = page.nextCursor ?? undefined;
    } while (cursor !== undefined);
    expect(seen).toEqual([...seen].sort().reverse());
    expect(new Set(seen)).toEqual(new Set(made));
    await resume(made[1]!);
    expect((await refusal(list({ cursor: "x" }))).code).toBe("invalid_cursor");
    expect(await codeOf(organisations.get.call(await console.ctx(), { id: newId() }))).toBe("not_found");
  });
});

describe("a new organisation", () => {
  const wanted = (slug: string) => ({
    name: "New one",
    slug,
    dataRegion: "EU",
    country: "DE",
    language: "en" as const,
    ownerName: "Olga",
    email: "olga@new.example",
  });

  test("is made as the command makes one, sends in its sandbox, and stands in both logs", async () => {
    const ctx = await console.ctx();
    const slug = `new-${newId().slice(-8)}`;
    const made = await organisations.create.call(ctx, wanted(slug));
    expect(made.owner.address).toMatch(/^http:\/\/localhost:3000\/set-password#/);
    const sent = await rest.post("/api/app/notifications/send", {
      key: made.sandboxKey,
      json: exampleRequest({ application: "webshop", country: "DE", language: "en" }).body,
    });
    expect(sent.status, sent.text).toBe(202);
    expect(await trailOf(made.id, "tenant.created")).toMatchObject([
      { actor_type: "system", actor_name: "Operator", request_id: ctx.requestId },
    ]);
    const mine = (await console.events()).filter(({ request_id }) => request_id === ctx.requestId);
    expect(mine.map(({ action, organisation_slug }) => [action, organisation_slug])).toEqual([
      ["organisation.permitted", slug],
      ["organisation.created", slug],
    ]);
    const logged = JSON.stringify(mine);
    for (const secret of [made.sandboxKey, made.owner.address.split("#")[1] ?? "", "olga@new.example"])
      expect(logged).not.toContain(secret);
    expect(await codeOf(organisations.create.call(await console.ctx(), wanted(slug)))).toBe("conflict");
  });

  test("comes from the web's role only with a permit, which counts once, for a minute and for one short name", async () => {
    const permit = async (hash: string, slug: string, expires = "now() + interval '1 minute'") =>
      sql.query(`INSERT INTO tenant_permits VALUES ($1, $2, ${expires})`, [Buffer.from(hash), slug]);
    const create = (hash: string, slug: string) =>
      database.web.prisma.$transaction(async (tx) => {
        await tx.$executeRaw`SELECT set_config('app.tenant', ${newId()}, true)`;
        const rows = await tx.$queryRaw<{ answer: string }[]>`
          SELECT create_permitted_tenant(${Uint8Array.from(Buffer.from(hash))}, ${slug}, 'N', 'EU', '{}', '\\x00') AS answer`;
        return rows[0]?.answer;
      });
    expect(await create("none", "slug-a")).toBe("refused");
    await permit("one", "slug-a");
    expect(await create("one", "slug-b")).toBe("refused");
    expect(await create("one", "slug-a")).toBe("made");
    expect(await create("one", "slug-a")).toBe("refused");
    await permit("two", "slug-a");
    expect(await create("two", "slug-a")).toBe("taken");
    await permit("late", "slug-c", "now() - interval '1 second'");
    expect(await create("late", "slug-c")).toBe("refused");
    await sql.query("DELETE FROM tenants WHERE slug = 'slug-a'");
  });

  test("cannot have the console's address", async () => {
    const attempt = setUp(database.web, {
      ...wanted("console"),
      token: "x",
      password: "a long password",
    } as never);
    await expect(attempt).rejects.toThrow();
  });
});

describe("a suspended organisation", () => {
  test("gets 403 with every key, in this process at once and in others within five seconds", async () => {
    const world = await routed();
    const { key } = await world.tenant.makeKey("production");
    const send = () => rest.post<{ code: string }>("/api/app/notifications/send", { key, json: sendBody() });
    expect((await send()).status).toBe(202);
    await suspend(world.tenantId);
    const refused = await send();
    expect([refused.status, refused.body.code]).toEqual([403, "organisation_suspended"]);
    expect((await rest.get("/v1/notifications", { key })).status).toBe(403);
    await resume(world.tenantId);
    expect((await send()).status).toBe(202);
    // As another process does it: nobody tells this one.
    await isSuspended(database.web, world.tenantId);
    await sql.query("UPDATE tenants SET suspended_at = now() WHERE id = $1", [world.tenantId]);
    const from = Date.now();
    while ((await send()).status !== 403) {
      if (Date.now() - from > 5_000) throw new Error("still accepted after 5 s");
      await pause(100);
    }
    // Others are not touched.
    const other = await routed();
    const { key: others } = await other.tenant.makeKey("production");
    expect((await rest.post("/api/app/notifications/send", { key: others, json: sendBody() })).status).toBe(
      202,
    );
  });

  test("has no session, and only who proves to be a member is told why", async () => {
    const world = await routed();
    const password = "a long enough password 1";
    const member = await world.tenant.addMember("owner", { password });
    const signIn = (given: string) =>
      signInWithPassword(database.web, {
        organisation: world.tenant.slug,
        email: member.email,
        password: given,
        ip: "192.0.2.50",
        userAgent: null,
        requestId: "r",
      });
    const name = await signIn(password);
    expect(await loadSession(database.web, name)).toBeDefined();
    await suspend(world.tenantId);
    expect(await loadSession(database.web, name)).toBeUndefined();
    expect((await refusal(signIn(password))).code).toBe("organisation_suspended");
    expect((await refusal(signIn("wrong password"))).code).toBe("sign_in_failed");
    await resume(world.tenantId);
    expect(await loadSession(database.web, name)).toBeDefined();
  });

  test("is refused alike at every other door: its directory, invitations and links for passwords", async () => {
    const world = await routed();
    const { tenant, tenantId } = world;
    const member = await tenant.addMember("owner", { password: "a long enough password 1" });
    const { id, email } = member;
    const owner = { ...tenant.as("owner"), actor: { type: "user" as const, id, email, name: "Olga" } };
    const { token: directory } = await createToken(owner, { name: "Okta" });
    const { link } = await inviteMember(owner, {
      email: `${newId()}@new.example`,
      name: "Nina New",
      assignments: [{ role: "finance", unitId: null }],
    });
    const invitation = link.slice(link.indexOf("#") + 1);
    const { token } = await inTenant(owner, (tx) => makePasswordLink(owner, tx, member.id));
    const from = {
      ip: "192.0.2.51",
      userAgent: null,
      requestId: "r",
      password: "correct horse battery staple",
    };
    const doors = {
      directory: () => authenticateDirectory(database.web, `Bearer ${directory}`, "r"),
      reading: () => readInvitation(database.web, { token: invitation, requestId: "r" }),
      accepting: () => acceptInvitation(database.web, { ...from, token: invitation }),
      setting: () => setPassword(database.web, { ...from, token }),
    };
    await suspend(tenantId);
    for (const [name, door] of Object.entries(doors)) {
      expect([name, (await refusal(door())).code]).toEqual([name, "organisation_suspended"]);
    }
    const forgotten = { organisation: tenant.slug, email: member.email, requestId: "r" };
    expect(await offerPasswordLink(database.web, forgotten)).toBeNull();
    await resume(tenantId);
    for (const door of Object.values(doors)) await door();
  });

  test("sends nothing, loses nothing, and goes on where it was", async () => {
    const world = await routed();
    const id = messageId(await world.send());
    await suspend(world.tenantId);
    await world.runJobs();
    expect(provider.messages).toEqual([]);
    expect(await world.notification(id)).toMatchObject({ status: "queued", attempts: 0 });
    // One job for the whole time, not one a minute.
    expect(await world.waitingJobs(id)).toHaveLength(1);
    await resume(world.tenantId);
    // Not before every process has seen it.
    expect(await resumeHeldMessages(database.worker)).toBe(0);
    expect((await organisations.get.call(await console.ctx(), { id: world.tenantId })).resuming).toBe(true);
    await sql.query("UPDATE tenants SET resumed_at = resumed_at - interval '10 seconds' WHERE id = $1", [
      world.tenantId,
    ]);
    expect(await resumeHeldMessages(database.worker)).toBe(1);
    await world.runJobs();
    expect(provider.messages).toHaveLength(1);
    expect(await world.notification(id)).toMatchObject({ status: "sent", attempts: 1 });
    expect(await resumeHeldMessages(database.worker)).toBe(0);
    expect((await organisations.get.call(await console.ctx(), { id: world.tenantId })).resuming).toBe(false);
  });

  test("lets messages end by their own time, and records receipts of what was sent before", async () => {
    const world = await routed();
    const before = messageId(await world.send());
    await world.runJobs();
    const waiting = messageId(await world.send());
    await suspend(world.tenantId);
    await world.runJobs();
    expect(await world.advance(before, becomes("delivered"))).toMatchObject([{ status: "delivered" }]);
    const { due_at } = await world.notification(waiting);
    await world.passTime((due_at?.getTime() ?? 0) - Date.now() + 1_000);
    await world.runJobs();
    expect(await world.notification(waiting)).toMatchObject({ status: "expired", attempts: 0 });
    expect(provider.messages).toHaveLength(1);
  });

  test("of very many held messages all come back, in bounded statements", async () => {
    const world = await routed();
    const count = 1_100;
    const recipients = Array.from({ length: 550 }, (_, i) => ({
      channel: "sms" as const,
      recipient: `+49151${String(10_000_000 + i)}`,
    }));
    await world.send({ recipients });
    await world.send({ recipients });
    await suspend(world.tenantId);
    await world.runJobs();
    const held = await sql.query(
      "SELECT FROM notifications WHERE tenant_id = $1 AND due_at = expires_at AND status = 'queued'",
      [world.tenantId],
    );
    expect(held.rowCount).toBe(count);
    await resume(world.tenantId);
    await sql.query("UPDATE tenants SET resumed_at = resumed_at - interval '10 seconds' WHERE id = $1", [
      world.tenantId,
    ]);
    expect(await resumeHeldMessages(database.worker)).toBe(count);
  });

  test("delivers no webhook until it goes on", async () => {
    const world = await createWorld(database);
    const hook = await receiver();
    await endpointAt(world, world.shop, hook.url);
    await acceptMessage(database.worker, world, world.shop);
    const worker = webhookWorker(database.owner, database.worker, world);
    await suspend(world.tenantId);
    await worker.runDue();
    expect(hook.received).toHaveLength(0);
    await resume(world.tenantId);
    worker.clock.advance(20 * 60_000);
    await worker.runDue();
    expect(hook.received).toHaveLength(1);
  });

  test("says in its own trail who stopped it and why, and is neither stopped nor resumed twice", async () => {
    const world = await makeSendingWorld(database);
    await suspend(world.tenantId, "Unpaid since June");
    expect(await codeOf(suspend(world.tenantId))).toBe("conflict");
    await resume(world.tenantId);
    expect(await codeOf(resume(world.tenantId))).toBe("conflict");
    expect(await codeOf(suspend(newId()))).toBe("not_found");
    expect(await trailOf(world.tenantId, "tenant.suspended")).toMatchObject([
      {
        actor_name: "Operator",
        data: { reason: "Unpaid since June", before: { suspended: false }, after: { suspended: true } },
      },
    ]);
    expect(await trailOf(world.tenantId, "tenant.resumed")).toHaveLength(1);
    const mine = (await console.events()).filter(({ organisation }) => organisation === world.tenantId);
    expect(mine.map(({ action, organisation_slug }) => [action, organisation_slug])).toEqual([
      ["organisation.suspended", world.tenant.slug],
      ["organisation.resumed", world.tenant.slug],
    ]);
  });
});

test("fees are set as the command sets them, in both logs with before and after", async () => {
  const world = await makeSendingWorld(database);
  const set = async (sms: { amount: string; currency: string } | null) =>
    organisations.setFees.call(await console.ctx(), {
      id: world.tenantId,
      fees: { sms, email: null, whatsapp: null },
    });
  const fee = { amount: "0.002", currency: "EUR" };
  expect(await set(fee)).toEqual({ fees: { sms: fee } });
  expect((await organisations.get.call(await console.ctx(), { id: world.tenantId })).fees).toEqual({
    sms: fee,
  });
  expect(await set(null)).toEqual({ fees: {} });
  expect(await trailOf(world.tenantId, "platform_fees.changed")).toMatchObject([
    { actor_name: "Operator", data: { before: {}, after: { sms: fee } } },
    { data: { before: { sms: fee }, after: {} } },
  ]);
  const mine = (await console.events("organisation.fees_changed")).filter(
    ({ organisation }) => organisation === world.tenantId,
  );
  expect(mine.map(({ data }) => data)).toEqual([
    { before: {}, after: { sms: fee } },
    { before: { sms: fee }, after: {} },
  ]);
});

test("fees that somebody else has changed since are not replaced unseen", async () => {
  const world = await makeSendingWorld(database);
  const fee = { amount: "0.002", currency: "EUR" };
  const get = async () => organisations.get.call(await console.ctx(), { id: world.tenantId });
  const set = async (revision: string, fees: { sms: typeof fee | null; whatsapp: typeof fee | null }) =>
    organisations.setFees.call(await console.ctx(), {
      id: world.tenantId,
      revision,
      fees: { ...fees, email: null },
    });
  const { feesRevision } = await get();
  const outcomes = await Promise.allSettled([
    set(feesRevision, { sms: fee, whatsapp: null }),
    set(feesRevision, { sms: null, whatsapp: fee }),
  ]);
  expect(outcomes.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
  const { fees, feesRevision: next } = await get();
  expect(Object.values(fees)).toEqual([fee]);
  expect(await codeOf(set(feesRevision, { sms: null, whatsapp: null }))).toBe("revision_conflict");
  expect((await get()).fees).toEqual(fees);
  expect(await set(next, { sms: fee, whatsapp: fee })).toEqual({ fees: { sms: fee, whatsapp: fee } });
});

test("quotas are set as the command sets them, with what is used beside them, in both logs with before and after", async () => {
  const world = await makeSendingWorld(database);
  const none = { messagesPerDay: null, messagesPerMonth: null, requestsPerMinute: null };
  const get = async () => organisations.get.call(await console.ctx(), { id: world.tenantId });
  const set = async (
    quota: typeof none | (Omit<typeof none, "messagesPerDay"> & { messagesPerDay: number }),
  ) => organisations.setQuota.call(await console.ctx(), { id: world.tenantId, ...quota });
  await sql.query("INSERT INTO quota_days VALUES ($1, (now() AT TIME ZONE 'UTC')::date, 5)", [
    world.tenantId,
  ]);
  expect(await get()).toMatchObject({ quota: none, use: { day: { used: 5 }, month: { used: 5 } } });
  const limited = { ...none, messagesPerDay: 10 };
  expect(await set(limited)).toEqual({ quota: limited });
  expect(await get()).toMatchObject({ quota: limited });
  await set(none);
  expect(await trailOf(world.tenantId, "quota.changed")).toMatchObject([
    { actor_name: "Operator", data: { before: { messagesPerDay: null }, after: { messagesPerDay: 10 } } },
    { data: { before: { messagesPerDay: 10 }, after: { messagesPerDay: null } } },
  ]);
  const mine = (await console.events("organisation.quota_changed")).filter(
    ({ organisation }) => organisation === world.tenantId,
  );
  expect(mine.map(({ data }) => data)).toEqual([
    { before: none, after: limited },
    { before: limited, after: none },
  ]);
  expect(await codeOf(organisations.setQuota.call(await console.ctx(), { id: newId(), ...none }))).toBe(
    "not_found",
  );
  // What it can say is bounded as the command's words are.
  expect(setQuotaSchema.safeParse({ id: newId(), ...none, messagesPerDay: 0 }).success).toBe(false);
});
