/** A message's whole way through the messaging providers: from the request to their callbacks. */
import { afterAll, describe, expect, it } from "vitest";
import { metaSignature } from "../adapters/meta/meta-callback.ts";
import { env } from "../kernel/env.ts";
import { serveCallback } from "../rest/serve-callback.ts";
import { testDatabase } from "../testing/database.ts";
import { FAKE_INFOBIP_KEY, startFakeInfobip } from "../testing/fake-infobip.ts";
import { FAKE_META, startFakeMeta } from "../testing/fake-meta.ts";
import { FAKE_VONAGE, startFakeVonage, webhookAuthorization } from "../testing/fake-vonage.ts";
import { makeSendingWorld, messageId } from "../testing/sending-world.ts";

const database = await testDatabase();
const infobip = await startFakeInfobip();
const meta = await startFakeMeta();
const vonage = await startFakeVonage();
afterAll(() => Promise.all([infobip, meta, vonage].map((provider) => provider.close())));

// Providers are only given an address that they could reach.
const world = async () => makeSendingWorld(database, { deps: { publicUrl: "https://tidings.example" } });
const recipient = "+4915112345678";

/** A provider's callback to the message's own address, or to the connection's; resolves to the answer. */
function callback(
  at: { url: string } | { connectionId: string },
  request: { method?: string; headers?: Record<string, string>; body?: string },
): Promise<Response> {
  const path =
    "url" in at ? at.url.replace("https://tidings.example", "") : `/api/callbacks/${at.connectionId}`;
  const connectionId = /^\/api\/callbacks\/([^?]+)/.exec(path)?.[1] ?? "";
  const url = env().publicUrl + path;
  return serveCallback(new Request(url, { method: "POST", ...request }), connectionId, {
    db: () => database.web,
  });
}

async function reportedCosts(id: string): Promise<unknown[]> {
  const { rows } = await database.owner.query<Record<string, unknown>>(
    "SELECT trim_scale(amount)::text AS amount, currency, source FROM cost_entries WHERE notification_id = $1 AND source = 'reported'",
    [id],
  );
  return rows;
}

describe("a message through Infobip", () => {
  it("is delivered when a callback to its own address says so, at the reported price, and by no other", async () => {
    const { addConnection, addRule, send, runJobs, notification } = await world();
    const connectionId = await addConnection({
      adapter: "infobip",
      credentials: { apiKey: FAKE_INFOBIP_KEY, callbackSecret: "a secret of callbacks" },
      settings: { baseUrl: infobip.baseUrl },
      channels: ["sms"],
      senders: [{ channel: "sms", sender: "ACME" }],
    });
    await addRule("production", [[connectionId]], { channel: "sms" });
    const id = messageId(await send());
    await runJobs();
    expect(await notification(id)).toMatchObject({ status: "sent", final: false });
    const sent = JSON.stringify(infobip.messages.find(({ body }) => JSON.stringify(body).includes(id)));
    const [, url = ""] = /"delivery":\{"url":"([^"]+)"/.exec(sent) ?? [];
    const report = {
      messageId: id,
      status: { groupId: 3, groupName: "DELIVERED", id: 5, name: "DELIVERED_TO_HANDSET" },
      price: { pricePerMessage: 0.0075, currency: "EUR" },
      messageCount: 2,
      doneAt: "2026-01-01T00:00:00.000+0000",
    };
    const body = JSON.stringify({ results: [report] });
    expect((await callback({ url: url.replace(/signature=./, "signature=!") }, { body })).status).toBe(403);
    expect((await callback({ connectionId }, { body })).status).toBe(403);
    expect(await notification(id)).toMatchObject({ status: "sent" });
    expect((await callback({ url }, { body })).status).toBe(204);
    expect(await notification(id)).toMatchObject({ status: "delivered" });
    expect(await reportedCosts(id)).toEqual([{ amount: "0.015", currency: "EUR", source: "reported" }]);
  });

  it("is another message through another connection to the same account, not a repetition", async () => {
    const { addConnection, addRule, send, runJobs, notification } = await world();
    const ours = () =>
      addConnection({
        adapter: "infobip",
        credentials: { apiKey: FAKE_INFOBIP_KEY, callbackSecret: "a secret of callbacks" },
        settings: { baseUrl: infobip.baseUrl },
        channels: ["sms"],
        senders: [{ channel: "sms", sender: "ACME" }],
      });
    const first = await ours();
    await addRule("production", [[first], [await ours()]], { channel: "sms" });
    infobip.setStatus({ groupId: 5, groupName: "REJECTED", name: "REJECTED_NOT_ENOUGH_CREDITS" });
    const id = messageId(await send());
    await runJobs();
    infobip.setStatus({ groupId: 1, groupName: "PENDING", name: "PENDING_ACCEPTED" });
    const taken = infobip.messages.filter(({ body }) => JSON.stringify(body).includes(id));
    expect(taken).toHaveLength(2);
    expect(await notification(id)).toMatchObject({ status: "sending", attempts: 2 });
  });
});

