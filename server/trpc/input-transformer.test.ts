import fc from "fast-check";
import superjson from "superjson";
import { describe, expect, it } from "vitest";
import { transformer as ofBrowser } from "../../components/trpc/transformer.ts";
import { readInput } from "./input-transformer.ts";

const refused = expect.objectContaining({ code: "invalid_request" }) as Error;

describe("the input of a procedure", () => {
  it("arrives as the portal sent it: JSON, dates, undefined, and values that stand twice", () => {
    const shared = { a: [1, 2, { b: "x" }] };
    const input = {
      when: new Date(0),
      none: undefined,
      list: [undefined, new Date(5)],
      one: shared,
      two: shared,
    };
    const sent = JSON.parse(JSON.stringify(ofBrowser.serialize(input))) as unknown;
    expect(readInput(sent)).toEqual(input);
    expect(readInput(undefined)).toBeUndefined();
  });

  it("arrives whatever JSON it is", () => {
    fc.assert(
      // As JSON writes it: it knows no -0, which superjson marks as a type of its own.
      fc.property(
        fc.jsonValue().map((made): unknown => JSON.parse(JSON.stringify(made))),
        (value) => {
          const sent = JSON.parse(JSON.stringify(ofBrowser.serialize(value))) as unknown;
          try {
            // What JSON.parse makes of it: without __proto__ as a prototype, without -0.
            expect(JSON.stringify(readInput(sent))).toBe(JSON.stringify(value));
          } catch (error) {
            // Texts that cannot be stored.
            expect(error).toMatchObject({ code: expect.stringMatching(/^invalid_encoding$/) as string });
          }
        },
      ),
    );
  });

  it("cannot name equalities, of which a few hundred bytes make a value that takes minutes to walk", () => {
    const levels = 40;
    const json: Record<string, unknown> = {};
    const referentialEqualities: Record<string, string[]> = {};
    for (let level = 0; level < levels; level++) json[`n${level}`] = { a: {}, b: {} };
    for (let level = 0; level < levels - 1; level++) {
      referentialEqualities[`n${level + 1}`] = [`n${level}.a`, `n${level}.b`];
    }
    expect(JSON.stringify({ json, meta: { referentialEqualities } }).length).toBeLessThan(4_000);
    expect(() => readInput({ json, meta: { referentialEqualities } })).toThrow(refused);
  });

  it.each([
    ["regular expressions", { json: "/a/", meta: { values: ["regexp"] } }],
    ["errors", { json: { message: "x" }, meta: { values: ["Error"] } }],
    ["sets", { json: { a: [1] }, meta: { values: { a: ["set"] } } }],
    ["classes", { json: {}, meta: { values: [["class", "x"]] } }],
    ["symbols", { json: "x", meta: { values: [["symbol", "x"]] } }],
    ["paths into prototypes", { json: {}, meta: { values: { "__proto__.x": ["undefined"] } } }],
    ["long paths", { json: {}, meta: { values: { ["a.".repeat(200)]: ["Date"] } } }],
    ["other versions", { json: {}, meta: { values: {}, v: 0 } }],
    ["other members", { json: {}, meta: { other: 1 } }],
    ["no JSON", { meta: {} }],
    ["a bare text", "x"],
  ])("cannot have %s", (_what, payload) => {
    expect(() => readInput(payload)).toThrow(refused);
    expect(({} as { x?: unknown }).x).toBeUndefined();
  });

  it("cannot have more annotations, or deeper ones, than any form has", () => {
    const many = Object.fromEntries(Array.from({ length: 2_001 }, (_, i) => [`a${i}`, null]));
    expect(() => readInput(JSON.parse(JSON.stringify(superjson.serialize(mapUndefined(many)))))).toThrow(
      refused,
    );
    let values: unknown = ["undefined"];
    for (let i = 0; i < 100_000; i++) values = { a: values };
    expect(() => readInput({ json: {}, meta: { values } })).toThrow(refused);
    let json: unknown = 1;
    for (let i = 0; i < 100_000; i++) json = [json];
    expect(() => readInput({ json })).toThrow(expect.objectContaining({ code: "depth_exceeded" }) as Error);
  });
});

const mapUndefined = (value: Record<string, unknown>) =>
  Object.fromEntries(Object.keys(value).map((name) => [name, undefined]));
