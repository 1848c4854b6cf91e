import { afterAll, expect, test } from "vitest";
import { tenantConnections } from "../connections/load-connection.ts";
import { testDatabase } from "../testing/database.ts";
import { FAKE_META, startFakeMeta } from "../testing/fake-meta.ts";
import { makeSendingWorld } from "../testing/sending-world.ts";
import { messagingLimit } from "./messaging-limit.ts";

const database = await testDatabase();
const meta = await startFakeMeta();
afterAll(() => meta.close());

test("what is left of WhatsApp's limit counts each person once, of the last 24 hours and of this connection, and Meta is asked once a minute", async () => {
  const world = await makeSendingWorld(database);
  await world.addTemplate({
    ...{ name: "wa", channel: "whatsapp", body: "On its way" },
    ...{ notificationType: "order", notificationSubtype: "order_status" },
  });
  const id = await world.addConnection({
    adapter: "meta",
    name: "Shop",
    credentials: { accessToken: FAKE_META.accessToken, appSecret: "app-secret", verifyToken: "verify-me" },
    settings: { phoneNumberId: FAKE_META.phoneNumberId, baseUrl: meta.baseUrl },
    channels: ["whatsapp"],
    senders: [{ channel: "whatsapp", sender: "+4930123456" }],
  });
  const other = await world.addTwilio("http://127.0.0.1:9", { name: "Other" });
  const sent = async (recipient: string, connectionId: string, hoursAgo: number) => {
    const { requestId } = await world.send({ recipients: [{ channel: "whatsapp", recipient }] });
    await database.owner.query(
      `UPDATE notifications SET connection_id = $2, sent_at = now() - make_interval(hours => $3) WHERE request_id = $1`,
      [requestId, connectionId, hoursAgo],
    );
  };
  await sent("+4915112340001", id, 1);
  await sent("+4915112340001", id, 2);
  await sent("+4915112340002", id, 23);
  await sent("+4915112340003", id, 25);
  await sent("+4915112340004", other.id, 1);
  const ask = async (connectionId = id) => {
    const connection = (await tenantConnections(world.tenant.system)).get(connectionId);
    if (!connection) throw new Error("no such connection");
    return messagingLimit(world.tenant.system, connection, world.http);
  };
  meta.limitTo("TIER_2K");
  expect(await ask()).toEqual({ connection: "Shop", limit: 2_000, used: 2 });
  const calls = meta.calls.length;
  for (let count = 0; count < 5; count++) await ask();
  expect(meta.calls.length).toBe(calls);
  expect(await ask(other.id)).toEqual({ problem: expect.stringContaining("Twilio") as string });
});

test("a provider that does not answer is not asked again for a minute, and nothing is made up", async () => {
  const world = await makeSendingWorld(database);
  const id = await world.addConnection({
    adapter: "meta",
    credentials: { accessToken: "wrong", appSecret: "app-secret", verifyToken: "verify-me" },
    settings: { phoneNumberId: FAKE_META.phoneNumberId, baseUrl: meta.baseUrl },
    channels: ["whatsapp"],
  });
  const connection = (await tenantConnections(world.tenant.system)).get(id);
  if (!connection) throw new Error("no such connection");
  const calls = meta.calls.length;
  for (let count = 0; count < 3; count++) {
    expect(await messagingLimit(world.tenant.system, connection, world.http)).toEqual({
      problem: expect.any(String) as string,
    });
  }
  expect(meta.calls.length).toBe(calls + 1);
});
