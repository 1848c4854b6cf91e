import { afterAll, beforeEach, describe, expect, it, vi } from "vitest";
import { foldMetrics } from "../insights/fold-metrics.ts";
import { newId } from "../kernel/ids.ts";
import { serveStatus } from "../rest/serve-status.ts";
import { testDatabase } from "../testing/database.ts";
import { codeOf } from "../testing/refusal.ts";
import { startMailServer } from "../testing/mail-server.ts";
import { restClient } from "../testing/rest-client.ts";
import { makeSendingWorld } from "../testing/sending-world.ts";
import type { SendingWorld } from "../testing/sending-world.ts";
import { AnswerCounter, answerCounter } from "./answer-counter.ts";
import { burningNow, burnOf, shareOf } from "./burn.ts";
import type { Measured, Windows } from "./burn.ts";
import { getObjectives } from "./get-objectives.ts";
import { createIncident, removeIncident, updateIncident } from "./incidents.ts";
import { judgeObjectives } from "./judge-objectives.ts";
import { changeObjectives } from "./manage-objectives.ts";
import { foldAndPurge } from "./queries.ts";
import { burnRules, defaultObjectives, objectiveSettingsSchema } from "./schemas.ts";
import { changeStatusPage, getStatusPage } from "./status-page.ts";
import type { Objectives } from "./schemas.ts";

const database = await testDatabase();
const mail = await startMailServer();
afterAll(() => mail.close());
beforeEach(async () => {
  vi.restoreAllMocks();
  await database.owner.query("DELETE FROM web_gaps");
  await database.owner.query(
    "INSERT INTO web_presence (id, since, seen_at) VALUES (1, now() - interval '60 days', now()) ON CONFLICT (id) DO UPDATE SET since = excluded.since, seen_at = now()",
  );
});

const minuteMs = 60_000;
/** Answers as another process has counted them, so many minutes ago. */
async function answers(world: SendingWorld, back: number, good: number, missed: number) {
  await database.owner.query(
    `INSERT INTO answer_counts (tenant_id, at, process_id, good, missed) VALUES ($1, date_trunc('minute', now()) - make_interval(mins => $2), $3, $4, $5)`,
    [world.tenantId, back, newId(), good, missed],
  );
}
const judge = (now = new Date()) => judgeObjectives(database.worker, now);
const notices = async (world: SendingWorld) =>
  (
    await database.owner.query<{ kind: string; user_id: string }>(
      "SELECT kind, user_id FROM notices WHERE tenant_id = $1 AND kind LIKE 'objective.%' ORDER BY id",
      [world.tenantId],
    )
  ).rows;
const stored = async (world: SendingWorld) => {
  const { rows } = await database.owner.query<{ good: number; missed: number }>(
    "SELECT coalesce(sum(good), 0)::int AS good, coalesce(sum(missed), 0)::int AS missed FROM answer_counts WHERE tenant_id = $1",
    [world.tenantId],
  );
  return rows[0]!;
};

/** Counts of one-time codes under one key, as the worker folds them: latencies in ms, and what never left. */
async function codes(
  world: SendingWorld,
  of: {
    back?: number;
    latencies?: number[];
    failed?: number;
    rejected?: number;
    canceled?: number;
    failedLater?: number;
  },
) {
  const { tenantId, environments, application } = world.tenant;
  const { back = 0, latencies = [], failed = 0, rejected = 0, canceled = 0, failedLater = 0 } = of;
  const row = async (status: string, count: number, latency: string) => {
    if (count === 0) return;
    await database.owner.query(
      `INSERT INTO metric_deltas (tenant_id, hour, kind, environment_id, application_id, unit_id, channel, notification_type, notification_subtype,
         country, template_id, connection_id, mail_domain, status, code, provider_code, latency, count)
       VALUES ($1, date_trunc('hour', now()) - make_interval(hours => $2), 'status', $3, $4, $5, 'sms', 'otp', 'login', 'DE', $6, $6, '', $7, '', '', ${latency}, $8)`,
      [
        tenantId,
        back,
        environments.production,
        application.id,
        application.unitId,
        "00000000-0000-0000-0000-000000000000",
        status,
        count,
      ],
    );
  };
  await row("accepted", latencies.length + failed + rejected + canceled, "-1");
  for (const ms of latencies)
    await row("sent", 1, `latency_bucket(make_interval(secs => ${String(ms / 1_000)}))`);
  await row("failed", failed + failedLater, "-1");
  await row("rejected", rejected, "-1");
  await row("canceled", canceled, "-1");
  await foldMetrics(database.worker);
}
/** The type that the codes above are of. */
async function codeWorld() {
  const world = await makeSendingWorld(database);
  await database.owner.query(
    "INSERT INTO notification_types (tenant_id, id, type, class, subtypes) VALUES ($1, $2, 'otp', 'authentication', '{login}') ON CONFLICT DO NOTHING",
    [world.tenantId, newId()],
  );
  return world;
}

