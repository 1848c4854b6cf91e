import { afterAll, afterEach, beforeEach, describe, expect, it } from "vitest";
import { createOutboundClient } from "../../kernel/outbound-http.ts";
import { FAKE_META, startFakeMeta } from "../../testing/fake-meta.ts";
import type { FakeMeta } from "../../testing/fake-meta.ts";
import { phoneMessage } from "../../testing/outbound-phone.ts";
import type { Connection, OutboundMessage } from "../adapter.ts";
import { metaAdapter } from "./meta.ts";
import { metaSettingsSchema } from "./schemas.ts";
import type { MetaCredentials, MetaSettings } from "./schemas.ts";

const http = createOutboundClient({ allow: ["127.0.0.0/8"], userAgent: "test/1.0" });
afterAll(() => http.close());
const notificationId = "0198c7a0-0000-7000-8000-000000000001";
const credentials: MetaCredentials = {
  accessToken: FAKE_META.accessToken,
  appSecret: "app-secret",
  verifyToken: "verify-me",
};

const message = (more: Partial<OutboundMessage> = {}) =>
  phoneMessage({ channel: "whatsapp", text: "Your table is ready 👍", ...more });

let connections = 0;
/** Another connection each time: what it learnt of templates is its own. */
const connection = (
  baseUrl: string,
  settings: Partial<MetaSettings> = {},
): Connection<MetaCredentials, MetaSettings> => ({
  id: `c${++connections}`,
  credentials,
  settings: metaSettingsSchema.parse({ phoneNumberId: FAKE_META.phoneNumberId, baseUrl, ...settings }),
});
const withTemplates = (baseUrl: string) => connection(baseUrl, { wabaId: FAKE_META.wabaId });