describe("a message through Vonage", () => {
  it("is read when a signed webhook says so, even if its answer was lost", async () => {
    const { addConnection, addRule, addTemplate, send, runJobs, notification } = await world();
    await addTemplate({
      name: "order-whatsapp",
      notificationType: "order",
      notificationSubtype: "order_status",
      channel: "whatsapp",
      body: "Order {{ code }}",
    });
    const { applicationId, privateKey, signatureSecret } = FAKE_VONAGE;
    const connectionId = await addConnection({
      adapter: "vonage",
      credentials: { applicationId, privateKey, signatureSecret },
      settings: { region: "eu", baseUrl: vonage.baseUrl },
      channels: ["whatsapp"],
      senders: [{ channel: "whatsapp", sender: "+4930123456" }],
    });
    await addRule("production", [[connectionId]], { channel: "whatsapp" });
    vonage.answerWith({ status: 502, body: "<html>Bad gateway</html>" });
    const id = messageId(await send({ recipients: [{ channel: "whatsapp", recipient }] }));
    await runJobs();
    vonage.answerWith(undefined);
    expect((await notification(id)).unknown_outcomes).toBe(1);
    const given = JSON.parse(vonage.calls.at(-1)?.body ?? "{}") as {
      webhook_url: string;
      client_ref: string;
    };
    const body = JSON.stringify({
      message_uuid: "aaaaaaaa-bbbb-4ccc-8ddd-0123456789ab",
      channel: "whatsapp",
      status: "read",
      client_ref: given.client_ref,
      timestamp: "2026-01-01T00:00:00.000Z",
      usage: { price: "0.0333", currency: "EUR" },
    });
    const at = { url: given.webhook_url };
    const forged = await webhookAuthorization(body, { secret: "another-secret-of-32-characters!" });
    expect((await callback(at, { body, headers: { authorization: forged } })).status).toBe(403);
    const authorization = await webhookAuthorization(body);
    expect((await callback(at, { body, headers: { authorization } })).status).toBe(204);
    const row = await notification(id);
    expect(row).toMatchObject({
      status: "delivered",
      provider_message_id: "aaaaaaaa-bbbb-4ccc-8ddd-0123456789ab",
    });
    expect(row.read_at).not.toBeNull();
    expect(await reportedCosts(id)).toEqual([{ amount: "0.0333", currency: "EUR", source: "reported" }]);
  });
});

describe("a message through Meta", () => {
  it("fails with Meta's reason, after Meta has checked the address", async () => {
    const { addConnection, addRule, addTemplate, send, runJobs, notification } = await world();
    await addTemplate({
      name: "order-whatsapp",
      notificationType: "order",
      notificationSubtype: "order_status",
      channel: "whatsapp",
      body: "Order {{ code }}",
    });
    const credentials = {
      accessToken: FAKE_META.accessToken,
      appSecret: "app-secret",
      verifyToken: "verify-me",
    };
    const connectionId = await addConnection({
      adapter: "meta",
      credentials,
      settings: { phoneNumberId: FAKE_META.phoneNumberId, version: "v23.0", baseUrl: meta.baseUrl },
      channels: ["whatsapp"],
    });
    await addRule("production", [[connectionId]], { channel: "whatsapp" });

    const ask = (token: string) =>
      callback(
        {
          url: `https://tidings.example/api/callbacks/${connectionId}?hub.mode=subscribe&hub.verify_token=${token}&hub.challenge=1158201444`,
        },
        { method: "GET" },
      );
    expect((await ask("wrong")).status).toBe(403);
    const answer = await ask("verify-me");
    expect([answer.status, await answer.text()]).toEqual([200, "1158201444"]);

    const id = messageId(await send({ recipients: [{ channel: "whatsapp", recipient }] }));
    await runJobs();
    const { provider_message_id: wamid } = await notification(id);
    const status = { id: wamid, status: "failed", timestamp: "1750030073", errors: [{ code: 131047 }] };
    const value = { metadata: { phone_number_id: FAKE_META.phoneNumberId }, statuses: [status] };
    const body = JSON.stringify({ entry: [{ changes: [{ field: "messages", value }] }] });
    const signed = (secret: string) =>
      callback(
        { connectionId },
        { body, headers: { "x-hub-signature-256": metaSignature(secret, Buffer.from(body)) } },
      );
    expect((await signed("another-secret")).status).toBe(403);
    expect((await signed(credentials.appSecret)).status).toBe(204);
    expect(await notification(id)).toMatchObject({
      status: "failed",
      failure: { code: "outside_conversation" },
    });
  });
});
