import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createOutboundClient } from "../../kernel/outbound-http.ts";
import { apiError, exception, FAKE_INFOBIP_KEY, startFakeInfobip } from "../../testing/fake-infobip.ts";
import type { FakeInfobip } from "../../testing/fake-infobip.ts";
import type { ProviderAnswer } from "../../testing/fake-provider.ts";
import { phoneMessage } from "../../testing/outbound-phone.ts";
import { descriptionFile, serveDescription } from "../../testing/prism.ts";
import type { ServedDescription } from "../../testing/prism.ts";
import type { Connection, OutboundMessage } from "../adapter.ts";
import { signedNotificationOf } from "../callback-url.ts";
import { infobipAdapter } from "./infobip.ts";
import type { InfobipCredentials, InfobipSettings } from "./schemas.ts";

const http = createOutboundClient({ allow: ["127.0.0.0/8"], userAgent: "test/1.0" });
afterAll(() => http.close());
const notificationId = "0198c7a0-0000-7000-8000-000000000001";
const credentials: InfobipCredentials = {
  apiKey: FAKE_INFOBIP_KEY,
  callbackSecret: "a secret of callbacks",
};

const message = phoneMessage;
const whatsapp = (more: Partial<OutboundMessage> = {}) => message({ channel: "whatsapp", ...more });

let connections = 0;
/** Another connection each time: what it learnt of templates is its own. */
const connection = (
  baseUrl: string,
  settings: Partial<InfobipSettings> = {},
): Connection<InfobipCredentials, InfobipSettings> => ({
  id: `c${++connections}`,
  credentials,
  settings: { baseUrl, ...settings },
});

