import { generateKeyPairSync } from "node:crypto";
import { verifySignature } from "@vonage/jwt";
import { decodeJwt, decodeProtectedHeader } from "jose";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createOutboundClient } from "../../kernel/outbound-http.ts";
import type { OutboundClient } from "../../kernel/outbound-http.ts";
import type { ProviderAnswer } from "../../testing/fake-provider.ts";
import { FAKE_VONAGE, problem, startFakeVonage } from "../../testing/fake-vonage.ts";
import type { FakeVonage } from "../../testing/fake-vonage.ts";
import { phoneMessage } from "../../testing/outbound-phone.ts";
import { descriptionFile, serveDescription } from "../../testing/prism.ts";
import type { ServedDescription } from "../../testing/prism.ts";
import type { Connection, OutboundMessage } from "../adapter.ts";
import { vonageCredentialsSchema } from "./schemas.ts";
import type { VonageCredentials, VonageSettings } from "./schemas.ts";
import { vonageToken } from "./vonage-token.ts";
import { vonageAdapter } from "./vonage.ts";

const http = createOutboundClient({ allow: ["127.0.0.0/8"], userAgent: "test/1.0" });
afterAll(() => http.close());
const notificationId = "0198c7a0-0000-7000-8000-000000000001";
const { publicKey, apiKey, apiSecret, ...application } = FAKE_VONAGE;
const credentials: VonageCredentials = vonageCredentialsSchema.parse(application);

const message = phoneMessage;
const whatsapp = (more: Partial<OutboundMessage> = {}) => message({ channel: "whatsapp", ...more });
const connection = (
  baseUrl: string,
  more: Partial<VonageCredentials> = {},
): Connection<VonageCredentials, VonageSettings> => ({
  id: "c1",
  credentials: { ...credentials, ...more },
  settings: { region: "global", baseUrl },
});

