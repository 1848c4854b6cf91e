import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { checkContent } from "../template-language/check-content.ts";
import { htmlProblems } from "../template-language/check-html.ts";
import type { TemplateMetadata } from "../template-language/metadata.ts";
import { compileVersion, renderCompiled } from "../template-language/render.ts";
import type { CompiledVersion, RenderedMessage, VersionContent } from "../template-language/render.ts";
import type { VariableDeclaration } from "../template-language/variables.ts";

/** Two texts, which may contain anything, and one variable of each checked type. */
const variables: VariableDeclaration[] = [
  { name: "name", type: "string", required: true },
  { name: "note", type: "string", required: false },
  { name: "amount", type: "number", required: true },
  { name: "when", type: "date", required: true },
  { name: "link", type: "url", required: false },
  { name: "tone", type: "enum", required: true, values: ["du", "Sie"] },
];
const names = [...variables.map(({ name }) => name), "__proto__", "constructor", "toString", "other"];

/** Values that have broken templates, HTML, headers, encodings and numbers elsewhere. */
const nasty = [
  "",
  " ",
  "{{ name }}",
  "{% raw %}{{ x",
  "{% for i in (1..999999999) %}x{% endfor %}",
  "%}{{",
  "<script>alert(1)</script>",
  '"><img src=x onerror=alert(1)>',
  "' onmouseover='alert(1)",
  "--><script>x</script><!--",
  "]]></style></title></textarea><script>x</script>",
  "javascript:alert(1)",
  "java\tscript:alert(1)",
  "&#106;avascript:alert(1)",
  "data:text/html,<script>x</script>",
  "https://example.com/?a=1&b='\"<>",
  "a\r\nBcc: victim@example.com\r\n\r\nbody",
  "a\u2028b\u2029c\u0085d\u000be\u000cf",
  "\u0000\u0001\u001b[31m\u007f",
  "\ud800",
  "\udc00\ud800",
  "👩‍👩‍👧‍👦🇩🇪é̂̃",
  "\u202etxt.exe",
  "constructor.prototype",
  "1e309",
  "-0",
  "NaN",
  "9".repeat(4_096),
  "\\u003cscript\\u003e",
  "%0d%0aBcc: x@example.com",
  "=?utf-8?q?=0D=0ABcc:?= x",
];

const anyText = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...nasty) },
  { weight: 2, arbitrary: fc.string({ unit: "binary", maxLength: 200 }) },
  { weight: 1, arbitrary: fc.string({ unit: "grapheme", maxLength: 60 }) },
  {
    weight: 1,
    arbitrary: fc
      .array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 60 })
      .map((codes) => String.fromCharCode(...codes)),
  },
  {
    weight: 1,
    arbitrary: fc
      .tuple(fc.constantFrom(...nasty), fc.constantFrom(...nasty))
      .map(([first, second]) => first + second),
  },
);
const anyValues = fc.dictionary(fc.constantFrom(...names), anyText, { noNullPrototype: false });
const anySettings = fc.record({
  locale: fc.constantFrom("en", "de-DE", "ar-EG", "ja-JP", "hi-IN"),
  timezone: fc.constantFrom("UTC", "Asia/Kathmandu", "America/Lima"),
});

const everything =
  "{% if tone == 'du' %}{{ name | truncate: 9 | upcase }}{% else %}{{ name | split: ' ' | last | capitalize }}{% endif %} " +
  "{{ amount | money: 'EUR' }} {{ amount | times: 3 | divided_by: 7 | round: 2 }} {{ name | plus: 1 }} {{ amount | date: 'long' }} " +
  "{{ when | date: 'full' }} {{ when | date: '%A %-d. %B %Y %I:%M %p %%' }} {{ name | date }} {{ name | money }} " +
  "{{ link | shorten | default: note }} {{ note | url_encode | slice: 0, 20 }} {{ name | replace: note, link }} " +
  "{% for part in (1..9) limit: 3 %}{{ forloop.index }}{% endfor %}{% for i in name %}{{ i }}{% endfor %}" +
  "{% case note %}{% when name %}same{% else %}other{% endcase %}{% unless name contains note %}-{% endunless %}" +
  "{% assign x = name | append: note | size %}{{ x }}{% capture y %}{{ note }}{% endcapture %}{{ y | strip | newline_to_br }}";

