import { expect, test } from "vitest";
import { compileVersion, renderCompiled } from "../template-language/render.ts";
import { endingKeyTemplate, invitationTemplate, passwordTemplate } from "./built-in-templates.ts";

test("a message that was accepted before the texts knew of branding is rendered, without any", () => {
  for (const { content } of [invitationTemplate, passwordTemplate, endingKeyTemplate]) {
    const needed = content.variables.filter(({ required }) => required);
    const values = Object.fromEntries(
      needed.map(({ name, type }) => [name, type === "url" ? "https://example.com/#x" : `the ${name}`]),
    );
    const result = renderCompiled(compileVersion(content), values, { locale: "en", timezone: "UTC" });
    const html = result.ok ? result.message.html : JSON.stringify(result.failure);
    expect(html).toContain("Sent by the organisation through Tidings.");
    expect(html).toContain("background:#1d1d1b;color:#ffffff");
    expect(html).not.toMatch(/<img|Questions/);
  }
});
