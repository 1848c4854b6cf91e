import { expect, test } from "vitest";
import { recordLinks, withLinked } from "../consent/address-links.ts";
import { recordConsent } from "../consent/record-consent.ts";
import { recordInbound } from "../inbound/record-inbound.ts";
import { inTenant } from "../kernel/db.ts";
import { testDatabase } from "../testing/database.ts";
import { makeSendingWorld } from "../testing/sending-world.ts";
import { findRecipient } from "./recipient.ts";
import { requestErasure } from "./request-erasure.ts";
import { runErasure } from "./run-erasure.ts";

const database = await testDatabase();
const number = "+4915112345678";
const id = "DE.13491208655302741918";
const later = "DE.21491208655302741918";

test("who is erased by one of their addresses is erased by all, and a no outlives that under each of them, and under what is linked afterwards", async () => {
  const world = await makeSendingWorld(database);
  const { system } = world.tenant;
  const { tenantId } = world;
  await world.addTemplate({
    name: "wa",
    notificationType: "order",
    notificationSubtype: "order_status",
    channel: "whatsapp",
    body: "On its way",
  });
  await recordLinks(system, [{ sandbox: false, names: [number, id], source: "meta" }]);
  await inTenant(system, (tx) =>
    recordConsent(system, tx, {
      sandbox: false,
      channel: "whatsapp",
      address: number,
      state: "opted_out",
      source: "keyword",
      evidence: { word: "stop" },
    }),
  );
  const owner = world.tenant.as("owner");
  const held = await findRecipient(owner, { address: id });
  expect(held.counts).toContainEqual({ kind: "addressLinks", count: 1, more: false });
  const { id: erasureId } = await requestErasure(owner, { addresses: [id] });
  const state = async () => {
    const { rows } = await database.owner.query<{ state: string }>(
      "SELECT state FROM erasures WHERE id = $1",
      [erasureId],
    );
    return rows[0]?.state;
  };
  while ((await state()) !== "done") await runErasure({ db: database.worker }, { tenantId, erasureId });

  expect(await withLinked(system, [id, number])).toEqual([id, number]);
  const { rows } = await database.owner.query(
    `SELECT address FROM consent_entries WHERE tenant_id = $1 AND (address IN ($2, $3) OR evidence::text ~ '4915112345678|1349')`,
    [tenantId, number, id],
  );
  expect(rows).toEqual([]);
  await recordLinks(system, [{ sandbox: false, names: [number, later], source: "meta" }]);
  for (const recipient of [number, id, later]) {
    const sent = await world.send({ recipients: [{ channel: "whatsapp", recipient }] });
    expect(sent.notifications[0]?.reason?.code, recipient).toBe("consent_denied");
  }
});

test("who is erased by a mobile number of Mexico is erased with and without the 1 that WhatsApp writes there", async () => {
  const world = await makeSendingWorld(database);
  const { tenantId } = world;
  const { id: connectionId } = await world.addTwilio("http://127.0.0.1:9");
  const inbound = { channel: "whatsapp" as const, to: "+4930123456", text: "Where is it?" };
  await recordInbound(world.tenant.system, {
    connectionId,
    inbound: [
      { ...inbound, providerMessageId: "one", from: "+525512345678" },
      { ...inbound, providerMessageId: "two", from: "+525587654321" },
    ],
  });
  // As it was kept before.
  await database.owner.query(
    "UPDATE conversations SET address = '+5215512345678' WHERE tenant_id = $1 AND address = '+525512345678'",
    [tenantId],
  );
  const { id: erasureId } = await requestErasure(world.tenant.as("owner"), {
    addresses: ["+52 1 55 1234 5678"],
  });
  const left = async (sql: string) => (await database.owner.query<{ left: string }>(sql, [tenantId])).rows;
  while ((await left("SELECT id AS left FROM erasures WHERE tenant_id = $1 AND state <> 'done'")).length > 0)
    await runErasure({ db: database.worker }, { tenantId, erasureId });
  expect(await left("SELECT address AS left FROM conversations WHERE tenant_id = $1")).toEqual([
    { left: "+525587654321" },
  ]);
});
