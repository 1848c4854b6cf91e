import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import fc from "fast-check";
import { afterEach, describe, expect, it } from "vitest";
import { updateProvider } from "../connections/update-provider.ts";
import type { Ctx } from "../kernel/ctx.ts";
import { logger } from "../kernel/log.ts";
import { builtInRoles } from "../operations/permissions.ts";
import { getTimeline } from "../sending/get-timeline.ts";
import { listNotifications } from "../sending/list-notifications.ts";
import { receiptWindow } from "../sending/message-class.ts";
import type { Change } from "../sending/notification-change.ts";
import { recordReceipts } from "../sending/record-receipts.ts";
import { testDatabase } from "../testing/database.ts";
import { startFakeTwilio } from "../testing/fake-twilio.ts";
import {
  becomes,
  claimOver,
  makeSendingWorld,
  messageId,
  notTakenBy,
  takenBy,
} from "../testing/sending-world.ts";
import type { SendingWorld } from "../testing/sending-world.ts";
import { holding, waiting } from "../testing/sign-ins.ts";
import { bookListedPrices } from "./book-prices.ts";
import { estimateCost, whatsappCategoryOf } from "./estimate-cost.ts";
import { writeUnits } from "./month-units.ts";
import { parseFees } from "./parse-fees.ts";
import { getPlatformFees, setPlatformFees } from "./set-platform-fees.ts";

const database = await testDatabase();
const priceList = [{ channel: "sms", amount: "0.070000", currency: "EUR" }];
const fee = { amount: "0.000500", currency: "EUR" };
const cleanUps: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0)) await cleanUp();
});

async function worldWithFees() {
  const world = await makeSendingWorld(database);
  await setPlatformFees(database.worker, world.tenant.slug, { sms: { amount: "0.0005", currency: "EUR" } });
  return world;
}

async function costs(id: string) {
  const { rows } = await database.owner.query<{
    kind: string;
    attempt: number;
    amount: string;
    currency: string;
    source: string;
  }>(
    "SELECT kind, attempt, amount, currency, source FROM cost_entries WHERE notification_id = $1 ORDER BY kind, attempt",
    [id],
  );
  return rows;
}
const fees = async (id: string) => (await costs(id)).filter((cost) => cost.kind === "platform_fee");
const prices = async (id: string) => (await costs(id)).filter((cost) => cost.kind === "message");

const estimate = { amount: "0.070000", currency: "EUR", source: "estimated" as const };

