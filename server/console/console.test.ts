import { Secret, TOTP } from "otpauth";
import { beforeAll, describe, expect, test } from "vitest";
import { newId } from "../kernel/ids.ts";
import { addSmsChannel, makeConsole, serveChannelRequests } from "../testing/console-world.ts";
import { testDatabase } from "../testing/database.ts";
import { makeSendingWorld, messageId } from "../testing/sending-world.ts";
import { holdSending } from "./hold.ts";
import { consoleOperations } from "./operations.ts";
import {
  assignConsoleChannelSchema,
  listAssignmentsSchema,
  listOperatorEventsSchema,
  listOrganisationsSchema,
  takeConsoleChannelSchema,
} from "./schemas.ts";

const database = await testDatabase();
const console = await makeConsole(database);
const { handleConsole } = await import("../trpc/console-handle.ts");
const sql = database.owner;
const { channels, organisations, installation, log, secondFactor } = consoleOperations;
const world = await makeSendingWorld(database);
const newest = (more: object = {}) => listOperatorEventsSchema.parse(more);

describe("what is looked at", () => {
  test("is in the log before it is read, once in ten minutes however often a page asks", async () => {
    const ctx = await console.ctxOf((await console.signIn(await console.addOperator())).token);
    const mine = async () =>
      (
        await sql.query<{ action: string; organisation_slug: string | null; data: object }>(
          "SELECT action, organisation_slug, data FROM operator_events WHERE session_id = $1 AND action <> 'session.started' ORDER BY id",
          [ctx.sessionId],
        )
      ).rows;
    for (let i = 0; i < 3; i++) await installation.get.call(ctx, undefined);
    expect((await mine()).map(({ action }) => action)).toEqual(["installation.viewed"]);
    await organisations.get.call(ctx, { id: world.tenantId });
    await organisations.list.call(ctx, listOrganisationsSchema.parse({ search: "acme" }));
    await organisations.list.call(ctx, listOrganisationsSchema.parse({ search: "other" }));
    expect((await mine()).slice(1)).toMatchObject([
      { action: "organisation.viewed", organisation_slug: world.tenant.slug },
      { action: "organisations.viewed", data: { search: "acme" } },
      { action: "organisations.viewed", data: { search: "other" } },
    ]);
    await sql.query("UPDATE operator_events SET at = at - interval '11 minutes' WHERE session_id = $1", [
      ctx.sessionId,
    ]);
    await installation.get.call(ctx, undefined);
    expect((await mine()).filter(({ action }) => action === "installation.viewed")).toHaveLength(2);
    const unwritten = installation.get.call({ ...ctx, sessionId: "not a session" }, undefined);
    await expect(unwritten).rejects.toThrow();
  });

  test("is listed with what was changed, newest first, page by page", async () => {
    const ctx = await console.ctx();
    const { data } = await log.list.call(ctx, newest({ limit: 5 }));
    expect(data[0]?.action).toBe("log.viewed");
    expect(data.map(({ id }) => id)).toEqual(
      data
        .map(({ id }) => id)
        .sort()
        .reverse(),
    );
    const changes = await log.list.call(ctx, newest({ changesOnly: true }));
    expect(changes.data.filter(({ action }) => action.endsWith(".viewed"))).toEqual([]);
    expect(changes.data.length).toBeGreaterThan(0);
    const about = await log.list.call(ctx, newest({ organisation: world.tenantId }));
    expect(new Set(about.data.map(({ organisation }) => organisation))).toEqual(new Set([world.tenantId]));
  });

  test("keeps a session alive only where somebody is at work, not where a page asks by itself", async () => {
    const ctx = await console.ctxOf((await console.signIn(await console.addOperator())).token);
    const age = () =>
      sql.query("UPDATE operator_sessions SET last_seen_at = now() - interval '20 minutes' WHERE id = $1", [
        ctx.sessionId,
      ]);
    const idle = async () =>
      (
        await sql.query<{ idle: boolean }>(
          "SELECT last_seen_at < now() - interval '10 minutes' AS idle FROM operator_sessions WHERE id = $1",
          [ctx.sessionId],
        )
      ).rows[0]?.idle;
    await age();
    await installation.get.call(ctx, undefined);
    expect(await idle()).toBe(true);
    await organisations.get.call(ctx, { id: world.tenantId });
    expect(await idle()).toBe(false);
  });
});

