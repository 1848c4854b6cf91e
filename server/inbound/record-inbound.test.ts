import twilio from "twilio";
import { describe, expect, it } from "vitest";
import type { InboundMessage } from "../adapters/adapter.ts";
import { twilioSignature } from "../adapters/twilio/twilio-signature.ts";
import { listConversationMessages } from "../conversations/list-conversation-messages.ts";
import { listConversations } from "../conversations/list-conversations.ts";
import { markConversationRead } from "../conversations/mark-conversation-read.ts";
import { forgetRecipients, prepareToForget } from "../consent/forget-recipient.ts";
import { recordConsent } from "../consent/record-consent.ts";
import type { Ctx } from "../kernel/ctx.ts";
import { inTenant } from "../kernel/db.ts";
import { env } from "../kernel/env.ts";
import { newId } from "../kernel/ids.ts";
import { serveCallback } from "../rest/serve-callback.ts";
import { testDatabase } from "../testing/database.ts";
import { claimOver, makeSendingWorld, messageId, takenBy } from "../testing/sending-world.ts";
import type { SendingWorld } from "../testing/sending-world.ts";
import { createWebhookEndpoint } from "../webhooks/create-webhook-endpoint.ts";
import { maxPerConversationAndHour, recordInbound } from "./record-inbound.ts";
import { isWindowOpen } from "./service-window.ts";

const database = await testDatabase();
const ada = "+4915112345678";
const sender = "+4930123456";
const nowhere = "http://127.0.0.1:9";

let counter = 0;
const message = (fields: Partial<InboundMessage> = {}): InboundMessage => ({
  providerMessageId: `in-${String(++counter)}`,
  channel: "sms",
  from: ada,
  to: sender,
  text: "Where is it?",
  ...fields,
});

/** A message of an application that was sent over a connection. */
async function sent(
  world: SendingWorld,
  connectionId: string,
  options: { application?: string; to?: string; environment?: "production" | "staging" | "sandbox" } = {},
): Promise<{ id: string; providerMessageId: string }> {
  const id = messageId(
    await world.send(
      {
        application: options.application ?? "shop",
        recipients: [{ channel: "sms", recipient: options.to ?? ada }],
      },
      { environment: options.environment ?? "production" },
    ),
  );
  const providerMessageId = `SM${id.replaceAll("-", "")}`;
  await world.advance(id, claimOver(connectionId, newId(), "P"));
  await world.advance(id, takenBy(1, { providerMessageId }));
  return { id, providerMessageId };
}

const record = (world: SendingWorld, connectionId: string, ...inbound: InboundMessage[]) =>
  recordInbound(world.tenant.system, { connectionId, inbound });

const conversations = async (
  world: SendingWorld,
  ctx: Ctx = world.tenant.as("owner"),
  environment: "production" | "sandbox" = "production",
) =>
  (await listConversations(ctx, { environmentId: world.tenant.environments[environment], limit: 50 })).data;

const messagesOf = async (world: SendingWorld, id: string, ctx: Ctx = world.tenant.as("owner")) =>
  (await listConversationMessages(ctx, { id, limit: 50 })).data;

async function deskTemplate(world: SendingWorld) {
  await world.addTemplate({
    name: "desk",
    notificationType: "order",
    notificationSubtype: "order_status",
    channel: "sms",
    body: "Ticket {{ code }}",
    applicationId: world.tenant.otherApplication.id,
  });
}

async function owed(world: SendingWorld, endpointId: string) {
  const { rows } = await database.owner.query<{ event: string; payload: Record<string, unknown> }>(
    "SELECT event, payload FROM webhook_deliveries WHERE tenant_id = $1 AND endpoint_id = $2 AND notification_id IS NULL ORDER BY id",
    [world.tenantId, endpointId],
  );
  return rows;
}

const endpoint = (world: SendingWorld, application = "shop") =>
  createWebhookEndpoint(world.tenant.system, {
    environmentId: world.tenant.environments.production,
    application,
    url: "https://8.8.8.8/hooks",
    events: ["message.received", "button.tapped"],
  });

