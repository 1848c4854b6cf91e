/** What answers of providers mean, in the forms in which local gateways give them. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { SendOutcome } from "../adapter.ts";
import { httpAdapter } from "./http.ts";
import { patternBounds, patternProblem, findPattern } from "./answer-pattern.ts";
import { decodeText } from "./answer-text.ts";
import { httpCredentialsSchema, httpSettingsSchema } from "./schemas.ts";
import type { HttpSettings } from "./schemas.ts";
import { parseXml, parseXmlPath, readXmlText, xmlBounds } from "./xml-path.ts";

const secret = "s3cret-k3y";

function judge(
  settings: Partial<HttpSettings>,
  body: string | Buffer,
  {
    status = 200,
    headers = {},
    truncated = false,
  }: { status?: number; headers?: Record<string, string>; truncated?: boolean } = {},
): { outcome: SendOutcome; warnings: string[] } {
  const connection = {
    id: "c1",
    credentials: httpCredentialsSchema.parse({ secrets: `key = ${secret}` }),
    settings: httpSettingsSchema.parse({ url: "https://sms.example/send", body: "{}", ...settings }),
  };
  const judged = httpAdapter.judgeAnswer?.(connection, {
    status,
    headers,
    body: Buffer.from(body),
    truncated,
  });
  if (!judged) throw new Error("the adapter judges no answers");
  return judged;
}
const outcomeOf = (...given: Parameters<typeof judge>) => judge(...given).outcome;

describe("an id in an answer is kept digit for digit", () => {
  it.each([
    '{"id":9007199254740993}',
    '{"id": 12345678901234567890123}',
    '{"id":-9223372036854775807}',
    '{"id":0.12345678901234567890}',
  ])("%s", (body) => {
    const [, digits] = /:\s*([-\d.]+)/.exec(body) ?? [];
    expect(outcomeOf({ idPath: "$.id" }, body)).toMatchObject({ kind: "sent", providerMessageId: digits });
  });

  it("whatever the number is: two messages never share one", () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(2n ** 80n), max: 2n ** 80n }), (id) => {
        expect(outcomeOf({ idPath: "$[0].id" }, `[{"id":${String(id)}}]`)).toMatchObject({
          providerMessageId: String(id),
        });
      }),
    );
  });

  it("and shorter numbers mean what they did", () => {
    expect(
      outcomeOf({ idPath: "$.id", successPath: "$.ok", successValue: "1" }, '{"id":4711,"ok":1.0}'),
    ).toMatchObject({
      kind: "sent",
      providerMessageId: "4711",
    });
    const price = { pricePath: "$.price", priceCurrency: "EUR" };
    expect(outcomeOf(price, '{"price":6.5e-2}')).toMatchObject({
      price: { amount: "0.065", currency: "EUR" },
    });
  });
});

describe("an answer in plain text", () => {
  const gateway = {
    successText: "OK",
    idPattern: "^OK:\\s*(\\S+)",
    errorPattern: "^ERR:?\\s*\\d*\\s*(.*)",
    errorCodePattern: "^ERR:?\\s*(\\d+)",
  };

  it.each([
    ["OK: 4711-a", { kind: "sent", providerMessageId: "4711-a" }],
    ["\ufeffOK: 4711-a\r\n", { kind: "sent", providerMessageId: "4711-a" }],
    [
      "ERR:invalid login",
      {
        kind: "not_sent",
        retry: "failover",
        code: "provider_rejected",
        providerMessage: "invalid login",
        providerCode: "200",
      },
    ],
    [
      `ERR: 105 no credit for ${secret}`,
      { kind: "not_sent", providerMessage: "no credit for [secret]", providerCode: "105" },
    ],
    ["OK", { kind: "unknown", code: "provider_answer_unreadable" }],
    ["", { kind: "unknown", code: "provider_answer_unreadable" }],
    ["  \n", { kind: "unknown", code: "provider_answer_unreadable" }],
    [
      "<!DOCTYPE html><html><body>Back soon</body></html>",
      { kind: "unknown", code: "provider_answer_unreadable" },
    ],
  ])("%s", (body, outcome) => {
    expect(outcomeOf(gateway, body)).toMatchObject(outcome);
  });

  it("that was cut says nothing where success may have stood behind the cut", () => {
    expect(outcomeOf(gateway, "x".repeat(65_536), { truncated: true })).toMatchObject({ kind: "unknown" });
  });

  it("may be judged by a pattern, line by line", () => {
    const settings = { successPattern: "^status=(queued|sent)\\s*$", idPattern: "^id=(\\d+)\\s*$" };
    expect(outcomeOf(settings, "id=12345678901234567890\r\nstatus=queued\r\n")).toMatchObject({
      kind: "sent",
      providerMessageId: "12345678901234567890",
    });
    expect(outcomeOf(settings, "id=1\nstatus=rejected")).toMatchObject({ kind: "not_sent" });
  });

  it("must fulfil everything that the settings ask", () => {
    const both = { successText: "OK", successPattern: "id=\\d+" };
    expect(outcomeOf(both, "OK id=1")).toMatchObject({ kind: "sent" });
    expect(outcomeOf(both, "OK")).toMatchObject({ kind: "not_sent" });
    expect(outcomeOf(both, "OK id=1", { status: 500 })).toMatchObject({ kind: "unknown" });
  });
});

describe("an answer in XML", () => {
  const gateway = {
    successPath: "/answer/message/status",
    successValue: "0",
    idPath: "/answer/message/@id",
    errorPath: "/answer/message/text",
    errorCodePath: "/answer/message/status",
    pricePath: "/answer/message/price",
    priceCurrency: "EUR",
  };
  const answer = (status: string, more = "") =>
    `<?xml version="1.0"?>\n<a:answer xmlns:a="urn:x"><!-- one --><message id="9007199254740993"><status> ${status} </status>${more}</message></a:answer>`;

  it("is read by paths", () => {
    expect(outcomeOf(gateway, answer("0", "<price>0.065</price>"))).toEqual({
      kind: "sent",
      providerMessageId: "9007199254740993",
      final: true,
      price: { amount: "0.065", currency: "EUR" },
    });
    expect(outcomeOf(gateway, answer("17", "<text>R&amp;D <![CDATA[<off>]]></text>"))).toMatchObject({
      kind: "not_sent",
      providerMessage: "R&D <off>",
      providerCode: "17",
    });
  });

  it.each([
    ["is cut", answer("0").slice(0, -20)],
    ["is no XML", "OK"],
    ["is JSON", '{"answer":{"message":{"status":"0"}}}'],
    ["has two roots", `${answer("0").replace(/<\?.*\?>/, "")}<answer/>`],
    [
      "has a document type",
      `<!DOCTYPE a [<!ENTITY e "0">]><answer><message id="1"><status>&e;</status></message></answer>`,
    ],
    ["names an entity of its own", answer("&e;")],
    ["is nested without end", "<answer>".repeat(2_000)],
  ])("that %s leaves the outcome unknown", (_, body) => {
    expect(outcomeOf(gateway, body)).toMatchObject({ kind: "unknown", code: "provider_answer_unreadable" });
  });

  it.each(["/a", "/a/b[2]/@c", "/soap:Envelope/Body", "/a-b/c_d.e", "/é"])("%s is a path", (path) => {
    expect(parseXmlPath(path)).not.toBeNull();
  });
  it.each(["", "/", "a", "//a", "/a/", "/a[0]", "/@a", "/a/@b/c", "/a/@b[1]", "/a/*", "/a b"])(
    "%s is none",
    (path) => {
      expect(parseXmlPath(path)).toBeNull();
    },
  );

  it("names elements by place, and nothing that is not there", () => {
    const root = parseXml('<r><m>1</m><x:m n="q">2</x:m><constructor/></r>');
    if (!root) throw new Error("no XML");
    expect(readXmlText(root, "/r/m[2]")).toBe("2");
    expect(readXmlText(root, "/r/m[2]/@n")).toBe("q");
    expect(readXmlText(root, "/r/constructor")).toBe("");
    for (const path of ["/r/m[3]", "/m", "/r/m/@n", "/r/__proto__", "/r/@constructor"])
      expect(readXmlText(root, path), path).toBeUndefined();
  });

  const full = (piece: string) => piece.repeat(Math.ceil(65_536 / piece.length)).slice(0, 65_536);
  const pieces = [
    "<a>",
    "<",
    "</a>",
    "&",
    "&amp;",
    "&#x41;",
    "<!",
    "<!--",
    "<!-- -->",
    "<![CDATA[",
    "]]",
    "]]>",
    "<?",
    "<?x?>",
    "<!DOCTYPE ",
    "<a b='c' ",
    '<a b="&lt;"/>',
    "b='",
    "<a/>",
    "x",
    "\u0000",
    "<a:b:c>",
    "--",
    "&lt",
    ">",
    "<a ",
    " =",
  ];

  it("that is hostile costs bounded time and memory", () => {
    const before = process.memoryUsage().heapUsed;
    const slow: string[] = [];
    const bodies = pieces.flatMap((piece) =>
      pieces.flatMap((other) =>
        [full(piece + other), `<a>${full(piece + other)}`].map((text) => text.slice(0, xmlBounds.characters)),
      ),
    );
    for (const body of bodies) {
      const cpu = process.threadCpuUsage();
      parseXml(body);
      const { user, system } = process.threadCpuUsage(cpu);
      if ((user + system) / 1_000 > 150)
        slow.push(`${body.slice(0, 20)}: ${String((user + system) / 1_000)} ms`);
    }
    expect(slow).toEqual([]);
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(300 * 1024 * 1024);
    expect(parseXml(`<a>${" ".repeat(xmlBounds.characters)}</a>`)).toBeNull();
    expect(parseXml(`<a>${"<b/>".repeat(xmlBounds.elements)}</a>`)).toBeNull();
    expect(parseXml("<a>".repeat(xmlBounds.depth) + "</a>".repeat(xmlBounds.depth))).not.toBeNull();
    expect(parseXml("<a>".repeat(xmlBounds.depth + 1) + "</a>".repeat(xmlBounds.depth + 1))).toBeNull();
  }, 120_000);

  it("never makes the parser throw", () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom(...pieces), { maxLength: 30 }),
        (some) => void parseXml(some.join("")),
      ),
    );
    fc.assert(fc.property(fc.string(), (text) => void parseXml(text)));
  });
});

describe("values out of headers", () => {
  it("are the id, and an error's words and code", () => {
    const settings = { idHeader: "X-Message-Id", errorHeader: "X-Error", errorCodeHeader: "X-Error-Code" };
    expect(outcomeOf(settings, "", { status: 204, headers: { "x-message-id": "m-1" } })).toMatchObject({
      providerMessageId: "m-1",
    });
    expect(outcomeOf(settings, "", { status: 204 })).toMatchObject({ kind: "unknown" });
    expect(
      outcomeOf(settings, "", { status: 400, headers: { "x-error": `bad ${secret}`, "x-error-code": "E7" } }),
    ).toMatchObject({ kind: "not_sent", providerMessage: "bad [secret]", providerCode: "E7" });
  });

  it("go behind what the body says", () => {
    const settings = { idHeader: "X-Id", idPath: "$.id", idPattern: "id=(\\d+)" };
    expect(outcomeOf(settings, '{"id":"a"}', { headers: { "x-id": "h" } })).toMatchObject({
      providerMessageId: "a",
    });
    expect(outcomeOf(settings, "id=7", { headers: { "x-id": "h" } })).toMatchObject({
      providerMessageId: "7",
    });
    expect(outcomeOf(settings, "", { headers: { "x-id": "h" } })).toMatchObject({ providerMessageId: "h" });
  });
});

describe("the text of an answer", () => {
  const utf16 = (text: string) => Buffer.from(text, "utf16le");
  it.each([
    ["a byte order mark of UTF-8", Buffer.from('\ufeff{"s":"é"}'), undefined],
    [
      "one of UTF-16, little endian",
      Buffer.concat([Buffer.from([0xff, 0xfe]), utf16('{"s":"é"}')]),
      "application/json",
    ],
    [
      "one of UTF-16, big endian",
      Buffer.concat([Buffer.from([0xfe, 0xff]), utf16('{"s":"é"}').swap16()]),
      undefined,
    ],
    ["a charset in the content type", Buffer.from('{"s":"é"}', "latin1"), 'text/plain; charset="ISO-8859-1"'],
    ["an unknown charset", Buffer.from('{"s":"é"}'), "text/plain; charset=klingon"],
  ])("is decoded by %s", (_, body, type) => {
    expect(decodeText(body, type)).toBe('{"s":"é"}');
    const headers: Record<string, string> = type === undefined ? {} : { "content-type": type };
    expect(outcomeOf({ successPath: "$.s", successValue: "é" }, body, { headers })).toMatchObject({
      kind: "sent",
    });
  });

  it("is decoded by the XML declaration where nothing else says", () => {
    const body = Buffer.from('<?xml version="1.0" encoding="ISO-8859-1"?><r>é</r>', "latin1");
    expect(outcomeOf({ successPath: "/r", successValue: "é" }, body)).toMatchObject({ kind: "sent" });
  });
});

describe("a regular expression of a tenant", () => {
  const hostilePatterns = [
    "(a*)*b",
    "(a|aa)+$",
    "(x+x+)+y",
    "(.*)(.*)(.*)(.*)(.*)(.*)(.*)(.*)(.*)=",
    "(?:a?){50}a{50}",
    "(?i)(\\pL{0,20}){3}z",
    "([^x]*){40}\\d",
    "(.{0,30}){4}9",
    "(?i)(\\w{1,9}\\s?)+\\x{10FFFF}",
    "^(\\s|\\S)*?(\\s|\\S)*?z$",
  ];

  it("takes time in proportion to an answer, whatever both are", () => {
    const texts = ["a", "x", "aB ", "é", "\n", "ß"].map((piece) => piece.repeat(65_536));
    let usable = 0;
    for (const pattern of hostilePatterns) {
      if (patternProblem(pattern) !== null) continue;
      usable++;
      for (const text of texts) {
        const cpu = process.threadCpuUsage();
        findPattern(pattern, text);
        const { user, system } = process.threadCpuUsage(cpu);
        expect((user + system) / 1_000, `${pattern} on ${text.slice(0, 3)}`).toBeLessThan(250);
      }
    }
    expect(usable).toBeGreaterThan(5);
  });

  it.each(["(", "a{2000}", "(?=a)", "(a)\\1", "((((a{9}){9}){9}){9})", "(.{1,100}){4}", "[z-a]"])(
    "%s is refused, fast",
    (pattern) => {
      const began = performance.now();
      expect(patternProblem(pattern)).not.toBeNull();
      expect(performance.now() - began).toBeLessThan(500);
      expect(findPattern(pattern, "aaaa")).toBeUndefined();
    },
  );

  it("sees no more of an answer than its bound", () => {
    expect(findPattern("b$", `${"a".repeat(patternBounds.characters - 1)}b`)).toBe("b");
    expect(findPattern("b$", `${"a".repeat(patternBounds.characters)}b`)).toBeUndefined();
  });
});

describe("a warning before anything is sent", () => {
  it("says that an error would count as sent", () => {
    const { outcome, warnings } = judge({}, "ERR:invalid login");
    expect(outcome.kind).toBe("sent");
    expect(warnings).toEqual([
      expect.stringMatching(/because of its status alone.*“ERR”/),
      "No message ID is read from it.",
    ]);
  });

  it("is not given for an answer whose error is none", () => {
    const settings = { idPath: "$.id" };
    for (const none of ["null", "[]", "false", "0", '""', "{}"]) {
      expect(judge(settings, `{"id":"1","error":${none},"errors":[],"errorCode":0}`).warnings, none).toEqual(
        [],
      );
    }
    expect(judge(settings, '{"id":"1","error":"no credit"}').warnings).toHaveLength(1);
  });

  it("says what an unknown outcome leads to, and that words are missing", () => {
    expect(judge({ idPath: "$.id" }, "{}").warnings).toEqual([
      expect.stringMatching(/may or may not have arrived/),
    ]);
    expect(judge({ successText: "OK", errorPath: "$.error" }, "nope").warnings).toEqual([
      expect.stringMatching(/no words/),
    ]);
  });
});
