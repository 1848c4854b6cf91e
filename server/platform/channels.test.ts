import { createHmac } from "node:crypto";
import { describe, expect, it, vi } from "vitest";
import { systemCtx } from "../access/system-ctx.ts";
import { findAdapter } from "../adapters/adapters.ts";
import { bounceAddress } from "../adapters/smtp/bounce-address.ts";
import { sealChannelCredentials } from "../connections/channel-credentials.ts";
import { getProvider } from "../connections/get-provider.ts";
import { listProviders } from "../connections/list-providers.ts";
import { forgetConnections, tenantConnections } from "../connections/load-connection.ts";
import { testProvider } from "../connections/test-provider.ts";
import { updateProvider } from "../connections/update-provider.ts";
import { inTenant, queryInTenant } from "../kernel/db.ts";
import { newId } from "../kernel/ids.ts";
import type { OutboundClient } from "../kernel/outbound-http.ts";
import { handleProviderCallback } from "../sending/handle-provider-callback.ts";
import { recordProviderEvents } from "../sending/record-provider-events.ts";
import { testDatabase } from "../testing/database.ts";
import { deliveryReports } from "../testing/delivery-reports.ts";
import { startMailServer } from "../testing/mail-server.ts";
import { emailMessage, loopbackClient } from "../testing/outbound-email.ts";
import { refusal } from "../testing/refusal.ts";
import { claimOver, makeSendingWorld, messageId, takenBy } from "../testing/sending-world.ts";
import type { SendingWorld } from "../testing/sending-world.ts";
import { addChannel, listChannels, removeChannel, testChannel, updateChannel } from "./change-channels.ts";
import { assignChannel } from "./assign-channel.ts";
import { replaceChannelSenders } from "./replace-channel-senders.ts";
import { splitProviderEvents } from "./split-provider-events.ts";
import { unassignChannel } from "./unassign-channel.ts";

const database = await testDatabase();
const operator = { owner: database.owner, db: database.worker };
const [one, two] = [await makeSendingWorld(database), await makeSendingWorld(database)];
const account = { systemId: "operator", password: "operators-password" };
const meta = { accessToken: "operators-token", appSecret: "operators-secret", verifyToken: "verify-me" };

async function addSms(name = `SMS ${newId().slice(-6)}`, region = "EU") {
  const channel = await addChannel(operator, {
    name,
    provider: "smpp",
    credentials: account,
    settings: { host: "8.8.8.8" },
    priceList: [{ channel: "sms", amount: "0.05", currency: "EUR" }],
    processingRegion: region,
  });
  return { ...channel, name };
}

async function addWhatsapp() {
  const name = `WhatsApp ${newId().slice(-6)}`;
  const channel = await addChannel(operator, {
    name,
    provider: "meta",
    credentials: meta,
    settings: { phoneNumberId: "10000000000" },
    priceList: [],
    processingRegion: "EU",
  });
  return { ...channel, name };
}

const give = (
  world: SendingWorld,
  channel: string,
  more: Partial<Parameters<typeof assignChannel>[1]> = {},
) =>
  assignChannel(operator, {
    channel,
    tenant: world.tenant.slug,
    senders: [],
    settings: {},
    priceList: [],
    ...more,
  });

const connectionsOf = async (world: SendingWorld) => {
  forgetConnections(world.tenantId);
  return tenantConnections(world.tenant.system);
};

/** A message that was sent over a connection and that the provider knows by `providerMessageId`. */
async function sent(world: SendingWorld, connectionId: string, providerMessageId: string): Promise<string> {
  const id = messageId(await world.send());
  await world.advance(id, claimOver(connectionId, newId(), "Own"));
  await world.advance(id, takenBy(1, { providerMessageId }));
  return id;
}

