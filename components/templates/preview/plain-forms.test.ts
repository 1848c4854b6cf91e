import { describe, expect, test } from "vitest";
import { characterName, withPlainForms, writtenIn } from "./plain-forms.ts";

describe("plain forms", () => {
  const forms = { "“": '"', "”": '"', "–": "-" };

  test("replace characters of the message, not of its Liquid", () => {
    expect(withPlainForms("“Hi” – {{ name | default: '–' }}{% if a == '“' %}–{% endif %}", forms)).toBe(
      `"Hi" - {{ name | default: '–' }}{% if a == '“' %}-{% endif %}`,
    );
  });

  test("are offered for characters that stand in the text, not for those of values", () => {
    expect(writtenIn("“Hi {{ name | append: '–' }}", ["“", "–", "ç"])).toEqual(["“"]);
  });

  test("characters without a shape are named by number", () => {
    expect(characterName("\u00a0")).toBe("U+00A0");
    expect(characterName("ç")).toBe("ç");
  });
});