describe("the count of answers", () => {
  it("is written again after a failed exchange, and after one that was written though nobody heard of it", async () => {
    const world = await makeSendingWorld(database);
    const counter = new AnswerCounter(database.web);
    for (let i = 0; i < 5; i++) counter.count(world.tenantId, 202);
    const query = vi.spyOn(database.web.pool, "query");
    query.mockRejectedValueOnce(new Error("away"));
    await expect(counter.exchange()).rejects.toThrow("away");
    counter.count(world.tenantId, 503);
    // The statement is carried out, and its answer lost.
    const real = database.web.pool.query.bind(database.web.pool) as (...args: unknown[]) => Promise<unknown>;
    query.mockRestore();
    const lost = (...args: unknown[]) =>
      real(...args).then(() => {
        throw new Error("lost");
      }) as never;
    vi.spyOn(database.web.pool, "query").mockImplementationOnce(lost);
    await expect(counter.exchange()).rejects.toThrow("lost");
    expect(await stored(world)).toEqual({ good: 5, missed: 1 });
    counter.count(world.tenantId, 200);
    await counter.exchange();
    await counter.exchange();
    expect(await stored(world)).toEqual({ good: 6, missed: 1 });
  });

  it("is one sum of all processes, and the same once minutes are summed up by the hour", async () => {
    const world = await makeSendingWorld(database);
    const [here, there] = [new AnswerCounter(database.web), new AnswerCounter(database.web)];
    const now = Date.now() - 30 * minuteMs;
    for (const counter of [here, there])
      for (let i = 0; i < 7; i++) counter.count(world.tenantId, i < 6 ? 202 : 500, now + i * minuteMs);
    await Promise.all([here.exchange(), there.exchange()]);
    expect(await stored(world)).toEqual({ good: 12, missed: 2 });
    for (let i = 0; i < 2; i++)
      await foldAndPurge(database.worker, new Date(Date.now() + 12 * 60 * minuteMs));
    expect(await stored(world)).toEqual({ good: 12, missed: 2 });
    const { rows } = await database.owner.query("SELECT FROM answer_counts WHERE tenant_id = $1", [
      world.tenantId,
    ]);
    expect(rows.length).toBeLessThanOrEqual(2);
  });

  it("holds answers to send requests: the caller's own faults and sandboxes count nowhere", async () => {
    const world = await makeSendingWorld(database);
    const rest = restClient(database.web);
    const counter = answerCounter(database.web);
    const count = vi.spyOn(counter, "count");
    const live = await world.tenant.makeKey("production");
    const sandbox = await world.tenant.makeKey("sandbox");
    for (const key of [live.key, sandbox.key]) await rest.post("/v1/notifications", { key, json: {} });
    expect(count.mock.calls.map(([tenantId, status]) => [tenantId, status])).toEqual([[world.tenantId, 422]]);
    await rest.get("/v1/notifications", { key: live.key });
    expect(count).toHaveBeenCalledTimes(1);
    await counter.exchange();
    expect(await stored(world)).toEqual({ good: 0, missed: 0 });
  });
});