describe("the platform fee", () => {
  it("is charged once, with the first report that a message was sent, in whatever order reports come", async () => {
    const world = await worldWithFees();
    const { id: connection } = await world.addTwilio("http://127.0.0.1:9");
    const told: Change[] = [
      takenBy(1, { price: estimate }),
      becomes("sent"),
      becomes("sent"),
      becomes("delivered"),
      becomes("delivered"),
      { kind: "signal", signal: "read" },
    ];
    await fc.assert(
      fc.asyncProperty(fc.shuffledSubarray(told, { minLength: told.length }), async (order) => {
        const id = messageId(await world.send());
        await world.advance(id, claimOver(connection), ...order);
        expect(await fees(id)).toEqual([{ kind: "platform_fee", attempt: 0, source: "reported", ...fee }]);
      }),
      { numRuns: 12, seed: 5 },
    );
  });

  it("is charged once after an unknown outcome and a failover, and by nothing that was never sent", async () => {
    const world = await worldWithFees();
    const { id: first } = await world.addTwilio("http://127.0.0.1:9");
    const { id: second } = await world.addTwilio("http://127.0.0.1:9");
    const id = messageId(await world.send());
    await world.advance(
      id,
      claimOver(first),
      notTakenBy(1, "unknown", { next: { dueAt: new Date(), task: "deliver_transactional" } }),
      claimOver(second),
    );
    expect(await costs(id)).toEqual([]);
    await world.advance(id, takenBy(2, { price: estimate }));
    // The first provider had accepted it after all, and reports late.
    await recordReceipts(world.tenant.system, {
      connectionId: first,
      receipts: [
        { notificationId: id, attempt: 1, status: "delivered", price: { amount: "0.08", currency: "USD" } },
      ],
      inbound: [],
    });
    expect(await fees(id)).toHaveLength(1);
    expect(await prices(id)).toEqual([
      { kind: "message", attempt: 1, amount: "0.080000", currency: "USD", source: "reported" },
      { kind: "message", attempt: 2, amount: "0.070000", currency: "EUR", source: "estimated" },
    ]);

    const refused = messageId(await world.send());
    await world.advance(refused, claimOver(first), notTakenBy(1, "not_sent", { next: { to: "failed" } }));
    const canceled = messageId(await world.send());
    await world.advance(canceled, becomes("canceled"));
    for (const unsent of [refused, canceled]) expect(await costs(unsent)).toEqual([]);
  });

  it("is the channel's own, and nothing in the sandbox, without a fee or after it was taken away", async () => {
    const world = await worldWithFees();
    await world.tenant.addSimulator(["sandbox"]);
    const { id: connection } = await world.addTwilio("http://127.0.0.1:9");
    const send = async (options: Parameters<SendingWorld["send"]>) => {
      const id = messageId(await world.send(...options));
      await world.advance(
        id,
        claimOver(connection),
        takenBy(1, {
          price: estimate,
        }),
      );
      return id;
    };
    expect(await costs(await send([{}, { environment: "sandbox" }]))).toEqual([]);
    expect(
      await fees(await send([{ recipients: [{ channel: "email", recipient: "ada@example.com" }] }])),
    ).toEqual([]);
    await setPlatformFees(database.worker, world.tenant.slug, { sms: null });
    expect(await fees(await send([]))).toEqual([]);
  });

  it("is set by the operator alone and recorded in the audit trail", async () => {
    const world = await worldWithFees();
    expect(await getPlatformFees(database.worker, world.tenant.slug)).toMatchObject({
      fees: { sms: { amount: "0.0005", currency: "EUR" } },
    });
    const { rows } = await database.owner.query(
      "SELECT actor_type, actor_name, data FROM audit_events WHERE tenant_id = $1 AND action = 'platform_fees.changed'",
      [world.tenantId],
    );
    expect(rows).toEqual([
      {
        actor_type: "system",
        actor_name: "Operator",
        data: { before: {}, after: { sms: { amount: "0.0005", currency: "EUR" } } },
      },
    ]);
    await expect(setPlatformFees(database.worker, "nobody-here", {})).rejects.toMatchObject({
      code: "not_found",
    });
  });

  it("is parsed from the command line, or the command says what is wrong", () => {
    expect(parseFees(["sms=0.001", "EUR", "email=none"])).toEqual({
      fees: { sms: { amount: "0.001", currency: "EUR" }, email: null },
    });
    expect(parseFees([])).toEqual({ fees: {} });
    for (const words of [
      "sms=0.001",
      "sms=-1 EUR",
      "sms=0.0000001 EUR",
      "fax=1 EUR",
      "fax=none",
      "sms",
      "sms=1 EUR sms=2 EUR",
      "sms=1 eur",
    ]) {
      expect(parseFees(words.split(" ")), words).toHaveProperty("problem");
    }
  });
});