const content = (
  channel: VersionContent["channel"],
  body: string,
  metadata: TemplateMetadata = {},
  subject: string | null = null,
): VersionContent => ({ channel, subject, body, metadata, variables, compiledBody: null });

const mailMetadata = {
  from: "shop@example.com",
  fromName: "Shop",
  replyTo: "help@example.com",
  preheader: "{{ name }} {{ note }}",
  text: everything,
  attachments: [
    { url: "https://example.com/{{ note | url_encode }}.pdf", filename: "{{ name }}.pdf" },
    { url: "{{ link | default: 'https://example.com/x' }}", filename: "{{ note }}" },
  ],
};
const html = `<p title="{{ name }}" class='{{ note }}'>${everything}</p><a href="https://example.com/?q={{ name | url_encode }}&amp;r={{ note }}">x</a>`;
const mjml = `<mjml><mj-head><mj-title>{{ name }}</mj-title><mj-preview>{{ note }}</mj-preview></mj-head><mj-body>
  <mj-section background-url="https://example.com/{{ note | url_encode }}.png"><mj-raw>{% if tone == 'du' %}</mj-raw><mj-column>
    <mj-text css-class="{{ note }}">${everything}</mj-text><mj-button href="https://example.com/{{ note }}" title="{{ name }}">{{ name }}</mj-button>
    <mj-image src="https://example.com/x.png" alt="{{ name }}" />
  </mj-column><mj-raw>{% endif %}</mj-raw></mj-section></mj-body></mjml>`;

async function compiledMjml(body: string, metadata = {}): Promise<CompiledVersion> {
  const { compiled, problems } = await checkContent(
    content("email", body, { ...metadata, format: "mjml" }, "Hello {{ name }}"),
  );
  expect(problems).toEqual([]);
  if (!compiled) throw new Error("not compiled");
  return compiled;
}

const versions: [string, CompiledVersion][] = [
  ["sms", compileVersion(content("sms", everything, { senderId: "ACME" }))],
  ["sms as GSM-7", compileVersion(content("sms", everything, { encoding: "GSM-7" }))],
  ["sms as UCS-2", compileVersion(content("sms", everything, { encoding: "UCS-2" }))],
  ["an e-mail of HTML", compileVersion(content("email", html, mailMetadata, `{{ name }} ${everything}`))],
  ["an e-mail of MJML", await compiledMjml(mjml, mailMetadata)],
  ["a WhatsApp session message", compileVersion(content("whatsapp", everything))],
  [
    "a WhatsApp template",
    compileVersion(
      content("whatsapp", everything, {
        templateName: "HX1",
        language: "de",
        parameters: ["{{ name }}", "{{ note }}", everything],
        header: { type: "text", text: "{{ name }}" },
        footer: "Shop",
        buttons: [
          { type: "url", text: "Go", url: "https://example.com/{{ note | url_encode }}" },
          { type: "quick_reply", text: "Stop", payload: "STOP" },
          { type: "phone", text: "Call", phone: "+4930123456" },
        ],
      }),
    ),
  ],
  [
    "a WhatsApp template with a picture",
    compileVersion(
      content("whatsapp", "{{ name }}", {
        templateName: "HX1",
        header: { type: "image", url: "{{ link }}" },
        buttons: [{ type: "url", text: "Go", url: "{{ note }}" }],
      }),
    ),
  ],
];

/** Every text of a message that becomes a header line, a name, or a one-line parameter. */
function lines(message: RenderedMessage): string[] {
  return [
    message.subject,
    message.senderId,
    message.senderName,
    message.replyTo,
    ...(message.attachments ?? []).flatMap(({ url, filename }) => [url, filename]),
    ...Object.values(message.whatsapp?.variables ?? {}),
    message.header?.value,
    ...(message.buttons ?? []).flatMap(({ text, value }) => [text, value]),
  ].filter((text) => text !== undefined);
}

