/** A message may only be sent from its owner's senders: numbers, names and mail addresses that a connection lists for it. */
import { afterAll, describe, expect, it } from "vitest";
import { forgetConnections } from "../connections/load-connection.ts";
import type { Ctx } from "../kernel/ctx.ts";
import { newId } from "../kernel/ids.ts";
import { addChannel } from "../platform/change-channels.ts";
import { assignChannel } from "../platform/assign-channel.ts";
import { unassignChannel } from "../platform/unassign-channel.ts";
import { createTemplate } from "../templates/create-template.ts";
import { updateTemplate } from "../templates/update-template.ts";
import { testDatabase } from "../testing/database.ts";
import { startFakeTwilio } from "../testing/fake-twilio.ts";
import { startMailServer } from "../testing/mail-server.ts";
import { refusal } from "../testing/refusal.ts";
import { makeSendingWorld, messageId, sendBody } from "../testing/sending-world.ts";
import type { SendingWorld } from "../testing/sending-world.ts";
import { explainSend } from "./explain-send.ts";
import { orderOfSend } from "./orders.ts";
import { sendRequestSchema } from "./schemas.ts";

const database = await testDatabase();
const twilio = await startFakeTwilio();
const mail = await startMailServer();
afterAll(() => Promise.all([twilio.close(), mail.close()]));

const operator = { owner: database.owner, db: database.worker };
const ones = "+4930100001";
const twos = "+4930100002";

/** Channels are assigned with a public address; the fake is on this machine. */
const pointAt = (channel: string, baseUrl: string | null) =>
  database.owner.query("UPDATE platform_channels SET settings = $2, updated_at = now() WHERE name = $1", [
    channel,
    baseUrl === null ? {} : { baseUrl },
  ]);

/** A shared account of the operator, assigned with a number each. */
async function shared(): Promise<{ one: SendingWorld; two: SendingWorld; connection: string }> {
  const abroad = { settings: { allowedTransferRegions: ["US"] } };
  const [one, two] = [await makeSendingWorld(database, abroad), await makeSendingWorld(database, abroad)];
  const name = `SMS ${newId().slice(-6)}`;
  const accountSid = `AC${"0".repeat(32)}`;
  const authToken = "0".repeat(32);
  await addChannel(operator, {
    name,
    provider: "twilio",
    channels: ["sms"],
    credentials: { accountSid, authToken },
    settings: {},
    priceList: [],
    processingRegion: "US",
  });
  const give = (world: SendingWorld, sender: string) =>
    assignChannel(operator, {
      channel: name,
      tenant: world.tenant.slug,
      senders: [{ channel: "sms", sender }],
      settings: {},
      priceList: [],
    });
  const { connectionId } = await give(one, ones);
  await give(two, twos);
  await pointAt(name, twilio.baseUrl);
  await one.addRule("production", [[connectionId]], { channel: "sms" });
  return { one, two, connection: connectionId };
}

/** Makes a template that names a sender the only one for SMS, as saved by an older version. */
async function named(world: SendingWorld, sender: string, applicationId = world.tenant.application.id) {
  await database.owner.query(
    "UPDATE templates SET archived_at = now() WHERE tenant_id = $1 AND channel = 'sms' AND application_id = $2",
    [world.tenantId, applicationId],
  );
  await world.addTemplate({
    name: `named-${newId().slice(-6)}`,
    notificationType: "order",
    notificationSubtype: "order_status",
    channel: "sms",
    body: "From a number {{ code }}",
    metadata: { senderId: sender },
    applicationId,
  });
}

const template = (sender: string, channel: "sms" | "email" = "sms") => ({
  name: `t-${newId().slice(-6)}`,
  application: "shop",
  notificationType: "order",
  notificationSubtype: "order_status",
  channel,
  region: "DE",
  body: "Hello {{ code }}",
  ...(channel === "email" ? { subject: "Hello" } : {}),
  metadata: channel === "email" ? { from: sender } : { senderId: sender },
  variables: [{ name: "code", type: "string" as const, required: true }],
});

