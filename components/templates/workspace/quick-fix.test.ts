import { describe, expect, test } from "vitest";
import { checkContent } from "../../../server/template-language/check-content.ts";
import { contentOf, emptyDraft, type Draft } from "../draft.ts";
import { guessVariable } from "./guess-variable.ts";
import { quickFix } from "./quick-fix.ts";

const draft = (more: Partial<Draft>): Draft => ({
  ...emptyDraft("webshop", "order/shipped"),
  channel: "sms",
  ...more,
});

/** What the server has against a draft, by its own check. */
async function problemsOf(each: Draft) {
  const { variables, ...content } = contentOf(each);
  const { problems } = await checkContent({
    ...content,
    subject: content.subject || null,
    channel: each.channel,
    compiledBody: null,
    variables: variables.map((variable) => ({ ...variable, maxLength: variable.maxLength })),
  });
  return problems;
}

/** Clicks the first button until there is none. */
async function fixAll(each: Draft): Promise<{ draft: Draft; labels: string[] }> {
  const labels: string[] = [];
  for (let clicks = 0; clicks < 20; clicks++) {
    const fix = (await problemsOf(each)).map((problem) => quickFix(each, problem)).find((found) => found);
    if (!fix) break;
    labels.push(fix.label);
    each = { ...each, ...fix.change(each) };
  }
  return { draft: each, labels };
}

describe("an undeclared variable", () => {
  test.each([
    "Hi {{ name }}",
    "{{name}}",
    "One\nTwo {{- name | upcase -}}\n",
    "{% if name %}Hi{% endif %}",
    "{% if true %}{{ \"name\" }}{% endif %}{{ name | default: 'you' }}",
  ])("is declared by one click, and the error goes: %j", async (body) => {
    const { draft: fixed, labels } = await fixAll(draft({ body }));
    expect(labels).toEqual(["Declare name"]);
    expect(await problemsOf(fixed)).toEqual([]);
  });

  test("is the one that the error is about, in whichever text it stands", async () => {
    const mail = draft({
      channel: "email",
      subject: "Order {{ orderNumber }}",
      body: '<p>{{ declared }} {{ name }}</p><a href="{{ trackingUrl }}">Track</a>',
      metadata: { preheader: "{{ eta | date: 'short' }}" },
      variables: [{ ...guessVariable("declared", []) }],
    });
    const { draft: fixed, labels } = await fixAll(mail);
    expect(labels.toSorted()).toEqual(
      ["Declare eta", "Declare name", "Declare orderNumber", "Declare trackingUrl"].toSorted(),
    );
    expect(await problemsOf(fixed)).toEqual([]);
    expect(fixed.variables.map(({ name, type }) => [name, type]).toSorted()).toEqual([
      ["declared", "string"],
      ["eta", "date"],
      ["name", "string"],
      ["orderNumber", "string"],
      ["trackingUrl", "url"],
    ]);
  });

  test("has a button of its own beside others in the same tag, and none once it is declared", async () => {
    const body = "{% if a and b %}{{ c }}{% endif %}{{ a | append: d }}";
    const problems = await problemsOf(draft({ body }));
    const labels = (each: Draft) => problems.map((problem) => quickFix(each, problem)?.label ?? null);
    expect(labels(draft({ body })).toSorted()).toEqual(
      ["Declare a", "Declare a", "Declare b", "Declare c", "Declare d"].toSorted(),
    );
    // The answer of a moment ago.
    const declared = labels(draft({ body, variables: [guessVariable("a", [])] }));
    expect(declared.filter((label) => label !== null).toSorted()).toEqual([
      "Declare b",
      "Declare c",
      "Declare d",
    ]);
  });

  test("that is declared, but used as more than a text, has no button", async () => {
    const wrong = draft({ body: "{{ name.first }}", variables: [guessVariable("name", [])] });
    const problems = await problemsOf(wrong);
    expect(problems.map(({ code }) => code)).toEqual(["undeclared_variable"]);
    expect(problems.map((problem) => quickFix(wrong, problem))).toEqual([null]);
  });
});

describe("the type of a declared variable", () => {
  test.each([
    ["when", "{{ when | date: 'long' }}", "date"],
    ["deliveryDate", "{{ deliveryDate }}", "string"],
    ["total", "{{ total | money: 'EUR' }}", "number"],
    ["x", "{{ x | times: 2 }}", "number"],
    ["x", '<a href="{{ x }}">x</a>', "url"],
    ["x", '<a href="https://shop.example/{{ x }}">x</a>', "string"],
    ["x", "{{ x | shorten }}", "url"],
    ["tracking_url", "{{ tracking_url }}", "url"],
    ["itemCount", "{{ itemCount }}", "number"],
    ["orderNumber", "{{ orderNumber }}", "string"],
    ["constructor", "", "string"],
    ["_", "", "string"],
  ])("follows from its use, then its name: %s in %s", (name, text, type) => {
    expect(guessVariable(name, [text]).type).toBe(type);
  });
});

describe("MJML that would be sent as HTML", () => {
  test.each([
    "<mjml><mj-body><mj-section><mj-column><mj-text>Hi {{ name }}</mj-text></mj-column></mj-section></mj-body></mjml>",
    "<mj-body><mj-section><mj-column><mj-text>Hi</mj-text></mj-column></mj-section></mj-body>",
    "<mj-section><mj-column><mj-text>Hi</mj-text></mj-column></mj-section>\n<mj-section></mj-section>",
    "<mj-column><mj-text>Hi</mj-text></mj-column>",
    '<mj-button href="https://example.com">Go</mj-button>',
  ])("is switched to MJML by one click, and can be saved: %s", async (body) => {
    const { draft: fixed, labels } = await fixAll(draft({ channel: "email", subject: "Hi", body }));
    expect(labels[0]).toBe("Use MJML");
    expect(fixed.metadata.format).toBe("mjml");
    expect(await problemsOf(fixed)).toEqual([]);
  });
});
