import { once } from "node:events";
import { createServer } from "node:http";
import type { IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { createOutboundClient } from "../../kernel/outbound-http.ts";
import { startFakeTwilio } from "../../testing/fake-twilio.ts";
import type { FakeTwilio, FakeTwilioOptions } from "../../testing/fake-twilio.ts";
import { descriptionFile, serveDescription } from "../../testing/prism.ts";
import type { ServedDescription } from "../../testing/prism.ts";
import type { Connection, OutboundMessage } from "../adapter.ts";
import type { TwilioCredentials, TwilioSettings } from "./schemas.ts";
import { twilioAdapter } from "./twilio.ts";

const credentials: TwilioCredentials = { accountSid: `AC${"1a".repeat(16)}`, authToken: "s3cret-token" };
const http = createOutboundClient({ allow: ["127.0.0.0/8"], userAgent: "test/1.0" });
const notificationId = "0198c7a0-0000-7000-8000-000000000001";

const message = (more: Partial<OutboundMessage> = {}): OutboundMessage => ({
  tenantId: "0198c7a0-0000-7000-8000-00000000000a",
  notificationId,
  attempt: 1,
  channel: "sms",
  to: "+4915112345678",
  senderId: "+4915199999999",
  text: "Ihr Code: 1234 & mehr = gut 👍",
  idempotencyKey: notificationId,
  callbackUrl: "https://tidings.example/api/callbacks/c1",
  ...more,
});

const connection = (
  baseUrl: string,
  settings: Partial<TwilioSettings> = {},
): Connection<TwilioCredentials, TwilioSettings> => ({
  id: "c1",
  credentials,
  settings: { region: "us1", baseUrl, ...settings },
});

afterAll(() => http.close());

describe("sending through Twilio", () => {
  const running: FakeTwilio[] = [];
  const fake = async (options: FakeTwilioOptions = {}): Promise<FakeTwilio> => {
    const started = await startFakeTwilio({ account: credentials, ...options });
    running.push(started);
    return started;
  };
  afterEach(async () => {
    for (const started of running.splice(0)) await started.close();
  });

  it("hands over recipient, sender, text and the callback of this notification", async () => {
    const twilio = await fake();
    const outcome = await twilioAdapter.send(connection(twilio.baseUrl), message(), { http });
    expect(outcome).toEqual({
      kind: "sent",
      providerMessageId: twilio.messages[0]?.sid,
      final: false,
      segments: 1,
    });
    expect(Object.fromEntries(twilio.messages[0]?.form ?? [])).toEqual({
      To: "+4915112345678",
      From: "+4915199999999",
      Body: "Ihr Code: 1234 & mehr = gut 👍",
      StatusCallback: `https://tidings.example/api/callbacks/c1?notification=${notificationId}&attempt=1`,
    });
  });

  it("uses the messaging service instead of a missing sender, and refuses when there is neither", async () => {
    const twilio = await fake();
    const service = `MG${"2b".repeat(16)}`;
    await twilioAdapter.send(
      connection(twilio.baseUrl, { messagingServiceSid: service }),
      message({ senderId: undefined }),
      { http },
    );
    await twilioAdapter.send(connection(twilio.baseUrl), message({ senderId: service }), { http });
    for (const received of twilio.messages) {
      expect(received.form.get("MessagingServiceSid")).toBe(service);
      expect(received.from).toBeNull();
    }
    const outcome = await twilioAdapter.send(connection(twilio.baseUrl), message({ senderId: undefined }), {
      http,
    });
    expect(outcome).toMatchObject({ kind: "not_sent", retry: "failover", code: "sender_rejected" });
    expect(twilio.messages).toHaveLength(2);
  });

  it("sends WhatsApp as a template with its variables, or as text inside a conversation", async () => {
    const twilio = await fake();
    const template = `HX${"3c".repeat(16)}`;
    const whatsapp = { template, variables: { "1": "Ada", "2": "12:30" } };
    await twilioAdapter.send(
      connection(twilio.baseUrl),
      message({ channel: "whatsapp", whatsapp, text: undefined }),
      { http },
    );
    await twilioAdapter.send(connection(twilio.baseUrl), message({ channel: "whatsapp", text: "Hi" }), {
      http,
    });
    const [first, second] = twilio.messages;
    expect(first?.to).toBe("whatsapp:+4915112345678");
    expect(first?.from).toBe("whatsapp:+4915199999999");
    expect(first?.form.get("ContentSid")).toBe(template);
    expect(JSON.parse(first?.form.get("ContentVariables") ?? "")).toEqual(whatsapp.variables);
    expect(first?.body).toBeNull();
    expect(second?.body).toBe("Hi");
  });

  it("refuses a message without content before the provider sees it", async () => {
    const twilio = await fake();
    const outcome = await twilioAdapter.send(connection(twilio.baseUrl), message({ text: "" }), { http });
    expect(outcome).toMatchObject({ kind: "not_sent", retry: "never", code: "invalid_message" });
    expect(twilio.requests()).toBe(0);
  });

  it.each([
    [400, 21211, "invalid_recipient", "never"],
    [400, 21614, "invalid_recipient", "never"],
    [400, 21610, "opted_out", "never"],
    [400, 21617, "content_rejected", "never"],
    [400, 21606, "sender_rejected", "failover"],
    [400, 21611, "provider_rate_limited", "later"],
    [400, 99999, "provider_rejected", "failover"],
    [401, 20003, "provider_credentials", "failover"],
    [404, 20404, "provider_credentials", "failover"],
    [429, 20429, "provider_rate_limited", "later"],
  ])("knows that status %i, error %i was not sent: %s, %s", async (status, code, ours, retry) => {
    const twilio = await fake({
      mode: { kind: "error", status, code, message: "Number +4915112345678 is bad" },
    });
    const outcome = await twilioAdapter.send(connection(twilio.baseUrl), message(), { http });
    expect(outcome).toMatchObject({
      kind: "not_sent",
      code: ours,
      retry,
      providerCode: String(code),
      providerMessage: "Number [number] is bad",
    });
  });

  it("waits as long as the provider asks", async () => {
    const twilio = await fake({ mode: { kind: "error", status: 429, retryAfter: "7" } });
    const outcome = await twilioAdapter.send(connection(twilio.baseUrl), message(), { http });
    expect(outcome).toMatchObject({
      kind: "not_sent",
      retry: "later",
      retryAfterMs: 7_000,
      code: "provider_rate_limited",
    });
  });

  it.each([
    ["no answer", { kind: "hang" }, "provider_timeout"],
    ["a connection that breaks after the request", { kind: "lost" }, "provider_connection_lost"],
    ["an acceptance without an id", { kind: "garbage" }, "provider_answer_unreadable"],
    ["a server error", { kind: "error", status: 500, code: 20500 }, "provider_error"],
  ] as const)("does not know what became of the message after %s", async (_what, mode, code) => {
    const twilio = await fake({ mode });
    const outcome = await twilioAdapter.send(connection(twilio.baseUrl), message(), { http, timeoutMs: 200 });
    expect(outcome).toMatchObject({ kind: "unknown", code });
  });

  it("knows that nothing was sent when nobody answers the phone", async () => {
    const twilio = await fake();
    await running.pop()?.close();
    const outcome = await twilioAdapter.send(connection(twilio.baseUrl), message(), { http });
    expect(outcome).toMatchObject({ kind: "not_sent", retry: "later", code: "provider_unavailable" });
  });

  it("does not reach into private networks", async () => {
    const guarded = createOutboundClient({ allow: [], userAgent: "test/1.0" });
    const twilio = await fake();
    const outcome = await twilioAdapter.send(connection(twilio.baseUrl), message(), { http: guarded });
    expect(outcome).toMatchObject({ kind: "not_sent", retry: "failover", code: "provider_blocked" });
    expect(twilio.requests()).toBe(0);
    await guarded.close();
  });

  it("tells good credentials from bad ones without sending anything", async () => {
    const twilio = await fake();
    expect(await twilioAdapter.test(connection(twilio.baseUrl), { http })).toEqual({ ok: true });
    const wrong = { ...connection(twilio.baseUrl), credentials: { ...credentials, authToken: "wrong" } };
    expect(await twilioAdapter.test(wrong, { http })).toMatchObject({
      ok: false,
      problem: expect.stringContaining("auth token") as string,
    });
    await running.pop()?.close();
    expect(await twilioAdapter.test(connection(twilio.baseUrl), { http })).toMatchObject({ ok: false });
    expect(twilio.messages).toEqual([]);
  });

  it("sends without receipts rather than not at all when Twilio could not call back", async () => {
    const seen: string[] = [];
    const recorder = {
      ...http,
      request: (request: Parameters<typeof http.request>[0]) => {
        seen.push(`${request.url} ${String(request.body)}`);
        const body = Buffer.from(JSON.stringify({ sid: `SM${"4d".repeat(16)}`, status: "queued" }));
        return Promise.resolve({ status: 201, headers: {}, body, truncated: false });
      },
    };
    const cloud = { id: "c1", credentials, settings: { region: "ie1" as const } };
    const local = message({ callbackUrl: "http://localhost:3000/api/callbacks/c1" });
    expect(await twilioAdapter.send(cloud, local, { http: recorder })).toMatchObject({
      kind: "sent",
      final: true,
    });
    expect(await twilioAdapter.send(cloud, message(), { http: recorder })).toMatchObject({
      kind: "sent",
      final: false,
    });
    expect(seen[0]).toContain("https://api.dublin.ie1.twilio.com/2010-04-01/Accounts/AC");
    expect(seen[0]).not.toContain("StatusCallback");
    expect(seen[1]).toContain("StatusCallback");
  });
});

describe("the fake Twilio", () => {
  it("calls back so that the adapter finds message, notification and status", async () => {
    const requests: { url: string; headers: IncomingHttpHeaders; rawBody: Buffer }[] = [];
    const receiver = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on("data", (chunk: Buffer) => chunks.push(chunk));
      request.on("end", () => {
        requests.push({ url: request.url ?? "", headers: request.headers, rawBody: Buffer.concat(chunks) });
        response.writeHead(204).end();
      });
    }).listen(0, "127.0.0.1");
    await once(receiver, "listening");
    const origin = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`;
    const twilio = await startFakeTwilio();
    const callbackUrl = `${origin}/api/callbacks/c1`;
    await twilioAdapter.send(connection(twilio.baseUrl), message({ callbackUrl, attempt: 3 }), { http });
    const [sent] = twilio.messages;
    if (!sent) throw new Error("nothing was sent");
    expect(await twilio.postStatus(sent, "undelivered", { ErrorCode: "30007" })).toBe(204);
    const [request] = requests;
    const headers = { "x-twilio-signature": String(request?.headers["x-twilio-signature"]) };
    const url = origin + (request?.url ?? "");
    const rawBody = request?.rawBody ?? Buffer.alloc(0);
    expect(
      await twilioAdapter.parseCallback?.(
        connection(twilio.baseUrl),
        { method: "POST", url, headers, rawBody },
        { http },
      ),
    ).toMatchObject({
      authentic: true,
      receipts: [
        {
          providerMessageId: sent.sid,
          notificationId,
          attempt: 3,
          status: "failed",
          code: "content_filtered",
        },
      ],
    });
    await twilio.close();
    receiver.close();
  });
});

const description = descriptionFile("twilio.yaml");

describe.skipIf(description === null)("Twilio's own API description", () => {
  let prism: ServedDescription;
  beforeAll(async () => {
    prism = await serveDescription(description ?? "");
  });
  afterAll(() => prism.close());

  it("refuses a wrong request (the probe that shows it checks at all)", async () => {
    const wrong = connection(prism.baseUrl, { messagingServiceSid: "MGnot-a-sid" });
    const outcome = await twilioAdapter.send(wrong, message({ senderId: undefined }), { http });
    expect(outcome).toMatchObject({ kind: "not_sent", providerCode: "422" });
  });

  it.each<[string, Partial<OutboundMessage>, Partial<TwilioSettings>]>([
    ["an SMS", {}, {}],
    [
      "an SMS through a messaging service",
      { senderId: undefined },
      { messagingServiceSid: `MG${"5e".repeat(16)}` },
    ],
    ["a WhatsApp text", { channel: "whatsapp" }, {}],
    [
      "a WhatsApp template",
      {
        channel: "whatsapp",
        text: undefined,
        whatsapp: { template: `HX${"6f".repeat(16)}`, variables: { "1": "x" } },
      },
      {},
    ],
  ])("accepts %s", async (_what, more, settings) => {
    const outcome = await twilioAdapter.send(connection(prism.baseUrl, settings), message(more), { http });
    expect(outcome).toMatchObject({ kind: "sent" });
  });
});
