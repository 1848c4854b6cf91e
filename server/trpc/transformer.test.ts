import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { transformer as ofBrowser } from "../../components/trpc/transformer.ts";
import { transformer } from "./transformer.ts";

const overWire = (value: unknown): unknown => JSON.parse(JSON.stringify(value)) as unknown;
const readOutput = (value: unknown) => ofBrowser.deserialize(overWire(transformer.output.serialize(value)));
const readInput = (value: unknown) => transformer.input.deserialize(overWire(ofBrowser.serialize(value)));

/** As JSON writes it, which knows no -0; with names that mean something to JavaScript or to the wire. */
const json = fc
  .jsonValue()
  .chain((value) =>
    fc
      .constantFrom("__proto__", "constructor", "prototype", "toJSON", "$date", "$$date", "$", "x")
      .map((name): unknown => overWire(Object.fromEntries([[name, value]]))),
  );

describe("what the service answers", () => {
  it("reaches the portal as it was, whatever its members are called", () => {
    fc.assert(
      fc.property(json, (value) => {
        expect(JSON.stringify(readOutput(value))).toBe(JSON.stringify(value));
      }),
    );
  });

  it("keeps its dates, and what only looks like one stays a text", () => {
    const output = {
      at: new Date(5),
      list: [new Date(0), "1970-01-01T00:00:00.000Z"],
      variables: { $date: "x", $$a: 1, a: { $date: null } },
      none: null,
    };
    expect(readOutput(output)).toEqual(output);
    expect(readOutput({ left: "out", absent: undefined })).toEqual({ left: "out" });
  });

  it("holds nothing that would arrive as something else", () => {
    for (const value of [new Map([["a", 1]]), new Set([1]), Buffer.from("x"), new Error("x")]) {
      expect(() => transformer.output.serialize({ value }), value.constructor.name).toThrow(TypeError);
    }
  });
});

describe("the input of a procedure", () => {
  it("arrives as the portal sent it, or is refused because it cannot be stored", () => {
    fc.assert(
      fc.property(json, (value) => {
        try {
          expect(JSON.stringify(readInput(value))).toBe(JSON.stringify(value));
        } catch (error) {
          expect(error).toMatchObject({ code: "invalid_encoding" });
        }
      }),
    );
  });

  it("cannot be nested deeper than any form is", () => {
    let value: unknown = 1;
    for (let i = 0; i < 100_000; i++) value = [value];
    expect(() => transformer.input.deserialize(value)).toThrow(
      expect.objectContaining({ code: "depth_exceeded" }) as Error,
    );
  });
});
