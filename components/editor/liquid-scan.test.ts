import { describe, expect, test } from "vitest";
import { placeAt, variableUses, wordAt } from "./liquid-scan.ts";

const names = (text: string) => variableUses(text).map((use) => use.name);

describe("variables that a text reads", () => {
  test("stand in outputs and in tags, with their place", () => {
    const text = "Hi {{ name }}{% if vip == true and city contains 'x' %}!{% endif %}";
    expect(names(text)).toEqual(["name", "vip", "city"]);
    for (const use of variableUses(text)) expect(text.slice(use.start, use.end)).toBe(use.name);
  });

  test("are no filters, no named arguments, no members and no texts in quotes", () => {
    expect(names(`{{ name | replace: "a", other | date: 'long' }} {{ name.size }}`)).toEqual([
      "name",
      "other",
      "name",
    ]);
  });

  test("are not what the text itself makes", () => {
    expect(names("{% assign total = price | times: 2 %}{{ total }}")).toEqual(["price"]);
    expect(
      names("{% for item in items limit:2 reversed %}{{ item }}{{ forloop.index }}{% endfor %}"),
    ).toEqual(["items"]);
    expect(names("{% capture line %}x{% endcapture %}{{line}}")).toEqual([]);
  });

  test("are not in remarks and raw blocks", () => {
    expect(
      names("{% raw %}{{ a }}{% endraw %}{% comment %}{{ b }}{%- endcomment -%}{% # c %}{{ d }}"),
    ).toEqual(["d"]);
  });

  test("are found in texts that are broken", () => {
    expect(names("{{ name ")).toEqual(["name"]);
    expect(names("{% if a {{ b }}")).toContain("a");
    expect(names("{% raw %}{{ a }}")).toEqual([]);
    expect(names("{{ 'open }} {{ b }}")).toEqual(["b"]);
  });
});

describe("what may be written", () => {
  const at = (marked: string) => placeAt(marked.replace("^", ""), marked.indexOf("^"));

  test("a variable in an output, the word so far included", () => {
    expect(at("Hi {{ na^ }}")).toMatchObject({ wants: "variable", word: "na", start: 6, open: 3 });
    expect(at("{% if ^")).toMatchObject({ wants: "variable" });
    expect(at("{{^")).toMatchObject({ wants: "variable", word: "" });
  });

  test("a filter after the bar, a tag at its start", () => {
    expect(at("{{ name | up^")).toMatchObject({ wants: "filter", word: "up" });
    expect(at("{%- i^ %}")).toMatchObject({ wants: "tag", word: "i" });
  });

  test("nothing outside of Liquid, in quotes and behind a point", () => {
    expect(at("Hello ^")).toBeNull();
    expect(at("{{ name }} ^")).toBeNull();
    expect(at("{{ name | append: 'x^")).toBeNull();
    expect(at("{{ name.^")).toBeNull();
  });

  test("the whole word is explained wherever one points at it", () => {
    const text = "Hi {{ name | upcase }}";
    expect(wordAt(text, text.indexOf("ame"))).toMatchObject({
      wants: "variable",
      word: "name",
      start: 6,
      end: 10,
    });
    expect(wordAt(text, text.indexOf("case"))).toMatchObject({ wants: "filter", word: "upcase" });
    expect(wordAt(text, 0)).toBeNull();
  });
});