const explain = (ctx: Ctx, world: SendingWorld) =>
  explainSend(ctx, orderOfSend(world.tenant.environments.production, sendRequestSchema.parse(sendBody())));

const failures = async (world: SendingWorld) => {
  const { rows } = await database.owner.query<{ status: string; code: string | null }>(
    "SELECT status, failure->>'code' AS code FROM notifications WHERE tenant_id = $1 ORDER BY id",
    [world.tenantId],
  );
  return rows;
};

describe("a number of an operator's channel", () => {
  it("that another organisation has is refused when a template is saved, when a send is explained and when it is accepted", async () => {
    const { one } = await shared();
    const owner = one.tenant.as("owner");
    const saved = await refusal(createTemplate(owner, template(twos)));
    expect(saved.code).toBe("sender_not_allowed");
    expect(saved.errors).toMatchObject([{ pointer: "/metadata/senderId" }]);
    const own = await createTemplate(owner, template(ones));
    const { name: _, application: __, ...content } = template(twos);
    expect((await refusal(updateTemplate(owner, { id: own.id, ...content }))).code).toBe(
      "sender_not_allowed",
    );
    await named(one, twos);
    expect((await refusal(one.send())).code).toBe("sender_not_allowed");
    expect((await refusal(explain(one.tenant.system, one))).code).toBe("sender_not_allowed");
    expect(await failures(one)).toEqual([]);
  });

  it("is never used when it is withdrawn after the message was accepted", async () => {
    const { one, two, connection } = await shared();
    await named(one, ones);
    const before = twilio.messages.length;
    await one.send();
    await one.runJobs();
    expect(twilio.messages.slice(before)).toMatchObject([{ from: ones }]);

    const id = messageId(await one.send());
    const { rows } = await database.owner.query<{ name: string }>(
      "SELECT name FROM provider_connections WHERE tenant_id = $1 AND platform_channel_id IS NOT NULL",
      [two.tenantId],
    );
    await unassignChannel(operator, { tenant: two.tenant.slug, connection: rows[0]!.name, force: false });
    // The operator assigns the number to the other one.
    await pointAt(rows[0]!.name, null);
    await database.owner.query(
      "UPDATE provider_connections SET senders = '[]', updated_at = now() WHERE id = $1",
      [connection],
    );
    await assignChannel(operator, {
      channel: rows[0]!.name,
      tenant: two.tenant.slug,
      senders: [{ channel: "sms", sender: ones }],
      settings: {},
      priceList: [],
    });
    await pointAt(rows[0]!.name, twilio.baseUrl);
    forgetConnections(one.tenantId);
    await one.runJobs();
    expect(await one.notification(id)).toMatchObject({
      status: "failed",
      attempts: 0,
      failure: { code: "sender_not_allowed" },
    });
    expect(twilio.messages.length).toBe(before + 1);
  });

  it("is assigned to only one organisation, even past the command line", async () => {
    const { two } = await shared();
    await expect(
      database.owner.query(
        `UPDATE provider_connections SET senders = $2 WHERE tenant_id = $1 AND platform_channel_id IS NOT NULL`,
        [two.tenantId, JSON.stringify([{ channel: "sms", sender: ones.slice(1) }])],
      ),
    ).rejects.toThrow(/senders_lent_once/);
  });
});

