import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createOutboundClient } from "../../kernel/outbound-http.ts";
import { FAKE_META, startFakeMeta } from "../../testing/fake-meta.ts";
import type { FakeMeta } from "../../testing/fake-meta.ts";
import { phoneMessage } from "../../testing/outbound-phone.ts";
import { descriptionFile, serveDescription } from "../../testing/prism.ts";
import type { ServedDescription } from "../../testing/prism.ts";
import type { Connection, OutboundMessage } from "../adapter.ts";
import { metaAdapter } from "./meta.ts";
import { metaSettingsSchema } from "./schemas.ts";
import type { MetaCredentials, MetaSettings } from "./schemas.ts";

const http = createOutboundClient({ allow: ["127.0.0.0/8"], userAgent: "test/1.0" });
afterAll(() => http.close());
const credentials: MetaCredentials = {
  accessToken: FAKE_META.accessToken,
  appSecret: "app-secret",
  verifyToken: "verify-me",
};
const message = (more: Partial<OutboundMessage>) => phoneMessage({ channel: "whatsapp", ...more });
const connection = (
  baseUrl: string,
  settings: Partial<MetaSettings> = {},
): Connection<MetaCredentials, MetaSettings> => ({
  id: "c1",
  credentials,
  settings: metaSettingsSchema.parse({ phoneNumberId: FAKE_META.phoneNumberId, baseUrl, ...settings }),
});
const withTemplates = (baseUrl: string) => connection(baseUrl, { wabaId: FAKE_META.wabaId });

describe("the approval of a template at Meta", () => {
  let meta: FakeMeta;
  beforeEach(async () => {
    meta = await startFakeMeta();
  });
  afterEach(() => meta.close());

  it.each([
    ["PENDING", undefined, "pending", null],
    ["IN_APPEAL", undefined, "pending", null],
    ["APPROVED", "NONE", "approved", null],
    ["REJECTED", "TAG_CONTENT_MISMATCH", "rejected", "TAG_CONTENT_MISMATCH"],
    ["PAUSED", "NONE", "paused", null],
    ["DISABLED", undefined, "paused", "WhatsApp says disabled."],
  ])("tells an approval %s with reason %s as %s", async (said, rejected, status, reason) => {
    meta.templates.push(
      { name: "hello_longer", language: "en", status: "REJECTED", components: [] },
      { name: "hello", language: "de", status: "REJECTED", components: [] },
      {
        name: "hello",
        language: "en",
        status: said,
        ...(rejected ? { rejected_reason: rejected } : {}),
        components: [],
      },
    );
    const ask = { template: "hello", language: "en", known: null };
    expect(await metaAdapter.fetchTemplateApproval?.(withTemplates(meta.baseUrl), ask, { http })).toEqual({
      status,
      reason,
    });
  });

  it("tells unknown templates from problems", async () => {
    const ask = { template: "hello", language: "en", known: null };
    const approval = (to: Connection<MetaCredentials, MetaSettings>) =>
      metaAdapter.fetchTemplateApproval?.(to, ask, { http });
    expect(await approval(withTemplates(meta.baseUrl))).toBeNull();
    expect(await approval(connection(meta.baseUrl))).toHaveProperty("problem");
    expect(await approval(connection(meta.baseUrl, { wabaId: "99999" }))).toHaveProperty("problem");
    meta.templates.push({ name: "hello", language: "en", status: "NEW_WORD", components: [] });
    expect(await approval(withTemplates(meta.baseUrl))).toHaveProperty("problem");
    const wrong = {
      ...withTemplates(meta.baseUrl),
      credentials: { ...credentials, accessToken: "EAAwrong" },
    };
    expect(await approval(wrong)).toMatchObject({ problem: expect.stringContaining("token") as string });
    await meta.close();
    expect(await approval(withTemplates(meta.baseUrl))).toHaveProperty("problem");
    meta = await startFakeMeta();
  });
});

const description = descriptionFile("meta-whatsapp.yaml");

describe.skipIf(description === null)("Meta's own API description", () => {
  let prism: ServedDescription;
  beforeAll(async () => {
    prism = await serveDescription(description ?? "");
  });
  afterAll(() => prism.close());
  const send = (more: Partial<OutboundMessage>) =>
    metaAdapter.send(connection(prism.baseUrl), message(more), { http });

  it("refuses a wrong request (the probe that shows it checks at all)", async () => {
    const tooLong = { header: { type: "text" as const, value: "x".repeat(61) } };
    const outcome = await send({ ...tooLong, buttons: [{ type: "quick_reply", text: "Yes" }] });
    expect(outcome).toMatchObject({ kind: "not_sent", providerCode: "422" });
  });

  const template = { template: "hello_world", language: "en_US", variables: { "1": "Ada" } };
  it.each<[string, Partial<OutboundMessage>]>([
    ["a text", {}],
    ["a text with header and footer", { header: { type: "text", value: "H" }, footer: "F" }],
    ["a picture", { header: { type: "image", value: "https://shop.example/a.png" } }],
    ["a document", { header: { type: "document", value: "https://shop.example/a.pdf" } }],
    [
      "quick replies under a picture",
      {
        header: { type: "image", value: "https://shop.example/a.png" },
        footer: "F",
        buttons: [{ type: "quick_reply", text: "Yes" }],
      },
    ],
    ["a template", { whatsapp: template }],
    ["a template without variables", { whatsapp: { ...template, variables: {} } }],
    [
      "a template with a picture",
      { whatsapp: template, header: { type: "image", value: "https://shop.example/a.png" } },
    ],
    [
      "a template with a button's payload",
      {
        whatsapp: template,
        buttons: [
          { type: "quick_reply", text: "Yes" },
          { type: "quick_reply", text: "No", value: "no-1" },
        ],
      },
    ],
  ])("accepts %s", async (_what, more) => {
    expect(await send(more)).toMatchObject({ kind: "sent", final: false });
  });

  it("accepts the question about a template and answers as we read it", async () => {
    const ask = { template: "hello_world", language: "en_US", known: null };
    const to = withTemplates(prism.baseUrl);
    expect(await metaAdapter.fetchTemplateApproval?.(to, ask, { http })).toEqual({
      status: "approved",
      reason: null,
    });
  });
});
