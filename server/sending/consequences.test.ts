import { describe, expect, it } from "vitest";
import { newId } from "../kernel/ids.ts";
import { testDatabase } from "../testing/database.ts";
import { becomes, claimOver, makeSendingWorld, messageId, takenBy } from "../testing/sending-world.ts";
import type { SendingWorld } from "../testing/sending-world.ts";
import { holding, waiting } from "../testing/sign-ins.ts";
import { createWebhookEndpoint } from "../webhooks/create-webhook-endpoint.ts";
import { callAdvance } from "./queries.ts";
import { recordReceipts } from "./record-receipts.ts";

const database = await testDatabase();

/** The webhook deliveries of a message, in order. */
async function owed(world: SendingWorld, id: string, endpointId: string) {
  const { rows } = await database.owner.query<{ id: string; event: string; sequence: number; jobs: number }>(
    `SELECT d.id, d.event, d.sequence,
       (SELECT count(*)::int FROM graphile_worker._private_jobs j WHERE j.payload->>'deliveryId' = d.id::text) AS jobs
     FROM webhook_deliveries d WHERE d.tenant_id = $1 AND d.notification_id = $2 AND d.endpoint_id = $3 ORDER BY d.sequence`,
    [world.tenantId, id, endpointId],
  );
  return rows;
}

async function claimed(world: SendingWorld, options: Parameters<SendingWorld["addTwilio"]>[1] = {}) {
  const { id: connectionId } = await world.addTwilio("http://127.0.0.1:9", options);
  return claimOver(connectionId);
}

describe("every change of a message", () => {
  it("creates one delivery with its sequence number and a job for each listening endpoint, one without a job for those that are off for up to 30 days, and none for others", async () => {
    const world = await makeSendingWorld(database);
    const { tenant } = world;
    const claim = await claimed(world);
    const make = (fields: { environmentId?: string; application?: string; events?: string[] }) =>
      createWebhookEndpoint(tenant.system, {
        environmentId: tenant.environments.production,
        application: "shop",
        url: "https://8.8.8.8/hooks",
        events: [],
        ...fields,
      } as Parameters<typeof createWebhookEndpoint>[1]);
    const all = await make({});
    const some = await make({ events: ["notification.delivered", "notification.read"] });
    const off = await make({});
    const [off30, forgotten] = [await make({}), await make({})];
    for (const [{ id }, since] of [
      [off, "1 minute"],
      [off30, "29 days"],
      [forgotten, "31 days"],
    ] as const) {
      await database.owner.query(
        "UPDATE webhook_endpoints SET enabled = false, disabled_at = now() - $2::interval WHERE id = $1",
        [id, since],
      );
    }
    const elsewhere = [
      await make({ environmentId: tenant.environments.staging }),
      await make({ application: "desk" }),
    ];

    const id = messageId(await world.send());
    await world.advance(id, claim);
    await world.advance(id, takenBy(1));
    for (let times = 0; times < 3; times++) {
      await world.advance(id, becomes("delivered"));
      await world.advance(id, { kind: "signal", signal: "read" });
      await world.advance(id, becomes("sent"));
    }
    expect(
      (await owed(world, id, all.id)).map(({ event, sequence, jobs }) => [sequence, event, jobs]),
    ).toEqual([
      [1, "notification.queued", 1],
      [2, "notification.sending", 1],
      [3, "notification.sent", 1],
      [4, "notification.delivered", 1],
      [5, "notification.read", 1],
    ]);
    expect((await owed(world, id, some.id)).map(({ event }) => event)).toEqual([
      "notification.delivered",
      "notification.read",
    ]);
    for (const kept of [off, off30]) {
      expect((await owed(world, id, kept.id)).map(({ event, jobs }) => [event, jobs])).toEqual([
        ["notification.queued", 0],
        ["notification.sending", 0],
        ["notification.sent", 0],
        ["notification.delivered", 0],
        ["notification.read", 0],
      ]);
    }
    for (const other of [forgotten, ...elsewhere]) expect(await owed(world, id, other.id)).toEqual([]);
  });

  it("commits with all of that or not at all", async () => {
    const world = await makeSendingWorld(database);
    const claim = await claimed(world);
    const id = messageId(await world.send());
    const before = await world.notification(id);
    await database.owner.query(
      `CREATE FUNCTION full_disk() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'full' USING ERRCODE = '53100'; END $$;
       CREATE TRIGGER full_disk BEFORE INSERT ON metric_deltas EXECUTE FUNCTION full_disk()`,
    );
    await expect(world.advance(id, claim)).rejects.toMatchObject({ code: "53100" });
    await database.owner.query("DROP TRIGGER full_disk ON metric_deltas; DROP FUNCTION full_disk");
    expect(await world.notification(id)).toEqual(before);
    expect(await world.attempts(id)).toEqual([]);
    expect(await world.events(id)).toHaveLength(1);
  });

  it("that is forbidden leaves the others of its batch alone", async () => {
    const world = await makeSendingWorld(database);
    const claim = await claimed(world);
    const [done, open] = [messageId(await world.send()), messageId(await world.send())];
    await world.advance(done, becomes("canceled"));
    const applied = await callAdvance(
      database.worker,
      null,
      [done, open, newId()].map((id) => ({ tenantId: world.tenantId, id, ...claim })),
    );
    expect(applied).toMatchObject([{ id: open, status: "sending", attempt: 1 }]);
    expect(await world.notification(done)).toMatchObject({ status: "canceled", attempts: 0 });
  });

  it("of another tenant's message is impossible with the web's role, whatever the call says", async () => {
    const [one, two] = [await makeSendingWorld(database), await makeSendingWorld(database)];
    const id = messageId(await one.send());
    for (const tenantId of [one.tenantId, two.tenantId]) {
      expect(
        await callAdvance(database.web, two.tenantId, [{ tenantId, id, ...becomes("canceled") }]),
      ).toEqual([]);
    }
    expect(await one.notification(id)).toMatchObject({ status: "queued" });
  });
});

