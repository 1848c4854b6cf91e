import { afterEach, describe, expect, it, vi } from "vitest";
import { inTenant } from "../kernel/db.ts";
import { newId } from "../kernel/ids.ts";
import { listOwnNotices } from "../notices/own-notices.ts";
import { testDatabase } from "../testing/database.ts";
import { acceptSend } from "../sending/accept-send.ts";
import { passwordTemplate } from "../templates/built-in-templates.ts";
import { codeOf, refusal } from "../testing/refusal.ts";
import { restClient } from "../testing/rest-client.ts";
import { makeSendingWorld, sendBody } from "../testing/sending-world.ts";
import { getQuota } from "./get-quota.ts";
import { parseQuota } from "./parse-quota.ts";
import { dayOf, endOf, monthStart } from "./periods.ts";
import { QuotaCounter } from "./quota-counter.ts";
import { getQuotaOf, setQuota } from "./set-quota.ts";

const database = await testDatabase();
const rest = restClient(database.web);
afterEach(() => vi.restoreAllMocks());

const dayMs = 86_400_000;
const today = Date.now() - (Date.now() % dayMs) + dayMs / 2;
const process = () => new QuotaCounter(database.web);

async function worldWith(quota: Parameters<typeof setQuota>[2] = {}) {
  const world = await makeSendingWorld(database);
  const set = (changes: typeof quota) => setQuota(database.worker, world.tenant.slug, changes);
  await set(quota);
  const used = async () => {
    const { rows } = await database.owner.query<{ used: string }>(
      "SELECT coalesce(sum(used), 0) AS used FROM quota_days WHERE tenant_id = $1",
      [world.tenantId],
    );
    return Number(rows[0]?.used);
  };
  return { ...world, set, used };
}

/** How many of so many single messages a process accepts. */
async function accepted(counter: QuotaCounter, tenantId: string, messages: number, now = today) {
  let count = 0;
  for (let i = 0; i < messages; i++) if (!(await counter.take(tenantId, 1, now))) count++;
  return count;
}

