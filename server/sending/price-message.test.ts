/** Messages over Meta with their prices: by the category that was decided, the month's counts, receipts and open windows. */
import { afterAll, expect, it } from "vitest";
import { tenantConnections } from "../connections/load-connection.ts";
import type { PriceListEntry } from "../connections/schemas.ts";
import { writeUnits } from "../costs/month-units.ts";
import { recordInbound } from "../inbound/record-inbound.ts";
import { erasedText } from "../kernel/erased.ts";
import { testDatabase } from "../testing/database.ts";
import { FAKE_META, startFakeMeta } from "../testing/fake-meta.ts";
import { makeSendingWorld, messageId } from "../testing/sending-world.ts";
import { holding, waiting } from "../testing/sign-ins.ts";
import { priceMessage } from "./price-message.ts";
import { recordReceipts } from "./record-receipts.ts";

const database = await testDatabase();
const meta = await startFakeMeta();
meta.templates.push({
  name: "order_shipped",
  language: "en_US",
  status: "APPROVED",
  components: [{ type: "BODY", text: "Order {{1}} is on its way" }],
});
afterAll(() => meta.close());

const price = (category: PriceListEntry["category"], amount: string, more: Partial<PriceListEntry> = {}) => ({
  channel: "whatsapp" as const,
  category,
  amount,
  currency: "EUR",
  ...more,
});

async function makeWorld(priceList: PriceListEntry[]) {
  const world = await makeSendingWorld(database);
  const { tenantId } = world;
  const connectionId = await world.addConnection({
    adapter: "meta",
    credentials: { accessToken: FAKE_META.accessToken, appSecret: "app-secret", verifyToken: "verify-token" },
    settings: { phoneNumberId: FAKE_META.phoneNumberId, version: "v23.0", baseUrl: meta.baseUrl },
    channels: ["whatsapp"],
    senders: [{ channel: "whatsapp", sender: "+4930123456" }],
    priceList: priceList,
  });
  await world.addRule("production", [[connectionId]], { channel: "whatsapp" });
  await world.addTemplate({
    name: "shipped",
    notificationType: "order",
    notificationSubtype: "order_status",
    channel: "whatsapp",
    body: "Order {{ code }} is on its way",
    metadata: { templateName: "order_shipped", language: "en_US", category: "utility" },
  });
  await database.owner.query(
    `INSERT INTO whatsapp_approvals (tenant_id, template_id, template_name, language, status, source, updated_by, updated_at)
     SELECT $1, id, 'order_shipped', 'en_US', 'approved', 'provider', 'test', now() FROM templates
     WHERE tenant_id = $1 AND name = 'shipped'`,
    [tenantId],
  );
  const costOf = async (id: string) => {
    const { rows } = await database.owner.query<{ cost: string }>(
      `SELECT concat_ws(' ', amount, currency, source) AS cost FROM cost_entries
       WHERE tenant_id = $1 AND notification_id = $2 AND kind = 'message'`,
      [tenantId, id],
    );
    return rows.map(({ cost }) => cost);
  };
  /** Sends a message; what it is estimated to cost. */
  const send = async (recipient = "+4915112345678") => {
    const id = messageId(await world.send({ recipients: [{ channel: "whatsapp", recipient }] }));
    await world.deliverer.deliver({ tenantId, notificationIds: [id] });
    return { id, cost: await costOf(id) };
  };
  const receipt = (notificationId: string, fields: { category?: string; free?: true }) =>
    recordReceipts(world.tenant.system, {
      connectionId,
      receipts: [{ notificationId, attempt: 1, status: "delivered", ...fields }],
      inbound: [],
    });
  return { world, connectionId, send, costOf, receipt };
}

/** What a connection's price list has counted, by category. */
async function unitsOf(connectionId: string): Promise<Record<string, number>> {
  await writeUnits();
  const { rows } = await database.owner.query<{ category: string; units: number }>(
    "SELECT category, units::int FROM price_units WHERE connection_id = $1 AND country = ''",
    [connectionId],
  );
  return Object.fromEntries(rows.map(({ category, units }) => [category, units]));
}