describe("nothing of what an organisation sends, to whom, or who its people are", () => {
  const canary = `canary${newId().replaceAll("-", "")}`;
  const address = "+4915155501234";

  beforeAll(async () => {
    await world.addTemplate({
      name: canary,
      notificationType: "order",
      notificationSubtype: "receipt",
      channel: "sms",
      body: `${canary} {{ code }}`,
    });
    await world.tenant.addMember("owner", { email: `${canary}@member.example` });
    const accepted = await world.send({
      notificationSubtype: "receipt",
      recipients: [{ channel: "sms", recipient: address }],
      templateVariables: [{ code: canary }],
      metadata: { note: canary },
    });
    expect(messageId(accepted)).toBeDefined();
    // And a job that was given up, with an error that says too much.
    await sql.query(
      `UPDATE graphile_worker._private_jobs SET attempts = max_attempts, last_error = $2 WHERE payload->>'tenantId' = $1`,
      [world.tenantId, canary],
    );
  });

  test("is in any answer of the console", async () => {
    const ctx = await console.ctx();
    const { password } = console.operator;
    const channel = await addSmsChannel(database);
    const given = { tenant: world.tenant.slug, connection: channel.name };
    const served = (work: Promise<void>) => serveChannelRequests(database, work).then(() => null);
    const started = await secondFactor.start.call(ctx, { password });
    const codeOf = (steps: number) =>
      TOTP.generate({
        secret: Secret.fromBase32(started.secret),
        timestamp: Date.now() + steps * 30_000,
      });
    const answers: Record<string, unknown> = {
      "organisations.list": await organisations.list.call(ctx, listOrganisationsSchema.parse({})),
      "organisations.get": await organisations.get.call(ctx, { id: world.tenantId }),
      "organisations.suspend": await organisations.suspend.call(ctx, {
        id: world.tenantId,
        reason: "A test",
      }),
      "organisations.resume": await organisations.resume.call(ctx, { id: world.tenantId }),
      "organisations.delete": await organisations.delete.call(ctx, {
        id: world.tenantId,
        slug: world.tenant.slug,
        reason: "A test",
      }),
      "organisations.keep": await organisations.keep.call(ctx, { id: world.tenantId }),
      "organisations.setFees": await organisations.setFees.call(ctx, {
        id: world.tenantId,
        fees: { sms: { amount: "0.1", currency: "EUR" }, email: null, whatsapp: null },
      }),
      "organisations.setQuota": await organisations.setQuota.call(ctx, {
        id: world.tenantId,
        messagesPerDay: 1_000,
        messagesPerMonth: null,
        requestsPerMinute: null,
      }),
      "organisations.create": await organisations.create.call(ctx, {
        name: "Another",
        slug: `another-${newId().slice(-8)}`,
        dataRegion: "EU",
        country: "DE",
        language: "en",
        ownerName: "O",
        email: "o@another.example",
      }),
      "secondFactor.get": await secondFactor.get.call(ctx, undefined),
      "secondFactor.start": started,
      "secondFactor.confirm": await secondFactor.confirm.call(ctx, { code: codeOf(-1) }),
      "secondFactor.renewRecoveryCodes": await secondFactor.renewRecoveryCodes.call(ctx, {
        password,
        code: codeOf(0),
      }),
      "secondFactor.remove": await secondFactor.remove
        .call(ctx, { password, code: codeOf(1) })
        .then(() => null),
      "channels.list": await channels.list.call(ctx, undefined),
      "channels.get": await channels.get.call(ctx, listAssignmentsSchema.parse({ channelId: channel.id })),
      "channels.assign": await served(
        channels.assign.call(
          ctx,
          assignConsoleChannelSchema.parse({ channel: channel.name, tenant: world.tenant.slug }),
        ),
      ),
      "channels.lend": await served(channels.lend.call(ctx, { ...given, senders: [] })),
      "channels.take": await served(channels.take.call(ctx, takeConsoleChannelSchema.parse(given))),
      "installation.get": await installation.get.call(ctx, undefined),
      "installation.hold": await holdSending(database.owner, "Test", "A look first").then(() =>
        installation.hold.call(ctx, undefined),
      ),
      "installation.release": await installation.release.call(ctx, undefined),
      "log.list": await log.list.call(ctx, newest({ limit: 200 })),
    };
    const declared = Object.entries(consoleOperations).flatMap(([domain, operations]) =>
      Object.keys(operations).map((name) => `${domain}.${name}`),
    );
    expect(Object.keys(answers).sort()).toEqual(declared.sort());
    const state = answers["installation.get"] as Awaited<ReturnType<typeof installation.get.call>>;
    expect(state.givenUp).toMatchObject([{ count: 1 }]);
    for (const [name, answer] of Object.entries(answers)) {
      const text = JSON.stringify({ answer });
      for (const secret of [canary, address, "4915155501234"]) expect(text, name).not.toContain(secret);
    }
  });

  test("and every change leaves an entry under its name, in the transaction of the change", async () => {
    const written = new Set((await console.events()).map(({ action }) => action));
    for (const operations of Object.values(consoleOperations)) {
      for (const { action } of Object.values(operations)) expect(written).toContain(action);
    }
  });
});