describe("the count of an organisation", () => {
  it("lets in all messages of a request or none, up to the quota of the day", async () => {
    const { tenantId } = await worldWith({ messagesPerDay: 10 });
    const counter = process();
    expect(await counter.take(tenantId, 8, today)).toBeUndefined();
    expect(await counter.take(tenantId, 3, today)).toMatchObject({ period: "day", allowed: 10, used: 8 });
    expect(await counter.take(tenantId, 2, today)).toBeUndefined();
    expect(await counter.take(tenantId, 1, today)).toMatchObject({ used: 10 });
  });

  it("is exceeded by no more than processes accept between two exchanges, and is exact afterwards", async () => {
    const { tenantId, used } = await worldWith({ messagesPerDay: 100 });
    const [here, there] = [process(), process()];
    for (const one of [here, there]) expect(await one.take(tenantId, 0, today)).toBeUndefined();
    const [first, second] = await Promise.all([accepted(here, tenantId, 70), accepted(there, tenantId, 60)]);
    expect([first, second]).toEqual([70, 60]);
    await Promise.all([here.exchange(), there.exchange()]);
    await here.exchange();
    expect(await used()).toBe(130);
    expect(await accepted(here, tenantId, 10)).toBe(0);
    await there.exchange();
    expect(await accepted(there, tenantId, 10)).toBe(0);
  });

  it("is one sum of many processes that report at the same time", async () => {
    const worlds = await Promise.all([worldWith({ messagesPerMonth: 100_000 }), worldWith()]);
    const counters = Array.from({ length: 8 }, process);
    for (let round = 0; round < 5; round++) {
      await Promise.all(
        counters.map(async (counter, i) => {
          const inTurn = i % 2 === 0 ? worlds : [...worlds].reverse();
          for (const { tenantId } of inTurn) await counter.take(tenantId, 3, today);
          await counter.exchange();
        }),
      );
    }
    for (const { used } of worlds) expect(await used()).toBe(8 * 5 * 3);
  });

  it("is asked for anew by a process that had nothing to do for three seconds", async () => {
    const { tenantId } = await worldWith({ messagesPerDay: 100 });
    const [idle, busy] = [process(), process()];
    expect(await idle.take(tenantId, 1, today)).toBeUndefined();
    expect(await busy.take(tenantId, 99, today)).toBeUndefined();
    await idle.exchange();
    await busy.exchange();
    const later = performance.now() + 3_001;
    vi.spyOn(performance, "now").mockImplementation(() => later);
    expect(await idle.take(tenantId, 1, today)).toMatchObject({ used: 100 });
  });

  it("begins anew at midnight UTC, and that of the month when the month ends", async () => {
    const { tenantId, used } = await worldWith({ messagesPerDay: 10, messagesPerMonth: 15 });
    const counter = process();
    const monthEnd = endOf("month", dayOf(today)).getTime();
    const eve = monthEnd - dayMs - 1;
    expect(await counter.take(tenantId, 10, eve)).toBeUndefined();
    expect(await counter.take(tenantId, 1, eve)).toMatchObject({ period: "day" });
    expect(await counter.take(tenantId, 5, eve + 1)).toBeUndefined();
    expect(await counter.take(tenantId, 1, monthEnd - 1)).toMatchObject({ period: "month", used: 15 });
    await counter.exchange();
    // As another process finds it, and this one after an exchange.
    for (const one of [process(), counter])
      expect(await one.take(tenantId, 1, monthEnd - 1)).toMatchObject({ period: "month", used: 15 });
    expect(await counter.take(tenantId, 10, monthEnd)).toBeUndefined();
    expect(await counter.take(tenantId, 1, monthEnd)).toMatchObject({ period: "day", used: 10 });
    await counter.exchange();
    expect(await used()).toBe(25);
    expect(await process().take(tenantId, 6, monthEnd + dayMs)).toMatchObject({ period: "month", used: 10 });
  });

  it("goes on where it was after a restart, and is known before there is a quota", async () => {
    const { tenantId, set } = await worldWith();
    const before = process();
    expect(await before.take(tenantId, 40, today)).toBeUndefined();
    await before.exchange();
    await set({ messagesPerDay: 50 });
    const after = process();
    expect(await after.take(tenantId, 11, today)).toMatchObject({ used: 40 });
    expect(await after.take(tenantId, 10, today)).toBeUndefined();
  });

  it("refuses from the next exchange on when the quota is set below it, and no more when it is cleared", async () => {
    const { tenantId, set } = await worldWith({ messagesPerDay: 100 });
    const counter = process();
    await counter.take(tenantId, 50, today);
    await set({ messagesPerDay: 20 });
    await counter.exchange();
    expect(await counter.take(tenantId, 1, today)).toMatchObject({ allowed: 20, used: 50 });
    await set({ messagesPerDay: null });
    await counter.exchange();
    expect(await counter.take(tenantId, 1_000, today)).toBeUndefined();
  });

  it("takes back what came to nothing, also when it was reported already", async () => {
    const { tenantId, used } = await worldWith({ messagesPerDay: 10 });
    const counter = process();
    await counter.take(tenantId, 10, today);
    await counter.exchange();
    counter.giveBack(tenantId, today, 4);
    expect(await counter.take(tenantId, 5, today)).toMatchObject({ used: 6 });
    await counter.exchange();
    expect(await used()).toBe(6);
    expect(await counter.take(tenantId, 4, today)).toBeUndefined();
  });

  it("is kept and reported later when the database is away for a while", async () => {
    const { tenantId, used } = await worldWith({ messagesPerDay: 10 });
    const counter = process();
    await counter.take(tenantId, 6, today);
    const query = vi.spyOn(database.web.pool, "query").mockRejectedValueOnce(new Error("away"));
    await expect(counter.exchange()).rejects.toThrow("away");
    query.mockRestore();
    expect(await counter.take(tenantId, 5, today)).toMatchObject({ used: 6 });
    await counter.exchange();
    expect(await used()).toBe(6);
  });

  it("costs no statement a request: one a second serves all organisations", async () => {
    const worlds = await Promise.all([
      worldWith({ messagesPerDay: 5_000 }),
      worldWith({ messagesPerDay: 1 }),
    ]);
    const query = vi.spyOn(database.web.pool, "query");
    const counter = process();
    await Promise.all(worlds.map(({ tenantId }) => accepted(counter, tenantId, 2_000)));
    // Other tests' processes go on exchanging, for their organisations.
    const asked = query.mock.calls.filter(([statement]) =>
      JSON.stringify(statement).includes(worlds[0].tenantId),
    );
    expect(asked.length).toBeGreaterThan(0);
    expect(asked.length).toBeLessThanOrEqual(3);
  });

  it("is deleted seventy days after its day", async () => {
    const { tenantId, used } = await worldWith();
    await database.owner.query(
      "INSERT INTO quota_days VALUES ($1, current_date - 71, 5), ($1, current_date - 60, 7)",
      [tenantId],
    );
    await database.web.pool.query("SELECT purge_quota_days()");
    expect(await used()).toBe(7);
  });
});

