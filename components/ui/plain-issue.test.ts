import { expect, test } from "vitest";
import { z } from "zod";
import { plainIssue } from "./plain-issue.ts";

const schema = z.object({
  name: z.string().trim().min(1).max(5),
  secret: z.string().min(12),
  days: z.int().min(1).max(400),
  reason: z.string().min(1, "Say why"),
});

function complaints(input: unknown): string[] {
  return schema.safeParse(input, { error: plainIssue }).error?.issues.map(({ message }) => message) ?? [];
}

test("a form complains in words for people", () => {
  expect(complaints({ name: " ", days: 0, reason: "x" })).toEqual([
    "Fill in this field.",
    "Fill in this field.",
    "At least 1",
  ]);
  expect(complaints({ name: "longer", secret: "short", days: 1.5, reason: "x" })).toEqual([
    "At most 5 characters",
    "At least 12 characters",
    "A whole number",
  ]);
});

test("a schema's own words stay", () => {
  expect(complaints({ name: "a", secret: "long enough, surely", days: 401, reason: "" })).toEqual([
    "At most 400",
    "Say why",
  ]);
});
