import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { DomainError } from "../kernel/errors.ts";
import { diagnoseJson } from "./diagnose-json.ts";
import { MAX_JSON_DEPTH, parseJson } from "./parse-json.ts";

const bytes = (text: string) => new TextEncoder().encode(text);

function refused(input: string | Uint8Array): DomainError {
  try {
    parseJson(typeof input === "string" ? bytes(input) : input);
  } catch (error) {
    if (error instanceof DomainError) return error;
    throw error;
  }
  throw new Error("was accepted");
}

/** Any JSON value that we accept: storable texts, limited depth, no __proto__. */
const wellFormed = fc
  .string({ unit: "binary" })
  .filter((text) => !text.includes("\0") && text.isWellFormed());
const value = fc.jsonValue({ maxDepth: 8 }).filter((json) => !JSON.stringify(json).includes("__proto__"));

describe("parseJson", () => {
  it("reads every acceptable value exactly as JSON.parse does, however it is written", () => {
    fc.assert(
      fc.property(value, fc.constantFrom(undefined, 1, "\t"), fc.boolean(), (json, indent, ascii) => {
        let text = JSON.stringify(json, null, indent).replaceAll("\\u0000", "x");
        if (ascii) {
          text = text.replace(
            /[\u0080-\uffff]/g,
            (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
          );
        }
        fc.pre(!/\\ud[89a-f]/i.test(text) || JSON.stringify(JSON.parse(text)).isWellFormed());
        fc.pre(diagnoseJson(text)?.kind !== "encoding");
        expect(parseJson(bytes(text))).toEqual(JSON.parse(text));
      }),
    );
  });

  it("accepts texts of any characters but NUL and half surrogates, raw and escaped", () => {
    fc.assert(
      fc.property(wellFormed, (text) => {
        expect(parseJson(bytes(JSON.stringify({ [`k${text}`]: text })))).toEqual({ [`k${text}`]: text });
      }),
    );
  });

  it("refuses with a code of its own, and never otherwise, whatever the bytes are", () => {
    const snippets = fc.constantFrom(
      '"',
      "\\",
      "\\u",
      "d800",
      "{",
      "}",
      "[",
      "]",
      ",",
      ":",
      "1",
      "-",
      ".",
      "e",
      "true",
      "null",
      " ",
      '"a"',
      '"a":',
      "\n",
      "\u0001",
      "é",
    );
    fc.assert(
      fc.property(
        fc.oneof(
          fc.array(snippets).map((parts) => bytes(parts.join(""))),
          fc.uint8Array(),
        ),
        (input) => {
          let accepted = true;
          try {
            parseJson(input);
          } catch (error) {
            accepted = false;
            expect(error).toBeInstanceOf(DomainError);
            expect((error as DomainError).status).toBe(400);
          }
          if (accepted) expect(() => void JSON.parse(new TextDecoder().decode(input))).not.toThrow();
        },
      ),
      { numRuns: 2_000 },
    );
  });

  it("finds every duplicate name and reports it, even if it is escaped differently", () => {
    expect(refused('{"a":1,"b":{"c":1,"c":2}}').message).toContain('"c"');
    expect(refused('{"ab":1,"\\u0061b":2}').message).toContain('"ab"');
    fc.assert(
      fc.property(fc.uniqueArray(wellFormed, { minLength: 1 }), fc.nat(), (names, pick) => {
        fc.pre(!names.includes("__proto__"));
        const twice = [...names, names[pick % names.length]];
        const text = `[{${twice.map((name) => `${JSON.stringify(name)}:0`).join(",")}}]`;
        expect(refused(text)).toMatchObject({ code: "invalid_json" });
      }),
    );
  });

  it("does not mistake the same name in two objects, or names in strings, for duplicates", () => {
    expect(parseJson(bytes('[{"a":{"a":"{\\"a\\":1,\\"a\\":2}"}},{"a":":::"}]'))).toHaveLength(2);
  });

  it("refuses __proto__ as a name and leaves the prototype alone", () => {
    expect(refused('{"__proto__":{"admin":true}}')).toMatchObject({ code: "invalid_json" });
    expect(refused('{"\\u005f_proto__":1}')).toMatchObject({ code: "invalid_json" });
    const named = '{"constructor":{"prototype":1},"v":"__proto__"}';
    expect(parseJson(bytes(named))).toEqual(JSON.parse(named));
    expect(Object.prototype).not.toHaveProperty("admin");
  });

  it.each([
    ["a raw NUL", new Uint8Array([0x22, 0, 0x22])],
    ["a NUL outside the value", new Uint8Array([0x31, 0])],
    ["an escaped NUL", '{"a":"\\u0000"}'],
    ["an escaped NUL in a name", '{"a\\u0000":1}'],
    ["an escaped high surrogate alone", '["\\ud83d"]'],
    ["an escaped low surrogate alone", '["\\uDE00x"]'],
    ["surrogates in the wrong order", '["\\uDE00\\uD83D"]'],
    ["half a surrogate in a name", '{"\\ud800":1}'],
    ["a surrogate encoded as UTF-8", new Uint8Array([0x22, 0xed, 0xa0, 0x80, 0x22])],
    ["an overlong form", new Uint8Array([0x22, 0xc0, 0x80, 0x22])],
    ["UTF-16", new Uint8Array([0xff, 0xfe, 0x31, 0x00])],
  ])("answers invalid_encoding to %s", (_name, input) => {
    expect(refused(input)).toMatchObject({ code: "invalid_encoding", status: 400 });
  });

  it("keeps surrogate pairs, a byte order mark and a backslash before a u apart", () => {
    expect(parseJson(bytes('["\\ud83d\\ude00"]'))).toEqual(["😀"]);
    expect(parseJson(bytes("\ufeff[1]"))).toEqual([1]);
    expect(parseJson(bytes('["\\\\ud800"]'))).toEqual(["\\ud800"]);
  });

  it("accepts 32 levels, refuses 33, and refuses 100,000 before they reach the parser", () => {
    const nested = (depth: number) => "[".repeat(depth) + "]".repeat(depth);
    expect(parseJson(bytes(nested(MAX_JSON_DEPTH)))).toBeDefined();
    expect(refused(nested(MAX_JSON_DEPTH + 1))).toMatchObject({ code: "depth_exceeded" });
    expect(refused(nested(100_000))).toMatchObject({ code: "depth_exceeded" });
    expect(refused("[".repeat(100_000))).toMatchObject({ code: "depth_exceeded" });
    expect(refused('{"a":'.repeat(100_000))).toMatchObject({ code: "depth_exceeded" });
    expect(parseJson(bytes(JSON.stringify("[".repeat(1_000))))).toHaveLength(1_000);
  });

  it.each(["", " ", "{", '{"a"', '{"a":', '{"a":1', '{"a":1,', "[1,", '"abc', '"\\u12', "tru", "-"])(
    "says where the truncated text %j ends",
    (text) => {
      const error = refused(text);
      expect(error).toMatchObject({ code: "invalid_json", status: 400 });
      expect(error.extra).toHaveProperty("position");
    },
  );

  it("gives line and column, and none of the text", () => {
    const error = refused('{\n  "secret": hunter2\n}');
    expect(error.message).toContain("Line 2, column 13");
    expect(error.message).not.toContain("hunter2");
  });
});

describe("diagnoseJson", () => {
  it("rejects a text exactly when JSON.parse does", () => {
    const tokens = fc.constantFrom(
      "{",
      "}",
      "[",
      "]",
      ",",
      ":",
      '"a"',
      '"b"',
      "1",
      "01",
      "1.",
      "1e5",
      "-0",
      "true",
      "nul",
      " ",
      "\t",
      '"\\x"',
      '"\\n"',
      "\u00a0",
    );
    fc.assert(
      fc.property(
        fc.oneof(
          fc.array(tokens).map((parts) => parts.join("")),
          fc.json(),
        ),
        (text) => {
          let parses = true;
          try {
            JSON.parse(text);
          } catch {
            parses = false;
          }
          const fault = diagnoseJson(text);
          // It also finds valid JSON that we refuse; that may precede a syntax error.
          if (parses) expect(fault?.kind).not.toBe("syntax");
          else expect(fault).not.toBeNull();
        },
      ),
      { numRuns: 5_000 },
    );
  });

  it("walks a hundred thousand levels without recursion", () => {
    expect(diagnoseJson("[".repeat(100_000))).toMatchObject({ kind: "syntax", position: 100_000 });
  });
});
