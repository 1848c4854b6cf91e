import { createHmac } from "node:crypto";
import fc from "fast-check";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { startFaultyServer } from "../../testing/faulty-server.ts";
import type { FaultyAnswer, FaultyServer } from "../../testing/faulty-server.ts";
import {
  EMAIL_NOTIFICATION_ID,
  emailMessage,
  loopbackClient,
  PDF,
  UNSUBSCRIBE_HEADERS,
} from "../../testing/outbound-email.ts";
import { descriptionFile, serveDescription } from "../../testing/prism.ts";
import type { ServedDescription } from "../../testing/prism.ts";
import type { CallbackRequest, CallbackResult, Connection, OutboundMessage } from "../adapter.ts";
import { parseResendCallback } from "./resend-callback.ts";
import { resendAdapter } from "./resend.ts";
import type { ResendCredentials, ResendSettings } from "./schemas.ts";

const SECRET = `whsec_${Buffer.alloc(24, 7).toString("base64")}`;
const EMAIL_ID = "4ef9a417-02e9-4d39-ad75-9611e0fcc33c";
const http = loopbackClient();
const running: { close: () => Promise<void> }[] = [];
afterEach(async () => {
  for (const server of running.splice(0)) await server.close();
});
afterAll(() => http.close());

const connection = (
  baseUrl: string,
  credentials: Partial<ResendCredentials> = { webhookSecret: SECRET },
): Connection<ResendCredentials, ResendSettings> => ({
  id: "c1",
  credentials: { apiKey: "re_secret", ...credentials },
  settings: { baseUrl },
});

const json = (status: number, value: unknown): FaultyAnswer => ({
  status,
  headers: { "content-type": "application/json" },
  body: JSON.stringify(value),
});
const refusal = (status: number, name: string, message = "No, ada@example.com"): FaultyAnswer =>
  json(status, { statusCode: status, name, message });

async function provider(answer: FaultyAnswer): Promise<FaultyServer> {
  const server = await startFaultyServer({ answer: () => answer });
  running.push(server);
  return server;
}

describe("sending through Resend", () => {
  it("hands over every part, the idempotency key, and what its events will find the notification by", async () => {
    const server = await provider(json(200, { id: EMAIL_ID }));
    const message = emailMessage({
      senderId: 'Shop "Zürich" <shop@example.org>',
      headers: UNSUBSCRIBE_HEADERS,
      attachments: [PDF],
    });
    const outcome = await resendAdapter.send(connection(server.baseUrl), message, { http });
    expect(outcome).toEqual({ kind: "sent", providerMessageId: EMAIL_ID, final: false });
    const [request] = server.requests;
    expect(request).toMatchObject({ method: "POST", path: "/emails" });
    expect(request?.headers).toMatchObject({
      authorization: "Bearer re_secret",
      "idempotency-key": message.idempotencyKey,
    });
    expect(JSON.parse(request?.body ?? "")).toEqual({
      from: '"Shop \\"Zürich\\"" <shop@example.org>',
      to: ["ada@example.com"],
      reply_to: "help@example.org",
      subject: "Grüße 👋",
      text: "Hallo Welt",
      html: "<p>Hallo <b>Welt</b></p>",
      headers: UNSUBSCRIBE_HEADERS,
      attachments: [
        {
          filename: "rechnung.pdf",
          content: PDF.content.toString("base64"),
          content_type: "application/pdf",
        },
      ],
      tags: [{ name: "tidings_notification", value: EMAIL_NOTIFICATION_ID }],
    });
  });

  it("sends the same bytes at every try: Resend recognises a repetition by key and body", async () => {
    const server = await provider(json(200, { id: EMAIL_ID }));
    for (const attempt of [1, 2]) {
      await resendAdapter.send(connection(server.baseUrl), emailMessage({ attempt }), { http });
    }
    const [first, second] = server.requests;
    expect(first?.body).toBe(second?.body);
    expect(first?.headers["idempotency-key"]).toBe(second?.headers["idempotency-key"]);
  });

  it("is final where no webhook is set up", async () => {
    const server = await provider(json(200, { id: EMAIL_ID }));
    expect(await resendAdapter.send(connection(server.baseUrl, {}), emailMessage(), { http })).toMatchObject({
      kind: "sent",
      final: true,
    });
  });

  it("refuses hostile parts and what is larger than Resend takes before anything leaves", async () => {
    const server = await provider(json(200, { id: EMAIL_ID }));
    const send = (more: Partial<OutboundMessage>) =>
      resendAdapter.send(connection(server.baseUrl), emailMessage(more), { http });
    expect(await send({ senderId: "Shop <a@b.example>, Eve <eve@evil.example>" })).toMatchObject({
      code: "sender_rejected",
    });
    expect(await send({ to: "ada@example.com, eve@evil.example" })).toMatchObject({
      code: "invalid_recipient",
    });
    expect(await send({ attachments: [{ ...PDF, content: Buffer.alloc(31_000_000) }] })).toMatchObject({
      retry: "failover",
      code: "message_too_large",
    });
    expect(server.requests).toHaveLength(0);
  });

  it.each([
    [422, "validation_error", "Invalid `to` field.", "never", "invalid_recipient"],
    [403, "validation_error", "The example.org domain is not verified.", "failover", "sender_rejected"],
    [422, "invalid_from_address", "Invalid `from` field.", "failover", "sender_rejected"],
    [401, "missing_api_key", "Missing", "failover", "provider_credentials"],
    [403, "invalid_api_key", "API key is invalid", "failover", "provider_credentials"],
    [429, "rate_limit_exceeded", "Too many requests", "later", "provider_rate_limited"],
    [429, "daily_quota_exceeded", "Quota", "failover", "provider_rate_limited"],
    [451, "security_error", "Security", "failover", "account_restricted"],
    [404, "not_found", "Where?", "failover", "provider_rejected"],
  ])("knows that %i %s was not sent: %s", async (status, name, message, retry, code) => {
    const server = await provider(refusal(status, name, `${message} ada@example.com`));
    expect(await resendAdapter.send(connection(server.baseUrl), emailMessage(), { http })).toMatchObject({
      kind: "not_sent",
      retry,
      code,
      providerCode: name,
      providerMessage: `${message} [address]`,
    });
  });

  it.each(["concurrent_idempotent_requests", "invalid_idempotent_request"])(
    "does not know what became of the message after %s: an earlier try has reached Resend",
    async (name) => {
      const server = await provider(refusal(409, name));
      expect(await resendAdapter.send(connection(server.baseUrl), emailMessage(), { http })).toMatchObject({
        kind: "unknown",
        providerCode: name,
      });
    },
  );
});

