import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { checkContent } from "../template-language/check-content.ts";
import type { RenderSettings } from "../template-language/liquid-filters.ts";
import type { EmailMetadata, TemplateMetadata } from "../template-language/metadata.ts";
import { compileVersion, renderCompiled } from "../template-language/render.ts";
import type { RenderedMessage, VersionContent } from "../template-language/render.ts";
import { checkVariables } from "../template-language/variables.ts";
import type { VariableDeclaration } from "../template-language/variables.ts";

const settings = { locale: "en-GB", timezone: "Europe/Berlin" };
const text = (name: string, more: Partial<VariableDeclaration> = {}): VariableDeclaration => ({
  name,
  type: "string",
  required: true,
  ...more,
});

const sms = (
  body: string,
  variables: VariableDeclaration[] = [text("name")],
  metadata: TemplateMetadata = {},
): VersionContent => ({
  channel: "sms",
  subject: null,
  body,
  metadata,
  variables,
  compiledBody: null,
});

const email = (
  body: string,
  variables: VariableDeclaration[] = [text("name")],
  more: { subject?: string; metadata?: EmailMetadata } = {},
): VersionContent => ({
  channel: "email",
  subject: more.subject ?? "Hello {{ name }}",
  body,
  metadata: more.metadata ?? {},
  variables,
  compiledBody: null,
});

function render(
  content: VersionContent,
  values: Record<string, string>,
  more: RenderSettings = settings,
): RenderedMessage {
  const result = renderCompiled(compileVersion(content), values, more);
  if (!result.ok) throw new Error(JSON.stringify(result.failure));
  return result.message;
}

/** Letters, Liquid, HTML, line ends, broken surrogates: whatever a caller may send. */
const anyValue = fc.oneof(
  fc.string({ unit: "binary", maxLength: 200 }),
  fc
    .array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 40 })
    .map((codes) => String.fromCharCode(...codes)),
  fc.constantFrom(
    "{{ secret }}",
    "{% for i in (1..999999999) %}x{% endfor %}",
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "a\r\nBcc: victim@example.com",
    "__proto__",
    "1e309",
    "-0",
    "Infinity",
    "9".repeat(4_096),
    "",
  ),
);

const everyFeature: VariableDeclaration[] = [
  text("name"),
  text("amount", { type: "number" }),
  text("when", { type: "date" }),
  text("link", { type: "url", required: false }),
  text("tone", { type: "enum", values: ["du", "Sie"] }),
];
const everyBody =
  "{% if tone == 'du' %}Hi{% else %}Dear{% endif %} {{ name | truncate: 40 | upcase }}, {% if amount > 9 %}{{ amount | money: 'EUR' }}{% endif %} " +
  "{{ when | date: 'long' }} {{ when | date: '%d.%m.%Y %H:%M %B' }} {{ link | shorten | default: '-' }} {{ amount | times: 2 | plus: 1 | round: 2 }} " +
  "{% for part in (1..amount) %}{{ part }}{% endfor %}{% assign words = name | split: ' ' %}{{ words | size }} {{ words | last }}";

