/** WhatsApp counts a template as marketing: consent is asked for that, whatever the class of its type. */
import { expect, test } from "vitest";
import type { TemplateDecision } from "../adapters/adapter.ts";
import { recordConsent } from "../consent/record-consent.ts";
import { recordInbound } from "../inbound/record-inbound.ts";
import { jsonHash } from "../kernel/canonical-json.ts";
import { inTenant } from "../kernel/db.ts";
import { newId } from "../kernel/ids.ts";
import { logger } from "../kernel/log.ts";
import { listWhatsappApprovals } from "../templates/list-whatsapp-approvals.ts";
import { recordCategories } from "../templates/record-category.ts";
import { forgetLiveTemplates } from "../templates/resolve-template.ts";
import { addContacts, addGroup } from "../testing/contacts.ts";
import { testDatabase } from "../testing/database.ts";
import { makeSendingWorld, messageId, sendBody, takenBy } from "../testing/sending-world.ts";
import { acceptSend } from "./accept-send.ts";
import { claimOf } from "./claim-attempt.ts";
import { DeliveryStore } from "./delivery-store.ts";
import { explainSend } from "./explain-send.ts";
import { getBroadcast } from "./list-broadcasts.ts";
import { orderOfSend } from "./orders.ts";
import { recordReceipts } from "./record-receipts.ts";
import { Broadcasts } from "./run-broadcasts.ts";
import { sendRequestSchema } from "./schemas.ts";

const database = await testDatabase();
const store = new DeliveryStore(database.worker, { delayMs: 0, maxItems: 5 });
let numbers = 0;
const someone = () => `+4915155${String(100_000 + ++numbers)}`;

/** A tenant whose order messages go out over an approved WhatsApp template. */
async function makeWorld() {
  const world = await makeSendingWorld(database);
  const { tenantId } = world;
  await world.addTemplate({
    name: "shipped",
    notificationType: "order",
    notificationSubtype: "order_status",
    channel: "whatsapp",
    body: "On its way",
    metadata: { templateName: "order_shipped", language: "en_US" },
  });
  await database.owner.query(
    `INSERT INTO whatsapp_approvals (tenant_id, template_id, template_name, language, status, source, updated_by, updated_at)
     SELECT $1, id, 'order_shipped', 'en_US', 'approved', 'provider', 'test', now() FROM templates
     WHERE tenant_id = $1 AND name = 'shipped'`,
    [tenantId],
  );
  const { rows } = await database.owner.query<{ id: string }>(
    "SELECT id FROM templates WHERE tenant_id = $1 AND name = 'shipped'",
    [tenantId],
  );
  const connection = await world.addTwilio("http://127.0.0.1:9", { name: "Number" });
  const { system } = world.tenant;
  const decide = async (...decisions: Omit<TemplateDecision, "template" | "language">[]) => {
    await recordReceipts(system, {
      connectionId: connection.id,
      receipts: [],
      inbound: [],
      templates: decisions.map((one) => ({ template: "order_shipped", language: "en-US", ...one })),
    });
    forgetLiveTemplates();
  };
  const send = (recipient: string) => world.send({ recipients: [{ channel: "whatsapp", recipient }] });
  const refusedNow = async (recipient: string) =>
    (await send(recipient)).notifications[0]?.reason?.code ?? null;
  const claim = async (id: string) => {
    const delivery = await store.load({ tenantId, notificationId: id });
    if (!delivery) throw new Error("no such message");
    const rendered = { from: "+4930123456", segments: null, linkProblem: null };
    return store.claim(
      claimOf(delivery, { id: connection.id, name: "Number" }, rendered, { worker: newId() }),
    );
  };
  return {
    world,
    system,
    templateId: rows[0]?.id ?? "",
    connection,
    decide,
    send,
    refusedNow,
    claim,
  };
}

test("a message that waits when WhatsApp makes its template marketing goes out only to who may get marketing", async () => {
  const { world, system, decide, send, refusedNow, claim } = await makeWorld();
  const [silent, agreed] = [someone(), someone()];
  await inTenant(system, (tx) =>
    recordConsent(system, tx, {
      sandbox: false,
      channel: "whatsapp",
      address: agreed,
      state: "opted_in",
      source: "api",
      class: "marketing",
    }),
  );
  const waiting = messageId(await send(silent));
  const allowed = messageId(await send(agreed));
  await decide({ category: "utility" });
  expect(await refusedNow(someone())).toBeNull();
  await decide({ category: "marketing" });
  expect(await claim(waiting)).toBe("consent_denied");
  expect(await claim(allowed)).toBe(1);
  expect(await refusedNow(silent)).toBe("consent_denied");
  expect(await refusedNow(agreed)).toBeNull();
  const explained = await explainSend(
    world.tenant.as("owner"),
    orderOfSend(
      world.tenant.environments.production,
      sendRequestSchema.parse(sendBody({ recipients: [{ channel: "whatsapp", recipient: silent }] })),
    ),
  );
  expect(explained.messages[0]).toMatchObject({
    outcome: "would_reject",
    consent: { class: "marketing", policy: "opt_in_required" },
  });
  // And back again.
  await decide({ category: "utility" });
  expect(await refusedNow(silent)).toBeNull();
});

