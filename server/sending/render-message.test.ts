import { describe, expect, it } from "vitest";
import { tenantConnections } from "../connections/load-connection.ts";
import { newId } from "../kernel/ids.ts";
import { testDatabase } from "../testing/database.ts";
import { makeSendingWorld, messageId } from "../testing/sending-world.ts";
import { selectDeliveries } from "./queries.ts";
import { renderMessage } from "./render-message.ts";

const database = await testDatabase();
const world = await makeSendingWorld(database);
const { tenantId } = world;
const ctx = { db: database.worker, tenantId };
const { id: connectionId } = await world.addTwilio("http://127.0.0.1:9", {
  priceList: [{ channel: "sms", amount: "0.070000", currency: "EUR" }],
});

async function rendered(fields: Parameters<typeof world.send>[0], changed: { templateId?: string } = {}) {
  const notificationId = messageId(await world.send(fields));
  const [delivery] = await selectDeliveries(database.worker, [{ tenantId, notificationId }]);
  const connection = (await tenantConnections(ctx)).get(connectionId);
  if (!delivery || !connection) throw new Error("there is nothing to render");
  return renderMessage(ctx, { ...delivery, ...changed }, connection, world.http);
}

describe("a message that is rendered for a connection", () => {
  it("has the template's text, the connection's sender, and its cost", async () => {
    expect(await rendered({ templateVariables: [{ code: "ж".repeat(80) }] })).toMatchObject({
      ok: true,
      message: {
        outbound: { text: `Order ${"ж".repeat(80)} is on its way.`, senderId: "+4930123456" },
        from: "+4930123456",
        segments: 2,
        encoding: "UCS-2",
        estimate: { estimate: { amount: "0.140000", currency: "EUR", source: "estimated" }, counts: [] },
        linkProblem: null,
      },
    });
  });

  it("writes dates and amounts in the language of its text, also where that stands in for the recipient's", async () => {
    const text = async (language: string | null) => {
      const templateId = await world.addTemplate({
        name: `in ${String(language)}`,
        notificationType: "account",
        notificationSubtype: "maintenance",
        channel: "sms",
        region: language === null ? "BE" : "CH",
        body: "{{ '2027-03-01' | date: 'long' }}, {{ '1234.5' | money: 'EUR' }}",
      });
      await database.owner.query("UPDATE templates SET language = $2 WHERE id = $1", [templateId, language]);
      const result = await rendered({ language: "fr" }, { templateId });
      return result.ok ? result.message.outbound.text : result.failure;
    };
    expect(await text("de")).toBe("1. März 2027, 1.234,50 €");
    expect(await text(null)).toBe("1 mars 2027, 1 234,50 €");
  });

  it("fails for good when its template names a sender that is not the connection's", async () => {
    const templateId = await world.addTemplate({
      name: "foreign",
      notificationType: "account",
      notificationSubtype: "maintenance",
      channel: "sms",
      region: "FR",
      body: "Maintenance {{ code }}.",
      metadata: { senderId: "+4930999999" },
    });
    const result = await rendered({}, { templateId });
    expect(result).toMatchObject({ ok: false, failure: { code: "sender_not_allowed" } });
    expect(result).not.toHaveProperty("retryAt");
  });

  it("fails when its template is gone", async () => {
    expect(await rendered({}, { templateId: newId() })).toMatchObject({
      ok: false,
      failure: { code: "unknown_template" },
    });
  });
});
