import { describe, expect, it } from "vitest";
import type { InboundMessage } from "../adapters/adapter.ts";
import { getWordReplies, updateWordReplies } from "../consent/own-replies.ts";
import { recordConsent } from "../consent/record-consent.ts";
import { replyText } from "../consent/reply-texts.ts";
import { wordRepliesUpdateSchema } from "../consent/schemas.ts";
import { wordLanguages } from "../consent/words/words.ts";
import { recordInbound } from "../inbound/record-inbound.ts";
import { inTenant } from "../kernel/db.ts";
import { newId } from "../kernel/ids.ts";
import { logger } from "../kernel/log.ts";
import { smsSegments } from "../template-language/segments.ts";
import { testDatabase } from "../testing/database.ts";
import { startFakeTwilio } from "../testing/fake-twilio.ts";
import { runReplies } from "../testing/replies.ts";
import { claimOver, makeSendingWorld, messageId, takenBy } from "../testing/sending-world.ts";
import type { SendingWorld } from "../testing/sending-world.ts";
import { sendWordReply } from "./send-word-reply.ts";

const database = await testDatabase();
const ada = "+4915112345678";
const sender = "+4930123456";

let counter = 0;
const message = (text: string, fields: Partial<InboundMessage> = {}): InboundMessage => ({
  providerMessageId: `word-${String(++counter)}`,
  channel: "sms",
  from: ada,
  to: sender,
  text,
  ...fields,
});

async function worldWith(options: Parameters<typeof makeSendingWorld>[1] = {}) {
  const provider = await startFakeTwilio();
  const world = await makeSendingWorld(database, options);
  const { id: connection } = await world.addTwilio(provider.baseUrl, { name: "Number" });
  // The rules lead elsewhere: an answer does not follow them.
  const { id: other } = await world.addTwilio(provider.baseUrl, {
    name: "Other",
    senders: [{ channel: "sms", sender: "+4940999999" }],
  });
  await world.addRule("production", [[other]]);
  const reach = async (to = ada, fields: Parameters<SendingWorld["send"]>[0] = {}) => {
    const id = messageId(await world.send({ recipients: [{ channel: "sms", recipient: to }], ...fields }));
    await world.advance(id, claimOver(connection, newId(), "P"));
    await world.advance(id, takenBy(1, { providerMessageId: `SM${id.replaceAll("-", "")}` }));
  };
  const hear = (...inbound: InboundMessage[]) =>
    recordInbound(world.tenant.system, { connectionId: connection, inbound });
  const run = () => runReplies(database, world);
  const sentTo = (to: string) =>
    provider.messages.filter((each) => each.to === to).map(({ from, body }) => ({ from, body }));
  const pass = (ms: number) =>
    database.owner.query(
      `UPDATE word_replies SET created_at = created_at - interval '${String(ms)} milliseconds' WHERE tenant_id = $1`,
      [world.tenantId],
    );
  return { world, provider, connection, reach, hear, run, sentTo, pass };
}

