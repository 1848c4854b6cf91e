import { describe, expect, it } from "vitest";
import { checkTexts } from "../content-checks/checks.ts";
import type { VariableDeclaration } from "../template-language/variables.ts";
import { compileVersion } from "../template-language/render.ts";
import type { VersionContent } from "../template-language/render.ts";
import { moderatedTexts } from "./moderated-texts.ts";
import { renderedTexts } from "./rendered-texts.ts";

const variable = (name: string, more: Partial<VariableDeclaration> = {}): VariableDeclaration => ({
  name,
  type: "string",
  required: true,
  ...more,
});
const sms = (body: string, variables: VariableDeclaration[] = []): VersionContent => ({
  channel: "sms",
  subject: null,
  body,
  metadata: {},
  variables,
  compiledBody: null,
});
const found = (content: VersionContent) => {
  const version = compileVersion(content);
  const texts = moderatedTexts(version);
  return checkTexts(texts, { rendered: renderedTexts(version) }).map(({ pointer, severity, start, end }) => ({
    pointer,
    severity,
    text: texts.find((text) => text.pointer === pointer)?.text.slice(start, end),
  }));
};

describe("what Liquid makes of a text is checked, and a finding stands where it is made", () => {
  it.each([
    ["{{ '41111111' | append: '11111111' }}", "{{ '41111111' | append: '11111111' }}"],
    ["{% assign a = '4111 1111' %}{{ a }} 1111 1111", "{{ a }} 1111 1111"],
    ["{{ '4x111111111111111' | remove: 'x' }}", "{{ '4x111111111111111' | remove: 'x' }}"],
    ["4111 {% if true %}1111 {% endif %}1111 1111", "4111 {% if true %}1111 {% endif %}1111 1111"],
  ])("%s", (liquid, place) => {
    expect(found(sms(`Pay with ${liquid} now`))).toContainEqual({
      pointer: "/body",
      severity: "block",
      text: place,
    });
  });

  it("with a filter's default, which is sent when the value is missing", () => {
    const variables = [variable("card", { required: false })];
    expect(found(sms("Card {{ card | default: '4111-1111-1111-1111' }}", variables))).toMatchObject([
      { pointer: "/body", severity: "block" },
    ]);
  });

  it("while what only an example holds warns, and an example's address or code is nothing", () => {
    const variables = [
      variable("card", { example: "4111 1111 1111 1111" }),
      variable("mail", { example: "ann@acme-shop.com" }),
      variable("code", { example: "482913" }),
      variable("secret", { example: "Sommer2031" }),
    ];
    const body = "Card {{ card }}, mail {{ mail }}. Your PIN is {{ code }}. Password: {{ secret }}";
    expect(found(sms(body, variables))).toEqual([{ pointer: "/body", severity: "warn", text: "{{ card }}" }]);
  });
});

describe("everything that can be sent is checked", () => {
  const card = "4111 1111 1111 1111";

  it("of an SMS: its sender and what an enum may be", () => {
    const values = ["gold", card];
    const content = {
      ...sms("Hello {{ tier }}", [variable("tier", { type: "enum", values })]),
      metadata: { senderId: "fuck you" },
    };
    expect(found(content)).toMatchObject([
      { pointer: "/metadata/senderId", severity: "block" },
      { pointer: "/variables/0/values/1", severity: "block", text: card },
    ]);
  });

  it.each([
    ["/subject", { subject: card }],
    ["/metadata/preheader", { metadata: { preheader: card } }],
    ["/metadata/text", { metadata: { text: card } }],
    ["/metadata/fromName", { metadata: { fromName: card } }],
    [
      "/metadata/attachments/0/filename",
      { metadata: { attachments: [{ url: "https://a.example/x", filename: card }] } },
    ],
    [
      "/metadata/attachments/0/url",
      {
        metadata: { attachments: [{ url: `https://a.example/${card.replaceAll(" ", "")}`, filename: "a" }] },
      },
    ],
    ["/body", { body: `<img alt="${card}">` }],
    ["/body", { body: `<!-- ${card} -->` }],
  ])("of an e-mail: %s", (pointer, more) => {
    const content: VersionContent = {
      channel: "email",
      subject: "Hello",
      body: "<p>Hello</p>",
      metadata: {},
      variables: [],
      compiledBody: null,
      ...more,
    };
    expect(found(content)).toMatchObject([{ pointer, severity: "block" }]);
  });

  it.each([
    ["/metadata/footer", { footer: card }],
    ["/metadata/header/text", { header: { type: "text" as const, text: card } }],
    ["/metadata/parameters/0", { parameters: [card] }],
    ["/metadata/buttons/0/text", { buttons: [{ type: "quick_reply" as const, text: card }] }],
    [
      "/metadata/buttons/0/payload",
      { buttons: [{ type: "quick_reply" as const, text: "Yes", payload: card }] },
    ],
  ])("of a WhatsApp message: %s", (pointer, metadata) => {
    const content: VersionContent = { ...sms("Hello"), channel: "whatsapp", metadata };
    expect(found(content)).toMatchObject([{ pointer, severity: "block" }]);
  });
});