describe("an operator's channel", () => {
  it("is a connection of the organisation that it was assigned to, with the account's credentials and prices", async () => {
    const channel = await addSms();
    const senders = [{ channel: "sms" as const, sender: "+4930000001" }];
    const { connectionId } = await give(one, channel.name, { senders, ratePerSecond: 20 });
    const connection = (await connectionsOf(one)).get(connectionId);
    expect(connection).toMatchObject({
      name: channel.name,
      senders,
      ratePerSecond: 20,
      processingRegion: "EU",
      enabled: true,
      platformChannelId: channel.id,
      priceList: [{ channel: "sms", amount: "0.05", currency: "EUR" }],
      connection: { id: channel.id, credentials: account, settings: { host: "8.8.8.8", port: 3550 } },
    });
    expect((await connectionsOf(two)).has(connectionId)).toBe(false);
    const own = [{ channel: "sms" as const, amount: "0.04", currency: "EUR" }];
    const second = await give(two, channel.name, { priceList: own, name: "Cheaper" });
    expect((await connectionsOf(two)).get(second.connectionId)).toMatchObject({
      name: "Cheaper",
      priceList: own,
    });
  });

  it("changes for all organisations at once, and is off for all when the operator switches it off", async () => {
    const channel = await addSms();
    const { connectionId } = await give(one, channel.name);
    await updateChannel(operator, channel.name, { credentials: { ...account, password: "new" } });
    expect((await connectionsOf(one)).get(connectionId)?.connection.credentials).toMatchObject({
      password: "new",
    });
    await updateChannel(operator, channel.name, { enabled: false });
    expect((await connectionsOf(one)).get(connectionId)?.enabled).toBe(false);
    await updateChannel(operator, channel.name, { enabled: true });
    expect((await connectionsOf(one)).get(connectionId)?.enabled).toBe(true);
  });

  it("keeps credentials that a rotation of keys reseals while something else is changed", async () => {
    const channel = await addSms();
    const { connectionId } = await give(one, channel.name);
    const owner = {
      query: async (text: string, values: unknown[]) => {
        if (text.startsWith("UPDATE")) {
          const sealed = sealChannelCredentials(channel.id, { ...account, password: "sealed anew" });
          await database.owner.query("UPDATE platform_channels SET credentials = $2 WHERE id = $1", [
            channel.id,
            sealed,
          ]);
        }
        return database.owner.query(text, values);
      },
    } as unknown as typeof operator.owner;
    await updateChannel({ ...operator, owner }, channel.name, { enabled: true });
    expect((await connectionsOf(one)).get(connectionId)?.connection.credentials).toMatchObject({
      password: "sealed anew",
    });
  });

  it("hides its credentials everywhere: in the database, in lists, in the audit trail", async () => {
    const channel = await addSms();
    await give(one, channel.name);
    const { rows } = await database.owner.query<{ text: string }>(
      `SELECT (SELECT string_agg(c::text || encode(c.credentials, 'escape'), '') FROM platform_channels c)
           || (SELECT string_agg(c::text || encode(c.credentials, 'escape'), '') FROM provider_connections c)
           || (SELECT string_agg(a.data::text, '') FROM audit_events a) AS text`,
    );
    expect(rows[0]?.text).toContain(channel.name);
    for (const secret of [account.password, account.systemId + '"'])
      expect(rows[0]?.text).not.toContain(secret);
    const listed = JSON.stringify([
      await listChannels(operator),
      await listProviders(one.tenant.as("owner")),
    ]);
    expect(listed).toContain(channel.name);
    expect(listed).not.toContain(account.password);
  });

  it("is assigned and withdrawn in the organisation's audit trail", async () => {
    const channel = await addSms();
    const { connectionId } = await give(one, channel.name);
    expect(await listChannels(operator)).toContainEqual(
      expect.objectContaining({
        name: channel.name,
        given: [
          {
            tenant: one.tenant.slug,
            connection: channel.name,
            channels: ["sms"],
            senders: [],
            enabled: true,
          },
        ],
      }),
    );
    await unassignChannel(operator, { tenant: one.tenant.slug, connection: channel.name, force: false });
    expect((await connectionsOf(one)).has(connectionId)).toBe(false);
    const audited = await queryInTenant<{ action: string; actorName: string }>(
      one.tenant.system,
      "SELECT action, actor_name FROM audit_events WHERE tenant_id = $1 AND target_id = $2 ORDER BY id",
      [one.tenantId, connectionId],
    );
    expect(audited).toEqual([
      { action: "connection.given", actorName: "Operator" },
      { action: "connection.taken", actorName: "Operator" },
    ]);
  });
});