describe("the connection test", () => {
  const test = async (answer: FaultyAnswer) =>
    resendAdapter.test(connection((await provider(answer)).baseUrl), { http });

  it("names the domains, and what a key for sending alone means", async () => {
    const domains = { data: [{ name: "example.org", status: "verified", region: "eu-west-1" }] };
    expect(await test(json(200, domains))).toEqual({
      ok: true,
      facts: [{ label: "Domains", value: "example.org verified eu-west-1" }],
    });
    expect(await test(refusal(401, "restricted_api_key"))).toEqual({
      ok: true,
      facts: [{ label: "API key", value: "Sending access only; domains cannot be listed" }],
    });
  });

  it("says what is wrong", async () => {
    expect(await test(refusal(403, "invalid_api_key"))).toMatchObject({ ok: false });
    expect(await test(refusal(400, "validation_error", "API key is invalid"))).toMatchObject({
      ok: false,
      problem: expect.stringContaining("API key") as string,
    });
    expect(await test(json(500, {}))).toMatchObject({
      ok: false,
      problem: "Resend answered with status 500",
    });
  });
});

/** Signed by hand, as the specification of Standard Webhooks says. */
function request(body: string | Buffer, at = Date.now()): CallbackRequest {
  const rawBody = Buffer.from(body);
  const timestamp = String(Math.floor(at / 1_000));
  const key = Buffer.from(SECRET.slice("whsec_".length), "base64");
  const signature = createHmac("sha256", key)
    .update(Buffer.concat([Buffer.from(`msg_1.${timestamp}.`), rawBody]))
    .digest("base64");
  return {
    method: "POST",
    url: "https://tidings.example/api/callbacks/c1",
    headers: {
      "svix-id": "msg_1",
      "svix-timestamp": timestamp,
      "svix-signature": `v1,AAAA v1,${signature}`,
    },
    rawBody,
  };
}

const event = (type: string, data: Record<string, unknown> = {}) => ({
  type,
  created_at: "2026-11-22T00:00:00.000Z",
  data: {
    email_id: EMAIL_ID,
    created_at: "2026-11-21T23:59:00.000Z",
    from: "Shop <shop@example.org>",
    to: ["ada@example.com"],
    subject: "Grüße",
    tags: { tidings_notification: EMAIL_NOTIFICATION_ID },
    ...data,
  },
});
const bounce = (type: string, subType: string, diagnostic = "smtp; 550 5.1.1 <ada@example.com> unknown") => ({
  bounce: { type, subType, diagnosticCode: [diagnostic], message: "The server said no." },
});
const EVENTS: [string, Record<string, unknown>, Record<string, unknown>][] = [
  ["email.sent", {}, { status: "sent" }],
  ["email.scheduled", {}, { status: "sent" }],
  ["email.delivery_delayed", {}, { status: "sent" }],
  ["email.delivered", {}, { status: "delivered" }],
  ["email.opened", {}, { event: "read" }],
  [
    "email.clicked",
    {
      click: {
        ipAddress: "192.0.2.1",
        link: "https://example.com",
        timestamp: "2026-11-22T00:00:00.000Z",
        userAgent: "x",
      },
    },
    { event: "clicked" },
  ],
  ["email.complained", {}, { event: "complained" }],
  [
    "email.bounced",
    bounce("Permanent", "General"),
    { status: "failed", event: "bounced", permanent: true, code: "invalid_recipient", providerCode: "5.1.1" },
  ],
  [
    "email.bounced",
    bounce("Transient", "MailboxFull", "smtp; 452 4.2.2 full"),
    { status: "failed", event: "bounced", permanent: false, code: "mailbox_full", providerCode: "4.2.2" },
  ],
  [
    "email.suppressed",
    {
      suppressed: {
        diagnosticCode: [],
        message: "No",
        reason: "previous_bounce",
        type: "OnAccountSuppressionList",
      },
    },
    { status: "failed", code: "suppressed_by_provider" },
  ],
  [
    "email.failed",
    { failed: { reason: "reached_daily_quota" } },
    { status: "failed", code: "undelivered", providerMessage: "reached_daily_quota" },
  ],
];