describe("whoever sets up an organisation", () => {
  const told = async (world: Awaited<ReturnType<typeof worldWith>>, userId: string) => {
    const ctx = {
      ...world.tenant.system,
      actor: { type: "user" as const, id: userId, name: "O", email: "o@example.com" },
    };
    return (await listOwnNotices(ctx, { limit: 100 })).data
      .filter(({ kind }) => kind.startsWith("quota."))
      .map(({ kind, data }) => [kind, data.period, data.allowed]);
  };
  const trail = async (tenantId: string) => {
    const { rows } = await database.owner.query<{ action: string; data: object }>(
      "SELECT action, data FROM audit_events WHERE tenant_id = $1 AND action LIKE 'quota.%used_up' ORDER BY id",
      [tenantId],
    );
    return rows;
  };

  it("is told at 80 % and at 100 %, once in a period however many processes notice", async () => {
    const world = await worldWith({ messagesPerDay: 10, messagesPerMonth: 1_000 });
    const { tenantId } = world;
    const owner = await world.tenant.addMember("owner");
    const auditor = await world.tenant.addMember("auditor");
    const counters = [process(), process()];
    const exchange = async () => {
      for (const counter of counters) {
        await counter.take(tenantId, 0, today);
        await counter.exchange();
      }
    };
    await counters[0]!.take(tenantId, 7, today);
    await exchange();
    await counters[0]!.take(tenantId, 1, today);
    await exchange();
    await vi.waitFor(async () =>
      expect(await told(world, owner.id)).toEqual([["quota.nearly_used_up", "day", 10]]),
    );
    // It does not fit: from then on all of it counts as used.
    expect(await counters[1]!.take(tenantId, 5, today)).toMatchObject({ used: 8 });
    await exchange();
    await exchange();
    await vi.waitFor(async () =>
      expect(await told(world, owner.id)).toEqual([
        ["quota.used_up", "day", 10],
        ["quota.nearly_used_up", "day", 10],
      ]),
    );
    expect(await told(world, auditor.id)).toEqual([]);
    expect((await trail(tenantId)).map(({ action }) => action)).toEqual([
      "quota.nearly_used_up",
      "quota.used_up",
    ]);
    // The next day counts anew.
    await counters[0]!.take(tenantId, 10, today + dayMs);
    await counters[0]!.exchange();
    await vi.waitFor(async () => expect(await told(world, owner.id)).toHaveLength(3));
  });

  it("reads quotas and use in the portal; others do not", async () => {
    const world = await worldWith({ messagesPerMonth: 50, requestsPerMinute: 7 });
    const counter = process();
    await counter.take(world.tenantId, 3, Date.now());
    await counter.exchange();
    const day = dayOf(Date.now());
    expect(await getQuota(world.tenant.system)).toEqual({
      quota: { messagesPerDay: null, messagesPerMonth: 50, requestsPerMinute: 7 },
      use: {
        day: { used: 3, resetsAt: endOf("day", day) },
        month: { used: 3, resetsAt: endOf("month", day) },
      },
    });
    const nobody = {
      ...world.tenant.system,
      actor: { type: "user" as const, id: newId(), name: "N", email: "n@example.com" },
    };
    expect(await codeOf(getQuota(nobody))).toBe("not_found");
  });
});

