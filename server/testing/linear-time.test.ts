/**
 * Hostile texts for everything that reads texts of tenants, recipients and providers: time grows with the length, not
 * with its square.
 */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseMailbox } from "../adapters/email-message.ts";
import { providerText } from "../adapters/provider-text.ts";
import { checkTexts } from "../content-checks/checks.ts";
import { locateFindings } from "../content-checks/locate-findings.ts";
import { DraftReader } from "../drafting/draft-reader.ts";
import { cleanInbound } from "../inbound/clean-inbound.ts";
import { diagnoseJson } from "../rest/diagnose-json.ts";
import { htmlProblems } from "../template-language/check-html.ts";
import { hasCodeAddress, holdsCode } from "../template-language/html-address.ts";
import { htmlToText } from "../template-language/html-text.ts";
import { liquidPieces, liquidTokens } from "../template-language/liquid-engine.ts";
import { oneLine, renderCompiled, tryCompile } from "../template-language/render.ts";
import type { VersionContent } from "../template-language/render.ts";
import { smsSegments } from "../template-language/segments.ts";
import { isWebUrl, parseDate } from "../template-language/variables.ts";

const mail = (body: string): VersionContent => ({
  channel: "email",
  subject: "Hello",
  body,
  metadata: { preheader: "Hidden" },
  variables: [{ name: "x", type: "string", required: true }],
  compiledBody: null,
});
/** Parses a text, and renders it if it parses: an error is a result, too. */
function render(body: string): void {
  const { compiled } = tryCompile(mail(body));
  if (compiled) renderCompiled(compiled, { x: "<body" }, { locale: "en", timezone: "UTC" });
}
const orNothing = (read: () => unknown) => {
  try {
    read();
  } catch {
    // A text that is refused.
  }
};

const readers: [name: string, read: (text: string) => unknown][] = [
  ["rendering an e-mail", render],
  ["rendering a text written out as it stands", (text) => render(`{% raw %}${text}{% endraw %}`)],
  ["rendering a value", (text) => renderValue(text)],
  ["plain text of HTML", htmlToText],
  ["unsafe HTML", (text) => htmlProblems(text)],
  ["unsafe HTML, rendered", (text) => htmlProblems(text, { rendered: true, compiled: true })],
  ["code in an address", (text) => [hasCodeAddress(text), holdsCode(text)]],
  ["pieces of Liquid", (text) => orNothing(() => [liquidPieces(text), liquidTokens(text)])],
  ["a header's line", oneLine],
  ["moderation's fixed checks", (text) => checkTexts([{ pointer: "/body", text }])],
  [
    "the place of a finding",
    (text) =>
      locateFindings(
        [
          {
            category: "policy_violation",
            severity: "warn",
            pointer: "/body",
            excerpt: text.slice(0, 5_000),
            explanation: text,
            suggestion: null,
          },
        ],
        [{ pointer: "/body", text }],
        [],
      ),
  ],
  ["segments of an SMS", (text) => smsSegments(text.slice(0, 1_600))],
  ["an address", isWebUrl],
  ["a date", parseDate],
  ["a mailbox", parseMailbox],
  ["a provider's words", providerText],
  [
    "an inbound message",
    (text) =>
      cleanInbound(
        { providerMessageId: text, channel: "sms", from: text, to: text, text, kind: text },
        new Date(),
      ),
  ],
  ["why JSON does not parse", (text) => diagnoseJson(text)],
  [
    "a draft",
    (text) => {
      const reader = new DraftReader({ subject: true });
      reader.push(text);
      reader.end();
    },
  ],
];

function renderValue(value: string): void {
  const filters =
    "strip | rstrip | lstrip | newline_to_br | strip_newlines | truncatewords: 3 | url_encode | escape_once";
  const { compiled } = tryCompile(mail(`<p title="{{ x }}">{{ x | ${filters} }}</p>`));
  if (compiled) renderCompiled(compiled, { x: value }, { locale: "en", timezone: "UTC" });
}

/** Beginnings of what the readers look for; unfinished constructs, repeated, make them look far. */
const pieces = [
  "<body",
  "<body ",
  "<BODY<",
  "<html",
  "<!--",
  "--!",
  "<!",
  "<?",
  "<style",
  "<style>",
  "</style",
  "<script>",
  "<a ",
  '<a href="',
  "<a href='https://x",
  "<a href=https:x>",
  "</a>",
  "<p",
  "<p>",
  '="',
  "='",
  " href=",
  " src='j",
  "javascript:",
  "&#x",
  "&amp",
  "{{",
  "}}",
  "{%",
  "%}",
  "{% if x %}",
  "{% endif %}",
  "{% raw %}",
  "{{ x",
  "{{ x }}",
  "{{ x |",
  "{%-",
  "a | append: ",
  "x[",
  "x.",
  '"',
  "'",
  "\\",
  "\\u",
  "[",
  "{",
  '{"a":',
  "1e",
  "0",
  "4111 ",
  "1-",
  "DE89",
  "eyJ-",
  "sk-",
  "a@",
  "a.",
  "@",
  "https://",
  "+49",
  " ",
  "\t",
  "\n",
  "\r",
  "\n\n\n",
  "\u00a0",
  "`",
  "```\n",
  "*",
  "subject",
  "aaaaaaaa",
  "é",
  "👩‍👩‍👧",
  "\u0301",
  "-----BEGIN ",
  "password: ",
  "api-key=",
  "women kill ",
  "you idiot ",
  "f.u.c.k ",
  "f*",
  "4-1-",
  "&#52;",
  "ﷺ",
  "{% raw %}",
  "{% comment %}",
  "endraw ",
  "<td>",
  "http://a.",
  '<a href="https://x',
];

/** UTF-16 units; quadratic time would be seconds. */
const size = 200_000;
/** More than anything linear needs for it, whatever else the machine does, ms. */
const muchTooLong = 1_500;

const hostile = fc
  .tuple(
    fc.array(fc.constantFrom(...pieces), { maxLength: 2 }),
    fc.array(fc.constantFrom(...pieces), { minLength: 1, maxLength: 4 }),
    fc.array(fc.constantFrom(...pieces), { maxLength: 2 }),
  )
  .map(([before, again, after]) => {
    const unit = again.join("");
    return before.join("") + unit.repeat(Math.ceil(size / unit.length)) + after.join("");
  });

describe("hostile text takes time in proportion to its length", () => {
  const quick = (read: (text: string) => unknown, text: string) => {
    let best = Infinity;
    // Slow on a busy machine only counts if it is slow each time.
    for (let round = 0; round < 3 && best > muchTooLong; round++) {
      const before = performance.now();
      read(text);
      best = Math.min(best, performance.now() - before);
    }
    expect(best, JSON.stringify(text.slice(0, 100))).toBeLessThan(muchTooLong);
  };

  it.each(readers)(
    "%s: each piece, repeated",
    (_, read) => {
      for (const piece of pieces) quick(read, piece.repeat(Math.ceil(size / piece.length)));
    },
    240_000,
  );

  it.each(readers)(
    "%s: any mixture",
    (_, read) => {
      fc.assert(
        fc.property(hostile, (text) => quick(read, text)),
        { numRuns: 25 },
      );
    },
    240_000,
  );
});
