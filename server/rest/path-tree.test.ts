import fc from "fast-check";
import { expect, it } from "vitest";
import { PathTree, segmentsOf } from "./path-tree.ts";

const tree = new PathTree();
const paths = [
  "/v1/things",
  "/v1/things/{id}",
  "/v1/things/explain",
  "/v1/things/{thing}/parts/{part}",
  "/l/{code}",
];
for (const path of paths) tree.add({ path, handlers: new Map(), allow: "" });
const find = (path: string) => {
  const found = tree.find(segmentsOf(path));
  return found && { path: found.endpoint.path, params: { ...found.params } };
};

it("finds an endpoint with its parameters by their own names", () => {
  expect(find("/v1/things")).toEqual({ path: "/v1/things", params: {} });
  expect(find("/v1/things/7")).toEqual({ path: "/v1/things/{id}", params: { id: "7" } });
  expect(find("/v1/things/7/parts/8")).toEqual({
    path: "/v1/things/{thing}/parts/{part}",
    params: { thing: "7", part: "8" },
  });
});

it("lets a literal win over a parameter", () => {
  expect(find("/v1/things/explain")?.path).toBe("/v1/things/explain");
});

it("finds nothing for unknown paths", () => {
  for (const path of [
    "/",
    "/v1",
    "/v1/things/",
    "/v1//things",
    "/v1/things/7/parts",
    "/l",
    "/l/",
    "/constructor",
  ]) {
    expect(find(path), path).toBeUndefined();
  }
});

it("decodes each segment once, after splitting", () => {
  expect(find("/%6c/a%2fb")).toEqual({ path: "/l/{code}", params: { code: "a/b" } });
  expect(find("/l/%252f")?.params).toEqual({ code: "%2f" });
  expect(find("/l/%ff")?.params).toEqual({ code: "%ff" });
});

it("never throws, whatever the path", () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      find(`/${text}`);
    }),
  );
});

it("refuses a path that exists already", () => {
  expect(() => tree.add({ path: "/l/{other}", handlers: new Map(), allow: "" })).toThrow("twice");
});