describe("a message that Twilio reports without a status", () => {
  it("is not dropped: it is kept, and a STOP is an opt-out from the next message on", async () => {
    const world = await makeSendingWorld(database);
    const connection = await world.addTwilio(nowhere, { name: "Number" });
    await sent(world, connection.id);
    const url = `${env().publicUrl}/api/callbacks/${connection.id}`;
    const fields = {
      MessageSid: `SM${"b".repeat(32)}`,
      AccountSid: `AC${"1a".repeat(16)}`,
      From: ada,
      To: sender,
      Body: "STOP",
      NumMedia: "0",
    };
    const post = async (signature: string) =>
      (
        await serveCallback(
          new Request(url, {
            method: "POST",
            headers: {
              "content-type": "application/x-www-form-urlencoded",
              "x-twilio-signature": signature,
            },
            body: new URLSearchParams(fields).toString(),
          }),
          connection.id,
          { db: () => database.web },
        )
      ).status;
    expect(await post(twilio.getExpectedTwilioSignature("another token", url, fields))).toBe(403);
    expect(await conversations(world)).toEqual([]);
    // Signed by Twilio's own library.
    expect(await post(twilio.getExpectedTwilioSignature(connection.authToken, url, fields))).toBe(204);
    expect(await conversations(world)).toMatchObject([
      { address: ada, lastMessage: { text: "STOP" }, optedOut: true },
    ]);
    const next = await world.send({
      notificationType: "marketing",
      notificationSubtype: "promotion",
      recipients: [{ channel: "sms", recipient: ada }],
    });
    expect(next.notifications[0]).toMatchObject({ status: "rejected", reason: { code: "consent_denied" } });
  });
});

