import { describe, expect, it } from "vitest";
import { newId } from "../kernel/ids.ts";
import { testDatabase } from "../testing/database.ts";
import { becomes, claimOver, makeSendingWorld, messageId } from "../testing/sending-world.ts";
import { DeliveryStore } from "./delivery-store.ts";

const database = await testDatabase();
const queries: string[] = [];
/** The worker's database, recording the names of its statements. */
const pool = new Proxy(database.worker.pool, {
  get(target, name, receiver) {
    if (name !== "query") return Reflect.get(target, name, receiver) as unknown;
    return (query: { name?: string }, ...rest: unknown[]) => {
      queries.push(query.name ?? "");
      return (target.query as (...args: unknown[]) => unknown).call(target, query, ...rest);
    };
  },
});
const store = new DeliveryStore({ ...database.worker, pool }, { delayMs: 5, maxItems: 50 });

describe("concurrent deliveries", () => {
  it("are loaded with one statement, for any tenants; missing ones are null", async () => {
    const [one, two] = [await makeSendingWorld(database), await makeSendingWorld(database)];
    const keys = [
      { tenantId: one.tenantId, notificationId: messageId(await one.send()) },
      { tenantId: two.tenantId, notificationId: messageId(await two.send()) },
      { tenantId: two.tenantId, notificationId: newId() },
    ];
    queries.length = 0;
    const loaded = await Promise.all(keys.map((key) => store.load(key)));
    expect(queries).toEqual(["select_deliveries"]);
    expect(loaded).toMatchObject([
      {
        tenantId: one.tenantId,
        id: keys[0]?.notificationId,
        notificationSubtype: "order_status",
        variables: { code: "4711" },
        attempts: [],
        attemptCount: 0,
        openAttempt: null,
      },
      { tenantId: two.tenantId, unitId: two.tenant.units.alpha },
      null,
    ]);
  });

  it("claim each message once, and know whether they got it", async () => {
    const world = await makeSendingWorld(database);
    const { tenantId } = world;
    const { id: connectionId } = await world.addTwilio("http://127.0.0.1:9");
    const id = messageId(await world.send());
    const claim = { tenantId, id, ...claimOver(connectionId) };
    expect((await Promise.all([store.claim(claim), store.claim(claim)])).sort()).toEqual([1, null]);
    expect(await store.load({ tenantId, notificationId: id })).toMatchObject({
      status: "sending",
      openAttempt: 1,
      attemptCount: 1,
      attempts: [{ number: 1, connectionId, worker: claim.worker, outcome: null, finishedAt: null }],
    });
  });

  it("write what the state machine allows", async () => {
    const world = await makeSendingWorld(database);
    const target = { tenantId: world.tenantId, id: messageId(await world.send()) };
    const ended = becomes("rejected", { reason: { code: "suppressed", detail: "d" } });
    expect(await store.write({ ...target, ...ended })).toMatchObject({ status: "rejected" });
    expect(await store.write({ ...target, ...becomes("canceled") })).toBeNull();
  });
});
