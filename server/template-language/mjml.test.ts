import { describe, expect, it } from "vitest";
import { checkContent } from "./check-content.ts";
import { compilerLimits } from "./mjml-compiler.ts";
import { renderCompiled } from "./render.ts";
import type { VersionContent } from "./render.ts";
import type { VariableDeclaration } from "./variables.ts";

const variables: VariableDeclaration[] = [
  { name: "name", type: "string", required: true },
  { name: "link", type: "url", required: true },
];

const mail = (body: string): VersionContent => ({
  channel: "email",
  subject: "Hello",
  body,
  metadata: { format: "mjml" },
  variables,
  compiledBody: null,
});

/** The body's first line is line 4 of the whole. */
const document = (body: string, head = "") =>
  `<mjml>\n<mj-head>${head}</mj-head>\n<mj-body>\n${body}\n</mj-body></mjml>`;
const column = (body: string) => `<mj-section><mj-column>${body}</mj-column></mj-section>`;

async function html(body: string, values: Record<string, string>): Promise<string> {
  const { compiled, problems } = await checkContent(mail(body));
  expect(problems).toEqual([]);
  if (!compiled) throw new Error("not compiled");
  const result = renderCompiled(compiled, values, { locale: "en", timezone: "UTC" });
  if (!result.ok) throw new Error(result.failure.detail);
  return result.message.html ?? "";
}

const problems = async (body: string) => (await checkContent(mail(body))).problems;

describe("an e-mail written in MJML", () => {
  it("becomes HTML, with its Liquid in texts, attributes and raw blocks", async () => {
    const body = document(
      `<mj-section><mj-raw>{% if name == "a <b" %}</mj-raw>
       <mj-column><mj-text color="{{ name }}">Hi {{ name | default: "x>y" }}</mj-text>
       <mj-button href="{{ link | append: "?a=<b>" }}">Go</mj-button></mj-column>
       <mj-raw>{% else %}<p>nobody</p>{% endif %}</mj-raw></mj-section>`,
      "<mj-title>For {{ name }}</mj-title><mj-preview>{{ name }}!</mj-preview>",
    );
    const shown = await html(body, { name: "a <b", link: "https://example.com/" });
    expect(shown).toContain("<title>For a &lt;b</title>");
    expect(shown).toContain("Hi a &lt;b</div>");
    expect(shown).toMatch(/<a\s+href="https:\/\/example\.com\/\?a=&lt;b&gt;"/);
    expect(shown).not.toContain("nobody");
    expect(await html(body, { name: "Ada", link: "https://example.com/" })).toContain("<p>nobody</p>");
  });

  it("is stored with the HTML, so that sending never compiles", async () => {
    const { compiled } = await checkContent(mail(document(column("<mj-text>{{ name }}</mj-text>"))));
    expect(compiled?.content.compiledBody).toMatch(/^<!doctype html>[\s\S]*\{\{ name \}\}/);
    expect(compiled?.parts.get("/body")?.source).toBe(compiled?.content.compiledBody);
  });

  it("loads no fonts that the author did not name", async () => {
    const text = '<mj-text font-family="Roboto, Open Sans">x</mj-text>';
    expect(await html(document(column(text)), {})).not.toMatch(/<link|@import|googleapis/);
    const font = '<mj-font name="Roboto" href="https://fonts.example.com/roboto.css" />';
    expect(await html(document(column(text), font), {})).toContain(
      '<link href="https://fonts.example.com/roboto.css" rel="stylesheet" type="text/css">',
    );
  });

  it("keeps the author's comments out of the mail", async () => {
    const body = document(
      `<!-- secret --><mj-section>{% comment %}secret\n{{ x }}{% endcomment %}<mj-column><mj-text>{% # secret %}x</mj-text></mj-column></mj-section>`,
    );
    expect(await html(body, {})).not.toContain("secret");
  });

  it.each([
    ["an unknown element", column("\n<mj-nope>x</mj-nope>"), "mjml", 5, 1],
    ["an unknown attribute", column('<mj-text nope="1">x</mj-text>'), "mjml", 4, 24],
    ["an element in the wrong place", "<mj-section><mj-text>x</mj-text></mj-section>", "mjml", 4, 13],
    [
      "a variable that would have to be a size",
      column('<mj-text padding="{{ name }}">x</mj-text>'),
      "mjml",
      4,
      24,
    ],
    [
      "Liquid that the compiler would drop",
      "<mj-section>{% if name %}</mj-section>{% endif %}",
      "mjml",
      4,
      13,
    ],
    ["an include", '<mj-include path="/etc/passwd" />', "mjml", 4, 1],
    ["Liquid that is not closed", column("<mj-text>{% if name %}</mj-text>"), "syntax", 4, 33],
    ["an undeclared variable", column("\n\n<mj-text>{{ nobody }}</mj-text>"), "undeclared_variable", 6, 13],
    [
      "an undeclared variable in an attribute",
      column('<mj-image src="{{ img }}" />'),
      "undeclared_variable",
      4,
      42,
    ],
    ["a script", column("<mj-text>\n<script>x</script></mj-text>"), "unsafe_html", 5, 1],
    ["code in an address", column('<mj-button href="javascript:x">x</mj-button>'), "unsafe_html", 4, 41],
  ])("is refused for %s, with its line and column", async (_, body, code, line, at) => {
    expect((await problems(document(body)))[0]).toMatchObject({ pointer: "/body", code, line, column: at });
  });

  it("has its positions right after Liquid of several lines", async () => {
    const body = document(column("<mj-text>{{ name\n| upcase\n}}</mj-text>\n<mj-nope>x</mj-nope>"));
    expect((await problems(body))[0]).toMatchObject({ line: 7, column: 1 });
  });

  it("is refused when it is not MJML at all", async () => {
    for (const body of ["hello", "<p>x</p>", "<mjml></mjml>", "<mjml><mj-body>"]) {
      const [first] = await problems(body);
      expect(first === undefined || first.code === "mjml").toBe(true);
    }
    expect((await problems("hello"))[0]).toMatchObject({ code: "mjml" });
  });
});