test("a change that is announced counts from its moment on, and is kept with all others, told once and never twice", async () => {
  const { world, templateId, decide, refusedNow } = await makeWorld();
  const author = world.tenant.as("owner");
  const effectiveAt = new Date(Date.now() + 1_500);
  const announced = [{ category: "utility" }, { category: "marketing", effectiveAt }] as const;
  await decide(...announced);
  await decide(...announced);
  const recipient = someone();
  expect(await refusedNow(recipient)).toBeNull();
  const before = await listWhatsappApprovals(author, { templateId });
  expect(before.data[0]).toMatchObject({
    category: "utility",
    nextCategory: "marketing",
    nextCategoryAt: effectiveAt.toISOString(),
  });
  await new Promise((resolve) => setTimeout(resolve, effectiveAt.getTime() - Date.now() + 100));
  forgetLiveTemplates();
  expect(await refusedNow(recipient)).toBe("consent_denied");
  await decide({ category: "marketing" });
  await decide({ category: "marketing" });
  const after = await listWhatsappApprovals(author, { templateId });
  expect(after.data[0]).toMatchObject({ category: "marketing", nextCategory: null });
  expect(after.categoryChanges.map(({ previous, category }) => [previous, category])).toEqual([
    ["utility", "marketing"],
    ["utility", "marketing"],
    [null, "utility"],
  ]);
  const { rows } = await database.owner.query(
    "SELECT DISTINCT user_id FROM notices WHERE tenant_id = $1 AND kind = 'template.recategorised'",
    [world.tenantId],
  );
  const { rows: all } = await database.owner.query(
    "SELECT 1 FROM notices WHERE tenant_id = $1 AND kind = 'template.recategorised'",
    [world.tenantId],
  );
  expect(all).toHaveLength(rows.length);
});

test("a STOP in answer to it is about marketing, and other organisations' templates of the same name stay as they are", async () => {
  const one = await makeWorld();
  const other = await makeWorld();
  await one.decide({ category: "marketing" });
  const recipient = someone();
  expect(await other.refusedNow(recipient)).toBeNull();
  await inTenant(one.system, (tx) =>
    recordConsent(one.system, tx, {
      sandbox: false,
      channel: "whatsapp",
      address: recipient,
      state: "opted_in",
      source: "api",
      at: new Date(Date.now() - 1_000),
    }),
  );
  const id = messageId(await one.send(recipient));
  expect(await one.claim(id)).toBe(1);
  await one.world.advance(id, takenBy(1, { providerMessageId: "SM1" }));
  await recordInbound(one.system, {
    connectionId: one.connection.id,
    inbound: [
      {
        providerMessageId: "in1",
        channel: "whatsapp",
        from: recipient,
        to: "+4930123456",
        text: "Stop",
        repliesTo: "SM1",
      },
    ],
  });
  const { rows } = await database.owner.query<{ class: string }>(
    "SELECT class FROM consent_entries WHERE tenant_id = $1 AND address = $2 AND state = 'opted_out'",
    [one.world.tenantId, recipient],
  );
  expect(rows.map((row) => row.class)).toEqual(["marketing"]);
});

test("what names no template of ours, or too many times, leaves no trace", async () => {
  const { world, system, connection } = await makeWorld();
  const decisions = Array.from({ length: 500 }, (_, index) => ({
    template: `unknown_${String(index)}`,
    language: "en_US",
    category: "marketing" as const,
  }));
  await recordCategories(system, { connectionId: connection.id, decisions });
  const { rows } = await database.owner.query(
    "SELECT 1 FROM whatsapp_category_changes WHERE tenant_id = $1",
    [world.tenantId],
  );
  expect(rows).toEqual([]);
});

test("a draft of a broadcast counts who would be refused by the category, as its messages will be", async () => {
  const { world, system, decide } = await makeWorld();
  const { tenantId } = world;
  const contacts = await addContacts(database, tenantId, 5);
  await addGroup(database, tenantId, "All", contacts);
  await database.owner.query(
    `INSERT INTO contact_addresses (tenant_id, channel, address, contact_id, position, created_at)
     SELECT tenant_id, 'whatsapp', address, contact_id, 0, now() FROM contact_addresses WHERE tenant_id = $1 AND channel = 'sms'`,
    [tenantId],
  );
  await inTenant(system, (tx) =>
    recordConsent(system, tx, {
      ...{ sandbox: false, channel: "whatsapp", address: contacts[0]?.sms ?? "" },
      ...{ state: "opted_in", source: "api", class: "marketing" },
    }),
  );
  const broadcasts = new Broadcasts({ db: database.worker, log: logger() });
  const forecast = async () => {
    const order = orderOfSend(
      world.tenant.environments.production,
      sendRequestSchema.parse(
        sendBody({ recipients: [], contactGroups: [{ group: "All", channels: ["whatsapp"] }] }),
      ),
    );
    const { requestId } = await acceptSend(system, {
      order: { ...order, broadcast: { name: "Draft", draft: true } },
      ...{ source: "portal", transactionId: null },
      idempotency: { kind: "idempotency", key: newId(), bodyHash: jsonHash(newId()) },
    });
    for (let step = 0; step < 4; step++) {
      await database.owner.query(
        "UPDATE broadcasts SET wake_at = now() - interval '1 second' WHERE state = 'listing'",
      );
      await broadcasts.tick();
    }
    return (await getBroadcast(world.tenant.as("owner"), { id: requestId })).forecast;
  };
  const all = { channel: "whatsapp", recipients: 5, suppressed: 0, noAddress: 0 };
  await decide({ category: "utility" });
  expect(await forecast()).toEqual([{ ...all, consentDenied: 0 }]);
  await decide({ category: "marketing" });
  expect(await forecast()).toEqual([{ ...all, consentDenied: 4 }]);
});
