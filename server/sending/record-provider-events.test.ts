import { expect, it } from "vitest";
import { tenantConnections } from "../connections/load-connection.ts";
import { providerUpdateSchema } from "../connections/schemas.ts";
import { updateProvider } from "../connections/update-provider.ts";
import type { Receipt } from "../adapters/adapter.ts";
import { newId } from "../kernel/ids.ts";
import { testDatabase } from "../testing/database.ts";
import { claimOver, makeSendingWorld, messageId, takenBy } from "../testing/sending-world.ts";
import { recordProviderEvents } from "./record-provider-events.ts";

const database = await testDatabase();
const world = await makeSendingWorld(database);

const number = (name: string, phoneNumberId: string, appSecret = "app-secret") =>
  world.addConnection({
    name,
    adapter: "meta",
    credentials: { accessToken: "token", appSecret, verifyToken: "verify-me" },
    settings: { phoneNumberId, version: "v23.0" },
    channels: ["whatsapp"],
  });
const called = await number("Called", "20000000001");
const second = await number("Second", "20000000002");
const otherApp = await number("Of another app", "20000000003", "another-secret");

async function sentOver(connectionId: string): Promise<{ id: string; wamid: string }> {
  const id = messageId(await world.send());
  const wamid = `wamid.${newId()}`;
  await world.advance(id, claimOver(connectionId, newId(), "Own"));
  await world.advance(id, takenBy(1, { providerMessageId: wamid }));
  return { id, wamid };
}
const delivered = (providerMessageId: string, account?: string): Receipt => ({
  providerMessageId,
  status: "delivered",
  ...(account === undefined ? {} : { account }),
});
async function report(receipts: Receipt[], inbound: { account?: string; to: string }[] = []) {
  const own = (await tenantConnections(world.tenant.worker)).get(called)!;
  const messages = inbound.map((message) => ({
    providerMessageId: newId(),
    channel: "whatsapp" as const,
    from: "+4915112345678",
    text: "Hi",
    ...message,
  }));
  const recorded = await recordProviderEvents(
    { db: database.worker },
    { own },
    { receipts, inbound: messages },
  );
  return { ...recorded, inboundIds: messages.map(({ providerMessageId }) => providerMessageId) };
}
const statusOf = async ({ id }: { id: string }) => (await world.notification(id)).status;

it("matches what is reported about another number of the same app to the connection with that number", async () => {
  const messages = [await sentOver(called), await sentOver(second)] as const;
  const { unmatched, inboundIds } = await report(
    [delivered(messages[0].wamid, "20000000001"), delivered(messages[1].wamid, "20000000002")],
    [
      { account: "20000000001", to: "+4930000031" },
      { account: "20000000002", to: "+4930000032" },
    ],
  );
  expect(unmatched).toBe(0);
  expect(await Promise.all(messages.map(statusOf))).toEqual(["delivered", "delivered"]);
  const stored = await database.owner.query<{ connection_id: string }>(
    "SELECT connection_id FROM inbound_messages WHERE provider_message_id = ANY ($1) ORDER BY array_position($1, provider_message_id)",
    [inboundIds],
  );
  expect(stored.rows.map((row) => row.connection_id)).toEqual([called, second]);
});

it("does so while the app's secret is replaced in one connection after the other", async () => {
  const change = (id: string, appSecret: string) =>
    updateProvider(world.tenant.as("owner"), {
      id,
      changes: providerUpdateSchema.parse({ credentials: { appSecret } }),
    });
  const message = await sentOver(second);
  await change(called, "next-secret");
  expect((await report([delivered(message.wamid, "20000000002")])).unmatched).toBe(0);
  expect(await statusOf(message)).toBe("delivered");
  await change(second, "next-secret");
});

it("takes what names no number, or one of no connection, for the called connection's", async () => {
  const messages = [await sentOver(called), await sentOver(called)] as const;
  const { unmatched } = await report([
    delivered(messages[0].wamid),
    delivered(messages[1].wamid, "29999999999"),
  ]);
  expect(unmatched).toBe(0);
  expect(await Promise.all(messages.map(statusOf))).toEqual(["delivered", "delivered"]);
});

it("lets nobody report about a connection of another app by naming its number", async () => {
  const message = await sentOver(otherApp);
  expect(await report([delivered(message.wamid, "20000000003")])).toMatchObject({ unmatched: 1 });
  expect(await statusOf(message)).toBe("sent");
});