describe("Resend's webhooks", () => {
  const parse = (from: CallbackRequest): CallbackResult => parseResendCallback(SECRET, from);

  it.each(EVENTS)("%s %j", (type, data, expected) => {
    const result = parse(request(JSON.stringify(event(type, data))));
    expect(result).toMatchObject({
      authentic: true,
      receipts: [
        {
          providerMessageId: EMAIL_ID,
          notificationId: EMAIL_NOTIFICATION_ID,
          at: new Date("2026-11-22T00:00:00.000Z"),
          ...expected,
        },
      ],
    });
    expect(JSON.stringify(result)).not.toContain("ada@");
  });

  it("say nothing about messages of ours with other events", () => {
    for (const type of ["email.received", "contact.created", "x"]) {
      expect(parse(request(JSON.stringify(event(type))))).toEqual({
        authentic: true,
        receipts: [],
        inbound: [],
      });
    }
  });

  it("are believed only with a signature that is ours and fresh", () => {
    const body = JSON.stringify(event("email.delivered"));
    const good = request(body);
    expect(parse(good).authentic).toBe(true);
    const refused: CallbackRequest[] = [
      { ...good, rawBody: Buffer.from(body.replace("delivered", "complained")) },
      { ...good, method: "GET" },
      { ...good, headers: { ...good.headers, "svix-id": "msg_2" } },
      { ...good, headers: {} },
      { ...good, headers: { ...good.headers, "svix-signature": "v1,AAAA" } },
      request(body, Date.now() - 600_000),
      request(body, Date.now() + 600_000),
    ];
    for (const from of refused) expect(parse(from)).toEqual({ authentic: false });
    expect(parseResendCallback(undefined, good)).toEqual({ authentic: false });
    expect(parseResendCallback("whsec_$", good)).toEqual({ authentic: false });
  });

  it("never throw, signed or not", () => {
    const anything = fc.oneof(
      fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes)),
      fc
        .record({ type: fc.constantFrom(...EVENTS.map(([type]) => type)), data: fc.jsonValue() })
        .map((value) => Buffer.from(JSON.stringify(value))),
    );
    fc.assert(
      fc.property(anything, fc.string(), fc.boolean(), (body, text, signed) => {
        const from = request(body);
        if (!signed) from.headers["svix-signature"] = text;
        // The library compares texts, so bytes that are no text are nobody's.
        const isText = Buffer.from(body.toString("utf8")).equals(body);
        expect(parse(from).authentic).toBe(signed && isText);
      }),
    );
  });
});

const description = descriptionFile("resend.yaml");

describe.skipIf(description === null)("Resend's own API description", () => {
  let prism: ServedDescription;
  beforeAll(async () => {
    prism = await serveDescription(description ?? "");
  });
  afterAll(() => prism.close());

  const post = async (path: string, body: unknown): Promise<number> =>
    (
      await fetch(`${prism.baseUrl}${path}`, {
        method: "POST",
        headers: { "content-type": "application/json", authorization: "Bearer x" },
        body: JSON.stringify(body),
      })
    ).status;

  it("refuses a wrong request (the probe that shows it checks at all)", async () => {
    expect(await post("/emails", { from: "shop@example.org", to: [], subject: "x" })).toBe(422);
    expect(await post("/_callback/email.bounced", event("email.bounced"))).toBe(422);
    const key = { idempotencyKey: "k".repeat(257) };
    expect(await resendAdapter.send(connection(prism.baseUrl), emailMessage(key), { http })).toMatchObject({
      kind: "not_sent",
    });
  });

  it.each<[string, Partial<OutboundMessage>]>([
    ["text and HTML", {}],
    ["text alone", { html: undefined, replyTo: undefined, senderId: "shop@example.org" }],
    ["headers and attachments", { headers: UNSUBSCRIBE_HEADERS, attachments: [PDF, PDF] }],
  ])("accepts %s", async (_what, more) => {
    const outcome = await resendAdapter.send(connection(prism.baseUrl), emailMessage(more), { http });
    // Its example answer has an id that no message could have; that it answers 200 is what counts.
    expect(outcome).toMatchObject({ kind: expect.stringMatching(/^(sent|unknown)$/) as string });
    expect(outcome).not.toHaveProperty("providerCode");
  });

  it("knows the events that these tests make up", async () => {
    for (const [type, data] of EVENTS) {
      const status = await post(`/_callback/${type}`, event(type, data));
      expect([type, status]).toEqual([type, expect.toSatisfy((it: number) => it < 300)]);
    }
  });
});