describe("sending through Vonage", () => {
  let vonage: FakeVonage;
  beforeEach(async () => {
    vonage = await startFakeVonage();
  });
  afterEach(() => vonage.close());
  const send = (wanted: OutboundMessage) => vonageAdapter.send(connection(vonage.baseUrl), wanted, { http });

  it("hands over an SMS with its time to live, its encoding, and what comes back with its statuses", async () => {
    const expiresAt = new Date(Date.now() + 600_500);
    expect(await send(message({ expiresAt, encoding: "UCS-2" }))).toEqual({
      kind: "sent",
      providerMessageId: "aaaaaaaa-bbbb-4ccc-8ddd-000000000001",
      final: false,
    });
    const [sms] = vonage.messages;
    expect(sms).toEqual({
      channel: "sms",
      message_type: "text",
      to: "4915112345678",
      from: "4915199999999",
      text: "Ihr Code: 1234",
      client_ref: `${notificationId}:2`,
      webhook_url: "https://tidings.example/api/callbacks/c1",
      webhook_version: "v1",
      ttl: expect.any(Number) as number,
      sms: { encoding_type: "unicode" },
    });
    expect(sms?.ttl).toBeGreaterThan(500);
    expect(sms?.ttl).toBeLessThanOrEqual(600);
    // Vonage takes forty characters; an attempt of six digits is far more than there are.
    expect(`${notificationId}:999`.length).toBeLessThanOrEqual(40);
  });

  it("asks for no shorter time to live than Vonage takes, and for none instead of a longer one", async () => {
    await send(message({ expiresAt: new Date(Date.now() - 5_000), senderId: "ACME" }));
    await send(message({ expiresAt: new Date(Date.now() + 30 * 86_400_000) }));
    expect(vonage.messages[0]).toMatchObject({ ttl: 20, from: "ACME" });
    expect(vonage.messages[1]).not.toHaveProperty("ttl");
  });

  it("sends without receipts where Vonage could not call back", async () => {
    const local = message({ callbackUrl: "http://localhost:3000/api/callbacks/c1" });
    expect(await send(local)).toMatchObject({ kind: "sent", final: true });
    expect(vonage.messages[0]).not.toHaveProperty("webhook_url");
  });

  const template = { template: "order_shipped", language: "en_GB", variables: { "2": "b", "1": "Ada" } };
  it.each<[string, Partial<OutboundMessage>, object]>([
    ["a text", {}, { message_type: "text", text: "Ihr Code: 1234" }],
    [
      "an approved template, its language as Vonage writes it",
      { whatsapp: template, header: { type: "text", value: "Order" }, footer: "F" },
      {
        message_type: "template",
        template: { name: "order_shipped", parameters: ["Ada", "b"] },
        whatsapp: { policy: "deterministic", locale: "en-GB" },
      },
    ],
    [
      "a template under a namespace",
      { whatsapp: { ...template, template: "9b6b4fcb_da19:order_shipped" } },
      { template: { name: "9b6b4fcb_da19:order_shipped" } },
    ],
    [
      "a template with a picture and a payload, in WhatsApp's form",
      {
        whatsapp: { ...template, template: "9b6b4fcb_da19:order_shipped" },
        header: { type: "image", value: "https://a.example/b.png" },
        buttons: [{ type: "quick_reply", text: "Yes", value: "y1" }],
      },
      {
        message_type: "custom",
        custom: {
          type: "template",
          template: {
            namespace: "9b6b4fcb_da19",
            name: "order_shipped",
            language: { policy: "deterministic", code: "en_GB" },
            components: [
              { type: "header", parameters: [{ type: "image", image: { link: "https://a.example/b.png" } }] },
              { type: "body" },
              { type: "button", sub_type: "quick_reply", index: "0" },
            ],
          },
        },
      },
    ],
    [
      "a picture with the text below it",
      { header: { type: "image", value: "https://a.example/b.png" } },
      { message_type: "image", image: { url: "https://a.example/b.png", caption: "Ihr Code: 1234" } },
    ],
    [
      "a document",
      { header: { type: "document", value: "https://a.example/b.pdf" } },
      {
        message_type: "file",
        file: { url: "https://a.example/b.pdf", caption: "Ihr Code: 1234", name: "b.pdf" },
      },
    ],
    [
      "quick replies",
      { footer: "F", buttons: [{ type: "quick_reply", text: "Yes", value: "y1" }] },
      {
        message_type: "custom",
        custom: {
          type: "interactive",
          interactive: {
            type: "button",
            body: { text: "Ihr Code: 1234" },
            footer: { text: "F" },
            action: { buttons: [{ type: "reply", reply: { id: "y1", title: "Yes" } }] },
          },
        },
      },
    ],
    [
      "an address as a button",
      { buttons: [{ type: "url", text: "Open", value: "https://a.example" }] },
      { message_type: "custom", custom: { interactive: { type: "cta_url" } } },
    ],
  ])("sends by WhatsApp %s", async (_what, more, expected) => {
    expect(await send(whatsapp(more))).toMatchObject({ kind: "sent" });
    expect(vonage.messages[0]).toMatchObject({ channel: "whatsapp", to: "4915112345678", ...expected });
  });

  it.each<[string, OutboundMessage, string, string]>([
    ["an SMS without text", message({ text: "" }), "never", "invalid_message"],
    ["a message without sender", message({ senderId: undefined }), "failover", "sender_rejected"],
    [
      "a template without language",
      whatsapp({ whatsapp: { template: "a", variables: {} } }),
      "never",
      "template_rejected",
    ],
    [
      "another provider's template",
      whatsapp({ whatsapp: { template: "HX12", language: "en", variables: {} } }),
      "failover",
      "template_rejected",
    ],
  ])("refuses %s before Vonage sees it", async (_what, wanted, retry, code) => {
    expect(await send(wanted)).toMatchObject({ kind: "not_sent", retry, code });
    expect(vonage.calls).toEqual([]);
  });

  it.each<[string, ProviderAnswer, string, string]>([
    ["a bad token", problem(401, "unauthorized", "Unauthorized"), "provider_credentials", "failover"],
    ["no funds", problem(402, "low-balance", "Low balance"), "provider_out_of_funds", "failover"],
    ["a bad sender", problem(422, "1420", "Invalid sender"), "sender_rejected", "failover"],
    ["a bad sender of old", problem(422, "1120", "Invalid sender"), "sender_rejected", "failover"],
    ["a bad recipient", problem(422, "1430", "Invalid recipient"), "invalid_recipient", "never"],
    ["bad parameters", problem(422, "1150", "Invalid params"), "provider_rejected", "failover"],
    ["too many", problem(429, "1010", "Rate Limit Hit"), "provider_rate_limited", "later"],
  ])("knows that %s was not sent", async (_what, answer, code, retry) => {
    vonage.answerWith(answer);
    const providerCode = (answer.body as { type: string }).type.split("#")[1];
    expect(await send(message())).toMatchObject({ kind: "not_sent", code, retry, providerCode });
  });

  it("says which parameter Vonage refuses, and does not know what became of a message after a server error", async () => {
    const invalid_parameters = [{ name: "image.url", reason: "is required for +4915112345678." }];
    vonage.answerWith(problem(422, "1150", "Invalid params", { invalid_parameters }));
    expect(await send(message())).toMatchObject({
      providerMessage: "Invalid params. image.url is required for [number].",
    });
    vonage.answerWith(problem(500, "1000", "Internal error"));
    expect(await send(message())).toMatchObject({ kind: "unknown", code: "provider_error" });
  });

  it("tells good credentials from bad ones without sending, and the balance where it may", async () => {
    const test = (more: Partial<VonageCredentials>) =>
      vonageAdapter.test(connection(vonage.baseUrl, more), { http });
    expect(await test({})).toEqual({ ok: true });
    expect(await test({ apiKey, apiSecret })).toEqual({
      ok: true,
      facts: [{ label: "Balance", value: "10.28 EUR" }],
    });
    expect(await test({ apiKey, apiSecret: "wrong" })).toMatchObject({
      ok: false,
      problem: expect.stringContaining("API key") as string,
    });
    expect(await test({ applicationId: "bbbbbbbb-bbbb-4ccc-8ddd-0123456789ab" })).toMatchObject({
      ok: false,
      problem: expect.stringContaining("application ID") as string,
    });
    const { privateKey } = generateKeyPairSync("rsa", {
      modulusLength: 2048,
      publicKeyEncoding: { type: "spki", format: "pem" },
      privateKeyEncoding: { type: "pkcs1", format: "pem" },
    });
    expect(await test({ privateKey })).toMatchObject({ ok: false });
    expect(vonage.messages).toEqual([]);
  });

  it("says so when the private key cannot be read", async () => {
    const broken = connection(vonage.baseUrl, { privateKey: "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END" });
    expect(await vonageAdapter.send(broken, message(), { http })).toMatchObject({
      kind: "not_sent",
      retry: "failover",
      code: "provider_credentials",
    });
    expect(await vonageAdapter.test(broken, { http })).toMatchObject({
      ok: false,
      problem: expect.stringContaining("private key") as string,
    });
    expect(vonage.calls).toEqual([]);
  });

  it("goes to the region of the settings, and says only what they say", () => {
    expect(vonageAdapter.regionOf({ region: "eu" })).toBe("EU");
    expect(vonageAdapter.regionOf({ region: "us" })).toBe("US");
    expect(vonageAdapter.regionOf({ region: "global" })).toBeNull();
  });
});