describe("what is refused", () => {
  it("is whatever would leave a channel or its users in an invalid state", async () => {
    const channel = await addSms();
    const senders = [{ channel: "sms" as const, sender: "+4930000002" }];
    await give(one, channel.name, { senders, name: "First" });
    const code = async (work: Promise<unknown>) => (await refusal(work)).code;
    expect(await code(addSms(channel.name))).toBe("conflict");
    expect(await code(removeChannel(operator, channel.name))).toBe("conflict");
    expect(await code(removeChannel(operator, "nothing"))).toBe("not_found");
    expect(await code(give(one, "nothing"))).toBe("not_found");
    expect(await code(give(one, channel.name, { tenant: "nobody" }))).toBe("not_found");
    expect(await code(give(one, channel.name, { name: "First" }))).toBe("conflict");
    // Answers to a number must belong to one organisation.
    expect(await code(give(two, channel.name, { senders }))).toBe("conflict");
    expect(await code(updateChannel(operator, channel.name, { processingRegion: "US" }))).toBe("conflict");
    expect(await code(updateChannel(operator, channel.name, { credentials: { systemId: "x" } }))).toBe(
      "invalid_request",
    );
    expect(await code(updateChannel(operator, channel.name, { settings: { host: "10.0.0.1" } }))).toBe(
      "forbidden_address",
    );
    expect(
      await code(unassignChannel(operator, { tenant: two.tenant.slug, connection: "First", force: true })),
    ).toBe("not_found");
    const twilio = await one.addTwilio("http://127.0.0.1:9", { name: "Their own" });
    expect(
      await code(
        unassignChannel(operator, { tenant: one.tenant.slug, connection: "Their own", force: true }),
      ),
    ).toBe("not_found");
    expect((await connectionsOf(one)).has(twilio.id)).toBe(true);
  });

  it("is a channel that processes data where the organisation's may not go", async () => {
    const channel = await addSms(undefined, "US");
    expect((await refusal(give(one, channel.name))).code).toBe("region_not_allowed");
    const abroad = await makeSendingWorld(database, { settings: { allowedTransferRegions: ["US"] } });
    await give(abroad, channel.name);
  });

  it("is withdrawing a channel that routing rules name, unless it is forced", async () => {
    const channel = await addSms();
    const { connectionId } = await give(two, channel.name);
    await two.addRule("production", [[connectionId]]);
    const take = (force: boolean) =>
      unassignChannel(operator, { tenant: two.tenant.slug, connection: channel.name, force });
    expect((await refusal(take(false))).code).toBe("connection_in_use");
    await take(true);
    expect((await connectionsOf(two)).has(connectionId)).toBe(false);
    await removeChannel(operator, channel.name);
  });
});

describe("the senders of a channel", () => {
  it("are set and replaced by the operator, and assigned to units by the organisation", async () => {
    const channel = await addSms();
    const lend = (world: SendingWorld, ...senders: string[]) =>
      replaceChannelSenders(operator, {
        tenant: world.tenant.slug,
        connection: channel.name,
        senders: senders.map((sender) => ({ channel: "sms" as const, sender })),
      });
    const { connectionId } = await give(one, channel.name, {
      senders: [{ channel: "sms", sender: "+4930000021" }],
    });
    await give(two, channel.name);
    const owner = one.tenant.as("owner");
    const read = async () => (await getProvider(owner, { id: connectionId })).senders;
    const alpha = one.tenant.units.alpha;
    await updateProvider(owner, {
      id: connectionId,
      changes: { senders: [{ channel: "sms", sender: "+4930000021", unit: alpha }] },
    });
    const [{ unit } = { unit: null }] = await read();
    expect(unit).toEqual(expect.any(String));
    // Neither a different one, nor fewer.
    for (const senders of [[{ channel: "sms" as const, sender: "+4930000022" }], []]) {
      const refused = await refusal(updateProvider(owner, { id: connectionId, changes: { senders } }));
      expect(refused.code).toBe("conflict");
    }
    await lend(one, "+4930000021", "70701");
    expect(await read()).toEqual([
      { channel: "sms", sender: "+4930000021", unit },
      { channel: "sms", sender: "70701", unit: null },
    ]);
    expect((await refusal(lend(two, "+4930000021"))).code).toBe("conflict");
    await lend(one, "70701");
    await lend(two, "+4930000021");
    expect(await listChannels(operator)).toContainEqual(
      expect.objectContaining({
        name: channel.name,
        given: expect.arrayContaining([
          expect.objectContaining({ senders: [expect.objectContaining({ sender: "70701", unit: null })] }),
        ]) as unknown,
      }),
    );
    expect(
      (
        await refusal(
          replaceChannelSenders(operator, { tenant: one.tenant.slug, connection: "none", senders: [] }),
        )
      ).code,
    ).toBe("not_found");
  });
});