describe("objectives", () => {
  it("show what a sum over the stored counts says, and an organisation's own alone", async () => {
    const [world, other] = [await codeWorld(), await codeWorld()];
    for (const back of [1, 90, 2_000, 30_000]) await answers(world, back, 1_000 + back, back % 7);
    await answers(other, 3, 10, 900);
    await codes(world, { latencies: [40, 900, 9_700, 12_000], failed: 2, rejected: 3, canceled: 1 });
    await codes(world, { back: 30, latencies: [50, 60_000] });
    const view = await getObjectives(world.tenant.as("finance"));
    const [availability, late] = view.objectives;
    expect(availability).toMatchObject(await stored(world));
    expect(availability!.days.reduce((sum, each) => sum + each.good, 0)).toBe(availability!.good);
    expect(availability!.days).toHaveLength(30);
    // Late ones and those that never left count against it; what people stopped does not.
    expect(late).toMatchObject({ good: 4, missed: 4 });
    const all = availability!.good + availability!.missed;
    expect(availability!.share).toBeCloseTo(availability!.good / all, 12);
    expect(availability!.budgetLeft).toBeCloseTo(1 - availability!.missed / all / 0.001, 6);
    expect(view.codesMeasuredSeconds).toBe(9.74);
    await expect(getObjectives(world.tenant.as("template_author"))).rejects.toMatchObject({
      code: "permission_denied",
    });
  });

  it("change in what is given: of two people who change different targets neither loses theirs", async () => {
    const owner = (await makeSendingWorld(database)).tenant.as("owner");
    await Promise.all([
      changeObjectives(owner, { availabilityTarget: 99.5 }),
      changeObjectives(owner, { codesSeconds: 20 }),
    ]);
    const view = await getObjectives(owner);
    expect(view.codesSeconds).toBe(20);
    expect(view.objectives.map(({ target }) => target)).toEqual([99.5, defaultObjectives.codesTarget]);
  });

  it("count a failure after a code had left as no miss", async () => {
    const world = await codeWorld();
    await codes(world, { latencies: [100, 200], failedLater: 2 });
    expect((await getObjectives(world.tenant.system)).objectives[1]).toMatchObject({ good: 2, missed: 0 });
  });

  it("count a time without any web process by its part of the requests, and say for how long it was", async () => {
    const world = await makeSendingWorld(database);
    await database.owner.query(
      "INSERT INTO web_gaps VALUES (now() - interval '50 hours', now() - interval '38 hours')",
    );
    expect((await getObjectives(world.tenant.system)).objectives[0]).toMatchObject({
      share: null,
      budgetLeft: null,
    });
    await answers(world, 5, 1_000, 0);
    const [availability] = (await getObjectives(world.tenant.system)).objectives;
    expect(availability!.downSeconds).toBeGreaterThanOrEqual(43_199);
    const lengthMs = Date.now() - Date.parse((await getObjectives(world.tenant.system)).since);
    expect(availability!.share).toBeCloseTo(1 - (12 * 3_600_000) / lengthMs, 4);
  });

  it("notice by themselves when no web process is there, and for how long there was none", async () => {
    const [before] = (await database.owner.query<{ n: number }>("SELECT count(*)::int AS n FROM web_gaps"))
      .rows;
    expect(before!.n).toBe(0);
    const counter = new AnswerCounter(database.web);
    await counter.exchange();
    await database.owner.query("UPDATE web_presence SET seen_at = now() - interval '5 minutes'");
    const world = await makeSendingWorld(database);
    await answers(world, 20, 10, 0);
    await judge();
    expect((await notices(world)).map(({ kind }) => kind)).toContain("objective.burning");
    await counter.exchange();
    await counter.exchange();
    const { rows } = await database.owner.query<{ s: number }>(
      "SELECT extract(epoch FROM ended_at - began_at)::int AS s FROM web_gaps",
    );
    expect(rows).toHaveLength(1);
    expect(rows[0]!.s).toBeGreaterThanOrEqual(299);
  });

  it("are changed within bounds by those who may, and in the audit trail", async () => {
    const world = await codeWorld();
    const owner = world.tenant.as("owner");
    await codes(world, { latencies: [100, 15_000] });
    const to = { availabilityTarget: 99.5, codesTarget: 95, codesSeconds: 20 };
    await expect(changeObjectives(world.tenant.as("finance"), to)).rejects.toMatchObject({
      code: "permission_denied",
    });
    await changeObjectives(owner, to);
    const [availability, late] = (await getObjectives(owner)).objectives;
    expect([availability!.target, late!.target, late!.good, late!.missed]).toEqual([99.5, 95, 2, 0]);
    const { rows } = await database.owner.query(
      "SELECT FROM audit_events WHERE tenant_id = $1 AND action = 'objectives.changed'",
      [world.tenantId],
    );
    expect(rows).toHaveLength(1);
    for (const wrong of [
      { codesSeconds: 1 },
      { codesSeconds: 61 },
      { availabilityTarget: 100 },
      { codesTarget: 89 },
    ])
      expect(objectiveSettingsSchema.safeParse({ ...defaultObjectives, ...wrong }).success).toBe(false);
  });

  it("are served to a key that sees the reports of the whole organisation", async () => {
    const world = await makeSendingWorld(database);
    await answers(world, 2, 9, 1);
    const { key } = await world.tenant.makeKey("production", { role: "finance" });
    const answer = await restClient(database.web).get<Objectives>("/v1/objectives", { key });
    expect([answer.status, answer.body.objectives[0]?.good]).toEqual([200, 9]);
  });
});