describe("sending through Meta", () => {
  let meta: FakeMeta;
  beforeEach(async () => {
    meta = await startFakeMeta();
  });
  afterEach(() => meta.close());

  it("hands over a text within a conversation, the number without its plus", async () => {
    const outcome = await metaAdapter.send(connection(meta.baseUrl), message(), { http });
    expect(outcome).toEqual({
      kind: "sent",
      providerMessageId: "wamid.HBgLFAKE1",
      final: false,
    });
    expect(meta.messages[0]).toEqual({
      messaging_product: "whatsapp",
      recipient_type: "individual",
      to: "4915112345678",
      type: "text",
      text: { body: "Your table is ready 👍" },
    });
    expect(meta.calls[0]?.path).toBe(`/v23.0/${FAKE_META.phoneNumberId}/messages`);
    expect(meta.calls[0]?.headers["user-agent"]).toMatch(/^[a-z]+\/\d+\.\d+\.\d+$/);
  });

  it("fills only the placeholders of the approved template, and names the notification", async () => {
    meta.templates.push(
      { name: "order_shipped_v2", language: "en_GB", components: [] },
      {
        name: "order_shipped",
        language: "en_GB",
        components: [
          { type: "HEADER", format: "TEXT", text: "Order {{1}} is on its way" },
          { type: "BODY", text: "Hi {{1}}, {{2}} parcels" },
          {
            type: "BUTTONS",
            buttons: [
              { type: "QUICK_REPLY", text: "Thanks" },
              { type: "URL", text: "Track", url: "https://shop.example/track/{{1}}" },
              { type: "URL", text: "Help", url: "https://shop.example/help" },
            ],
          },
        ],
      },
    );
    const outcome = await metaAdapter.send(
      withTemplates(meta.baseUrl),
      message({
        whatsapp: { template: "order_shipped", language: "en_GB", variables: { "2": "3", "1": "Ada" } },
        header: { type: "text", value: "Order 4711 is on its way" },
        footer: "Shop",
        buttons: [
          { type: "quick_reply", text: "Thanks", value: "thanks-4711" },
          { type: "url", text: "Track", value: "https://shop.example/track/4711?x=1" },
          { type: "url", text: "Help", value: "https://shop.example/help" },
        ],
      }),
      { http },
    );
    expect(outcome).toMatchObject({ kind: "sent" });
    expect(meta.messages[0]).toMatchObject({
      type: "template",
      biz_opaque_callback_data: `${notificationId}:2`,
      template: {
        name: "order_shipped",
        language: { policy: "deterministic", code: "en_GB" },
        components: [
          { type: "header", parameters: [{ type: "text", text: "4711" }] },
          {
            type: "body",
            parameters: [
              { type: "text", text: "Ada" },
              { type: "text", text: "3" },
            ],
          },
          {
            type: "button",
            sub_type: "quick_reply",
            index: "0",
            parameters: [{ type: "payload", payload: "thanks-4711" }],
          },
          { type: "button", sub_type: "url", index: "1", parameters: [{ type: "text", text: "4711?x=1" }] },
        ],
      },
    });
  });

  it("orders ten parameters by number", async () => {
    const variables = Object.fromEntries(
      Array.from({ length: 11 }, (_, i) => [String(11 - i), `v${11 - i}`]),
    );
    const components = [{ type: "BODY", text: "{{1}}{{2}}{{3}}{{4}}{{5}}{{6}}{{7}}{{8}}{{9}}{{10}}{{11}}" }];
    meta.templates.push({ name: "many", language: "en", components });
    const whatsapp = { template: "many", language: "en", variables };
    await metaAdapter.send(connection(meta.baseUrl), message({ whatsapp }), { http });
    const { template } = meta.messages[0] as {
      template: { components: [{ parameters: { text: string }[] }] };
    };
    expect(template.components[0].parameters.map(({ text }) => text)).toEqual(
      Array.from({ length: 11 }, (_, i) => `v${i + 1}`),
    );
  });

  it("repeats a one-time password in the template's button", async () => {
    meta.templates.push({
      name: "login_code",
      language: "en",
      category: "AUTHENTICATION",
      components: [
        { type: "BODY", text: "{{1}} is your code" },
        {
          type: "BUTTONS",
          buttons: [{ type: "URL", text: "Copy", url: "https://www.whatsapp.com/otp/code/?code=otp{{1}}" }],
        },
      ],
    });
    const whatsapp = { template: "login_code", language: "en", variables: { "1": "123456" } };
    const outcome = await metaAdapter.send(withTemplates(meta.baseUrl), message({ whatsapp }), { http });
    expect(outcome).toMatchObject({ kind: "sent" });
    expect(JSON.stringify(meta.messages[0])).toContain(
      '{"type":"button","sub_type":"url","index":"0","parameters":[{"type":"text","text":"123456"}]}',
    );
  });

  it("hands over the address of a picture above a template, with or without knowing the account", async () => {
    const components = [{ type: "HEADER", format: "IMAGE" }];
    meta.templates.push({ name: "picture", language: "en", components });
    const header = { type: "image" as const, value: "https://shop.example/a.png" };
    const whatsapp = { template: "picture", language: "en", variables: {} };
    for (const to of [connection(meta.baseUrl), withTemplates(meta.baseUrl)]) {
      expect(await metaAdapter.send(to, message({ whatsapp, header }), { http })).toMatchObject({
        kind: "sent",
      });
    }
    expect(meta.messages[1]).toMatchObject({
      template: {
        components: [
          { type: "header", parameters: [{ type: "image", image: { link: "https://shop.example/a.png" } }] },
        ],
      },
    });
  });

  it("asks for a template's wording once, not with every message", async () => {
    meta.templates.push({ name: "hello", language: "en", components: [] });
    const to = withTemplates(meta.baseUrl);
    const whatsapp = { template: "hello", language: "en", variables: {} };
    await Promise.all([1, 2, 3].map(() => metaAdapter.send(to, message({ whatsapp }), { http })));
    expect(meta.messages).toHaveLength(3);
    expect(meta.calls.filter(({ method }) => method === "GET")).toHaveLength(1);
  });

  it.each<[string, Partial<OutboundMessage>, string]>([
    [
      "a header that is not the template's",
      { header: { type: "text", value: "Something else" } },
      "Order {{1}}",
    ],
    [
      "a button that leads elsewhere",
      { buttons: [{ type: "url", text: "Track", value: "https://evil.example/4711" }] },
      "Button 1",
    ],
  ])("refuses %s before Meta sees it", async (_what, more, words) => {
    meta.templates.push({
      name: "t",
      language: "en",
      components: [
        { type: "HEADER", format: "TEXT", text: "Order {{1}}" },
        { type: "BUTTONS", buttons: [{ type: "URL", text: "Track", url: "https://shop.example/{{1}}" }] },
      ],
    });
    const whatsapp = { template: "t", language: "en", variables: {} };
    const outcome = await metaAdapter.send(withTemplates(meta.baseUrl), message({ whatsapp, ...more }), {
      http,
    });
    expect(outcome).toMatchObject({ kind: "not_sent", retry: "never", code: "template_rejected" });
    expect(outcome).toHaveProperty("detail", expect.stringContaining(words));
    expect(meta.messages).toEqual([]);
  });

  it("refuses a template without a language, and leaves another provider's template to it", async () => {
    const send = (whatsapp: OutboundMessage["whatsapp"]) =>
      metaAdapter.send(connection(meta.baseUrl), message({ whatsapp }), { http });
    expect(await send({ template: "hello", variables: {} })).toMatchObject({
      retry: "never",
      code: "template_rejected",
    });
    const foreign = { template: `HX${"0a".repeat(16)}`, language: "en", variables: {} };
    expect(await send(foreign)).toMatchObject({ retry: "failover", code: "template_rejected" });
    expect(meta.calls).toEqual([]);
  });

  it.each<[string, Partial<OutboundMessage>, object]>([
    [
      "quick replies as buttons, between header and footer",
      {
        header: { type: "text", value: "Table" },
        footer: "Bistro",
        buttons: [
          { type: "quick_reply", text: "Yes", value: "yes-1" },
          { type: "quick_reply", text: "No" },
        ],
      },
      {
        type: "interactive",
        interactive: {
          type: "button",
          header: { type: "text", text: "Table" },
          body: { text: "Your table is ready 👍" },
          footer: { text: "Bistro" },
          action: {
            buttons: [
              { type: "reply", reply: { id: "yes-1", title: "Yes" } },
              { type: "reply", reply: { id: "No", title: "No" } },
            ],
          },
        },
      },
    ],
    [
      "one address as a button",
      { buttons: [{ type: "url", text: "Menu", value: "https://bistro.example/menu" }] },
      {
        type: "interactive",
        interactive: {
          type: "cta_url",
          body: { text: "Your table is ready 👍" },
          action: {
            name: "cta_url",
            parameters: { display_text: "Menu", url: "https://bistro.example/menu" },
          },
        },
      },
    ],
    [
      "a picture with the text below it",
      { header: { type: "image", value: "https://bistro.example/a.png" } },
      { type: "image", image: { link: "https://bistro.example/a.png", caption: "Your table is ready 👍" } },
    ],
    [
      "a document under its name",
      { header: { type: "document", value: "https://bistro.example/f/menu.pdf?x=1" } },
      {
        type: "document",
        document: {
          link: "https://bistro.example/f/menu.pdf?x=1",
          filename: "menu.pdf",
          caption: "Your table is ready 👍",
        },
      },
    ],
    [
      "header and footer of a plain text as its first and last line",
      { header: { type: "text", value: "Table" }, footer: "Bistro" },
      { type: "text", text: { body: "*Table*\n\nYour table is ready 👍\n\n_Bistro_" } },
    ],
    [
      "what cannot be a button below the text",
      {
        buttons: [
          { type: "quick_reply", text: "Yes" },
          { type: "phone", text: "Call", value: "+4930123456" },
          { type: "url", text: "Menu", value: "https://bistro.example" },
        ],
      },
      {
        type: "interactive",
        interactive: {
          type: "button",
          body: { text: "Your table is ready 👍\nCall: +4930123456\nMenu: https://bistro.example" },
          action: { buttons: [{ type: "reply", reply: { id: "Yes", title: "Yes" } }] },
        },
      },
    ],
  ])("sends within a conversation %s", async (_what, more, expected) => {
    await metaAdapter.send(connection(meta.baseUrl), message(more), { http });
    expect(meta.messages[0]).toMatchObject(expected);
  });

  it.each<[string, Partial<OutboundMessage>]>([
    ["no text", { text: "" }],
    [
      "four quick replies",
      { buttons: ["a", "b", "c", "d"].map((text) => ({ type: "quick_reply" as const, text })) },
    ],
    ["a long button", { buttons: [{ type: "quick_reply", text: "x".repeat(21) }] }],
    ["a long text above buttons", { text: "x".repeat(1_025), buttons: [{ type: "quick_reply", text: "a" }] }],
    ["a text of more than 4,096 characters", { text: "x".repeat(4_097) }],
  ])("refuses a message in a conversation with %s before Meta sees it", async (_what, more) => {
    const outcome = await metaAdapter.send(connection(meta.baseUrl), message(more), { http });
    expect(outcome).toMatchObject({ kind: "not_sent", retry: "never", code: "invalid_message" });
    expect(meta.calls).toEqual([]);
  });

  it.each([
    [401, 190, "provider_credentials", "failover"],
    [403, 10, "provider_credentials", "failover"],
    [403, 200, "provider_credentials", "failover"],
    [403, 368, "account_restricted", "failover"],
    [400, 130429, "provider_rate_limited", "later"],
    [400, 131056, "provider_rate_limited", "later"],
    [429, 80007, "provider_rate_limited", "later"],
    [400, 131026, "invalid_recipient", "never"],
    [400, 131030, "recipient_not_verified", "failover"],
    [400, 131042, "provider_out_of_funds", "failover"],
    [400, 131047, "outside_conversation", "never"],
    [400, 131049, "recipient_blocked", "never"],
    [400, 131050, "opted_out", "never"],
    [404, 132001, "template_rejected", "never"],
    [400, 132015, "template_rejected", "never"],
    [400, 133010, "sender_rejected", "failover"],
    [403, 130497, "region_not_enabled", "failover"],
    [400, 99, "provider_rejected", "failover"],
  ])("knows that status %i, code %i was not sent: %s, %s", async (status, code, ours, retry) => {
    meta.failWith({ status, code, message: "x", details: "Recipient 4915112345678 is bad" });
    expect(await metaAdapter.send(connection(meta.baseUrl), message(), { http })).toMatchObject({
      kind: "not_sent",
      code: ours,
      retry,
      providerCode: String(code),
      providerMessage: "Recipient [number] is bad",
    });
  });

  it("does not know what became of the message after a server error, whatever its code", async () => {
    for (const code of [1, 131000, 131016, 190]) {
      meta.failWith({ status: 500, code });
      expect(await metaAdapter.send(connection(meta.baseUrl), message(), { http })).toMatchObject({
        kind: "unknown",
        code: "provider_error",
        providerCode: String(code),
      });
    }
  });

  it("knows that nothing was sent when even the question about the template fails", async () => {
    const whatsapp = { template: "hello", language: "en", variables: {} };
    const to = withTemplates(meta.baseUrl);
    await meta.close();
    expect(await metaAdapter.send(to, message({ whatsapp }), { http })).toMatchObject({
      kind: "not_sent",
      retry: "later",
      code: "provider_unavailable",
    });
    meta = await startFakeMeta();
  });

  it("tells what Meta says of the number, and what is wrong with the settings, without sending", async () => {
    expect(await metaAdapter.test(connection(meta.baseUrl), { http })).toEqual({
      ok: true,
      facts: [
        { label: "Number", value: "+49 1515 9999999" },
        { label: "Verified name", value: "Example Shop" },
        { label: "Quality rating", value: "GREEN" },
      ],
    });
    const wrongToken = {
      ...connection(meta.baseUrl),
      credentials: { ...credentials, accessToken: "EAAwrong" },
    };
    expect(await metaAdapter.test(wrongToken, { http })).toMatchObject({
      ok: false,
      problem: expect.stringContaining("access token") as string,
    });
    expect(
      await metaAdapter.test(connection(meta.baseUrl, { phoneNumberId: "12345" }), { http }),
    ).toMatchObject({
      ok: false,
      problem: expect.stringContaining("phone number ID") as string,
    });
    expect(meta.messages).toEqual([]);
  });
});