describe("hostile MJML", () => {
  const much = (text: string, times: number) => text.repeat(times);

  it.each([
    ["more elements than a mail has", document(much(column("<mj-text>x</mj-text>"), 1_000))],
    [
      "a small text that becomes a huge one",
      document(column(`<mj-carousel>${much('<mj-carousel-image src="x" />', 1_500)}</mj-carousel>`)),
    ],
    ["elements within elements", `<mjml><mj-body>${much("<mj-wrapper>", 1_900)}</mj-body></mjml>`],
    ["Liquid within Liquid", document(`${much("{% if name %}", 10_000)}${much("{% endif %}", 10_000)}`)],
    ["Liquid without end", document(column(`<mj-text>${much("{{ name }}", 20_000)}</mj-text>`))],
  ])("is refused: %s", async (_, body) => {
    expect((await problems(body))[0]).toMatchObject({ pointer: "/body", code: "limit_exceeded" });
  });

  it("is ended when it takes too long, and the next text is compiled", async () => {
    const slow = document(
      much(column("<mj-text>x</mj-text>"), 100),
      `<mj-style inline="inline">${much(".a{color:red}", 15_000)}</mj-style>`,
    );
    const [first, next] = await Promise.all([
      problems(slow),
      problems(document(column("<mj-text>next</mj-text>"))),
    ]);
    expect(first[0]).toMatchObject({ code: "limit_exceeded", detail: "The MJML takes too long to compile." });
    expect(next).toEqual([]);
  }, 60_000);

  it("does not queue without limit", async () => {
    const texts = Array.from({ length: compilerLimits.waiting * 2 }, (_, index) =>
      problems(document(column(`<mj-text>${String(index)}</mj-text>`))),
    );
    const outcomes = await Promise.allSettled(texts);
    const refused = outcomes.filter((outcome) => outcome.status === "rejected");
    expect(refused.length).toBeGreaterThan(0);
    for (const { reason } of refused)
      expect(reason).toMatchObject({ code: "service_overloaded", status: 503 });
    expect(outcomes[0]).toMatchObject({ status: "fulfilled", value: [] });
  });
});
