import { describe, expect, it } from "vitest";
import { htmlProblems } from "./check-html.ts";

describe("the check of an e-mail's HTML", () => {
  it.each([
    ["a script", "<script>x</script>"],
    ["a script behind an empty comment", "<!--><script>x</script>-->"],
    ["a script behind a style that looks like a comment", "<style><!--</style><script>x</script>-->"],
    ["a script in capitals", "<ScRiPt>x</sCrIpT>"],
    ["a name put together by Liquid", "<scr{% assign a = 1 %}ipt>x"],
    ["a tag that a variable begins", "a <{{ name }} b>"],
    ["a handler", '<img src="x" onerror="x">'],
    ["a handler without quotes", "<img src=x onerror=x>"],
    ["a handler behind a slash", "<img/onerror=x>"],
    ["a handler with blanks around its =", '<img onerror \n = "x">'],
    ["a handler behind a long attribute", `<img alt="${"x".repeat(20_000)}" onerror=x>`],
    ["code in an address", '<a href="java\nscript:x">x</a>'],
    ["code in an address without quotes", "<a href=javascript:x>x</a>"],
    ["code in an address with entities", '<a href="&#106;avascript&colon;x">x</a>'],
    [
      "code in an address behind many blanks",
      `<a href="${" ".repeat(500)}java${"\t".repeat(500)}script:x">x</a>`,
    ],
    ["code in an address with long entities", '<a href="&#x0000006a;avascript:x">x</a>'],
    ["what is only shown without scripts", "<noscript><iframe src=x></iframe></noscript>"],
    ["a script behind a style that only seems to end", "<style></stylex><!--</style><script>x</script>-->"],
    [
      "a redirection that begins as a name",
      '<meta name="x" http-equiv="refresh" content="0;url=https://a.example">',
    ],
    ["a document in an address", '<a href="data:text/html,x">x</a>'],
    ["a picture that is a document", '<img src="data:image/svg+xml,x">'],
    ["a frame's own document", '<div srcdoc="x"></div>'],
    ["a variable outside of quotes", "<a href={{ name }}>x</a>"],
    ["a variable as attribute", "<a {{ name }}>x</a>"],
    ["a variable within an attribute's name", '<a da{{ name }}ta="x">x</a>'],
    [
      "a link of MJML where there is none",
      '<link href="https://a.example/x.css" rel="stylesheet" type="text/css">',
    ],
  ])("finds %s", (_, html) => {
    expect(htmlProblems(html)[0]).toMatchObject({ pointer: "/body", code: "unsafe_html" });
  });

  it.each([
    [
      "a document",
      '<!doctype html><html><head><meta charset="utf-8"><title>a < b</title></head><body>x</body></html>',
    ],
    [
      "the meta elements of a document",
      '<meta charset="utf-8"><meta name="viewport" content="x"><meta http-equiv="X-UA-Compatible" content="IE=edge">',
    ],
    ["a comment", "<!-- <script>x</script> -->x"],
    ["Outlook's comments", "<!--[if !mso]><!--><p>x</p><!--<![endif]--><!--[if mso]><v:rect><![endif]-->"],
    ["a < that is only a character", "1 < 2 and a<b"],
    [
      "quotes within Liquid",
      `<a href="{{ link | append: "?x='>'" }}" {% if name == ">" %}class="x"{% endif %}>x</a>`,
    ],
    ["a small picture in the text", '<img alt="javascript: a book" src="data:image/png;base64,AA==">'],
    ["what only looks like a handler", '<p data-on="x" title="onclick=x">onerror=x</p>'],
  ])("accepts %s", (_, html) => {
    expect(htmlProblems(html)).toEqual([]);
  });

  it("reports line and column", () => {
    expect(htmlProblems("<p>\n  x <script>")[0]).toMatchObject({ line: 2, column: 5 });
  });

  it("allows the link of an mj-font in compiled MJML, and only that", () => {
    const link = (href: string) => `<link href="${href}" rel="stylesheet" type="text/css">`;
    expect(htmlProblems(link("https://a.example/x.css"), { compiled: true })).toEqual([]);
    expect(htmlProblems(link("http://a.example/x.css"), { compiled: true })).toHaveLength(1);
    expect(htmlProblems(link("https://{{ name }}/x.css"), { compiled: true })).toHaveLength(1);
  });
});