describe("an alert", () => {
  it("is told once when the budget burns, by bell, webhook, audit trail and mail, and its end as well", async () => {
    const world = await makeSendingWorld(database);
    const { tenant } = world;
    await database.owner.query("DELETE FROM role_assignments WHERE tenant_id = $1", [tenant.tenantId]);
    const finance = await tenant.addMember("finance");
    await tenant.addMember("template_author");
    const smtp = await world.addSmtp(mail.port);
    await world.addRule("production", [[smtp]], { channel: "email" });
    await answers(world, 2, 100, 40);
    await Promise.all([1, 2, 3].map(() => judge()));
    await judge();
    expect(await notices(world)).toMatchObject([{ kind: "objective.burning", user_id: finance.id }]);
    expect((await getObjectives(tenant.system)).alerts).toMatchObject([
      { objective: "availability", speed: "fast", endedAt: null },
    ]);
    // Good answers in the last minutes: nobody has to do anything.
    await database.owner.query(
      "UPDATE answer_counts SET at = at - interval '45 minutes' WHERE tenant_id = $1",
      [tenant.tenantId],
    );
    await answers(world, 1, 500, 0);
    await Promise.all([1, 2].map(() => judge()));
    await judge();
    expect((await notices(world)).map(({ kind }) => kind)).toEqual([
      "objective.burning",
      "objective.recovered",
    ]);
    const { rows } = await database.owner.query<{ action: string }>(
      "SELECT action FROM audit_events WHERE tenant_id = $1 AND action LIKE 'objective.%' ORDER BY id",
      [tenant.tenantId],
    );
    expect(rows.map(({ action }) => action)).toEqual(["objective.burning", "objective.recovered"]);
    await world.runJobs();
    const mails = mail.received.filter(({ to }) => to.includes(finance.email));
    expect(mails).toHaveLength(2);
    const [alert] = (await getObjectives(tenant.system)).alerts;
    expect(alert!.endedAt).not.toBeNull();
  });

  it("that could not be mailed for a passing reason is mailed later, once", async () => {
    const world = await makeSendingWorld(database);
    const { tenant } = world;
    await database.owner.query("DELETE FROM role_assignments WHERE tenant_id = $1", [tenant.tenantId]);
    const finance = await tenant.addMember("finance");
    const smtp = await world.addSmtp(mail.port);
    await world.addRule("production", [[smtp]], { channel: "email" });
    await answers(world, 2, 100, 40);
    await database.owner.query("REVOKE EXECUTE ON FUNCTION accept_sends FROM tidings_worker");
    try {
      await judge();
    } finally {
      await database.owner.query("GRANT EXECUTE ON FUNCTION accept_sends TO tidings_worker");
    }
    expect(await notices(world)).toMatchObject([{ kind: "objective.burning", user_id: finance.id }]);
    await judge();
    await judge();
    await world.runJobs();
    expect(mail.received.filter(({ to }) => to.includes(finance.email))).toHaveLength(1);
  });

  it("needs more than a few misses, and both of its windows", async () => {
    const world = await makeSendingWorld(database);
    await answers(world, 2, 2, 1);
    await judge();
    expect((await getObjectives(world.tenant.system)).alerts).toEqual([]);
    // Fifty minutes ago, and good since.
    const second = await makeSendingWorld(database);
    await answers(second, 50, 100, 50);
    await answers(second, 1, 100, 0);
    await judge();
    expect((await getObjectives(second.tenant.system)).alerts).toEqual([]);
  });

  it("is opened by late codes, and not by those that the hours before had", async () => {
    const world = await codeWorld();
    const early = new Date(Date.now() - 40 * minuteMs);
    await codes(world, { latencies: Array.from({ length: 30 }, () => 200) });
    await judge(early);
    await judge();
    expect((await getObjectives(world.tenant.system)).alerts).toEqual([]);
    await codes(world, { latencies: Array.from({ length: 30 }, () => 40_000) });
    await judge();
    expect((await getObjectives(world.tenant.system)).alerts).toMatchObject([
      { objective: "codes", speed: "fast" },
    ]);
    // An hour later: nothing is late any more.
    await database.owner.query("UPDATE web_presence SET seen_at = now() + interval '2 hours'");
    await judge(new Date(Date.now() + 62 * minuteMs));
    await judge(new Date(Date.now() + 63 * minuteMs));
    expect((await getObjectives(world.tenant.system)).alerts[0]!.endedAt).not.toBeNull();
  });

  it("goes on while misses come now and then, and ends half an hour after the last", async () => {
    const world = await makeSendingWorld(database);
    await answers(world, 4, 100, 10);
    await judge();
    const alerts = async () => (await getObjectives(world.tenant.system)).alerts;
    const pass = (minutes: number) =>
      database.owner.query(
        "UPDATE answer_counts SET at = at - make_interval(mins => $2) WHERE tenant_id = $1",
        [world.tenantId, minutes],
      );
    for (let i = 0; i < 4; i++) {
      await pass(10);
      await answers(world, 1, 20, 0);
      await judge();
      await answers(world, 1, 20, 1);
      await judge();
    }
    expect(await alerts()).toMatchObject([{ endedAt: null }]);
    await pass(31);
    await answers(world, 1, 20, 0);
    await judge();
    const [one, ...more] = await alerts();
    expect(more).toEqual([]);
    expect(one!.endedAt).not.toBeNull();
  });

  it("that cannot be told of for one organisation keeps no other from being told", async () => {
    const worlds = [await makeSendingWorld(database), await makeSendingWorld(database)];
    for (const world of worlds) await answers(world, 2, 100, 40);
    // Whichever comes first is refused by the database.
    const [first] = worlds.map(({ tenantId }) => tenantId).sort();
    await database.owner.query(
      `ALTER TABLE objective_alerts ADD CONSTRAINT broken CHECK (tenant_id <> '${first!}')`,
    );
    try {
      await judge();
    } finally {
      await database.owner.query("ALTER TABLE objective_alerts DROP CONSTRAINT broken");
    }
    const told = async (world: SendingWorld) => (await getObjectives(world.tenant.system)).alerts.length;
    const counts = await Promise.all(
      [...worlds].sort((a, b) => (a.tenantId < b.tenantId ? -1 : 1)).map((world) => told(world)),
    );
    expect(counts).toEqual([0, 1]);
    await judge();
    expect(await Promise.all(worlds.map((world) => told(world)))).toEqual([1, 1]);
  });

  it("of a slow burn needs six times over six hours and thirty minutes", () => {
    const at = (good: number, missed: number, minutes: number): Measured => ({
      good,
      missed,
      downMs: 0,
      lengthMs: minutes * minuteMs,
    });
    const windows = (recent: number): Windows => ({
      5: at(1_000, 0, 5),
      30: at(1_000, recent, 30),
      60: at(2_000, recent, 60),
      360: at(10_000, 70, 360),
    });
    expect(burningNow(windows(8), 99.9)).toMatchObject({ speed: "slow" });
    expect(burningNow(windows(3), 99.9)).toBeNull();
    expect(burnOf(at(999, 1, 5), 99.9)).toBeCloseTo(1, 6);
    expect(shareOf(at(0, 0, 5))).toBeNull();
    expect(burnRules.fast.times).toBe(14.4);
  });
});

