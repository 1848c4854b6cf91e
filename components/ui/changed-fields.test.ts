import { expect, test } from "vitest";
import { changedFields } from "./changed-fields.ts";

test("only what was changed is saved, also what was emptied", () => {
  const start = { url: "https://a.example", description: "Shop" as string | null, events: ["one", "two"] };
  expect(changedFields(start, { ...start })).toEqual({});
  expect(changedFields(start, { ...start, description: null })).toEqual({ description: null });
  expect(changedFields(start, { ...start, events: ["one"] })).toEqual({ events: ["one"] });
});