describe("the state of the installation", () => {
  test("counts each lane's jobs to a bound, knows since when the head waits, and which lanes have a worker", async () => {
    await sql.query("DELETE FROM graphile_worker._private_jobs");
    const other = await makeSendingWorld(database);
    await other.send();
    await sql.query("UPDATE graphile_worker._private_jobs SET updated_at = now() - interval '90 seconds'");
    await sql.query(
      "INSERT INTO worker_processes (name, lanes, beat_at) VALUES ('alive', '{otp,transactional}', now()), ('dead', '{bulk}', now() - interval '1 hour')",
    );
    await sql.query(
      "SELECT graphile_worker.add_job('deliver_bulk', '{}', run_at => now() + interval '1 hour') FROM generate_series(1, 3)",
    );
    await sql.query(
      "INSERT INTO sweep_reports (at, found, total, found_at) VALUES (now(), 0, 7, now() - interval '1 day')",
    );
    const state = await installation.get.call(await console.ctx(), undefined);
    const lane = (name: string) => state.lanes.find((each) => each.lane === name);
    expect(lane("transactional")).toMatchObject({ ready: 1, later: 0, givenUp: 0, carried: true });
    expect(lane("transactional")?.lagMs).toBeGreaterThan(89_000);
    expect(lane("transactional")?.lagMs).toBeLessThan(120_000);
    expect(lane("bulk")).toMatchObject({ ready: 0, later: 3, lagMs: null, carried: false });
    expect(lane("otp")).toMatchObject({ ready: 0, carried: true });
    expect(state.workers.map(({ name, alive }) => [name, alive])).toEqual([
      ["alive", true],
      ["dead", false],
    ]);
    expect(state.sweep).toMatchObject({ found: 0, total: 7 });
    expect(state.database.bytes).toBeGreaterThan(1_000_000);
    expect(state.database.connections).toBeGreaterThan(0);
  });

  test("is quick beside 200,000 waiting jobs, because counts end at 10,000", async () => {
    await sql.query(
      `INSERT INTO graphile_worker._private_jobs (task_id, payload, run_at)
       SELECT t.id, '{}', now() - interval '1 hour' FROM graphile_worker._private_tasks t, generate_series(1, 200000)
       WHERE t.identifier = 'deliver_bulk'`,
    );
    await sql.query("ANALYZE graphile_worker._private_jobs");
    const ctx = await console.ctx();
    await installation.get.call(ctx, undefined);
    const from = performance.now();
    const state = await installation.get.call(ctx, undefined);
    expect(performance.now() - from).toBeLessThan(1_000);
    expect(state.lanes.find(({ lane }) => lane === "bulk")?.ready).toBe(10_000);
    await sql.query("DELETE FROM graphile_worker._private_jobs");
  });
});