describe("rendering", () => {
  it("never throws, whatever the values are and whatever the channel", () => {
    const contents: VersionContent[] = [
      sms(everyBody, everyFeature),
      email(`<p title="{{ name }}">${everyBody}</p>`, everyFeature, {
        metadata: {
          preheader: "{{ name }}",
          attachments: [{ url: "{{ link }}", filename: "{{ name }}.pdf" }],
        },
      }),
      {
        channel: "whatsapp",
        subject: null,
        body: everyBody,
        metadata: {
          templateName: "t",
          parameters: ["{{ name }}"],
          header: { type: "image", url: "{{ link }}" },
        },
        variables: everyFeature,
        compiledBody: null,
      },
    ];
    const compiled = contents.map(compileVersion);
    const values = fc.dictionary(
      fc.constantFrom("name", "amount", "when", "link", "tone", "__proto__", "constructor", "other"),
      anyValue,
    );
    fc.assert(
      fc.property(fc.constantFrom(...compiled), values, (version, variables) => {
        const result = renderCompiled(version, variables, settings);
        expect(typeof (result.ok ? result.message.text : result.failure.detail)).toBe("string");
      }),
      { numRuns: 1_000 },
    );
  });

  it("keeps HTML in variables text: the tags of an e-mail are those of its template", () => {
    const compiled = compileVersion(
      email('<p title="{{ name }}">{{ name }}</p>', undefined, { metadata: { preheader: "{{ name }}" } }),
    );
    const tags = (html: string | undefined) =>
      html?.match(/<[^>]*>/g)?.map((tag) => tag.replace(/"[^"]*"/g, '""'));
    const usual = renderCompiled(compiled, { name: "Ada" }, settings);
    fc.assert(
      fc.property(anyValue, (name) => {
        const result = renderCompiled(compiled, { name: `x${name}` }, settings);
        expect(result.ok && usual.ok && tags(result.message.html)).toEqual(
          usual.ok && tags(usual.message.html),
        );
      }),
      { numRuns: 500 },
    );
  });

  it("keeps Liquid in variables text: it is never executed", () => {
    const message = render(sms("Hi {{ name }}!"), { name: "{{ 7 | times: 6 }}{% if true %}x{% endif %}" });
    expect(message.text).toBe("Hi {{ 7 | times: 6 }}{% if true %}x{% endif %}!");
    const assigned = render(sms("{% assign x = name %}{% capture y %}{{ x }}{% endcapture %}{{ y }}"), {
      name: "{{ 1 }}",
    });
    expect(assigned.text).toBe("{{ 1 }}");
  });

  it("does not escape what is not HTML: SMS, plain text and subjects", () => {
    expect(render(sms("{{ name }}"), { name: "Tom & <Jerry>" }).text).toBe("Tom & <Jerry>");
    const message = render(email("<p>{{ name }}</p>"), { name: "Tom & <Jerry>" });
    expect(message.subject).toBe("Hello Tom & <Jerry>");
    expect(message.text).toBe("Tom & <Jerry>");
    expect(message.html).toContain("<p>Tom &amp; &lt;Jerry&gt;</p>");
  });

  it("lets no control character into a subject or a file name", () => {
    const compiled = compileVersion(
      email("<p>x</p>", undefined, {
        metadata: { attachments: [{ url: "https://example.com/a.pdf", filename: "{{ name }}.pdf" }] },
      }),
    );
    fc.assert(
      fc.property(anyValue, (name) => {
        const result = renderCompiled(compiled, { name }, settings);
        if (!result.ok) throw new Error("not rendered");
        expect(result.message.subject).not.toMatch(/[\p{Cc}\u2028\u2029]/u);
        expect(result.message.attachments?.[0]?.filename).not.toMatch(/[\p{Cc}\u2028\u2029/\\"]/u);
      }),
      { numRuns: 500 },
    );
  });

  it("stops endless templates, with a failure that names the text", () => {
    for (const body of [
      "{% for i in (1..100000000) %}x{% endfor %}",
      "{% for i in (1..2000) %}{% for j in (1..2000) %}{{ j }}{% endfor %}{% endfor %}",
      "{% assign x = 'aaaaaaaaaa' %}{% for i in (1..40) %}{% assign x = x | append: x %}{% endfor %}{{ x }}",
      "{% for i in (1..name) %}{{ i }}{% endfor %}",
    ]) {
      const result = renderCompiled(compileVersion(sms(body)), { name: "999999999" }, settings);
      expect(result).toMatchObject({ ok: false, failure: { pointer: "/body" } });
      expect(["limit_exceeded", "too_slow"]).toContain(result.ok ? null : result.failure.code);
    }
  });

  it("compares numbers as numbers, and prints them as they were sent", () => {
    const content = sms("{% if a > b %}{{ a }}{% else %}{{ b }}{% endif %}", [
      text("a", { type: "number" }),
      text("b", { type: "number" }),
    ]);
    expect(render(content, { a: "10.50", b: "9" }).text).toBe("10.50");
    expect(render(content, { a: "9", b: "10" }).text).toBe("10");
  });

  it("leaves out optional variables that are not given", () => {
    const content = sms("Hi{% if name %} {{ name }}{% endif %}!", [text("name", { required: false })]);
    expect(render(content, {}).text).toBe("Hi!");
    expect(render(content, { name: "Ada" }).text).toBe("Hi Ada!");
  });

  it("writes dates and money in the recipient's language and zone", () => {
    const content = sms("{{ when | date: 'datetime' }} | {{ amount | money: 'EUR' }}", everyFeature);
    const values = { when: "2027-01-31T23:30:00Z", amount: "1234567890123456.78" };
    expect(render(content, values, { locale: "de-DE", timezone: "Europe/Berlin" }).text).toBe(
      "01.02.2027, 00:30 | 1.234.567.890.123.456,78 €",
    );
    const day = sms("{{ when | date: 'long' }}", everyFeature);
    expect(render(day, { when: "2027-01-31" }, { locale: "en-GB", timezone: "America/Lima" }).text).toBe(
      "31 January 2027",
    );
  });

  it("keeps the direction marks of a value to itself: nothing of them is left open, and nothing around it is closed", () => {
    const body = "\u2068{{ name | truncate: 8 }}\u2069: code 123456";
    const shown = (name: string) => render(sms(body), { name }).text;
    expect(shown("\u202eAda")).toBe("\u2068\u202eAda\u202c\u2069: code 123456");
    expect(shown("\u2067\u202eAda")).toBe("\u2068\u2067\u202eAda\u202c\u2069\u2069: code 123456");
    expect(shown("Ada\u2069\u202c")).toBe("\u2068Ada\u2069: code 123456");
    expect(shown("\u2068\u05d0\u2069 Ada")).toBe("\u2068\u2068\u05d0\u2069 Ada\u2069: code 123456");
    expect(render(email("<p>{{ name }}</p>"), { name: "\u202e<b>" })).toMatchObject({
      subject: "Hello \u202e<b>\u202c",
      html: expect.stringContaining("<p>\u202e&lt;b&gt;\u202c</p>") as string,
    });
  });

  it("lets an e-mail run from right to left in a language that does, whatever it begins with", () => {
    const content = email("<p>Tidings: مرحبا {{ name }}</p>");
    const at = (locale: string, language?: string | null) =>
      render(content, { name: "Ada" }, { locale, language, timezone: "UTC" }).html;
    expect(at("ar-EG", "ar")).toContain('<html lang="ar-EG" dir="rtl">');
    expect(at("he-IL", "he")).toContain('<body dir="rtl">');
    // A text for any language may be in another one: its first letters say.
    expect(at("ar-EG", null)).toContain('<html lang="ar-EG" dir="auto">');
    expect(at("de-DE", "de")).not.toContain("dir=");
    const whole = email('<html lang="ar"><body>{{ name }}</body></html>');
    expect(render(whole, { name: "Ada" }, { locale: "ar-EG", timezone: "UTC" }).html).toBe(
      '<html lang="ar"><body>Ada</body></html>',
    );
  });

  it("writes calculated amounts as money, whatever their binary fractions are", () => {
    const content = sms(
      "{{ amount | times: 3 | money: 'EUR' }}, {{ amount | times: 3 | minus: 0.3 | money }}",
      everyFeature,
    );
    expect(render(content, { amount: "0.1" }).text).toBe("€0.30, 0.00");
  });

  it("leaves long addresses alone without a shortener, and calls it where there is one", () => {
    const compiled = compileVersion(sms("{{ link | shorten }}", [text("link", { type: "url" })]));
    const values = { link: "https://example.com/a/long/way" };
    expect(renderCompiled(compiled, values, settings)).toMatchObject({ message: { text: values.link } });
    const short = renderCompiled(compiled, values, { ...settings, shorten: () => "https://t.example/l/1" });
    expect(short).toMatchObject({ message: { text: "https://t.example/l/1" } });
  });

  it("gives an approved WhatsApp template values that WhatsApp takes", () => {
    const content: VersionContent = {
      channel: "whatsapp",
      subject: null,
      body: "Hello {{ name }}",
      metadata: { templateName: "hello", header: { type: "text", text: "{{ name }}" } },
      variables: [text("name")],
      compiledBody: null,
    };
    const message = render(content, { name: "Ada\n \n \n \nLovelace" });
    expect(message.whatsapp?.variables).toEqual({ 1: "Ada    Lovelace" });
    expect(message.header?.value).toBe("Ada    Lovelace");
  });

  it("derives the plain text of an e-mail from its HTML", () => {
    const message = render(
      email(
        '<style>p{}</style><h1>Hi {{ name }}</h1><p>See <a href="https://example.com/?a=1&amp;b=2">your order</a>.</p><ul><li>one</li><li>two</li></ul>',
      ),
      { name: "Ada" },
    );
    expect(message.text).toBe("Hi Ada\n\nSee your order (https://example.com/?a=1&b=2).\n\n- one\n- two");
  });

  it.each([
    [
      "a head that is not closed",
      "<html><head><meta charset=utf-8><title>x</title><style>p{}</style><body><p>Hi",
    ],
    ["an empty comment", "<!--><p>Hi</p><!-- x -->"],
    ["a style with the beginning of a comment", "<style><!-- p{}</style><p>Hi</p>"],
  ])("derives the plain text of an e-mail behind %s", (_, body) => {
    expect(render(email(body), { name: "Ada" }).text).toBe("Hi");
  });
});

describe("a template's check before it is saved", () => {
  const problems = async (content: VersionContent) => (await checkContent(content)).problems;

  it.each([
    ["an undeclared variable", "Hi\n  {{ nobody }}", { code: "undeclared_variable", line: 2, column: 6 }],
    ["a part of a text", "{{ name.first }}", { code: "undeclared_variable", line: 1 }],
    ["a tag that is not closed", "a\n{% if name %}x", { code: "syntax", line: 2, column: 1 }],
    ["an output that is not closed", "{{ name", { code: "syntax", line: 1, column: 1 }],
    ["an unknown filter", "{{ name | nope }}", { code: "syntax", line: 1 }],
    ["a file", "{% include 'passwd' %}", { code: "syntax", line: 1 }],
    ["a partial", "{% render 'x' %}", { code: "syntax", line: 1 }],
    ["a loop that does not end", "{% for i in (1..100000000) %}x{% endfor %}", { code: "limit_exceeded" }],
  ])("finds %s, with its position", async (_, body, problem) => {
    expect((await problems(sms(body)))[0]).toMatchObject({ pointer: "/body", ...problem });
  });

  it.each([
    ["a script", "<p>x</p><script>alert(1)</script>"],
    ["a frame", '<iframe src="https://example.com"></iframe>'],
    ["a handler", '<img src="x" onerror="alert(1)">'],
    ["a handler without quotes", "<img src=x onerror=alert(1)>"],
    ["code in an address", '<a href="java\nscript:alert(1)">x</a>'],
    ["a variable outside of quotes", "<a href={{ name }}>x</a>"],
  ])("finds %s in an e-mail", async (_, body) => {
    expect((await problems(email(body)))[0]).toMatchObject({ pointer: "/body", code: "unsafe_html" });
  });

  it("accepts good mail", async () => {
    const body =
      '<!doctype html><html><head><meta charset="utf-8"><style>a{color:red}</style></head><body>\n' +
      '<!-- <script> --><a href="https://example.com/?q={{ name }}" {% if name %}class="x"{% endif %}>1 < 2 {{ name }}</a></body></html>';
    expect(await problems(email(body))).toEqual([]);
  });

  it("finds undeclared variables in every other text, too", async () => {
    const content = email("<p>x</p>", [], {
      subject: "{{ a }}",
      metadata: { preheader: "{{ b }}", text: "{{ c }}" },
    });
    expect((await problems(content)).map((problem) => problem.pointer)).toEqual([
      "/subject",
      "/metadata/preheader",
      "/metadata/text",
    ]);
  });

  it("refuses the metadata of another channel", async () => {
    const content = sms("x", [], { replyTo: "a@example.com" });
    expect((await problems(content))[0]).toMatchObject({
      pointer: "/metadata/replyTo",
      code: "invalid_metadata",
    });
  });
});

describe("the check of a request's variables", () => {
  it("names what is missing and what is invalid, never the value", () => {
    const problems = checkVariables(everyFeature, {
      amount: "1,50",
      when: "2027-02-31",
      link: "javascript:alert(1)",
      tone: "you",
    });
    expect(problems.map(({ name, code }) => `${name} ${code}`)).toEqual([
      "name missing_variable",
      "amount invalid_variable",
      "when invalid_variable",
      "link invalid_variable",
      "tone invalid_variable",
    ]);
    expect(JSON.stringify(problems)).not.toMatch(/1,50|02-31|javascript|you/);
  });

  it("reads no value from the prototype", () => {
    expect(checkVariables([text("toString")], {})).toHaveLength(1);
  });

  it("counts characters, not code units", () => {
    expect(checkVariables([text("name", { maxLength: 3 })], { name: "😀😀😀" })).toEqual([]);
    expect(checkVariables([text("name", { maxLength: 3 })], { name: "abcd" })).toHaveLength(1);
  });
});