describe("a web request", () => {
  it("can neither assign a channel to itself, nor change or remove an assigned one", async () => {
    const channel = await addSms();
    const { connectionId } = await give(one, channel.name);
    const own = await one.addTwilio("http://127.0.0.1:9");
    const as = (sql: string) => inTenant(one.tenant.system, (tx) => tx.$executeRawUnsafe(sql));
    const columns = "tenant_id, name, adapter, channels, credentials, processing_region, updated_at";
    for (const statement of [
      `UPDATE provider_connections SET platform_channel_id = '${channel.id}' WHERE id = '${own.id}'`,
      `UPDATE provider_connections SET platform_channel_id = NULL WHERE id = '${connectionId}'`,
      `UPDATE provider_connections SET settings = '{"host":"evil.example"}' WHERE id = '${connectionId}'`,
      `UPDATE provider_connections SET senders = '[{"channel":"sms","sender":"Bank"}]' WHERE id = '${connectionId}'`,
      `UPDATE provider_connections SET rate_per_second = 1000 WHERE id = '${connectionId}'`,
      `UPDATE provider_connections SET unit_id = '${one.tenant.units.alpha}' WHERE id = '${connectionId}'`,
      `DELETE FROM provider_connections WHERE id = '${connectionId}'`,
      `INSERT INTO provider_connections (id, platform_channel_id, ${columns})
       SELECT '${newId()}', '${channel.id}', ${columns.replace("name", "'Stolen'")} FROM provider_connections WHERE id = '${own.id}'`,
    ]) {
      await expect(as(statement), statement).rejects.toThrow(/given and changed by the operator only/);
    }
    // What the organisation may decide.
    expect(
      await as(
        `UPDATE provider_connections SET enabled = false, name = 'Ours', slow_after_ms = 100, tested_at = now() WHERE id = '${connectionId}'`,
      ),
    ).toBe(1);
    await as(`UPDATE provider_connections SET enabled = true WHERE id = '${connectionId}'`);
  });

  it("sees the channels that are assigned to its organisation, and cannot write them", async () => {
    const channel = await addSms();
    await give(one, channel.name);
    const seen = (world: SendingWorld) =>
      queryInTenant(world.tenant.system, "SELECT id FROM platform_channels WHERE id = $1", [channel.id]);
    expect(await seen(one)).toHaveLength(1);
    expect(await seen(two)).toHaveLength(0);
    for (const db of [database.web, database.worker]) {
      const ctx = systemCtx(db, one.tenantId, "Test");
      for (const statement of [
        "DELETE FROM platform_channels",
        "UPDATE platform_channels SET enabled = false",
      ]) {
        await expect(inTenant(ctx, (tx) => tx.$executeRawUnsafe(statement))).rejects.toThrow(
          /permission denied/,
        );
      }
    }
  });
});

