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

describe("the messaging limit of a business", () => {
  it("is read from Meta's words, and one that is missing, strange or refused is not known", async () => {
    const meta = await startFakeMeta();
    const ask = (token = FAKE_META.accessToken) =>
      metaAdapter.fetchMessagingLimit?.(
        { ...connection(meta.baseUrl), credentials: { ...credentials, accessToken: token } },
        { http },
      );
    for (const [tier, limit] of [
      ["TIER_250", 250],
      ["TIER_2K", 2_000],
      ["TIER_100K", 100_000],
      ["TIER_UNLIMITED", null],
    ] as const) {
      meta.limitTo(tier);
      expect(await ask()).toEqual({ limit });
    }
    for (const tier of [undefined, "", "TIER_", "TIER_9999999999999", "tier_250; drop"]) {
      meta.limitTo(tier);
      expect(await ask()).toEqual({ problem: expect.any(String) as string });
    }
    expect(await ask("wrong")).toEqual({ problem: expect.stringContaining("401") as string });
    await meta.close();
    expect(await ask()).toEqual({ problem: expect.any(String) as string });
  });
});

it("waits as long as Meta wants between two messages to one recipient, unless it says how long", async () => {
  const told = async (headers: Record<string, string>) => {
    const body = Buffer.from(JSON.stringify({ error: { code: 131056, message: "Pair rate limit hit" } }));
    const request = () => Promise.resolve({ status: 400, headers, body, truncated: false });
    return metaAdapter.send(connection("https://graph.example"), message(), { http: { ...http, request } });
  };
  const wanted = { kind: "not_sent", retry: "later", code: "provider_deferred" };
  expect(await told({})).toMatchObject({ ...wanted, retryAfterMs: 6_000 });
  expect(await told({ "retry-after": "30" })).toMatchObject({ ...wanted, retryAfterMs: 30_000 });
});

describe("sending through Meta", () => {
  let meta: FakeMeta;
  beforeEach(async () => {
    meta = await startFakeMeta();
  });
  afterEach(() => meta.close());

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

  it("sends to a user id in the field for it, where it cannot be taken for a number", async () => {
    const to = "US.13491208655302741918";
    const outcome = await metaAdapter.send(connection(meta.baseUrl), message({ to }), { http });
    expect(outcome).toMatchObject({ kind: "sent" });
    expect(meta.messages[0]).toMatchObject({ recipient: to, recipient_type: "individual" });
    expect(meta.messages[0]).not.toHaveProperty("to");
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
});
