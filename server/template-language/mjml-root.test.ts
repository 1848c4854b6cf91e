import { describe, expect, test } from "vitest";
import { checkContent } from "./check-content.ts";
import { mjmlRoot } from "./mjml-root.ts";

const mjml =
  "<mjml><mj-body><mj-section><mj-column><mj-text>Hi</mj-text></mj-column></mj-section></mj-body></mjml>";
const mail = (body: string, format?: "html" | "mjml") => ({
  channel: "email" as const,
  subject: "Hello",
  body,
  metadata: format === undefined ? {} : { format },
  variables: [],
  compiledBody: null,
});

describe("MJML in a body that is sent as HTML", () => {
  test.each([
    mjml,
    `\ufeff\n  ${mjml}`,
    `<?xml version="1.0"?>\n<!doctype mjml>\n<!-- <p>ours</p> -->${mjml}`,
    `{% comment %}<p>autumn</p>{% endcomment %}{% assign a = 1 %}\n${mjml}`,
    mjml.replace("<mjml>", '<MJML lang="en">'),
    "<mj-section><mj-column><mj-text>Hi</mj-text></mj-column></mj-section>",
  ])("is refused with what to change: %s", async (body) => {
    for (const format of [undefined, "html"] as const) {
      const { problems } = await checkContent(mail(body, format));
      const problem = problems.find(({ code }) => code === "mjml_as_html");
      expect(problem?.pointer).toBe("/body");
      expect(problem?.detail).toContain('metadata.format to "mjml"');
      const line = body.split("\n")[(problem?.line ?? 0) - 1];
      expect(line?.slice((problem?.column ?? 0) - 1)).toMatch(/^<mj/i);
    }
  });

  test("is what it is once the format says so", async () => {
    expect((await checkContent(mail(mjml, "mjml"))).problems).toEqual([]);
  });

  test.each([
    "<p>mjml</p>",
    "<p>We write <mjml>.</p>",
    "Hello",
    "",
    "<!-- <mjml> -->",
    "<mjmlx></mjmlx>",
    "{% comment %}<mjml>{% endcomment %}<p>Hi</p>",
    "{{ intro }}<mjml>",
  ])("is not seen in other texts: %s", async (body) => {
    expect(mjmlRoot(body)).toBeNull();
    const { problems } = await checkContent({
      ...mail(body),
      variables: [{ name: "intro", type: "string", required: true }],
    });
    expect(problems.map(({ code }) => code)).not.toContain("mjml_as_html");
  });

  test("is looked for in linear time", () => {
    const begin = performance.now();
    for (const piece of ["<!-- -->", "{% comment %}", "{% a %}", " ", "<", "<mj-", "<!"]) {
      mjmlRoot(piece.repeat(Math.ceil(262_144 / piece.length)));
    }
    expect(performance.now() - begin).toBeLessThan(500);
  });
});