describe("the reports of a shared channel's provider", () => {
  it("go to the organisation whose message, account or number they are about, and to nobody else", async () => {
    const sms = await addSms();
    const a = await give(one, sms.name, { senders: [{ channel: "sms", sender: "+4930000011" }] });
    const b = await give(two, sms.name, { senders: [{ channel: "sms", sender: "70700" }] });
    const first = await sent(one, a.connectionId, "first");
    await sent(two, b.connectionId, "second");
    // The same id at another connection of theirs is another message.
    const other = await one.addTwilio("http://127.0.0.1:9");
    await sent(one, other.id, "elsewhere");
    const inbound = (to: string) => ({
      providerMessageId: newId(),
      channel: "sms" as const,
      from: "+4915112345678",
      to,
      text: "Hi",
    });
    for (const db of [database.web, database.worker]) {
      const split = await splitProviderEvents(db, sms.id, {
        receipts: [
          { providerMessageId: "second", status: "delivered" },
          { providerMessageId: "unknown", notificationId: first, status: "delivered" },
          { providerMessageId: "first", status: "delivered" },
          { providerMessageId: "elsewhere", status: "delivered" },
        ],
        inbound: [inbound("+4930000011"), inbound("70700"), inbound("4930000011"), inbound("+4930999999")],
      });
      expect(split.unmatchedReceipts).toBe(1);
      expect(split.unmatchedInbound).toBe(1);
      const shares = Object.fromEntries(split.shares.map((share) => [share.tenantId, share]));
      expect(shares[one.tenantId]).toMatchObject({
        connectionId: a.connectionId,
        receipts: [{ notificationId: first }, { providerMessageId: "first" }],
        inbound: [{ to: "+4930000011" }, { to: "4930000011" }],
      });
      expect(shares[two.tenantId]).toMatchObject({
        connectionId: b.connectionId,
        receipts: [{ providerMessageId: "second" }],
        inbound: [{ to: "70700" }],
      });
      expect(split.shares).toHaveLength(2);
    }
  });

  it("are about the newest message where the provider reuses an id", async () => {
    const sms = await addSms();
    const a = await give(one, sms.name);
    const b = await give(two, sms.name);
    const told = { receipts: [{ providerMessageId: "7", status: "delivered" as const }], inbound: [] };
    for (const [world, { connectionId }] of [
      [one, a],
      [two, b],
      [one, a],
    ] as const) {
      const id = await sent(world, connectionId, "7");
      await recordProviderEvents({ db: database.worker }, { channel: { id: sms.id, name: sms.name } }, told);
      expect((await world.notification(id)).status).toBe("delivered");
    }
  });

  it("arrive at the channel's own address, signed with the operator's secret", async () => {
    const channel = await addWhatsapp();
    const numbers = { one: "20000000001", two: "20000000002" };
    const sender = (number: string) => [{ channel: "whatsapp" as const, sender: number }];
    const a = await give(one, channel.name, {
      settings: { phoneNumberId: numbers.one },
      senders: sender("+4930000021"),
    });
    const b = await give(two, channel.name, {
      settings: { phoneNumberId: numbers.two },
      senders: sender("+4930000022"),
    });
    const again = give(two, channel.name, { name: "Again", settings: { phoneNumberId: numbers.one } });
    expect((await refusal(again)).code).toBe("conflict");
    const ids = [await sent(one, a.connectionId, "wamid.1"), await sent(two, b.connectionId, "wamid.2")];
    const change = (phone: string, value: object) => ({
      field: "messages",
      value: { metadata: { phone_number_id: phone, display_phone_number: "4930000021" }, ...value },
    });
    const status = (id: string) => ({
      id,
      status: "delivered",
      timestamp: "1700000000",
      recipient_id: "4915112345678",
    });
    const body = Buffer.from(
      JSON.stringify({
        object: "whatsapp_business_account",
        entry: [
          {
            id: "1",
            changes: [
              change(numbers.one, { statuses: [status("wamid.1"), status("wamid.2")] }),
              change(numbers.two, { statuses: [status("wamid.2")] }),
              change(numbers.two, {
                messages: [
                  {
                    id: "wamid.in",
                    from: "4915112345678",
                    timestamp: "1700000000",
                    type: "text",
                    text: { body: "Hi" },
                  },
                ],
              }),
            ],
          },
        ],
      }),
    );
    const post = (secret: string, connectionId = channel.id) =>
      handleProviderCallback(
        { db: database.web },
        {
          connectionId,
          requestId: newId(),
          request: {
            method: "POST",
            url: `https://tidings.example/api/callbacks/${connectionId}`,
            headers: {
              "x-hub-signature-256": `sha256=${createHmac("sha256", secret).update(body).digest("hex")}`,
            },
          },
          readBody: () => Promise.resolve(body),
        },
      );
    expect(await post("somebody else's")).toEqual({ authentic: false });
    expect(await post(meta.appSecret, newId())).toEqual({ authentic: false, unknown: true });
    expect((await one.notification(ids[0]!)).status).toBe("sent");
    expect(await post(meta.appSecret)).toMatchObject({ authentic: true });
    expect((await one.notification(ids[0]!)).status).toBe("delivered");
    expect((await two.notification(ids[1]!)).status).toBe("delivered");
    const stored = async (world: SendingWorld) =>
      (
        await database.owner.query(
          "SELECT FROM inbound_messages WHERE tenant_id = $1 AND provider_message_id = 'wamid.in'",
          [world.tenantId],
        )
      ).rowCount;
    expect([await stored(one), await stored(two)]).toEqual([0, 1]);
    const greeting = await handleProviderCallback(
      { db: database.web },
      {
        connectionId: channel.id,
        requestId: newId(),
        request: {
          method: "GET",
          url: `https://tidings.example/api/callbacks/${channel.id}?hub.mode=subscribe&hub.challenge=42&hub.verify_token=verify-me`,
          headers: {},
        },
        readBody: () => Promise.resolve(Buffer.alloc(0)),
      },
    );
    expect(greeting).toMatchObject({ authentic: true, response: { body: "42" } });
  });
});

