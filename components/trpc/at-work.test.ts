import { expect, test } from "vitest";
import { attendance } from "./at-work.ts";

test("a page on which nothing was done for a minute says so with its calls", () => {
  expect(attendance()).toEqual({});
  expect(attendance(Date.now() + 61_000)).toEqual({ "x-tidings-unattended": "1" });
});