describe("sending through Infobip", () => {
  let infobip: FakeInfobip;
  beforeEach(async () => {
    infobip = await startFakeInfobip();
  });
  afterEach(() => infobip.close());
  const send = (wanted: OutboundMessage) =>
    infobipAdapter.send(connection(infobip.baseUrl), wanted, { http });

  it("hands over an SMS with our id, its validity and a signed address for its reports", async () => {
    const expiresAt = new Date(Date.now() + 600_500);
    expect(await send(message({ expiresAt }))).toEqual({
      kind: "sent",
      providerMessageId: notificationId,
      final: false,
      segments: 2,
    });
    const [sent] = infobip.messages;
    expect(sent?.path).toBe("/sms/3/messages");
    const [sms] = sent?.body.messages as [{ webhooks: { delivery: { url: string } }; options: object }];
    expect(sms).toMatchObject({
      sender: "4915199999999",
      destinations: [{ to: "4915112345678", messageId: notificationId }],
      content: { text: "Ihr Code: 1234" },
    });
    const { validityPeriod } = sms.options as { validityPeriod: { amount: number; timeUnit: string } };
    expect(validityPeriod.timeUnit).toBe("SECONDS");
    expect(validityPeriod.amount).toBeGreaterThan(500);
    expect(validityPeriod.amount).toBeLessThanOrEqual(600);
    const { url } = sms.webhooks.delivery;
    expect(url).toMatch(/^https:\/\/tidings\.example\/api\/callbacks\/c1\?/);
    expect(signedNotificationOf({ url }, credentials.callbackSecret)).toEqual({ notificationId, attempt: 2 });
    expect(url).not.toContain(encodeURIComponent(credentials.callbackSecret));
  });

  it("keeps a name as sender, asks for no longer validity than Infobip has, and for at least a second", async () => {
    await send(message({ senderId: "ACME", expiresAt: new Date(Date.now() + 30 * 86_400_000) }));
    const over = message({ idempotencyKey: "two", expiresAt: new Date(Date.now() - 5_000) });
    await send(over);
    expect(infobip.messages[0]?.body.messages).toMatchObject([{ sender: "ACME" }]);
    expect(JSON.stringify(infobip.messages[0])).not.toContain("validityPeriod");
    expect(infobip.messages[1]?.body.messages).toMatchObject([
      { options: { validityPeriod: { amount: 1 } } },
    ]);
  });

  it("tells Infobip's refusal of a repeated id as the success that it is", async () => {
    const again = { kind: "sent", providerMessageId: notificationId };
    for (const wanted of [
      message(),
      message(),
      whatsapp({ idempotencyKey: "w" }),
      whatsapp({ idempotencyKey: "w" }),
    ]) {
      expect(await send(wanted)).toMatchObject(wanted.channel === "sms" ? again : { kind: "sent" });
    }
    expect(infobip.messages).toHaveLength(2);
    expect(infobipAdapter.supportsIdempotency).toBe(true);
  });

  it("sends an approved template with what fills its placeholders", async () => {
    infobip.templates.push({
      name: "order_shipped",
      language: "en_GB",
      structure: {
        header: { format: "TEXT", text: "Order {{1}}" },
        body: { text: "Hi {{1}}" },
        buttons: [
          { type: "QUICK_REPLY", text: "Thanks" },
          { type: "URL", text: "Track", url: "https://shop.example/{{1}}" },
        ],
      },
    });
    const wanted = whatsapp({
      whatsapp: { template: "order_shipped", language: "en_GB", variables: { "2": "b", "1": "Ada" } },
      header: { type: "text", value: "Order 4711" },
      buttons: [
        { type: "quick_reply", text: "Thanks" },
        { type: "url", text: "Track", value: "https://shop.example/t/4711" },
      ],
    });
    expect(await send(wanted)).toMatchObject({ kind: "sent", providerMessageId: notificationId });
    expect(infobip.messages[0]).toMatchObject({
      path: "/whatsapp/1/message/template",
      body: {
        messages: [
          {
            from: "4915199999999",
            to: "4915112345678",
            messageId: notificationId,
            notifyUrl: expect.stringContaining("signature=") as string,
            content: {
              templateName: "order_shipped",
              language: "en_GB",
              templateData: {
                body: { placeholders: ["Ada", "b"] },
                header: { type: "TEXT", placeholder: "4711" },
                buttons: [
                  { type: "QUICK_REPLY", parameter: "Thanks" },
                  { type: "URL", parameter: "t/4711" },
                ],
              },
            },
          },
        ],
      },
    });
  });

  it.each<[string, Partial<OutboundMessage>, string, object]>([
    ["a text", {}, "text", { text: "Ihr Code: 1234" }],
    [
      "a picture with the text below it",
      { header: { type: "image", value: "https://a.example/b.png" } },
      "image",
      { mediaUrl: "https://a.example/b.png", caption: "Ihr Code: 1234" },
    ],
    [
      "quick replies between header and footer",
      {
        header: { type: "document", value: "https://a.example/b.pdf" },
        footer: "F",
        buttons: [{ type: "quick_reply", text: "Yes", value: "y1" }],
      },
      "interactive/buttons",
      {
        header: { type: "DOCUMENT", mediaUrl: "https://a.example/b.pdf", filename: "b.pdf" },
        body: { text: "Ihr Code: 1234" },
        footer: { text: "F" },
        action: { buttons: [{ type: "REPLY", id: "y1", title: "Yes" }] },
      },
    ],
    [
      "an address as a button",
      {
        header: { type: "text", value: "H" },
        buttons: [{ type: "url", text: "Open", value: "https://a.example" }],
      },
      "interactive/url-button",
      {
        header: { type: "TEXT", text: "H" },
        action: { displayText: "Open", url: "https://a.example" },
      },
    ],
  ])("sends within a conversation %s", async (_what, more, kind, content) => {
    expect(await send(whatsapp(more))).toMatchObject({ kind: "sent" });
    expect(infobip.messages[0]?.path).toBe(`/whatsapp/1/message/${kind}`);
    expect(infobip.messages[0]?.body.content).toMatchObject(content);
  });

  it.each<[string, OutboundMessage, string, string]>([
    ["an SMS without text", message({ text: "" }), "never", "invalid_message"],
    ["a WhatsApp message without text", whatsapp({ text: "" }), "never", "invalid_message"],
    ["a WhatsApp message without sender", whatsapp({ senderId: undefined }), "failover", "sender_rejected"],
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
  ])("refuses %s before Infobip sees it", async (_what, wanted, retry, code) => {
    expect(await send(wanted)).toMatchObject({ kind: "not_sent", retry, code });
    expect(infobip.calls).toEqual([]);
  });

  it.each<[string, ProviderAnswer, string, string, string]>([
    ["a bad key", apiError(401, "E401"), "provider_credentials", "failover", "E401"],
    ["a key that may not", exception(403, "FORBIDDEN", "x"), "provider_credentials", "failover", "FORBIDDEN"],
    [
      "too many",
      exception(429, "TOO_MANY_REQUESTS", "x"),
      "provider_rate_limited",
      "later",
      "TOO_MANY_REQUESTS",
    ],
    [
      "a bad recipient",
      apiError(400, "E400", [{ property: "messages[0].destinations[0].to", violation: "x" }]),
      "invalid_recipient",
      "never",
      "E400",
    ],
    [
      "a bad sender",
      exception(400, "BAD_REQUEST", "Bad request", { "messages[0].from": ["x"] }),
      "sender_rejected",
      "failover",
      "BAD_REQUEST",
    ],
    [
      "a bad template",
      exception(400, "BAD_REQUEST", "Bad request", { "content.templateData.header.placeholder": ["x"] }),
      "template_rejected",
      "never",
      "BAD_REQUEST",
    ],
    [
      "a bad text",
      exception(400, "BAD_REQUEST", "Bad request", { "content.text": ["size must be between 1 and 4096"] }),
      "content_rejected",
      "never",
      "BAD_REQUEST",
    ],
    ["anything else", apiError(400, "E400"), "provider_rejected", "failover", "E400"],
  ])("knows that %s was not sent", async (_what, answer, code, retry, providerCode) => {
    infobip.answerWith(answer);
    expect(await send(message())).toMatchObject({ kind: "not_sent", code, retry, providerCode });
  });

  it.each([
    ["REJECTED_NOT_ENOUGH_CREDITS", "provider_out_of_funds", "failover"],
    ["REJECTED_DESTINATION", "invalid_recipient", "never"],
    ["REJECTED_SOURCE", "sender_rejected", "failover"],
    ["REJECTED_NETWORK", "region_not_enabled", "failover"],
    ["REJECTED_SOMETHING_NEW", "provider_rejected", "failover"],
  ])("knows that a message that was taken as %s was not sent", async (name, code, retry) => {
    infobip.setStatus({ groupId: 5, groupName: "REJECTED", name, description: "For +4915112345678" });
    expect(await send(message())).toMatchObject({
      kind: "not_sent",
      code,
      retry,
      providerCode: name,
      providerMessage: "For [number]",
    });
  });

  it("tells the balance, and what is wrong, without sending", async () => {
    expect(await infobipAdapter.test(connection(infobip.baseUrl), { http })).toEqual({
      ok: true,
      facts: [{ label: "Balance", value: "47.80 EUR" }],
    });
    const wrong = { ...connection(infobip.baseUrl), credentials: { ...credentials, apiKey: "wrong" } };
    expect(await infobipAdapter.test(wrong, { http })).toMatchObject({
      ok: false,
      problem: expect.stringContaining("API key") as string,
    });
    expect(infobip.messages).toEqual([]);
  });

  it.each([
    ["APPROVED", "approved", null],
    ["IN_REVIEW", "pending", null],
    ["REJECTED", "rejected", null],
    ["SECOND_PAUSED", "paused", "WhatsApp says second paused."],
  ])("tells an approval %s as %s", async (said, status, reason) => {
    infobip.templates.push(
      { name: "hello", language: "de", status: "REJECTED" },
      { name: "hello", language: "en", status: said },
    );
    const to = connection(infobip.baseUrl, { whatsappSender: "+4915199999999" });
    const ask = { template: "hello", language: "en", known: null };
    expect(await infobipAdapter.fetchTemplateApproval?.(to, ask, { http })).toEqual({ status, reason });
  });

  it("tells unknown templates from problems", async () => {
    const ask = { template: "hello", language: "en", known: null };
    const approval = (to: Connection<InfobipCredentials, InfobipSettings>) =>
      infobipAdapter.fetchTemplateApproval?.(to, ask, { http });
    const to = connection(infobip.baseUrl, { whatsappSender: "4915199999999" });
    expect(await approval(to)).toBeNull();
    expect(await approval(connection(infobip.baseUrl))).toHaveProperty("problem");
    const wrong = { ...to, credentials: { ...credentials, apiKey: "wrong" } };
    expect(await approval(wrong)).toHaveProperty("problem");
    infobip.templates.push({ name: "hello", language: "en", status: "NEW_WORD" });
    expect(await approval(to)).toHaveProperty("problem");
  });
});