describe("a no by word", () => {
  it("is confirmed once, from the number that was written to, however often its provider reports it", async () => {
    const { world, reach, hear, run, sentTo } = await worldWith();
    await reach();
    const stop = message("STOP");
    await Promise.all(Array.from({ length: 10 }, () => hear(stop)));
    await run();
    await hear(stop, message("stop!!"), message("Stop. Thank you"));
    await run();
    expect(sentTo(ada)).toEqual([
      {
        from: sender,
        body: expect.stringMatching(
          /no more: offers, order messages\. You still get: .*Reply START/,
        ) as string,
      },
    ]);
    const { rows } = await database.owner.query<{ class: string; status: string }>(
      "SELECT class, status FROM notifications WHERE tenant_id = $1 AND notification_type = '_reply'",
      [world.tenantId],
    );
    expect(rows).toEqual([{ class: "service", status: "sent" }]);
    // Another job for it, from whatever fault, changes nothing.
    const { rows: owed } = await database.owner.query<{ id: string }>(
      "SELECT id FROM word_replies WHERE tenant_id = $1",
      [world.tenantId],
    );
    for (const { id: replyId } of owed) {
      await sendWordReply({ db: database.worker, log: logger() }, { tenantId: world.tenantId, replyId });
    }
    await world.runJobs();
    expect(sentTo(ada)).toHaveLength(1);
  });

  it("is confirmed again after a yes of one region", async () => {
    const { world, reach, hear, run, sentTo, pass } = await worldWith();
    await reach();
    await hear(message("stop all"));
    await run();
    await pass(3_600_000);
    await hear(message("stop all"));
    await run();
    expect(sentTo(ada)).toHaveLength(1);
    await inTenant(world.tenant.system, (tx) =>
      recordConsent(world.tenant.system, tx, {
        sandbox: false,
        channel: "sms",
        address: ada,
        state: "opted_in",
        class: "marketing",
        region: "DE",
        source: "api",
      }),
    );
    await hear(message("stop all"));
    await run();
    expect(sentTo(ada)).toHaveLength(2);
  });

  it("is all that passes the opt-out: no other message does in the same moment, nor anything to a suppressed address", async () => {
    const { world, reach, hear, run, sentTo } = await worldWith();
    await reach();
    await inTenant(world.tenant.system, (tx) =>
      recordConsent(world.tenant.system, tx, {
        sandbox: false,
        channel: "sms",
        address: ada,
        state: "opted_in",
        source: "api",
      }),
    );
    const offer = () =>
      world.send({
        notificationType: "marketing",
        notificationSubtype: "promotion",
        recipients: [{ channel: "sms", recipient: ada }],
      });
    const before = messageId(await offer());
    await hear(message("stop"));
    const after = messageId(await offer());
    await run();
    expect((await world.notification(before)).reason_code).toBe("consent_denied");
    expect((await world.notification(after)).reason_code).toBe("consent_denied");
    expect(sentTo(ada)).toHaveLength(1);

    const bob = "+4915187654321";
    await reach(bob);
    await database.owner.query(
      "INSERT INTO suppressions (tenant_id, id, sandbox, channel, address, reason) VALUES ($1, $2, false, 'sms', $3, 'complaint')",
      [world.tenantId, newId(), bob],
    );
    await hear(message("stop", { from: bob }));
    await run();
    expect(sentTo(bob)).toEqual([]);
  });

  it("that the provider has answered already is not answered a second time, nor where replies are switched off", async () => {
    const { world, reach, hear, run, sentTo } = await worldWith();
    const owner = world.tenant.as("owner");
    await reach();
    await hear(message("STOP", { optOut: "stop" }));
    await run();
    expect(sentTo(ada)).toEqual([]);
    await updateWordReplies(owner, {
      stop: { enabled: false, text: null },
      start: { enabled: true, text: null },
      help: { enabled: true, text: "{organisation}: call 030 1" },
    });
    await hear(message("start"));
    await run();
    await hear(message("stop"));
    await hear(message("HELP", { from: "+4915100000009" }));
    await run();
    expect(sentTo(ada)).toMatchObject([{ body: expect.stringContaining("subscribed again") as string }]);
    expect((await getWordReplies(owner)).stop.enabled).toBe(false);
  });

  it("is not confirmed where nobody could say for which application", async () => {
    const { hear, run, sentTo } = await worldWith();
    await hear(message("stop"));
    await run();
    expect(sentTo(ada)).toEqual([]);
  });
});