describe("the door", () => {
  const own = { "sec-fetch-site": "same-origin", "x-forwarded-for": "192.0.2.9" };
  const call = (path: string, init: RequestInit = {}) =>
    handleConsole(new Request(`http://localhost:3000${path}`, init));
  const post = (path: string, body: unknown, headers: Record<string, string> = own) => {
    const text = JSON.stringify(body);
    return call(path, {
      method: "POST",
      body: text,
      headers: { "content-type": "application/json", "content-length": String(text.length), ...headers },
    });
  };
  const get = (procedure: string, cookie: string) =>
    call(`/console/api/trpc/${procedure}`, { headers: { cookie } });

  test("answers with the operator's cookie alone, which no page and no other path of the service gets", async () => {
    const signedIn = await post("/console/api/sign-in", console.operator);
    expect(signedIn?.status).toBe(200);
    const cookies = signedIn?.headers.getSetCookie() ?? [];
    expect(cookies.map((cookie) => cookie.split("=")[0])).toEqual([
      "tidings-operator",
      "tidings-operator-device",
    ]);
    for (const cookie of cookies) {
      expect(cookie).toMatch(/; Path=\/console; /);
      expect(cookie).toMatch(/; HttpOnly; SameSite=Strict/);
    }
    const cookie = cookies[0]?.split(";")[0] ?? "";
    expect((await get("installation.get", cookie))?.status).toBe(200);
    for (const wrong of [
      "",
      "tidings-operator=x",
      cookie.replace("tidings-operator", "next-auth.session-token"),
    ]) {
      expect((await get("installation.get", wrong))?.status, wrong).toBe(401);
    }
    expect((await post("/console/api/sign-out", {}, { ...own, cookie }))?.status).toBe(200);
    expect((await get("installation.get", cookie))?.status).toBe(401);
  });

  test("answers a page of one operator to nobody else who has signed in in the same browser", async () => {
    const cookie = `tidings-operator=${console.token}`;
    const other = await console.ctxOf((await console.signIn(await console.addOperator())).token);
    const statusFor = async (operator: string) =>
      (
        await call("/console/api/trpc/installation.hold", {
          headers: { cookie, "x-tidings-operator": operator },
        })
      )?.status;
    expect(await statusFor((await console.ctx()).operator.id)).toBe(200);
    expect(await statusFor(other.operator.id)).toBe(401);
  });

  test("takes changes, sign-ins and sign-outs from its own pages only", async () => {
    const cookie = `tidings-operator=${console.token}`;
    for (const path of [
      "/console/api/trpc/organisations.suspend",
      "/console/api/trpc/organisations.resume",
      "/console/api/trpc/organisations.create",
      "/console/api/trpc/organisations.setFees",
      "/console/api/trpc/organisations.setQuota",
      "/console/api/sign-in",
      "/console/api/sign-out",
      "/console/api/set-password",
    ]) {
      for (const headers of [
        { "sec-fetch-site": "cross-site" },
        { "sec-fetch-site": "same-site" },
        { origin: "https://evil.example" },
        {},
      ] as Record<string, string>[]) {
        expect((await post(path, {}, { ...headers, cookie }))?.status, path).toBe(403);
      }
    }
    expect((await get("organisations.resume?input=%7B%7D", cookie))?.status).toBe(405);
  });

  test("refuses bodies that are too long, of no stated length or not JSON, and unknown paths", async () => {
    const long = { email: "x".repeat(20_000), password: "" };
    expect((await post("/console/api/sign-in", long))?.status).toBe(413);
    expect((await post("/console/api/trpc/organisations.create", { name: "x".repeat(70_000) }))?.status).toBe(
      413,
    );
    expect((await post("/console/api/sign-in", "x"))?.status).toBe(422);
    expect((await post("/console/api/sign-in", { email: "\u0000", password: "x" }))?.status).toBe(400);
    expect(await post("/console/api/other", {})).toBeUndefined();
    expect(await call("/console/api/sign-in")).toBeUndefined();
  });
});