describe("the token", () => {
  it("is the application's, under its key, as Vonage's own library checks it", async () => {
    const token = (await vonageToken(credentials)) ?? "";
    expect(verifySignature(token, publicKey)).toBe(true);
    expect(decodeProtectedHeader(token)).toMatchObject({ alg: "RS256", typ: "JWT" });
    const { application_id: id, jti, iat = 0, exp = 0 } = decodeJwt(token);
    expect(id).toBe(credentials.applicationId);
    expect(jti).toMatch(/^[0-9a-f-]{36}$/);
    expect(exp - iat).toBe(900);
  });

  it("serves many messages, and is renewed while it is still good", async () => {
    const now = Date.now() + 3_600_000;
    const first = await vonageToken(credentials, now);
    expect(await vonageToken(credentials, now + 599_000)).toBe(first);
    const next = (await vonageToken(credentials, now + 601_000)) ?? "";
    expect(next).not.toBe(first);
    expect((decodeJwt(next).exp ?? 0) * 1_000).toBeGreaterThan(now + 601_000 + 300_000);
  });

  it("is another for another application", async () => {
    const other = { ...credentials, applicationId: "bbbbbbbb-bbbb-4ccc-8ddd-0123456789ab" };
    expect(await vonageToken(other)).not.toBe(await vonageToken(credentials));
  });

  it("is made from a key whose line breaks are written out", async () => {
    const token = await vonageToken({
      ...credentials,
      privateKey: credentials.privateKey.replaceAll("\n", "\\n"),
    });
    expect(verifySignature(token ?? "", publicKey)).toBe(true);
  });
});

const description = descriptionFile("vonage-messages-v1.yaml");

describe.skipIf(description === null)("Vonage's own API description", () => {
  let prism: ServedDescription;
  let described: OutboundClient;
  beforeAll(async () => {
    prism = await serveDescription(description ?? "");
    // The description's path is "/", its server's address has the rest.
    const request: OutboundClient["request"] = (wanted) =>
      http.request({ ...wanted, url: wanted.url.replace("/v1/messages", "/") });
    described = { ...http, request };
  });
  afterAll(() => prism.close());
  const send = (wanted: OutboundMessage) =>
    vonageAdapter.send(connection(prism.baseUrl), wanted, { http: described });

  it("refuses a wrong request (the probe that shows it checks at all)", async () => {
    expect(await send(message({ to: "+1234567890123456" }))).toMatchObject({
      kind: "not_sent",
      providerCode: "invalid-json",
    });
  });

  const template = { template: "order_shipped", language: "en_GB", variables: { "1": "Ada" } };
  it.each<[string, OutboundMessage]>([
    ["an SMS", message({ expiresAt: new Date(Date.now() + 600_000), encoding: "GSM-7" })],
    ["a WhatsApp text", whatsapp()],
    ["a template", whatsapp({ whatsapp: template })],
    [
      "a template in WhatsApp's form",
      whatsapp({ whatsapp: template, header: { type: "image", value: "https://a.example/b.png" } }),
    ],
    ["quick replies", whatsapp({ buttons: [{ type: "quick_reply", text: "Yes" }] })],
    ["a picture", whatsapp({ header: { type: "image", value: "https://a.example/b.png" } })],
    ["a document", whatsapp({ header: { type: "document", value: "https://a.example/b.pdf" } })],
  ])("accepts %s", async (_what, wanted) => {
    expect(await send(wanted)).toMatchObject({ kind: "sent", final: false });
  });
});