describe("the status page", () => {
  const get = (slug: string) =>
    serveStatus(new Request(`http://x.example/status/${slug}`), slug, { db: () => database.web });
  const cacheMs = 10_001;
  let clock = 0;
  const realNow = performance.now.bind(performance);
  /** Whatever was cached is old. */
  function later() {
    clock += cacheMs;
    const at = realNow() + clock;
    vi.spyOn(performance, "now").mockImplementation(() => at);
  }

  it("is there for everybody once it is published, with words alone unless figures are chosen, and gone when it is hidden", async () => {
    const world = await makeSendingWorld(database);
    const owner = world.tenant.as("owner");
    const slug = `s${newId().slice(-12)}`;
    await world.addSmtp(25);
    await answers(world, 5, 570, 430);
    await changeStatusPage(owner, { slug, published: false, figures: false, automatic: false });
    later();
    expect((await get(slug)).status).toBe(404);
    await changeStatusPage(owner, { slug, published: true, figures: false, automatic: false });
    later();
    const shown = await get(slug);
    const text = await shown.text();
    expect(shown.status).toBe(200);
    expect(shown.headers.get("set-cookie")).toBeNull();
    expect(shown.headers.get("cache-control")).toBe("public, max-age=10");
    expect(shown.headers.get("content-security-policy")).toContain("default-src 'none'");
    expect(text).toContain("E-mail");
    expect(text).not.toMatch(/57%|smtp/i);
    expect(text).not.toContain("<script");
    await changeStatusPage(owner, { slug, published: true, figures: true, automatic: false });
    later();
    expect(await (await get(slug)).text()).toContain("57%");
    await changeStatusPage(owner, { slug, published: false, figures: true, automatic: false });
    later();
    expect((await get(slug)).status).toBe(404);
    const other = await makeSendingWorld(database);
    await expect(
      changeStatusPage(other.tenant.as("owner"), { slug, published: true, figures: false, automatic: false }),
    ).rejects.toMatchObject({ code: "conflict" });
    await expect(
      changeStatusPage(world.tenant.as("finance"), {
        slug,
        published: true,
        figures: false,
        automatic: false,
      }),
    ).rejects.toMatchObject({ code: "permission_denied" });
  });

  it("stays hidden once somebody has hidden it, whatever others change", async () => {
    const owner = (await makeSendingWorld(database)).tenant.as("owner");
    const slug = `h${newId().slice(-12)}`;
    expect(await codeOf(changeStatusPage(owner, { published: true }))).not.toBe("");
    await changeStatusPage(owner, { slug, published: true, figures: false, automatic: false });
    await Promise.all([
      changeStatusPage(owner, { published: false }),
      changeStatusPage(owner, { figures: true }),
    ]);
    expect((await getStatusPage(owner)).settings).toEqual({
      ...{ slug, published: false, figures: true, automatic: false },
    });
  });

  it("says that a channel is out when its only connection is, and nothing of channels that the sandbox alone has", async () => {
    const world = await makeSendingWorld(database);
    const slug = `c${newId().slice(-12)}`;
    const smtp = await world.addSmtp(25);
    await changeStatusPage(world.tenant.as("owner"), {
      slug,
      published: true,
      figures: false,
      automatic: false,
    });
    later();
    const parts = async () =>
      [...(await (await get(slug)).text()).matchAll(/<b>([^<]+)<\/b><span class="(\w+)">/g)].map(
        ([, name, state]) => [name, state],
      );
    expect(await parts()).toEqual([
      ["Accepting messages", "operational"],
      ["E-mail", "operational"],
    ]);
    await database.owner.query(
      `INSERT INTO connection_health (tenant_id, connection_id, breaker, since, reason_code, updated_at)
       VALUES ($1, $2, 'open', now(), 'provider_unreachable', now())`,
      [world.tenantId, smtp],
    );
    later();
    expect(await parts()).toContainEqual(["E-mail", "out"]);
  });

  it("shows a day without any web process as one of trouble, though nothing was asked on it", async () => {
    const world = await makeSendingWorld(database);
    const slug = `d${newId().slice(-12)}`;
    await changeStatusPage(world.tenant.as("owner"), {
      slug,
      published: true,
      figures: true,
      automatic: false,
    });
    const day = (back: number) => new Date(Date.now() - back * 24 * 60 * minuteMs).toISOString().slice(0, 10);
    await database.owner.query("INSERT INTO web_gaps VALUES ($1::timestamptz, $2::timestamptz)", [
      `${day(4)}T00:00:00Z`,
      `${day(3)}T00:00:00Z`,
    ]);
    await answers(world, 5, 1_000, 0);
    later();
    const text = await (await get(slug)).text();
    expect(text).toContain(`<i class="out" title="${day(4)}: `);
    expect(text).toContain("1 day with problems");
    expect(text).toContain(`worst day ${day(4)}: 0`);
  });

  it("costs a flood a bounded number of queries, whether there is such a page or not", async () => {
    const world = await makeSendingWorld(database);
    const slug = `f${newId().slice(-12)}`;
    await changeStatusPage(world.tenant.as("owner"), {
      slug,
      published: true,
      figures: true,
      automatic: true,
    });
    later();
    const asked = () => {
      const pool = vi.spyOn(database.web.pool, "query");
      const connect = vi.spyOn(database.web.pool, "connect");
      return () => pool.mock.calls.length + connect.mock.calls.length;
    };
    const count = asked();
    await Promise.all(Array.from({ length: 500 }, () => get(slug)));
    const first = count();
    await Promise.all(Array.from({ length: 500 }, (_, i) => get(i % 2 ? slug : `no-${String(i)}`)));
    expect(first).toBeGreaterThan(0);
    expect(first).toBeLessThanOrEqual(40);
    expect(count()).toBe(first);
  });

  it("tells of incidents that people write, escaped, and of those that alerts open and resolve", async () => {
    const world = await makeSendingWorld(database);
    const other = await makeSendingWorld(database);
    const owner = world.tenant.as("owner");
    const slug = `i${newId().slice(-12)}`;
    await changeStatusPage(owner, { slug, published: true, figures: false, automatic: true });
    const { id } = await createIncident(owner, {
      title: "<b>Codes</b> are late",
      state: "investigating",
      text: "We look & see",
    });
    await answers(world, 2, 100, 40);
    await judge();
    later();
    let text = await (await get(slug)).text();
    expect(text).toContain("&lt;b&gt;Codes&lt;/b&gt; are late");
    expect(text).toContain("Some send requests are not accepted");
    await updateIncident(owner, { id, state: "resolved", text: "Done" });
    await database.owner.query("DELETE FROM answer_counts WHERE tenant_id = $1", [world.tenantId]);
    await judge();
    const { incidents } = await getStatusPage(owner);
    expect(incidents.map(({ state, automatic }) => [state, automatic])).toEqual(
      expect.arrayContaining([
        ["resolved", true],
        ["resolved", false],
      ]),
    );
    expect(incidents.every(({ resolvedAt }) => resolvedAt !== null)).toBe(true);
    expect((await getStatusPage(other.tenant.as("owner"))).incidents).toEqual([]);
    await expect(
      updateIncident(other.tenant.as("owner"), { id, state: "resolved", text: "x" }),
    ).rejects.toMatchObject({ code: "not_found" });
    await expect(removeIncident(other.tenant.as("owner"), { id })).rejects.toMatchObject({
      code: "not_found",
    });
    await removeIncident(owner, { id });
    later();
    text = await (await get(slug)).text();
    expect(text).not.toContain("Codes");
  });
});