it("is by the category that WhatsApp decided, at sending and by the receipt", async () => {
  const { world, connectionId, send, costOf, receipt } = await makeWorld([
    price("utility", "0.05"),
    price("marketing", "0.113"),
    price("authentication", "0.04"),
    price("authentication_international", "0.2"),
  ]);
  const first = await send();
  expect(first.cost).toEqual(["0.050000 EUR estimated"]);
  await recordReceipts(world.tenant.system, {
    connectionId,
    receipts: [],
    inbound: [],
    templates: [{ template: "order_shipped", language: "en-US", category: "authentication" }],
  });
  expect((await send()).cost).toEqual(["0.040000 EUR estimated"]);
  await receipt(first.id, { category: "authentication_international" });
  expect(await costOf(first.id)).toEqual(["0.200000 EUR estimated"]);
  await receipt(first.id, { category: "authentication_international", free: true });
  expect(await costOf(first.id)).toEqual(["0.000000 EUR estimated"]);
});

it("is by its number in the month, which later receipts of the same category leave alone", async () => {
  const { connectionId, send, costOf, receipt } = await makeWorld([
    price("utility", "0.05", { freePerMonth: 1, tiers: [{ above: 2, amount: "0.03" }] }),
    price("marketing", "0.113"),
  ]);
  const [one, two, three] = [await send(), await send(), await send()];
  expect([one.cost, two.cost, three.cost]).toEqual([
    ["0.000000 EUR estimated"],
    ["0.050000 EUR estimated"],
    ["0.030000 EUR estimated"],
  ]);
  await receipt(one.id, { category: "utility" });
  expect(await costOf(one.id)).toEqual(["0.000000 EUR estimated"]);
  await receipt(two.id, { category: "marketing" });
  expect(await costOf(two.id)).toEqual(["0.113000 EUR estimated"]);
  expect(await unitsOf(connectionId)).toEqual({ utility: 2 });
});

it("counts in the month as what the receipts say that is charged, once however many say so", async () => {
  const { world, connectionId, send, costOf, receipt } = await makeWorld([
    price("utility", "0.05", { tiers: [{ above: 100, amount: "0.03" }] }),
    price("authentication_international", "0.2", { tiers: [{ above: 1, amount: "0.1" }] }),
  ]);
  const [abroad, next, free] = [await send(), await send(), await send()];
  expect(await unitsOf(connectionId)).toEqual({ utility: 3 });
  const international = { category: "authentication_international" };
  const row = `SELECT FROM notifications WHERE id = '${abroad.id}' FOR UPDATE`;
  await holding(database, row, async (release) => {
    const both = [receipt(abroad.id, international), receipt(abroad.id, international)];
    await waiting(database, 2);
    await release();
    await Promise.all(both);
  });
  expect(await unitsOf(connectionId)).toEqual({ utility: 2, authentication_international: 1 });
  // By its number among those, which later receipts leave alone.
  await receipt(next.id, international);
  await receipt(next.id, international);
  await receipt(abroad.id, international);
  expect([await costOf(abroad.id), await costOf(next.id)]).toEqual([
    ["0.200000 EUR estimated"],
    ["0.100000 EUR estimated"],
  ]);
  await receipt(free.id, { category: "utility", free: true });
  expect(await costOf(free.id)).toEqual(["0.000000 EUR estimated"]);
  expect(await unitsOf(connectionId)).toEqual({ utility: 0, authentication_international: 2 });

  // Whose address was erased has no country any more.
  await database.owner.query("UPDATE notifications SET recipient = $3 WHERE tenant_id = $1 AND id = $2", [
    world.tenantId,
    next.id,
    erasedText,
  ]);
  await receipt(next.id, { category: "utility" });
  expect(await costOf(next.id)).toEqual(["0.100000 EUR estimated"]);
});

it("knows from what people wrote whether their service window was open", async () => {
  const { world, connectionId } = await makeWorld([price("utility", "0.05")]);
  const { system } = world.tenant;
  const heard = new Date("2025-08-01T12:00:00Z");
  const hour = 3_600_000;
  await recordInbound(system, {
    connectionId,
    inbound: [
      {
        providerMessageId: "wamid.in",
        channel: "whatsapp",
        from: "+4915112345678",
        to: "+4930123456",
        text: "Where is it?",
        at: heard,
      },
    ],
  });
  const connection = (await tenantConnections(system)).get(connectionId);
  if (!connection) throw new Error("no connection");
  const cost = async (after: number, recipient = "+4915112345678") =>
    (
      await priceMessage(system, connection, {
        channel: "whatsapp",
        recipient,
        sandbox: false,
        category: "utility",
        segments: null,
        at: new Date(heard.getTime() + after),
      })
    )?.estimate.amount;
  expect(await cost(24 * hour - 1)).toBe("0.000000");
  expect(await cost(24 * hour)).toBe("0.050000");
  expect(await cost(-1)).toBe("0.050000");
  expect(await cost(hour, "+4915112345679")).toBe("0.050000");
});