describe("callbacks while the secret of an operator's channel is replaced", () => {
  it("count for a day when they are signed with the old one, at the channel's and each connection's address, until that is ended", async () => {
    const channel = await addWhatsapp();
    const { connectionId } = await give(one, channel.name, { settings: { phoneNumberId: "30000000001" } });
    const body = Buffer.from(JSON.stringify({ object: "whatsapp_business_account", entry: [] }));
    const post = async (secret: string, to: string) => {
      const signature = createHmac("sha256", secret).update(body).digest("hex");
      const url = `https://tidings.example/api/callbacks/${to}`;
      const { authentic } = await handleProviderCallback(
        { db: database.web },
        {
          connectionId: to,
          requestId: newId(),
          request: { method: "POST", url, headers: { "x-hub-signature-256": `sha256=${signature}` } },
          readBody: () => Promise.resolve(body),
        },
      );
      return authentic;
    };
    const taken = (...secrets: string[]) =>
      Promise.all(
        [channel.id, connectionId].map(async (to) => {
          const answers = await Promise.all(secrets.map((secret) => post(secret, to)));
          return secrets.filter((_, index) => answers[index]);
        }),
      );
    const secrets = [meta.appSecret, "second-secret", "third-secret"];
    const counts = (...expected: string[]) =>
      vi.waitFor(async () => expect(await taken(...secrets)).toEqual([expected, expected]), {
        timeout: 5_000,
        interval: 200,
      });
    const replace = (appSecret: string) =>
      updateChannel(operator, channel.name, { credentials: { ...meta, appSecret } });
    await counts(meta.appSecret);
    const { oldSecretsUntil } = await replace("second-secret");
    expect((oldSecretsUntil!.getTime() - Date.now()) / 3_600_000).toBeCloseTo(24, 1);
    await counts(meta.appSecret, "second-secret");
    await replace("third-secret");
    await updateChannel(operator, channel.name, { name: `${channel.name} again` });
    await counts(...secrets);
    expect(await connectionsOf(one).then((all) => all.get(connectionId)?.connection.credentials)).toEqual({
      ...meta,
      appSecret: "third-secret",
    });

    // After a leak.
    const ended = await updateChannel(operator, `${channel.name} again`, { callbackOverlap: false });
    expect(ended.oldSecretsUntil).toBeNull();
    await counts("third-secret");
  });
});