describe("an automatic reply", () => {
  it("is in the language of the word, else of the message that was answered", async () => {
    const { reach, hear, run, sentTo } = await worldWith();
    const [bob, eve] = ["+4915187654321", "+4915187654322"];
    await reach(ada, { language: "de" });
    await reach(bob, { language: "de" });
    await reach(eve, { language: "sv" });
    await hear(message("Abmelden"), message("stop", { from: bob }), message("désabonner", { from: eve }));
    await run();
    expect(sentTo(ada)[0]?.body).toContain("abgemeldet");
    expect(sentTo(bob)[0]?.body).toContain("abgemeldet");
    expect(sentTo(eve)[0]?.body).toContain("désinscription");
  });

  it("welcomes back, and informs, once an hour each and five times a day: two machines stop answering each other", async () => {
    const { reach, hear, run, sentTo, pass } = await worldWith();
    await reach();
    for (let round = 0; round < 4; round++) {
      await hear(message("help"));
      await hear(message("stop"));
      await hear(message("start"));
    }
    await run();
    expect(sentTo(ada)).toHaveLength(3);
    for (let hour = 0; hour < 5; hour++) {
      await pass(3_600_000);
      await hear(message("help"));
      await run();
    }
    expect(sentTo(ada)).toHaveLength(5);
  });

  it("fits two SMS segments in every language, tells class by class, and has no link but the support's", () => {
    for (const language of wordLanguages) {
      const of = { language, organisation: "Example Ltd", support: null, own: null };
      const most = [
        replyText({
          ...of,
          kind: "stop",
          named: ["marketing", "transactional"],
          kept: ["service", "authentication"],
        }),
        replyText({ ...of, kind: "start", named: ["marketing", "transactional", "service"], kept: [] }),
        replyText({ ...of, kind: "help", support: "help@example.com", named: [], kept: [] }),
      ];
      for (const text of most) {
        expect([language, text, smsSegments(text).segments <= 2]).toEqual([language, text, true]);
        expect(text).toContain("Example Ltd");
        expect(text).not.toMatch(/[{}]|https?:|www\./);
      }
    }
  });

  it("of the organisation's own is short, and has no links", () => {
    const of = (text: string, kind: "stop" | "help" = "stop") =>
      wordRepliesUpdateSchema.safeParse({ [kind]: { text } }).success;
    expect(of("{organisation}: bye")).toBe(true);
    expect(of("Bye! Offers at https://shop.example")).toBe(false);
    expect(of("Bye! shop.example")).toBe(false);
    expect(of("Ask help@shop.example", "help")).toBe(true);
    expect(of("é".repeat(306))).toBe(true);
    expect(of("x".repeat(307))).toBe(false);
    expect(of("я".repeat(135))).toBe(false);
  });

  it("of the sandbox is simulated", async () => {
    const { world, provider, run } = await worldWith();
    const { id: simulator } = await world.tenant.addSimulator(["sandbox"]);
    const id = messageId(
      await world.send({ recipients: [{ channel: "sms", recipient: ada }] }, { environment: "sandbox" }),
    );
    await world.advance(id, claimOver(simulator, newId(), "P"));
    await world.advance(id, takenBy(1, { providerMessageId: "SIM1" }));
    await recordInbound(world.tenant.system, { connectionId: simulator, inbound: [message("stop")] });
    await run();
    const { rows } = await database.owner.query<{ sandbox: boolean; provider: string }>(
      "SELECT sandbox, provider, status, failure::text AS failure, reason_code FROM notifications WHERE tenant_id = $1 AND notification_type = '_reply'",
      [world.tenantId],
    );
    expect(rows).toEqual([
      {
        sandbox: true,
        provider: `Simulator ${simulator.slice(-6)}`,
        status: "sent",
        failure: null,
        reason_code: null,
      },
    ]);
    expect(provider.messages).toEqual([]);
  });

  it("to a thousand STOPs of a thousand numbers, or of one, delays no code of another organisation", async () => {
    const { world, reach, hear, run, sentTo } = await worldWith();
    const other = await worldWith();
    const numbers = Array.from({ length: 1_000 }, (_, index) => `+49151${String(10_000_000 + index)}`);
    await reach();
    await database.owner.query(
      "UPDATE provider_connections SET inbound_application_id = $2, inbound_environment_id = $3 WHERE tenant_id = $1 AND name = 'Number'",
      [world.tenantId, world.tenant.application.id, world.tenant.environments.production],
    );
    await hear(...numbers.map((from) => message("stop", { from })));
    await hear(...numbers.map(() => message("stop")));
    const { rows } = await database.owner.query<{ count: number }>(
      "SELECT count(*)::int FROM word_replies WHERE tenant_id = $1",
      [world.tenantId],
    );
    expect(rows[0]?.count).toBe(1_001);
    const flood = run();
    const began = Date.now();
    await other.world.send({
      notificationType: "authentication",
      notificationSubtype: "one_time_passcode",
      recipients: [{ channel: "sms", recipient: "+4915199999999" }],
    });
    await other.world.runJobs();
    const code = other.provider.messages.find(({ to }) => to === "+4915199999999");
    const took = (code?.at ?? Infinity) - began;
    expect(took).toBeLessThan(5_000);
    process.stdout.write(`a code beside 1,001 replies: ${String(took)} ms\n`);
    await flood;
    expect(sentTo(ada)).toHaveLength(1);
  }, 120_000);
});