describe("what a message costs", () => {
  it("is finally the reported price, in any order and currency, also after the message ended", async () => {
    const world = await makeSendingWorld(database);
    const { id: connection } = await world.addTwilio("http://127.0.0.1:9", { priceList });
    const receipt = (id: string, status: "sent" | "delivered" | "failed", amount?: string) =>
      recordReceipts(world.tenant.system, {
        connectionId: connection,
        receipts: [
          {
            notificationId: id,
            attempt: 1,
            status,
            ...(amount ? { price: { amount, currency: "USD" } } : {}),
          },
        ],
        inbound: [],
      });
    const reported = [
      { kind: "message", attempt: 1, amount: "0.081235", currency: "USD", source: "reported" },
    ];
    const outcome = takenBy(1, { price: estimate });
    const steps: ((id: string) => Promise<unknown>)[] = [
      (id) => world.advance(id, outcome),
      (id) => receipt(id, "sent"),
      (id) => receipt(id, "delivered"),
      (id) => receipt(id, "delivered", "0.0812345"),
      (id) => receipt(id, "sent", "0.0812345"),
    ];
    await fc.assert(
      fc.asyncProperty(fc.shuffledSubarray(steps, { minLength: steps.length }), async (order) => {
        const id = messageId(await world.send());
        await world.advance(id, claimOver(connection));
        for (const step of order) await step(id);
        expect(await prices(id)).toEqual(reported);
      }),
      { numRuns: 12, seed: 7 },
    );
  });

  it("is estimated once a receipt proves that a try with an unknown outcome was sent, and only once", async () => {
    const world = await makeSendingWorld(database);
    const tiered = [{ ...priceList[0]!, freePerMonth: 2 }];
    const { id: connection } = await world.addTwilio("http://127.0.0.1:9", { priceList: tiered });
    const receive = (ctx: Ctx, id: string, ...statuses: ("sent" | "delivered" | "failed")[]) =>
      recordReceipts(ctx, {
        connectionId: connection,
        receipts: statuses.map((status) => ({ notificationId: id, attempt: 1, status })),
        inbound: [],
      });
    const claimed = async (...changes: Change[]) => {
      const id = messageId(await world.send());
      await world.advance(id, { ...claimOver(connection), segments: 3 }, ...changes);
      return id;
    };
    const { system } = world.tenant;
    const worker = { ...system, db: database.worker };
    const web = { ...system, db: database.web };
    const lost = notTakenBy(1, "unknown", { next: { to: "undetermined", reason: undefined } });
    const one = { kind: "message", attempt: 1, currency: "EUR", source: "estimated" };

    const first = await claimed(lost);
    expect(await prices(first)).toEqual([]);
    await receive(worker, first, "sent", "delivered");
    await receive(worker, first, "delivered");
    // Of three segments two were free.
    expect(await prices(first)).toEqual([{ ...one, amount: "0.070000" }]);
    // They count: nothing is free for the second one. What the web process is told costs and counts as much.
    const second = await claimed(lost);
    await receive(web, second, "delivered");
    await receive(web, second, "delivered");
    expect(await prices(second)).toEqual([{ ...one, amount: "0.210000" }]);
    // So does what comes with its price.
    const priced = await claimed(lost);
    const price = { amount: "0.19", currency: "EUR" };
    await recordReceipts(web, {
      connectionId: connection,
      receipts: [{ notificationId: priced, attempt: 1, status: "delivered", price }],
      inbound: [],
    });
    expect(await prices(priced)).toEqual([{ ...one, amount: "0.190000", source: "reported" }]);

    const failed = await claimed(lost);
    await receive(worker, failed, "failed");
    expect(await prices(failed)).toEqual([]);

    // What was taken has its estimate from its sending, or none.
    const normal = await claimed(takenBy(1, { price: { ...estimate, amount: "0.123" } }));
    await receive(worker, normal, "sent", "delivered");
    expect(await prices(normal)).toEqual([{ ...one, amount: "0.123000" }]);
    const unpriced = await claimed(takenBy(1));
    await receive(worker, unpriced, "sent", "delivered");
    expect(await prices(unpriced)).toEqual([]);

    // Nor do two at once.
    const together = await claimed(lost);
    const row = `SELECT FROM notifications WHERE id = '${together}' FOR UPDATE`;
    await holding(database, row, async (release) => {
      const both = [receive(web, together, "sent"), receive(worker, together, "delivered")];
      await waiting(database, 2);
      await release();
      await Promise.all(both);
    });
    expect(await prices(together)).toEqual([{ ...one, amount: "0.210000" }]);

    // A receipt before the answer: the answer's own price, or the estimate once.
    const early = await claimed();
    await receive(worker, early, "delivered");
    await world.advance(early, takenBy(1, { price: { ...estimate, amount: "0.21" } }));
    await receive(worker, early, "delivered");
    expect(await prices(early)).toEqual([{ ...one, amount: "0.210000" }]);

    await writeUnits();
    const { rows } = await database.owner.query<{ units: number }>(
      "SELECT units::int FROM price_units WHERE tenant_id = $1 AND connection_id = $2",
      [world.tenantId, connection],
    );
    expect(rows).toEqual([{ units: 15 }]);
  });

  it("counts for tiers once where the receipt comes before an answer that never comes", async () => {
    const world = await makeSendingWorld(database);
    const tiered = [{ ...priceList[0]!, tiers: [{ above: 1, amount: "0.05" }] }];
    let receive = () => Promise.resolve();
    const server = createServer((request) => {
      void receive().finally(() => request.socket.destroy());
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    cleanUps.push(() => new Promise((resolve) => server.close(resolve)));
    const { port } = server.address() as AddressInfo;
    const { id: connection } = await world.addTwilio(`http://127.0.0.1:${String(port)}`, {
      priceList: tiered,
    });
    await world.addRule("production", [[connection]], { channel: "sms" });
    const { tenantId } = world;
    const web = { ...world.tenant.system, db: database.web };
    const id = messageId(await world.send());
    const receipt = async () => {
      const receipts = [{ notificationId: id, attempt: 1, status: "delivered" as const }];
      await recordReceipts(web, { connectionId: connection, receipts, inbound: [] });
    };
    receive = receipt;
    await world.deliverer.deliver({ tenantId, notificationIds: [id] });
    await receipt();
    const { rows: tries } = await database.owner.query<{ outcome: string }>(
      "SELECT outcome FROM attempts WHERE tenant_id = $1 AND notification_id = $2",
      [tenantId, id],
    );
    expect(tries).toEqual([{ outcome: "unknown" }]);
    expect(await prices(id)).toMatchObject([{ amount: "0.070000", source: "estimated" }]);
    await writeUnits();
    const { rows } = await database.owner.query<{ units: number }>(
      "SELECT units::int FROM price_units WHERE tenant_id = $1 AND connection_id = $2",
      [tenantId, connection],
    );
    expect(rows).toEqual([{ units: 1 }]);
  });

  it("on WhatsApp is estimated again by the category that the provider charges, and later reports do not undo that", async () => {
    const world = await makeSendingWorld(database);
    const { id: connection } = await world.addTwilio("http://127.0.0.1:9", {
      priceList: [
        { channel: "whatsapp", amount: "0.05", currency: "EUR" },
        { channel: "whatsapp", category: "marketing", country: "DE", amount: "0.113", currency: "EUR" },
      ] as never,
    });
    await world.addTemplate({
      name: "wa",
      notificationType: "order",
      notificationSubtype: "order_status",
      channel: "whatsapp",
      body: "Order {{ code }}",
    });
    const outcome = takenBy(1, {
      price: { ...estimate, amount: "0.05" },
    });
    const charged = (id: string, status: "sent" | "delivered") =>
      recordReceipts(world.tenant.system, {
        connectionId: connection,
        receipts: [{ notificationId: id, attempt: 1, status, category: "MARKETING" }],
        inbound: [],
      });
    const steps: ((id: string) => Promise<unknown>)[] = [
      (id) => world.advance(id, outcome),
      (id) => charged(id, "sent"),
      (id) => charged(id, "delivered"),
    ];
    for (const order of [
      [0, 1, 2],
      [1, 0, 2],
      [2, 1, 0],
      [1, 2, 0],
    ]) {
      const id = messageId(
        await world.send({ recipients: [{ channel: "whatsapp", recipient: "+4915112345678" }] }),
      );
      await world.advance(id, claimOver(connection));
      for (const index of order) await steps[index]?.(id);
      expect(await prices(id)).toEqual([
        { kind: "message", attempt: 1, amount: "0.113000", currency: "EUR", source: "estimated" },
      ]);
    }
  });

  it("by a price list: the country's before the general price, the category's before any, exact to six places", () => {
    const list = [
      { channel: "whatsapp" as const, amount: "0.1", currency: "EUR" },
      { channel: "whatsapp" as const, category: "marketing" as const, amount: "0.2", currency: "EUR" },
      { channel: "whatsapp" as const, country: "DE", amount: "0.3", currency: "EUR" },
      {
        channel: "whatsapp" as const,
        country: "DE",
        category: "utility" as const,
        amount: "0.4",
        currency: "EUR",
      },
      { channel: "sms" as const, amount: "0.000001", currency: "EUR" },
    ];
    const at = new Date();
    const cost = (country: string | null, category?: "marketing" | "utility") =>
      estimateCost(list, { channel: "whatsapp", country, category, at, segments: null })?.estimate.amount;
    expect([
      cost("FR"),
      cost("FR", "marketing"),
      cost("DE"),
      cost("DE", "utility"),
      cost("DE", "marketing"),
    ]).toEqual(["0.100000", "0.200000", "0.300000", "0.400000", "0.300000"]);
    const sms = { channel: "sms" as const, country: null, at, segments: 3 };
    expect(estimateCost(list, sms)?.estimate.amount).toBe("0.000003");
    expect(estimateCost(list, { ...sms, channel: "email", segments: null })).toBeUndefined();
    expect(
      ["AUTHENTICATION-INTERNATIONAL", "utility", "marketing_lite", "referral_conversion"].map(
        whatsappCategoryOf,
      ),
    ).toEqual(["authentication_international", "utility", "marketing", undefined]);
  });

  it("is shown with the fee to those who may see costs, and to no role that may not", async () => {
    const world = await worldWithFees();
    const { id: connection } = await world.addTwilio("http://127.0.0.1:9");
    const id = messageId(await world.send());
    await world.advance(id, claimOver(connection), takenBy(1, { price: estimate }));
    const seen = await getTimeline(world.tenant.as("owner"), { id });
    expect(seen.costs.map(({ kind, amount }) => [kind, amount])).toEqual([
      ["message", "0.070000"],
      ["platform_fee", "0.000500"],
    ]);
    expect(seen.notification.cost).toEqual({ amount: "0.070000", currency: "EUR", source: "estimated" });
    const environmentId = world.tenant.environments.production;
    const without = Object.entries(builtInRoles).filter(
      ([, { permissions }]) =>
        (permissions as readonly string[]).includes("notifications:read") &&
        !(permissions as readonly string[]).includes("costs:read"),
    );
    expect(without.length).toBeGreaterThan(1);
    for (const [role] of without) {
      const reader = world.tenant.as(role as keyof typeof builtInRoles);
      const timeline = await getTimeline(reader, { id });
      const { data } = await listNotifications(reader, { environmentId, limit: 10 });
      expect([role, timeline.costs, timeline.totalCost, timeline.notification.cost]).toEqual([
        role,
        [],
        null,
        null,
      ]);
      expect([role, data.length, data[0]?.cost]).toEqual([role, 1, null]);
    }
  });
});

describe("prices that a provider books later", () => {
  interface Listed {
    sid: string;
    price: string | null;
    status?: string;
    direction?: string;
    sentAgo?: number;
    /** Instead of `sentAgo`. */
    sentAt?: number;
  }

  /** Connections of earlier tests are off, and have long been. */
  const othersOff = () =>
    database.owner.query(
      "UPDATE provider_connections SET enabled = false, updated_at = now() - interval '9 days'",
    );

  /** Twilio's list of messages, in small pages, for one account. `onAsked` is called with each request. */
  async function startList(
    listed: Listed[],
    { perPage = 2, onAsked }: { perPage?: number; onAsked?: () => void } = {},
  ) {
    const asked: URL[] = [];
    const state = { fail: false };
    const server = createServer((request, response) => {
      const url = new URL(request.url ?? "", "http://twilio");
      asked.push(url);
      onAsked?.();
      if (state.fail) {
        response.writeHead(503).end("{}");
        return;
      }
      const since = new Date(url.searchParams.get("DateSent>") ?? "");
      const until = new Date(url.searchParams.get("DateSent<") ?? "");
      const all = listed
        .map((each) => ({
          ...each,
          date: new Date(each.sentAt ?? Date.now() - (each.sentAgo ?? 10 * 60_000)),
        }))
        .filter(({ date }) => date >= since && date < until);
      const page = Number(url.searchParams.get("Page") ?? 0);
      const from = page * perPage;
      const next = new URLSearchParams(url.searchParams);
      next.set("Page", String(page + 1));
      response.writeHead(200, { "content-type": "application/json" }).end(
        JSON.stringify({
          messages: all.slice(from, from + perPage).map(({ sid, price, status, direction, date }) => ({
            sid,
            price,
            price_unit: "USD",
            status: status ?? "delivered",
            direction: direction ?? "outbound-api",
            date_sent: date.toUTCString(),
          })),
          next_page_uri: from + perPage < all.length ? `${url.pathname}?${next.toString()}` : null,
        }),
      );
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    cleanUps.push(() => server.close());
    return { baseUrl: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`, asked, state };
  }

  async function carried(world: SendingWorld, connectionId: string) {
    const id = messageId(await world.send());
    const sid = `SM${id.replaceAll("-", "")}`;
    await world.advance(
      id,
      claimOver(connectionId),
      takenBy(1, {
        providerMessageId: sid,
        price: estimate,
      }),
    );
    await world.advance(id, becomes("delivered"));
    return { id, sid };
  }

  const book = (world: SendingWorld, now?: () => Date) =>
    bookListedPrices({ db: database.worker, http: world.http, log: logger(), ...(now ? { now } : {}) });
  const listedTo = async (connectionId: string) =>
    (
      await database.owner.query<{ at: Date | null }>(
        "SELECT prices_listed_to AS at FROM provider_connections WHERE id = $1",
        [connectionId],
      )
    ).rows[0]?.at;

  it("replace estimates and earlier reports, over all pages, and repetitions change nothing", async () => {
    await othersOff();
    const world = await makeSendingWorld(database);
    const listed: Listed[] = [];
    const list = await startList(listed);
    const { id: connection } = await world.addTwilio(list.baseUrl, { priceList });
    const messages = await Promise.all(Array.from({ length: 5 }, () => carried(world, connection)));
    await recordReceipts(world.tenant.system, {
      connectionId: connection,
      receipts: [
        {
          providerMessageId: messages[0]!.sid,
          status: "delivered",
          price: { amount: "0.01", currency: "USD" },
        },
      ],
      inbound: [],
    });
    listed.push(
      ...messages.map(({ sid }) => ({ sid, price: "-0.00750" })),
      { sid: `SM${"f".repeat(32)}`, price: "-9.99" },
      { sid: `SM${"e".repeat(32)}`, price: "-0.5", direction: "inbound" },
    );
    expect(await book(world)).toBe(5);
    for (const { id } of messages) {
      expect(await prices(id)).toEqual([
        { kind: "message", attempt: 1, amount: "0.007500", currency: "USD", source: "reported" },
      ]);
    }
    expect(list.asked.length).toBeGreaterThan(3);
    const soFar = list.asked.length;
    expect(await book(world)).toBe(0);
    // From where the last run ended: one short list instead of two days, and as much of what is older.
    expect(list.asked.length - soFar).toBeLessThanOrEqual(5);
    // Corrections of the provider are applied.
    await database.owner.query("UPDATE provider_connections SET prices_listed_to = NULL WHERE id = $1", [
      connection,
    ]);
    listed[0]!.price = "-0.00800";
    expect(await book(world)).toBe(1);
    expect((await prices(messages[0]!.id))[0]?.amount).toBe("0.008000");
  });

  it("are requested again until two days later, but not for ever", async () => {
    await othersOff();
    const world = await makeSendingWorld(database);
    const listed: Listed[] = [];
    const list = await startList(listed);
    const { id: connection } = await world.addTwilio(list.baseUrl);
    const { id, sid } = await carried(world, connection);
    const start = Date.now();
    const after = (minutes: number) => start + minutes * 60_000;
    listed.push({ sid, price: null, sentAt: after(-5) });
    let requests = 0;
    const bookedAfter: number[] = [];
    for (let minutes = 0; minutes <= 49 * 60; minutes += minutes < 180 ? 10 : 60) {
      // It comes, and is corrected twice.
      if (minutes >= 20) listed[0]!.price = "-0.0075";
      if (minutes >= 5 * 60) listed[0]!.price = "-0.0076";
      if (minutes >= 40 * 60) listed[0]!.price = "-0.0077";
      if (minutes >= 48.5 * 60) listed[0]!.price = "-0.0078";
      list.asked.length = 0;
      if ((await book(world, () => new Date(after(minutes)))) > 0) bookedAfter.push(minutes);
      if (minutes > 0) requests = Math.max(requests, list.asked.length);
    }
    expect(bookedAfter).toEqual([30, 12 * 60, 47 * 60]);
    expect((await prices(id))[0]).toMatchObject({ amount: "0.007700", source: "reported" });
    expect(requests).toBeLessThanOrEqual(5);
    // After a long break no further back than that.
    await database.owner.query(
      "UPDATE provider_connections SET prices_listed_to = now() - interval '9 days' WHERE id = $1",
      [connection],
    );
    list.asked.length = 0;
    await book(world);
    expect(list.asked.length).toBeLessThanOrEqual(49);
  });

  it("after a busy hour are read part by part: each run goes on where the last one ended, until all are booked", async () => {
    await othersOff();
    const world = await makeSendingWorld(database);
    let clock = Date.now();
    const now = () => new Date(clock);
    const start = clock - 3 * 3_600_000;
    const listed: Listed[] = [];
    const list = await startList(listed, { perPage: 10, onAsked: () => void (clock += 1_000) });
    const { id: connection } = await world.addTwilio(list.baseUrl);
    const messages = await Promise.all(Array.from({ length: 4 }, () => carried(world, connection)));
    // Newest first, as Twilio lists them.
    for (let i = 1_999; i >= 0; i--) {
      const ours = i % 500 === 0 ? messages[i / 500] : undefined;
      const sid = ours?.sid ?? `SM${String(i).padStart(32, "0")}`;
      listed.push({ sid, price: "-0.0075", sentAt: start + i * 1_500 });
    }
    await database.owner.query("UPDATE provider_connections SET prices_listed_to = $2 WHERE id = $1", [
      connection,
      new Date(start - 1_000),
    ]);
    let before = start - 1_000;
    let runs = 0;
    let booked = 0;
    while (before < clock - 70_000) {
      expect(++runs).toBeLessThan(20);
      const startedAt = clock;
      booked += await book(world, now);
      expect(clock - startedAt).toBeLessThan(2.5 * 60_000);
      const reached = (await listedTo(connection))!.getTime();
      expect(reached).toBeGreaterThan(before);
      before = reached;
    }
    expect(runs).toBeGreaterThan(2);
    expect(booked).toBe(4);
    for (const { id } of messages) expect((await prices(id))[0]).toMatchObject({ amount: "0.007500" });
  });

  it("of newer messages are booked behind one whose price never comes", async () => {
    await othersOff();
    const world = await makeSendingWorld(database);
    let clock = Date.now();
    const listed: Listed[] = [];
    const list = await startList(listed, { onAsked: () => void (clock += 10_000) });
    const { id: connection } = await world.addTwilio(list.baseUrl);
    const { id, sid } = await carried(world, connection);
    listed.push({ sid: `SM${"b".repeat(32)}`, price: null, sentAgo: 40 * 3_600_000 });
    listed.push({ sid, price: "-0.0075", sentAgo: 3_600_000 });
    for (let run = 0; run < 10; run++) await book(world, () => new Date(clock));
    expect((await prices(id))[0]).toMatchObject({ amount: "0.007500", source: "reported" });
  });

  it("are booked for two days after a connection was switched off, and then it is not asked any more", async () => {
    await othersOff();
    const world = await makeSendingWorld(database);
    const listed: Listed[] = [];
    const list = await startList(listed);
    const { id: connection } = await world.addTwilio(list.baseUrl);
    const { id, sid } = await carried(world, connection);
    listed.push({ sid, price: "-0.0075" });
    const { system } = world.tenant;
    await updateProvider(system, { id: connection, changes: { enabled: false } });
    expect(await book(world)).toBe(1);
    expect((await prices(id))[0]).toMatchObject({ amount: "0.007500", source: "reported" });
    list.asked.length = 0;
    await book(world, () => new Date(Date.now() + 49 * 3_600_000));
    expect(list.asked).toEqual([]);
  });

  it("of a connection that answers too late do not keep others from theirs, run after run", async () => {
    await othersOff();
    const world = await makeSendingWorld(database);
    let clock = Date.now();
    const now = () => new Date(clock);
    const slow = await startList([], { onAsked: () => void (clock += 9 * 60_000) });
    slow.state.fail = true;
    await world.addTwilio(slow.baseUrl);
    const listed: Listed[] = [];
    const list = await startList(listed);
    const { id: up } = await world.addTwilio(list.baseUrl);
    const { sid } = await carried(world, up);
    listed.push({ sid, price: "-0.0075" });
    expect(await book(world, now)).toBe(0);
    expect(await book(world, now)).toBe(1);
  });

  it("leave everything as it is when the provider does not answer or sends nonsense, and other connections are still asked", async () => {
    await othersOff();
    const world = await makeSendingWorld(database);
    const listed: Listed[] = [];
    const list = await startList(listed);
    const broken = await startList([]);
    broken.state.fail = true;
    const { id: down } = await world.addTwilio(broken.baseUrl);
    const nonsense = await startList([{ sid: "SM\0", price: "-0.0075" }]);
    const { id: odd } = await world.addTwilio(nonsense.baseUrl);
    const { id: up } = await world.addTwilio(list.baseUrl);
    const { id, sid } = await carried(world, up);
    listed.push({ sid, price: "-0.0075" });
    expect(await book(world)).toBe(1);
    expect(await listedTo(down)).toBeNull();
    expect(nonsense.asked).not.toEqual([]);
    // Well-formed nonsense is not booked, and does not block the rest.
    expect(await listedTo(odd)).not.toBeNull();
    expect((await prices(id))[0]?.source).toBe("reported");
  });

  it("in a list without an end do not keep other connections from theirs", async () => {
    await othersOff();
    const world = await makeSendingWorld(database);
    let clock = Date.now();
    const endless = createServer((request, response) => {
      clock += 10_000;
      const page = JSON.stringify({ messages: [], next_page_uri: request.url });
      response.writeHead(200, { "content-type": "application/json" }).end(page);
    });
    await new Promise<void>((resolve) => endless.listen(0, "127.0.0.1", resolve));
    cleanUps.push(() => endless.close());
    await world.addTwilio(`http://127.0.0.1:${String((endless.address() as AddressInfo).port)}`);
    const listed: Listed[] = [];
    const list = await startList(listed);
    const { id: up } = await world.addTwilio(list.baseUrl);
    const { sid } = await carried(world, up);
    listed.push({ sid, price: "-0.0075" });
    expect(await book(world, () => new Date(clock))).toBe(1);
  });
});

describe("the wait for a receipt", () => {
  it("starts again with the provider's first report, for as long as that provider's receipts take", async () => {
    const world = await makeSendingWorld(database);
    await world.tenant.addSimulator(["sandbox"]);
    const provider = await startFakeTwilio();
    cleanUps.push(() => provider.close());
    const { id: twilio } = await world.addTwilio(provider.baseUrl);
    const { rows } = await database.owner.query<{ id: string }>(
      "SELECT id FROM provider_connections WHERE tenant_id = $1 AND adapter = 'simulator'",
      [world.tenantId],
    );
    const wait = async (connectionId: string, environment: "sandbox" | "production") => {
      const id = messageId(await world.send({}, { environment }));
      await world.advance(id, claimOver(connectionId));
      await recordReceipts(world.tenant.system, {
        connectionId,
        receipts: [{ notificationId: id, attempt: 1, status: "sent" }],
        inbound: [],
      });
      return ((await world.notification(id)).due_at?.getTime() ?? 0) - Date.now();
    };
    expect(await wait(rows[0]?.id ?? "", "sandbox")).toBeLessThanOrEqual(60_000);
    expect(await wait(twilio, "production")).toBeGreaterThan(receiptWindow - 60_000);
  });
});