describe("a request beyond the quota", () => {
  const body = (recipients: number, more: object = {}) =>
    sendBody({
      recipients: Array.from({ length: recipients }, (_, i) => ({
        channel: "sms" as const,
        recipient: `+49151123456${String(10 + i)}`,
      })),
      ...more,
    });
  const sender = async (
    quota: Parameters<typeof setQuota>[2],
    environment: "production" | "sandbox" = "production",
  ) => {
    const world = await worldWith(quota);
    const { key } = await world.tenant.makeKey(environment, { rateLimitPerMinute: 100_000 });
    const send = (recipients: number, more: object = {}, as = key) =>
      rest.post<{ code: string; detail: string }>("/api/app/notifications/send", {
        key: as,
        json: body(recipients, more),
      });
    const stored = async () => {
      const { rows } = await database.owner.query<{ n: number }>(
        "SELECT count(*)::int AS n FROM notifications WHERE tenant_id = $1",
        [world.tenantId],
      );
      return rows[0]?.n;
    };
    return { ...world, key, send, stored };
  };

  it("is 429 quota_exceeded until the day is over, says which limit, and leaves nothing behind", async () => {
    const { send, stored } = await sender({ messagesPerDay: 10 });
    expect((await send(8)).status).toBe(202);
    const refused = await send(3);
    expect([refused.status, refused.body.code]).toEqual([429, "quota_exceeded"]);
    expect(refused.body.detail).toMatch(
      /^This organisation may send 10 messages a day\. 8 were accepted, and these 3 do not fit\. The count resets at \d{4}-\d\d-\d\dT00:00Z\.$/,
    );
    const left = Number(refused.headers.get("retry-after"));
    expect(Math.abs(left * 1_000 - (dayMs - (Date.now() % dayMs)))).toBeLessThan(10_000);
    expect(await stored()).toBe(8);
    expect((await send(2)).status).toBe(202);
    expect((await send(1)).body.code).toBe("quota_exceeded");
  });

  it("is none when it repeats an accepted one: that has its first answer and does not count again", async () => {
    const { send, stored } = await sender({ messagesPerDay: 5 });
    const transactionId = newId();
    const first = await send(4, { transactionId });
    for (let i = 0; i < 3; i++) expect((await send(4, { transactionId })).body).toEqual(first.body);
    expect((await send(1)).status).toBe(202);
    // Also when nothing fits any more.
    const again = await send(4, { transactionId });
    expect([again.status, again.body]).toEqual([202, first.body]);
    expect((await send(3, { transactionId })).body.code).toBe("idempotency_mismatch");
    expect(await stored()).toBe(5);
  });

  it("leaves room for others when a request was refused for another reason, failed, or was rejected", async () => {
    const { send } = await sender({ messagesPerDay: 10 });
    for (let i = 0; i < 5; i++) {
      expect((await send(9, { notificationSubtype: "unknown_one" })).status).toBe(422);
      expect((await send(9, { application: "no-such" })).status).toBe(422);
    }
    const rename = (from: string, to: string) =>
      database.owner.query(`ALTER FUNCTION ${from} RENAME TO ${to}`);
    await rename("accept_sends", "accept_sends_away");
    try {
      for (let i = 0; i < 3; i++) expect((await send(9)).status).toBe(500);
    } finally {
      await rename("accept_sends_away", "accept_sends");
    }
    // Rejected at once: no SMS number.
    const wrong = { recipients: [{ channel: "sms", recipient: "12" }, ...body(1).recipients] };
    expect((await send(2, wrong)).status).toBe(202);
    expect((await send(9)).status).toBe(202);
    expect((await send(1)).body.code).toBe("quota_exceeded");
  });

  it("is none in the sandbox, and costs no other organisation anything", async () => {
    const full = await sender({ messagesPerMonth: 1 });
    expect((await full.send(1)).status).toBe(202);
    expect((await full.send(1)).body.code).toBe("quota_exceeded");
    const { key } = await full.tenant.makeKey("sandbox");
    expect((await full.send(5, {}, key)).status).toBe(202);
    const other = await sender({});
    expect((await other.send(5)).status).toBe(202);
  });

  it("is never the service's own: a link for a new password", async () => {
    const { send, tenant, tenantId, stored } = await sender({ messagesPerDay: 1 });
    expect((await send(1)).status).toBe(202);
    const ctx = { ...tenant.system, tenantId };
    await acceptSend(ctx, {
      order: {
        environmentId: tenant.environments.production,
        application: "shop",
        notification: { pinned: passwordTemplate.template, class: "authentication" },
        recipients: [{ channel: "email", recipient: "olga@example.com" }],
        templateVariables: [
          { name: "Olga", organisation: "O", link: "https://example.com/x", expires: "soon" },
        ],
      },
      source: "portal",
      transactionId: null,
      idempotency: null,
    });
    expect(await stored()).toBe(2);
  });

  it("stays refused to whoever may not send, with the reason of that", async () => {
    const { send, tenant } = await sender({ messagesPerDay: 1 });
    expect((await send(1)).status).toBe(202);
    const { key } = await tenant.makeKey("production", { role: "auditor" });
    expect((await send(1, {}, key)).status).toBe(403);
  });

  it("counts requests a minute over all keys of the organisation", async () => {
    const { tenant, key } = await sender({ requestsPerMinute: 6 });
    const { key: second } = await tenant.makeKey("production");
    const codes: number[] = [];
    for (let i = 0; i < 8; i++) {
      codes.push((await rest.get("/v1/notifications", { key: i % 2 ? key : second })).status);
    }
    expect(codes).toEqual([200, 200, 200, 200, 200, 200, 429, 429]);
    const refused = await rest.get<{ code: string; detail: string }>("/v1/notifications", { key });
    expect(refused.body.code).toBe("quota_exceeded");
    expect(Number(refused.headers.get("retry-after"))).toBeLessThanOrEqual(60);
  });
});