describe("a team's sender on a tenant-wide connection", () => {
  it("is used for the team's messages, and nobody else's", async () => {
    const world = await makeSendingWorld(database);
    const { alpha, beta } = world.tenant.units;
    const desk = world.tenant.otherApplication.id;
    const [everybodys, alphas, betas] = ["+4930200000", "+4930200001", "+4930200002"];
    const { id } = await world.addTwilio(twilio.baseUrl, {
      senders: [
        { channel: "sms", sender: everybodys },
        { channel: "sms", sender: alphas, unitId: alpha },
        { channel: "sms", sender: betas, unitId: beta },
      ],
    });
    await world.addRule("production", [[id]], { channel: "sms" });
    await world.addTemplate({
      name: "desk",
      notificationType: "order",
      notificationSubtype: "order_status",
      channel: "sms",
      body: "Ticket {{ code }}",
      applicationId: desk,
    });
    const before = twilio.messages.length;
    const own = messageId(await world.send());
    const theirs = messageId(await world.send({ application: "desk" }));
    await world.runJobs();
    const sentFrom = twilio.messages.slice(before).map(({ body, from }) => [body?.split(" ")[0], from]);
    expect(sentFrom.sort()).toEqual([
      ["Order", alphas],
      ["Ticket", betas],
    ]);
    for (const [message, from] of [
      [own, alphas],
      [theirs, betas],
    ] as const) {
      expect((await world.events(message)).find(({ type }) => type === "sending")?.data).toMatchObject({
        from,
      });
    }
    // The desk names alpha's number.
    await named(world, alphas, desk);
    expect((await refusal(world.send({ application: "desk" }))).code).toBe("sender_not_allowed");
    const asBeta = world.tenant.as("owner", beta);
    expect((await refusal(createTemplate(asBeta, { ...template(alphas), application: "desk" }))).code).toBe(
      "sender_not_allowed",
    );
    await createTemplate(asBeta, { ...template(everybodys), application: "desk" });
  });

  it("goes over the connection that lists it, and over none that does not, whatever the order of the route", async () => {
    const world = await makeSendingWorld(database);
    const { id: without } = await world.addTwilio(twilio.baseUrl, {
      senders: [{ channel: "sms", sender: "OTHER" }],
    });
    const { id: lists } = await world.addTwilio(twilio.baseUrl, {
      name: "Lists it",
      senders: [
        { channel: "sms", sender: "OTHER" },
        { channel: "sms", sender: "Acme" },
      ],
    });
    await world.addRule("production", [[without], [lists]], { channel: "sms" });
    await named(world, "ACME");
    const explained = await explain(world.tenant.system, world);
    expect(explained.messages).toMatchObject([{ outcome: "would_send" }]);
    const id = messageId(await world.send());
    await world.runJobs();
    expect(await world.notification(id)).toMatchObject({ status: "sent", provider: "Lists it", attempts: 1 });
    expect(twilio.messages.at(-1)).toMatchObject({ from: "ACME" });
  });

  it("may be anything in the sandbox, where nothing is sent", async () => {
    const world = await makeSendingWorld(database);
    await world.addTwilio(twilio.baseUrl);
    await world.tenant.addSimulator(["sandbox"]);
    await named(world, "NOBODYS");
    const sent = messageId(await world.send({}, { environment: "sandbox" }));
    await world.runJobs();
    expect((await world.notification(sent)).status).toBe("sent");
  });
});

describe("an e-mail", () => {
  it("comes from an address or a domain that a connection lists for the team, and from no other", async () => {
    const world = await makeSendingWorld(database);
    const smtp = await world.addSmtp(mail.port, {
      senders: [
        { channel: "email", sender: "Shop <shop@tidings.example>" },
        { channel: "email", sender: "*@news.tidings.example", unitId: world.tenant.units.alpha },
        { channel: "email", sender: "desk@tidings.example", unitId: world.tenant.units.beta },
      ],
    });
    await world.addRule("staging", [[smtp]], { channel: "email" });
    const owner = world.tenant.as("owner");
    for (const from of ["SHOP@tidings.example", "any@news.tidings.example"]) {
      await createTemplate(owner, { ...template(from, "email"), region: from.startsWith("S") ? "DE" : "FR" });
    }
    for (const from of [
      "desk@tidings.example",
      "ceo@bank.example",
      "any@sub.news.tidings.example",
      "x@tidings.example",
    ]) {
      const refused = await refusal(createTemplate(owner, { ...template(from, "email"), region: "AT" }));
      expect(refused.code, from).toBe("sender_not_allowed");
      expect(refused.errors).toMatchObject([{ pointer: "/metadata/from" }]);
    }
    for (const region of ["FR", "SE"]) {
      const recipients = [{ channel: "email" as const, recipient: "ada@example.com" }];
      await world.send({ region, recipients }, { environment: "staging" });
    }
    await world.runJobs();
    expect(mail.received.map(({ from }) => from).sort()).toEqual([
      "any@news.tidings.example",
      "shop@tidings.example",
    ]);
  });
});