describe("mail that comes back over a shared SMTP account", () => {
  const bounceSecret = "0123456789abcdefghijkl";
  const bounceDomain = "bounces.operator.example";
  // Not a hard bounce, which would suppress the recipient of the next message.
  const full = { status: "5.2.2", diagnostic: "smtp; 552 5.2.2 over quota" };

  it("is about the organisation's message, whether the address was made for the channel or, earlier, for its connection", async () => {
    const mail = await startMailServer();
    const http = loopbackClient();
    const name = `SMTP ${newId().slice(-6)}`;
    const channel = await addChannel(operator, {
      name,
      provider: "smtp",
      credentials: { bounceSecret },
      settings: { host: "8.8.8.8", bounceDomain },
      priceList: [],
      processingRegion: "EU",
    });
    await give(two, name);
    const { connectionId } = await give(one, name);
    const post = (address: string, to = channel.id) =>
      handleProviderCallback(
        { db: database.web },
        {
          connectionId: to,
          requestId: newId(),
          request: {
            method: "POST",
            url: `https://tidings.example/api/callbacks/${to}`,
            headers: { authorization: `Bearer ${bounceSecret}`, "content-type": "message/rfc822" },
          },
          readBody: () => Promise.resolve(deliveryReports.Postfix({ to: address, ...full })),
        },
      );
    const statusOf = async (id: string) => (await one.notification(id)).status;
    try {
      const { adapter, connection: stored } = (await connectionsOf(one)).get(connectionId)!;
      const here = { host: "127.0.0.1", port: mail.port, security: "none" };
      const connection = { ...stored, settings: { ...(stored.settings as object), ...here } };
      for (const at of [channel.id, connectionId]) {
        const id = await sent(one, connectionId, newId());
        const outcome = await adapter.send(connection, emailMessage({ notificationId: id, attempt: 1 }), {
          http,
        });
        expect(outcome.kind).toBe("sent");
        expect(await post(mail.received.at(-1)?.from ?? "", at)).toMatchObject({ authentic: true });
        expect(await statusOf(id)).toBe("failed");
      }
      const earlier = await sent(one, connectionId, newId());
      await post(bounceAddress(connectionId, { notificationId: earlier, attempt: 1 }, bounceDomain));
      expect(await statusOf(earlier)).toBe("failed");
      const strange = await sent(one, connectionId, newId());
      await post(bounceAddress(newId(), { notificationId: strange, attempt: 1 }, bounceDomain));
      expect(await statusOf(strange)).toBe("sent");
    } finally {
      await findAdapter("smtp")?.close?.();
      await Promise.all([mail.close(), http.close()]);
    }
  });
});

describe("a channel's test", () => {
  it("shows an organisation that has the channel whether it works, and nothing of the operator's account", async () => {
    const name = `Shared ${newId().slice(-6)}`;
    await addChannel(operator, {
      name,
      provider: "infobip",
      credentials: { apiKey: "operators-key", callbackSecret: "operators-callback-secret" },
      settings: { baseUrl: "https://8.8.8.8" },
      priceList: [],
      processingRegion: "EU",
    });
    const { connectionId } = await give(one, name);
    const answered = {
      status: 200,
      headers: {},
      body: Buffer.from('{"balance": 4711.5, "currency": "EUR"}'),
    };
    const http = { ...one.http, request: () => Promise.resolve(answered) } as unknown as OutboundClient;
    expect(await testChannel(operator, name, http)).toMatchObject({
      ok: true,
      facts: [{ label: "Balance" }],
    });
    const result = await testProvider(one.tenant.as("owner"), { id: connectionId }, http);
    expect(result).toEqual({ ok: true, problem: null, facts: [], warnings: [] });
  });

  it("says what is wrong, without a secret", async () => {
    const channel = await addSms();
    const dial = () => Promise.reject(new Error("unused"));
    await expect(testChannel(operator, "nothing", { ...one.http, dial })).rejects.toMatchObject({
      code: "not_found",
    });
    await updateChannel(operator, channel.name, { settings: { host: "name.invalid" } });
    const result = await testChannel(operator, channel.name, one.http);
    expect(result).toMatchObject({ ok: false });
    expect(JSON.stringify(result)).not.toContain(account.password);
  });
});