describe("the operator's command", () => {
  it("alone sets them: no statement of the portal's or the API's does, or takes away what was counted", async () => {
    const { tenant, tenantId } = await worldWith({ messagesPerDay: 10 });
    for (const statement of [
      "UPDATE tenant_quotas SET messages_per_day = NULL",
      "DELETE FROM tenant_quotas",
      `INSERT INTO tenant_quotas (tenant_id, changed_at) VALUES ('${tenantId}', now())`,
      "DELETE FROM quota_days",
      "UPDATE quota_days SET used = 0",
      "DELETE FROM quota_warnings",
    ]) {
      await expect(
        inTenant(tenant.system, (tx) => tx.$executeRawUnsafe(statement)),
        statement,
      ).rejects.toThrow(/permission denied/);
    }
  });

  it("sets what it names, leaves the rest, and stands in the organisation's audit trail", async () => {
    const { tenant, tenantId, set } = await worldWith({ messagesPerDay: 10 });
    await set({ messagesPerMonth: 100 });
    expect((await getQuotaOf(database.worker, tenant.slug)).quota).toEqual({
      messagesPerDay: 10,
      messagesPerMonth: 100,
      requestsPerMinute: null,
    });
    await set({ messagesPerDay: null });
    const { rows } = await database.owner.query<{ actor_name: string; data: { after: object } }>(
      "SELECT actor_name, data FROM audit_events WHERE tenant_id = $1 AND action = 'quota.changed' ORDER BY id",
      [tenantId],
    );
    expect(rows).toHaveLength(3);
    expect(rows.at(-1)).toMatchObject({
      actor_name: "Operator",
      data: { before: { messagesPerDay: 10 }, after: { messagesPerDay: null, messagesPerMonth: 100 } },
    });
    expect((await refusal(setQuota(database.worker, "nobody-here", {}))).code).toBe("not_found");
  });

  it("keeps each of two limits that are set at the same time, also the organisation's first", async () => {
    const { tenant, tenantId } = await makeSendingWorld(database);
    const limits = [{ messagesPerDay: 10 }, { messagesPerMonth: 20 }, { requestsPerMinute: 30 }];
    await Promise.all(limits.map((limit) => setQuota(database.worker, tenant.slug, limit)));
    const { quota } = await getQuotaOf(database.worker, tenant.slug);
    expect(quota).toEqual({ messagesPerDay: 10, messagesPerMonth: 20, requestsPerMinute: 30 });
    const { rows } = await database.owner.query<{ before: object }>(
      "SELECT data->'before' AS before FROM audit_events WHERE tenant_id = $1 AND action = 'quota.changed'",
      [tenantId],
    );
    // Each change says truly what was there before it.
    expect(new Set(rows.map(({ before }) => JSON.stringify(before))).size).toBe(3);
  });

  it("reads its words, or says what is wrong with them", () => {
    expect(parseQuota(["day=10", "month=none", "requests=60"])).toEqual({
      quota: { messagesPerDay: 10, messagesPerMonth: null, requestsPerMinute: 60 },
    });
    for (const word of [
      "day=0",
      "day=-1",
      "day=1.5",
      "day=",
      "week=5",
      "day",
      "constructor=1",
      "day=99999999999",
    ]) {
      expect(parseQuota([word]), word).toHaveProperty("problem");
    }
    expect(parseQuota(["day=1", "day=2"])).toHaveProperty("problem");
  });

  it("knows where days and months begin and end in UTC", () => {
    const day = dayOf(Date.UTC(2028, 1, 29, 23, 59));
    expect(endOf("day", day).toISOString()).toBe("2028-03-01T00:00:00.000Z");
    expect(endOf("month", day).toISOString()).toBe("2028-03-01T00:00:00.000Z");
    expect(monthStart(day)).toBe(dayOf(Date.UTC(2028, 1, 1)));
    expect(endOf("month", dayOf(Date.UTC(2026, 11, 31))).toISOString()).toBe("2027-01-01T00:00:00.000Z");
  });
});