describe("a message from a recipient", () => {
  it("reported by Twilio ten times, at once and later, is stored and sent to webhooks once", async () => {
    const world = await makeSendingWorld(database);
    const connection = await world.addTwilio(nowhere, { name: "Number" });
    const hook = await endpoint(world);
    const others = await endpoint(world, "desk");
    const mine = await sent(world, connection.id);
    const url = `${env().publicUrl}/api/callbacks/${connection.id}`;
    const form = new URLSearchParams({
      MessageSid: `SM${"a".repeat(32)}`,
      SmsStatus: "received",
      From: ada,
      To: sender,
      Body: "Where is it?",
    });
    const post = async () =>
      (
        await serveCallback(
          new Request(url, {
            method: "POST",
            headers: {
              "content-type": "application/x-www-form-urlencoded",
              "x-twilio-signature": twilioSignature(connection.authToken, url, form),
            },
            body: form.toString(),
          }),
          connection.id,
          { db: () => database.web },
        )
      ).status;
    expect(new Set(await Promise.all(Array.from({ length: 10 }, post)))).toEqual(new Set([204]));
    expect(await post()).toBe(204);

    const [conversation, ...more] = await conversations(world);
    expect(more).toEqual([]);
    expect(conversation).toMatchObject({
      channel: "sms",
      address: ada,
      ownAddress: sender,
      application: "shop",
      environment: "production",
      provider: "Number",
      lastMessage: { text: "Where is it?", kind: null },
      unread: 1,
      optedOut: false,
    });
    const said = await messagesOf(world, conversation!.id);
    expect(said).toMatchObject([
      { direction: "inbound", text: "Where is it?", status: null },
      {
        direction: "outbound",
        id: mine.id,
        text: "Order 4711 is on its way.",
        status: "sent",
        template: "order-sms",
      },
    ]);
    expect(await owed(world, hook.id)).toEqual([
      {
        event: "message.received",
        payload: {
          messageId: said[0]?.id,
          channel: "sms",
          from: ada,
          to: sender,
          text: "Where is it?",
          receivedAt: said[0]?.at,
          provider: "Number",
        },
      },
    ]);
    expect(await owed(world, others.id)).toEqual([]);

    await markConversationRead(world.tenant.as("owner"), { id: conversation!.id });
    expect((await conversations(world))[0]?.unread).toBe(0);
  });

  it("belongs to the message that it quotes, else to the newest over that connection in 30 days", async () => {
    const world = await makeSendingWorld(database);
    await deskTemplate(world);
    const { id: connection } = await world.addTwilio(nowhere);
    const { id: elsewhere } = await world.addTwilio(nowhere, {
      senders: [{ channel: "sms", sender: "+4940999999" }],
    });
    const shop = await sent(world, connection);
    await sent(world, connection, { application: "desk" });
    // Over another number: not the one that is answered.
    await sent(world, elsewhere);
    await record(
      world,
      connection,
      message({ text: "to shop", repliesTo: shop.providerMessageId }),
      message({ text: "to desk" }),
    );
    const all = await conversations(world);
    expect(new Map(all.map((each) => [each.application, each.lastMessage?.text]))).toEqual(
      new Map([
        ["shop", "to shop"],
        ["desk", "to desk"],
      ]),
    );
    const shops = all.find((each) => each.application === "shop");
    const said = await messagesOf(world, shops!.id);
    expect(said.map((each) => [each.direction, each.repliesTo])).toEqual([
      ["inbound", shop.id],
      ["outbound", null],
    ]);

    // After a month the answered message is unknown, unless the provider names it.
    const later = { ...world.tenant.system, now: () => new Date(Date.now() + 31 * 86_400_000) };
    await recordInbound(later, { connectionId: connection, inbound: [message({ text: "at last" })] });
    expect((await conversations(world)).find((each) => each.lastMessage?.text === "at last")).toMatchObject({
      application: null,
    });
  });

  it("to a sender that several connections share belongs to what was sent from that sender", async () => {
    const world = await makeSendingWorld(database);
    const { id: one } = await world.addTwilio(nowhere);
    const { id: two } = await world.addTwilio(nowhere);
    await sent(world, one);
    await record(world, two, message());
    expect(await conversations(world)).toMatchObject([{ application: "shop", environment: "production" }]);
  });

  it("answers what was sent outside the sandbox, and one to the simulator what was sent in it, though both list the number", async () => {
    const world = await makeSendingWorld(database);
    const { id: real } = await world.addTwilio(nowhere);
    const simulator = await world.addConnection({
      adapter: "simulator",
      credentials: { signingKey: "a key" },
      settings: {},
      channels: ["sms"],
      senders: [{ channel: "sms", sender }],
    });
    const bob = "+4915112345679";
    await sent(world, real);
    await sent(world, simulator, { environment: "sandbox" });
    await sent(world, simulator, { environment: "sandbox", to: bob });
    await sent(world, real, { to: bob });
    await record(world, real, message({ text: "STOP" }));
    await record(world, simulator, message({ text: "STOP", from: bob }));
    const { rows } = await database.owner.query(
      "SELECT DISTINCT address, sandbox FROM consent_entries WHERE tenant_id = $1 ORDER BY address",
      [world.tenantId],
    );
    expect(rows).toEqual([
      { address: ada, sandbox: false },
      { address: bob, sandbox: true },
    ]);
    expect(await conversations(world)).toMatchObject([{ address: ada, environment: "production" }]);
  });

  it("that answers nothing goes where its connection says, else only to those who manage the connection", async () => {
    const world = await makeSendingWorld(database);
    const { tenant } = world;
    const { id: connection } = await world.addTwilio(nowhere);
    const { id: alphas } = await world.addTwilio(nowhere, {
      unitId: tenant.units.alpha,
      senders: [{ channel: "sms", sender: "+4930777777" }],
    });
    const hook = await endpoint(world);
    await record(world, connection, message({ text: "hello?" }));
    await record(world, alphas, message({ text: "alpha?", from: "+4915187654321", to: "+4930777777" }));
    const texts = async (ctx: Ctx) =>
      (await conversations(world, ctx)).map((each) => each.lastMessage?.text).sort();
    expect(await texts(tenant.as("owner"))).toEqual(["alpha?", "hello?"]);
    expect(await texts(tenant.as("owner", tenant.units.alpha))).toEqual(["alpha?"]);
    expect(await texts(tenant.as("owner", tenant.units.beta))).toEqual([]);
    expect(await texts(tenant.as("operator"))).toEqual([]);
    expect(await owed(world, hook.id)).toEqual([]);
    const nobodys = (await conversations(world)).find((each) => each.lastMessage?.text === "hello?");
    expect(nobodys).toMatchObject({ application: null, environment: null });
    for (const ctx of [tenant.as("operator"), tenant.as("owner", tenant.units.beta)]) {
      await expect(messagesOf(world, nobodys!.id, ctx)).rejects.toThrow();
    }

    await database.owner.query(
      "UPDATE provider_connections SET inbound_application_id = $2, inbound_environment_id = $3 WHERE id = $1",
      [connection, tenant.application.id, tenant.environments.production],
    );
    await record(world, connection, message({ text: "again" }));
    expect(await texts(tenant.as("operator"))).toEqual(["again"]);
    expect(await owed(world, hook.id)).toMatchObject([
      { event: "message.received", payload: { text: "again" } },
    ]);
  });

  it("to a team's number belongs to that team alone, whoever wrote to the recipient last", async () => {
    const world = await makeSendingWorld(database);
    await deskTemplate(world);
    const { tenant } = world;
    const { alpha, beta } = tenant.units;
    const alphas = "+4930111111";
    const { id: connection } = await world.addTwilio(nowhere, {
      senders: [
        { channel: "sms", sender },
        { channel: "sms", sender: alphas, unitId: alpha },
      ],
    });
    // Beta's desk wrote last, and shares the connection.
    await sent(world, connection);
    const desks = await sent(world, connection, { application: "desk" });
    await record(
      world,
      connection,
      message({ to: alphas, text: "for alpha" }),
      message({ to: alphas.slice(1), text: "for alpha, quoting beta's", repliesTo: desks.providerMessageId }),
      message({ to: alphas, text: "a stranger's", from: "+4915187654321" }),
      message({ to: sender, text: "for everybody" }),
    );
    const seen = async (ctx: Ctx) => {
      const found = [];
      for (const { id, application } of await conversations(world, ctx)) {
        for (const each of await messagesOf(world, id, ctx)) {
          if (each.direction === "inbound") found.push([application, each.text]);
        }
      }
      return found.sort();
    };
    expect(await seen(tenant.as("owner", beta))).toEqual([["desk", "for everybody"]]);
    expect(await seen(tenant.as("owner", alpha))).toEqual([
      [null, "a stranger's"],
      ["shop", "for alpha"],
      ["shop", "for alpha, quoting beta's"],
    ]);
  });

  it("to a number that changed hands belongs to the new owner, and the old owner keeps their conversations", async () => {
    const world = await makeSendingWorld(database);
    const { alpha, beta } = world.tenant.units;
    const { id: connection } = await world.addTwilio(nowhere);
    const hand = (unitId: string) =>
      database.owner.query("UPDATE provider_connections SET senders = $2, updated_at = now() WHERE id = $1", [
        connection,
        JSON.stringify([{ channel: "sms", sender, unitId }]),
      ]);
    await hand(alpha);
    await record(world, connection, message({ text: "before" }));
    await hand(beta);
    await record(world, connection, message({ text: "after" }));
    const texts = async (unit: string) =>
      (await conversations(world, world.tenant.as("owner", unit))).map((each) => each.lastMessage?.text);
    expect(await texts(alpha)).toEqual(["before"]);
    expect(await texts(beta)).toEqual(["after"]);
  });

  it("answers what was sent from the number it came to, not what another number sent later", async () => {
    const world = await makeSendingWorld(database);
    await deskTemplate(world);
    const { id: connection } = await world.addTwilio(nowhere);
    const from = async (number: string, id: string) => {
      await database.owner.query(
        `UPDATE notification_events SET data = data || jsonb_build_object('from', $2::text) WHERE notification_id = $1 AND type = 'sending'`,
        [id, number],
      );
    };
    await from(sender, (await sent(world, connection, { application: "desk" })).id);
    await from("+4930222222", (await sent(world, connection)).id);
    await record(world, connection, message());
    expect(await conversations(world)).toMatchObject([{ application: "desk" }]);
  });

  it("is hidden from other teams and tenants, and masked for those who may not see contents", async () => {
    const world = await makeSendingWorld(database);
    const stranger = await makeSendingWorld(database);
    const { tenant } = world;
    const { id: connection } = await world.addTwilio(nowhere);
    await sent(world, connection);
    await record(world, connection, message({ button: { payload: "yes", text: "Yes" } }));
    const [conversation] = await conversations(world);
    for (const ctx of [tenant.as("owner", tenant.units.beta), stranger.tenant.as("owner")]) {
      expect(await conversations(world, ctx)).toEqual([]);
      await expect(messagesOf(world, conversation!.id, ctx)).rejects.toMatchObject({ code: "not_found" });
      await expect(markConversationRead(ctx, { id: conversation!.id })).rejects.toMatchObject({
        code: "not_found",
      });
    }
    const blind: Ctx = {
      ...tenant.as("owner"),
      grants: [
        {
          permissions: new Set(["notifications:read"]),
          unitId: null,
          applicationId: null,
          environmentId: null,
        },
      ],
    };
    const seen = JSON.stringify([
      await conversations(world, blind),
      await messagesOf(world, conversation!.id, blind),
    ]);
    for (const secret of [ada, "Where is it?", "4711", "Yes"]) expect(seen).not.toContain(secret);
    expect(seen).toContain("+49•••78");
  });

  it("that taps a button is reported twice: as a message and as a tap", async () => {
    const world = await makeSendingWorld(database);
    const { id: connection } = await world.addTwilio(nowhere);
    const hook = await endpoint(world);
    const mine = await sent(world, connection);
    const button = { payload: "confirm-4711", text: "Confirm" };
    await record(world, connection, message({ text: "Confirm", button, repliesTo: mine.providerMessageId }));
    const told = await owed(world, hook.id);
    expect(told.map((each) => each.event).sort()).toEqual(["button.tapped", "message.received"]);
    for (const { payload } of told) expect(payload).toMatchObject({ button, repliesTo: mine.id });
  });

  it("that taps an opt-out button is a no, whatever is written on it in whatever language, and no other button is", async () => {
    const world = await makeSendingWorld(database);
    const { id: connection } = await world.addTwilio(nowhere);
    const tap = (payload: string, text: string) =>
      record(world, connection, message({ channel: "whatsapp", text, button: { payload, text } }));
    await tap("CANCEL", "Cancel order 4711");
    await tap("confirm", "No more questions");
    expect(await ledger(world)).toEqual([]);
    await tap("STOP", "Zatrzymaj promocje");
    const { rows } = await database.owner.query(
      "SELECT class, state, source, evidence FROM consent_entries WHERE tenant_id = $1",
      [world.tenantId],
    );
    expect(rows).toMatchObject([
      {
        class: "marketing",
        state: "opted_out",
        source: "keyword",
        evidence: { word: "STOP", button: "Zatrzymaj promocje" },
      },
    ]);
  });

  it("with an opt-out or opt-in is one consent entry, however often it is reported", async () => {
    const world = await makeSendingWorld(database);
    const { id: connection } = await world.addTwilio(nowhere);
    await sent(world, connection);
    const consents = async () =>
      (
        await database.owner.query(
          "SELECT state, source, channel, address, sandbox FROM consent_entries WHERE tenant_id = $1 ORDER BY at, id",
          [world.tenantId],
        )
      ).rows as unknown[];
    const stop = message({ text: "STOP", optOut: "stop", at: new Date(Date.now() - 60_000) });
    await record(world, connection, stop);
    const entry = { state: "opted_out", source: "keyword", channel: "sms", address: ada, sandbox: false };
    expect(await consents()).toEqual([entry]);
    expect((await conversations(world))[0]?.optedOut).toBe(true);
    await record(
      world,
      connection,
      message({ text: "START", optOut: "start", at: new Date(Date.now() - 30_000) }),
    );
    await record(world, connection, stop);
    expect(await consents()).toEqual([entry, { ...entry, state: "opted_in" }]);
    expect((await conversations(world))[0]?.optedOut).toBe(false);
    // A switch in the recipient's app: no text, and nothing for webhooks.
    const hook = await endpoint(world);
    await record(world, connection, message({ text: "", optOut: "stop" }));
    expect((await consents()).at(-1)).toEqual({ ...entry, source: "provider" });
    expect(await owed(world, hook.id)).toEqual([]);
  });

  const ledger = async (world: SendingWorld) =>
    (
      await database.owner.query<{ state: string; class: string; evidence: Record<string, string> }>(
        "SELECT state, class, source, evidence FROM consent_entries WHERE tenant_id = $1 ORDER BY at, id",
        [world.tenantId],
      )
    ).rows;

  it("that says no in plain words is a no to what it answers and to marketing, over every provider", async () => {
    const world = await makeSendingWorld(database);
    const { id: connection } = await world.addTwilio(nowhere);
    await sent(world, connection);
    const stop = message({ text: "Stop. Danke 🙏" });
    await record(world, connection, stop, stop);
    await record(world, connection, stop);
    const entry = { state: "opted_out", source: "keyword" };
    const entries = await ledger(world);
    expect(entries).toMatchObject([
      { ...entry, class: "transactional", evidence: { word: "stop", language: "de" } },
      { ...entry, class: "marketing" },
    ]);
    const [{ id: conversation } = { id: "" }] = await conversations(world);
    const [told] = (await messagesOf(world, conversation)).filter((each) => each.direction === "inbound");
    expect(entries[0]?.evidence.inboundMessageId).toBe(told?.id);
    expect(told).toMatchObject({ optOut: "stop" });
    expect((await conversations(world))[0]?.optedOut).toBe(true);
    const outcome = async (fields: Parameters<SendingWorld["send"]>[0]) => {
      const accepted = await world.send({ recipients: [{ channel: "sms", recipient: ada }], ...fields });
      return accepted.notifications[0]?.reason?.code ?? accepted.notifications[0]?.status;
    };
    expect(await outcome({})).toBe("consent_denied");
    // A notice of the account is another class: it still arrives.
    expect(await outcome({ notificationType: "account", notificationSubtype: "maintenance" })).toBe("queued");
    await record(world, connection, message({ text: "start please" }));
    expect(await outcome({})).toBe("queued");
    // Nobody ever agreed to marketing, and START does not.
    expect(await outcome({ notificationType: "marketing", notificationSubtype: "promotion" })).toBe(
      "consent_denied",
    );
  });

  it("from a mobile number of Mexico with the 1 that WhatsApp still writes there is from the number that was written to", async () => {
    const world = await makeSendingWorld(database);
    const { id: connection } = await world.addTwilio(nowhere);
    const [dialled, written] = ["+525512345678", "+5215512345678"];
    await sent(world, connection, { to: dialled });
    await record(world, connection, message({ from: written, text: "stop" }));
    const outcome = async (recipient: string) =>
      (await world.send({ recipients: [{ channel: "sms", recipient }] })).notifications[0]?.reason?.code;
    expect(await outcome(dialled)).toBe("consent_denied");
    expect(await outcome(written)).toBe("consent_denied");
    const [{ id: conversation, application } = { id: "", application: null }] = await conversations(world);
    expect(application).not.toBeNull();
    expect((await messagesOf(world, conversation)).map(({ direction }) => direction).toSorted()).toEqual([
      "inbound",
      "outbound",
    ]);
  });

  it("that says no to everything, or to nobody knows what, is a no to all but authentication", async () => {
    const all = ["transactional", "service", "marketing"];
    for (const [text, answers] of [
      ["stop all", true],
      ["désabonnez-moi svp", false],
    ] as const) {
      const world = await makeSendingWorld(database);
      const { id: connection } = await world.addTwilio(nowhere);
      if (answers) await sent(world, connection);
      await record(world, connection, message({ text }));
      expect((await ledger(world)).map((entry) => entry.class).sort()).toEqual([...all].sort());
    }
  });

  it("that holds a word of ours and says something else changes no consent", async () => {
    const world = await makeSendingWorld(database);
    const { id: connection } = await world.addTwilio(nowhere);
    await sent(world, connection);
    const texts = ["I'll stop by tomorrow", "Please don't stop", "Can I cancel my order?", "Help!", "yes"];
    await record(world, connection, ...texts.map((text) => message({ text })));
    await record(world, connection, message({ text: "stop", kind: "reaction" }));
    expect(await ledger(world)).toEqual([]);
  });

  it("gives marketing back after START to whoever had agreed to it", async () => {
    const world = await makeSendingWorld(database);
    const { tenant } = world;
    const { id: connection } = await world.addTwilio(nowhere);
    const mine = await sent(world, connection);
    await inTenant(tenant.system, (tx) =>
      recordConsent(tenant.system, tx, {
        sandbox: false,
        channel: "sms",
        address: ada,
        state: "opted_in",
        class: "marketing",
        source: "api",
        at: new Date(Date.now() - 90_000),
      }),
    );
    const { providerMessageId: repliesTo } = mine;
    await record(world, connection, message({ text: "STOP", repliesTo, at: new Date(Date.now() - 60_000) }));
    await record(world, connection, message({ text: "START", repliesTo, at: new Date(Date.now() - 30_000) }));
    expect((await ledger(world)).slice(-2).map(({ state, class: of }) => [state, of])).toEqual([
      ["opted_in", "transactional"],
      ["opted_in", "marketing"],
    ]);
  });

  it("gives no marketing back after START over a no of one region", async () => {
    const world = await makeSendingWorld(database);
    const { tenant } = world;
    const { id: connection } = await world.addTwilio(nowhere);
    await sent(world, connection);
    const said = (state: "opted_in" | "opted_out", ms: number, region?: string) =>
      inTenant(tenant.system, (tx) =>
        recordConsent(tenant.system, tx, {
          sandbox: false,
          channel: "sms",
          address: ada,
          state,
          class: "marketing",
          source: "api",
          at: new Date(Date.now() - ms),
          ...(region === undefined ? {} : { region }),
        }),
      );
    await said("opted_in", 120_000);
    await said("opted_out", 90_000, "DE");
    await record(world, connection, message({ text: "STOP", at: new Date(Date.now() - 60_000) }));
    await record(world, connection, message({ text: "START", at: new Date(Date.now() - 30_000) }));
    const after = (await ledger(world)).filter(({ state }) => state === "opted_in");
    expect(after.map((entry) => entry.class)).toEqual(["marketing", "transactional"]);
  });

  it("may be a picture: a no in its caption counts, that of a reaction or a switch never", async () => {
    const world = await makeSendingWorld(database);
    const { id: connection } = await world.addTwilio(nowhere);
    await sent(world, connection);
    await record(world, connection, message({ text: "stop", kind: "reaction" }));
    await record(world, connection, message({ text: "stop", kind: "user_preferences" }));
    await record(world, connection, message({ text: "", kind: "image" }));
    await record(world, connection, message({ text: "Is this mine?", kind: "image" }));
    expect(await ledger(world)).toEqual([]);
    await record(world, connection, message({ text: "STOP", kind: "image" }));
    expect((await ledger(world)).map(({ state, class: of }) => [state, of])).toEqual([
      ["opted_out", "transactional"],
      ["opted_out", "marketing"],
    ]);
  });

  it("is not what WhatsApp's own switch is: nothing is unread, no webhook tells of it, and no window opens", async () => {
    const world = await makeSendingWorld(database);
    const { id: connection } = await world.addTwilio(nowhere);
    const { tenant, tenantId } = world;
    const bob = "+4915187654321";
    await sent(world, connection);
    await database.owner.query(
      "UPDATE provider_connections SET inbound_application_id = $3, inbound_environment_id = $4 WHERE tenant_id = $1 AND id = $2",
      [tenantId, connection, tenant.application.id, tenant.environments.production],
    );
    const hook = await endpoint(world);
    const onWhatsApp = (fields: Partial<InboundMessage>) => message({ channel: "whatsapp", ...fields });
    const turned = (fields: Partial<InboundMessage> = {}) =>
      onWhatsApp({ text: "", kind: "user_preferences", optOut: "stop", ...fields });
    const isOpen = (address: string) =>
      isWindowOpen(tenant.system, { sandbox: false, address, connectionId: connection, at: new Date() });
    const of = async (address: string) =>
      (await conversations(world)).find((each) => each.address === address);
    const hours = (count: number) => new Date(Date.now() - count * 3_600_000);
    await record(world, connection, onWhatsApp({ text: "Hello", at: hours(30) }));
    expect(await owed(world, hook.id)).toHaveLength(1);
    const before = await of(ada);
    await record(world, connection, turned());
    await record(world, connection, turned({ from: bob, at: hours(2) }));
    await record(world, connection, turned({ from: bob, optOut: "start", at: hours(1) }));
    expect(await of(ada)).toMatchObject({
      unread: 1,
      lastMessageAt: before?.lastMessageAt,
      optedOut: true,
    });
    expect(await of(bob)).toMatchObject({ unread: 0, optedOut: false });
    expect(await owed(world, hook.id)).toHaveLength(1);
    expect([await isOpen(ada), await isOpen(bob)]).toEqual([false, false]);
    const at = hours(3);
    await record(world, connection, onWhatsApp({ from: bob, text: "Hello", at }));
    expect(await of(bob)).toMatchObject({ unread: 1, lastMessageAt: at.toISOString() });
    expect(await isOpen(bob)).toBe(true);
    expect(await owed(world, hook.id)).toHaveLength(2);
  });

  it("still shows that its sender has opted out after somebody else was erased", async () => {
    const world = await makeSendingWorld(database);
    const { tenant, tenantId } = world;
    const { id: connection } = await world.addTwilio(nowhere);
    await sent(world, connection);
    const [bob, eve] = ["+4915187654321", "+4915187654322"];
    await record(world, connection, message({ text: "STOP" }), message({ from: eve }));
    await record(world, connection, message({ text: "STOP", from: bob }));
    const optedOut = async () =>
      Object.fromEntries((await conversations(world)).map((each) => [each.address, each.optedOut]));
    expect(await optedOut()).toEqual({ [ada]: true, [bob]: true, [eve]: false });
    const key = await prepareToForget(tenant.worker);
    await inTenant(tenant.worker, (tx) => forgetRecipients(tx, tenantId, key, [bob]));
    expect(await optedOut()).toEqual({ [ada]: true, [bob]: true, [eve]: false });
  });

  it("of a flood of words is dropped like any other, but for a no that is new", async () => {
    const world = await makeSendingWorld(database);
    const { id: connection } = await world.addTwilio(nowhere);
    await sent(world, connection);
    const chatter = Array.from({ length: maxPerConversationAndHour }, () => message());
    await record(world, connection, ...chatter);
    for (let times = 0; times < 5; times++) {
      const words = ["START", "stop", "STOP", "unsubscribe", "start"];
      await record(world, connection, ...words.map((text) => message({ text })));
    }
    const { rows } = await database.owner.query<{ n: number; stops: number }>(
      "SELECT count(*)::int AS n, count(*) FILTER (WHERE opt_out = 'stop')::int AS stops FROM inbound_messages WHERE tenant_id = $1",
      [world.tenantId],
    );
    expect(rows[0]).toEqual({ n: maxPerConversationAndHour + 1, stops: 1 });
    expect((await conversations(world))[0]?.optedOut).toBe(true);
  });

  it("of an autoresponder is dropped from the 301st in an hour, an opt-out never", async () => {
    const world = await makeSendingWorld(database);
    const { id: connection } = await world.addTwilio(nowhere);
    await sent(world, connection);
    const flood = Array.from({ length: maxPerConversationAndHour + 50 }, () => message());
    await record(world, connection, ...flood, message({ text: "STOP", optOut: "stop" }));
    await record(world, connection, message());
    const { rows } = await database.owner.query<{ n: number; stops: number }>(
      "SELECT count(*)::int AS n, count(*) FILTER (WHERE opt_out = 'stop')::int AS stops FROM inbound_messages WHERE tenant_id = $1",
      [world.tenantId],
    );
    expect(rows[0]).toEqual({ n: maxPerConversationAndHour + 1, stops: 1 });
    expect((await conversations(world))[0]).toMatchObject({
      unread: maxPerConversationAndHour + 1,
      optedOut: true,
    });
    await record(world, connection, message({ from: "+4915187654321" }));
    expect(await conversations(world)).toHaveLength(2);
  });

  it("is paged through without gaps or repetitions while more arrive", async () => {
    const world = await makeSendingWorld(database);
    const { id: connection } = await world.addTwilio(nowhere);
    await sent(world, connection);
    const at = new Date(Date.now() - 3_600_000);
    // Many at the same instant: the id decides.
    await record(
      world,
      connection,
      ...Array.from({ length: 25 }, (_, index) => message({ text: String(index), at })),
    );
    const [conversation] = await conversations(world);
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await listConversationMessages(world.tenant.as("owner"), {
        id: conversation!.id,
        limit: 7,
        cursor,
      });
      seen.push(...page.data.map((each) => each.id));
      await record(world, connection, message({ text: "later" }));
      cursor = page.nextCursor ?? undefined;
    } while (cursor);
    expect(seen).toHaveLength(26);
    expect(new Set(seen)).toHaveLength(26);
    await expect(
      listConversationMessages(world.tenant.as("owner"), {
        id: conversation!.id,
        limit: 7,
        cursor: "nonsense",
      }),
    ).rejects.toMatchObject({ code: "invalid_cursor" });
  });
});