describe.each([
  ["infobip-sms.yaml", [["an SMS", message({ expiresAt: new Date(Date.now() + 600_000) })]]],
  [
    "infobip-whatsapp.yaml",
    [
      ["a text", whatsapp()],
      ["a template", whatsapp({ whatsapp: { template: "a", language: "en_GB", variables: { "1": "x" } } })],
      [
        "a template with a picture and a button",
        whatsapp({
          whatsapp: { template: "a", language: "en_GB", variables: {} },
          header: { type: "image", value: "https://a.example/b.png" },
          buttons: [{ type: "quick_reply", text: "Yes", value: "y1" }],
        }),
      ],
    ],
  ],
] as [string, [string, OutboundMessage][]][])("Infobip's own API description %s", (file, good) => {
  const description = descriptionFile(file);
  let prism: ServedDescription;
  beforeAll(async () => {
    if (description !== null) prism = await serveDescription(description);
  });
  afterAll(async () => {
    if (description !== null) await prism.close();
  });
  const send = (wanted: OutboundMessage) => infobipAdapter.send(connection(prism.baseUrl), wanted, { http });

  it.skipIf(description === null)(
    "refuses a wrong request (the probe that shows it checks at all)",
    async () => {
      const wrong = { ...good[0]?.[1], to: `+${"1".repeat(200)}` } as OutboundMessage;
      // 400 and 422 are Prism's ways to say so; without an answer there is no code.
      expect(await send(wrong)).toMatchObject({
        kind: "not_sent",
        providerCode: expect.stringMatching(/400|422|BAD_REQUEST/) as string,
      });
    },
  );

  it.skipIf(description === null).each(good)("accepts %s", async (_what, wanted) => {
    expect(await send(wanted)).toMatchObject({ kind: "sent", final: false });
  });
});