describe("a complaint", () => {
  it("that a provider reports twice at the same time is one event", async () => {
    const world = await makeSendingWorld(database);
    const id = messageId(await world.send());
    await world.advance(id, await claimed(world), takenBy(1), becomes("delivered"));
    const row = `SELECT FROM notifications WHERE id = '${id}' FOR UPDATE`;
    await holding(database, row, async (release) => {
      const both = [1, 2].map(() => world.advance(id, { kind: "signal", signal: "complained" }));
      await waiting(database, 2);
      await release();
      await Promise.all(both);
    });
    expect((await world.events(id)).map(({ type }) => type)).toEqual([
      ...["queued", "sending", "sent", "delivered", "complained"],
    ]);
  });
});

describe("a click", () => {
  it("that a provider reports again is the same one, and one at another time another", async () => {
    const world = await makeSendingWorld(database);
    const id = messageId(await world.send());
    const claim = await claimed(world);
    await world.advance(id, claim, takenBy(1), becomes("delivered"));
    const { connectionId } = claim;
    const at = new Date(Date.now() - 60_000);
    const report = (seconds: number) =>
      recordReceipts(world.tenant.system, {
        connectionId,
        receipts: [
          { notificationId: id, attempt: 1, event: "clicked", at: new Date(at.getTime() + seconds * 1_000) },
        ],
        inbound: [],
      });
    await report(0);
    await Promise.all([report(0), report(0), report(1), report(1)]);
    await report(1);
    const events = await world.events(id);
    expect(events.filter(({ type }) => type === "clicked")).toHaveLength(2);
  });
});

describe("the cost of a message", () => {
  const costs = async (id: string) =>
    (
      await database.owner.query(
        "SELECT attempt, kind, amount, currency, source FROM cost_entries WHERE notification_id = $1 ORDER BY attempt",
        [id],
      )
    ).rows as unknown[];

  it("is estimated by the connection's price list and the segments until the provider reports it", async () => {
    const { startFakeTwilio } = await import("../testing/fake-twilio.ts");
    const provider = await startFakeTwilio();
    try {
      const world = await makeSendingWorld(database);
      const { id: connection } = await world.addTwilio(provider.baseUrl, {
        priceList: [{ channel: "sms", amount: "0.070000", currency: "EUR" }],
      });
      await world.addRule("production", [[connection]]);
      // A letter that GSM-7 does not have: 67 characters a segment.
      const id = messageId(await world.send({ templateVariables: [{ code: "ж".repeat(80) }] }));
      await world.runJobs();
      expect(await world.notification(id)).toMatchObject({ status: "sent" });
      const [entry] = (await costs(id)) as { amount: string; source: string }[];
      expect(entry).toMatchObject({
        kind: "message",
        currency: "EUR",
        source: "estimated",
        amount: "0.140000",
      });
    } finally {
      await provider.close();
    }
  });

  it("is nothing in the sandbox", async () => {
    const world = await makeSendingWorld(database);
    await world.tenant.addSimulator(["sandbox"]);
    await database.owner.query(
      `UPDATE provider_connections SET price_list = '[{"channel":"sms","amount":"1","currency":"EUR"}]' WHERE tenant_id = $1`,
      [world.tenantId],
    );
    const id = messageId(await world.send({}, { environment: "sandbox" }));
    await world.runJobs();
    expect(await world.notification(id)).toMatchObject({ status: "sent" });
    expect(await costs(id)).toEqual([]);
    // The simulated provider's reports: sent, delivered.
    expect((await world.waitingJobs(id)).map((job) => job.task)).toEqual([
      "post_simulated_callback",
      "post_simulated_callback",
    ]);
  });
});
