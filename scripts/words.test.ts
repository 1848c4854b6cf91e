import { describe, expect, it } from "vitest";
import { errorAdvice } from "../server/rest/error-advice.ts";
import { errorTable } from "../server/kernel/errors.ts";
import { messageFailures, retryDescriptions } from "../server/kernel/message-failures.ts";
import { contracts } from "../server/rest/contracts.ts";
import { openApiDocument } from "../server/rest/openapi.ts";
import { bannedIn, pageTexts, readStyle, titleCased } from "./documentation/style.ts";
import { interfaceTexts, textsOf } from "./documentation/texts.ts";

/* Texts keep to docs/style.md, whose tables are read here: the page and this test cannot differ. */

const style = readStyle();
const texts = interfaceTexts();

/** Summaries, descriptions and titles of the OpenAPI document. */
function apiTexts(node: unknown, where: string): { where: string; text: string }[] {
  if (typeof node !== "object" || node === null) return [];
  return Object.entries(node).flatMap(([name, value]) =>
    typeof value === "string"
      ? ["summary", "description", "title", "detail"].includes(name)
        ? [{ where: `${where}/${name}`, text: value }]
        : []
      : apiTexts(value, `${where}/${name}`),
  );
}

const wrong = (all: readonly { where: string; text: string }[]) =>
  all.flatMap(({ where, text }) =>
    bannedIn(text, style).map((phrase) => `${where}: “${phrase}” in: ${text}`),
  );

describe("the style guide", () => {
  it("bans phrases and names states", () => {
    expect(style.banned).toContain("for want of");
    expect(style.banned.length).toBeGreaterThan(40);
    expect(style.states).toContain("Awaiting approval");
    expect(style.states.size).toBeGreaterThan(40);
  });

  it("finds a banned phrase as whole words, across lines and in any case (the probe that shows it looks)", () => {
    expect(bannedIn("No message failed For\nwant of a route", style)).toEqual(["for want of"]);
    expect(bannedIn("two e-mails, an e-mail", style)).toEqual([]);
    expect(bannedIn("two mails", style)).toEqual(["mails"]);
    expect(bannedIn("renewed", { banned: ["new"] })).toEqual([]);
  });

  it("finds capitals in the middle of a sentence, and knows names", () => {
    expect(titleCased("Create Template")).toEqual(["Template"]);
    expect(titleCased("Send through Twilio")).toEqual([]);
    expect(titleCased("Saved. Try again")).toEqual([]);
  });

  it("reads texts of JSX, attributes and messages, and no class names or code", () => {
    const source = `const a = <Button className="flex gap-2" title="Delete it">Delete {name} now</Button>; toast.success(\`\${n} sent\`); import "x y";`;
    expect(textsOf("a.tsx", source).map(({ text }) => text)).toEqual(["Delete it", "Delete … now", "… sent"]);
  });
});

describe("texts", () => {
  it("of the interface keep to the glossary", () => {
    expect(texts.length).toBeGreaterThan(3_000);
    expect(wrong(texts.map(({ file, line, text }) => ({ where: `${file}:${String(line)}`, text })))).toEqual(
      [],
    );
  });

  it("of the documentation keep to the glossary", () => {
    const pages = pageTexts();
    expect(pages.length).toBeGreaterThan(1_000);
    expect(wrong(pages)).toEqual([]);
  });

  it("of the API, its errors and the codes of messages keep to the glossary", () => {
    const document = apiTexts(JSON.parse(JSON.stringify(openApiDocument(contracts))), "");
    expect(document.length).toBeGreaterThan(500);
    const codes = [
      ...apiTexts(errorTable, "errors"),
      ...apiTexts(messageFailures, "failures"),
      ...Object.entries({ ...errorAdvice, ...retryDescriptions }).map(([where, text]) => ({ where, text })),
    ];
    expect(wrong([...document, ...codes])).toEqual([]);
  });

  it("of headings, buttons and labels are in sentence case", () => {
    const heads = texts.filter(({ place }) =>
      /^(?:Button|Link|h[1-4]|Label|label|title|.*\.(?:title|label|submitLabel|confirmLabel|aria-label))$/.test(
        place,
      ),
    );
    expect(heads.length).toBeGreaterThan(800);
    const capitals = heads.flatMap(({ file, line, text }) =>
      titleCased(text).map((word) => `${file}:${String(line)}: ${word} in: ${text}`),
    );
    expect(capitals).toEqual([]);
  });
});

describe("a value in a text", () => {
  it("does not run into the word behind it", () => {
    // Their values bring a space along, or are empty.
    const spaced = new Set([
      "Promote …to …",
      "Search messages by …message ID or transaction ID",
      "Whether a message …would be sent now, by class and channel",
    ]);
    const glued = texts.filter(({ text }) => /…\p{Ll}{2,}/u.test(text) && !spaced.has(text));
    expect(glued.map(({ file, line, text }) => `${file}:${String(line)}: ${text}`)).toEqual([]);
  });
});

describe("a state", () => {
  it("has one word on every page, which the style guide has", () => {
    // Where the faces of states are; other labels of these files are no states.
    const faces = texts.filter(
      ({ file, place }) =>
        /(?:-(?:state|status|face)\.tsx|\/approval-badge\.tsx|messages\/status\.ts|(?:export|import)-words\.ts)$/.test(
          file,
        ) &&
        (place === "label" || place === "Badge"),
    );
    const kinds = new Set(["Consent", "Contacts", "Suppressions"]);
    const words = faces.map(({ text }) => text.replace(/^… /, "")).filter((word) => !kinds.has(word));
    expect(words.length).toBeGreaterThan(60);
    expect(words.filter((word) => !style.states.has(word))).toEqual([]);
  });
});
