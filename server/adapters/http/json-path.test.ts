import fc from "fast-check";
import { expect, it } from "vitest";
import { parseJsonPath, readJsonPath, readJsonText } from "./json-path.ts";

it.each([
  ["$", []],
  ["id", ["id"]],
  ["$.a.b-c", ["a", "b-c"]],
  ["a[0].b", ["a", 0, "b"]],
  ["$['a.b'][\"c d\"][12]", ["a.b", "c d", 12]],
])("%s is a path", (path, steps) => {
  expect(parseJsonPath(path)).toEqual(steps);
});

it.each(["$..id", "$.*", "a.", "a[", "a[-1]", "a[1:2]", "$[?(@.x)]", "a b", "$.a\n.b"])(
  "%s is none",
  (path) => {
    expect(parseJsonPath(path)).toBeNull();
  },
);

it("names own members only", () => {
  expect(readJsonPath({ a: [{ b: 1 }] }, "$.a[0].b")).toBe(1);
  for (const path of ["$.constructor", "$.__proto__", "$.a.length", "$.a[0].b.c", "$.a.x"]) {
    expect(readJsonPath({ a: [{ b: 1 }] }, path), path).toBeUndefined();
  }
  expect(readJsonText({ a: true }, "$.a")).toBe("true");
  expect(readJsonText({ a: {} }, "$.a")).toBeUndefined();
});

it("finds any member by its name in brackets, and never throws", () => {
  fc.assert(
    fc.property(
      fc.string().filter((name) => !/['\\]/.test(name)),
      fc.jsonValue(),
      (name, value) => {
        expect(readJsonPath(Object.fromEntries([[name, value]]), `$['${name}']`)).toEqual(value);
      },
    ),
  );
  fc.assert(fc.property(fc.jsonValue(), fc.string(), (value, path) => void readJsonPath(value, path)));
});
