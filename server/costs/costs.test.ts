import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import fc from "fast-check";
import { afterEach, describe, expect, it } from "vitest";
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
import { bookListedPrices } from "./book-prices.ts";
import { estimateCost, whatsappCategoryOf } from "./estimate-cost.ts";
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
  }

  /** Twilio's list of messages, in pages of two, for one account. */
  async function startList(listed: Listed[]) {
    const asked: URL[] = [];
    const state = { fail: false };
    const server = createServer((request, response) => {
      const url = new URL(request.url ?? "", "http://twilio");
      asked.push(url);
      if (state.fail) {
        response.writeHead(503).end("{}");
        return;
      }
      const since = new Date(url.searchParams.get("DateSent>") ?? "");
      const until = new Date(url.searchParams.get("DateSent<") ?? "");
      const all = listed
        .map((each) => ({ ...each, date: new Date(Date.now() - (each.sentAgo ?? 10 * 60_000)) }))
        .filter(({ date }) => date >= since && date < until);
      const from = Number(url.searchParams.get("Page") ?? 0) * 2;
      const next = new URLSearchParams(url.searchParams);
      next.set("Page", String(from / 2 + 1));
      response.writeHead(200, { "content-type": "application/json" }).end(
        JSON.stringify({
          messages: all.slice(from, from + 2).map(({ sid, price, status, direction, date }) => ({
            sid,
            price,
            price_unit: "USD",
            status: status ?? "delivered",
            direction: direction ?? "outbound-api",
            date_sent: date.toUTCString(),
          })),
          next_page_uri: from + 2 < all.length ? `${url.pathname}?${next.toString()}` : null,
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
    await database.owner.query("UPDATE provider_connections SET enabled = false");
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
    // From where the last run ended: one short list instead of two days.
    expect(list.asked.length - soFar).toBe(1);
    // Corrections of the provider are applied.
    await database.owner.query("UPDATE provider_connections SET prices_listed_to = NULL WHERE id = $1", [
      connection,
    ]);
    listed[0]!.price = "-0.00800";
    expect(await book(world)).toBe(1);
    expect((await prices(messages[0]!.id))[0]?.amount).toBe("0.008000");
  });

  it("are requested again until they are there, but not for failed messages, and not for ever", async () => {
    await database.owner.query("UPDATE provider_connections SET enabled = false");
    const world = await makeSendingWorld(database);
    const listed: Listed[] = [];
    const list = await startList(listed);
    const { id: connection } = await world.addTwilio(list.baseUrl);
    const { id, sid } = await carried(world, connection);
    listed.push({ sid, price: null, sentAgo: 3 * 3_600_000 });
    listed.push({ sid: `SM${"a".repeat(32)}`, price: null, status: "failed", sentAgo: 20 * 3_600_000 });
    await book(world);
    const waiting = (await listedTo(connection))!;
    expect(Math.abs(Date.now() - 3 * 3_600_000 - waiting.getTime())).toBeLessThan(60_000);
    listed[0]!.price = "-0.0075";
    expect(await book(world)).toBe(1);
    expect((await prices(id))[0]).toMatchObject({ amount: "0.007500", source: "reported" });
    const done = (await listedTo(connection))!;
    expect(done.getTime()).toBeGreaterThan(waiting.getTime());
    listed[0]!.price = null;
    await database.owner.query(
      "UPDATE provider_connections SET prices_listed_to = now() - interval '9 days' WHERE id = $1",
      [connection],
    );
    list.asked.length = 0;
    await book(world);
    expect(list.asked.length).toBeLessThanOrEqual(49);
  });

  it("leave everything as it is when the provider does not answer or sends nonsense, and other connections are still asked", async () => {
    await database.owner.query("UPDATE provider_connections SET enabled = false");
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
    await database.owner.query("UPDATE provider_connections SET enabled = false");
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