describe.each(versions)("rendering %s with any values", (_, compiled) => {
  it("never throws, and its result can be sent: well-formed, without NUL, headers of one line", () => {
    fc.assert(
      fc.property(anyValues, anySettings, (values, settings) => {
        const result = renderCompiled(compiled, values, settings);
        if (!result.ok) {
          expect(compiled.parts.has(result.failure.pointer)).toBe(true);
          return;
        }
        const { message } = result;
        for (const text of [message.text, message.html ?? "", ...lines(message)]) {
          expect(text.isWellFormed()).toBe(true);
          expect(text).not.toContain("\u0000");
        }
        for (const line of lines(message)) expect(line).not.toMatch(/[\r\n\p{Cc}\u2028\u2029]/u);
      }),
      { numRuns: 300 },
    );
  });
});

/** Tags with their attributes' names and, for addresses, the origin: a value must not be able to change them. */
function skeleton(html: string): string[] {
  const found: string[] = [];
  for (const [, close, name, rest = ""] of html.matchAll(
    /<(\/?)([a-z][a-z0-9:-]*)((?:[^>"']|"[^"]*"|'[^']*')*)>/gi,
  )) {
    const attributes = [...rest.matchAll(/([^\s"'=/]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'))?/g)].map(
      ([, attribute = "", double, single]) => {
        const value = double ?? single ?? "";
        return /^(href|src|background)$/.test(attribute)
          ? `${attribute}=${new URL(value).origin}`
          : attribute;
      },
    );
    found.push(`${close ?? ""}${name ?? ""} ${attributes.join(" ")}`);
  }
  return found;
}

describe("a value in an e-mail's HTML", () => {
  const texts =
    "<p title=\"{{ name }}\" class='{{ note }}'>{{ name }}<b>{{ note }}</b></p><title>{{ name }}</title>" +
    '<a href="https://example.com/{{ name }}?q={{ note }}#{{ name }}">{{ note }}</a><!-- {{ name }} --><img src="https://example.com/x" alt=\'{{ name }}\'>';
  const plain = { name: "Ada", note: "x" };
  const settings = { locale: "en", timezone: "UTC" };

  it.each<[string, () => Promise<CompiledVersion>]>([
    [
      "HTML",
      () => Promise.resolve(compileVersion(content("email", texts, { preheader: "{{ name }}" }, "x"))),
    ],
    [
      "MJML",
      () =>
        compiledMjml(
          `<mjml><mj-body><mj-section><mj-column><mj-text>${texts}</mj-text><mj-button href="https://example.com/{{ name }}" title="{{ note }}">{{ name }}</mj-button></mj-column></mj-section></mj-body></mjml>`,
        ),
    ],
  ])("of %s never leaves its text, attribute or address", async (_, make) => {
    const compiled = await make();
    const shown = (values: Record<string, string>): string => {
      const result = renderCompiled(compiled, values, settings);
      if (!result.ok) throw new Error(result.failure.detail);
      return result.message.html ?? "";
    };
    const usual = skeleton(shown(plain));
    fc.assert(
      fc.property(anyText, anyText, (name, note) => {
        const html = shown({ name: `x${name}`, note: `x${note}` });
        expect(skeleton(html)).toEqual(usual);
        expect(htmlProblems(html, { compiled: true, rendered: true })).toEqual([]);
      }),
      { numRuns: 500 },
    );
  });

  it.each([
    ["by itself", '<a href="{{ name }}">x</a>'],
    ["directly behind another attribute", '<a title="x"href="{{ name }}">x</a>'],
    ["behind blanks", `<a href${" ".repeat(20)}=${" ".repeat(20)}"{{ name }}">x</a>`],
  ])("cannot make an address run code, even if it is the whole address, %s", (_, body) => {
    const compiled = compileVersion(content("email", body, {}, "x"));
    fc.assert(
      fc.property(anyText, (name) => {
        const result = renderCompiled(compiled, { name }, settings);
        if (result.ok) expect(htmlProblems(result.message.html ?? "", { rendered: true })).toEqual([]);
        else expect(result.failure).toMatchObject({ pointer: "/body", code: "render_failed" });
      }),
      { numRuns: 500 },
    );
    for (const name of [
      "javascript:alert(1)",
      " java\nscript:x",
      `${" ".repeat(200)}j${"\t".repeat(200)}avascript:x`,
      "vbscript:x",
      "data:text/html,x",
    ]) {
      expect(renderCompiled(compiled, { name }, settings)).toMatchObject({
        ok: false,
        failure: { pointer: "/body", code: "render_failed" },
      });
    }
    expect(renderCompiled(compiled, { name: "https://example.com/" }, settings).ok).toBe(true);
  });
});
