import { TRPCClientError } from "@trpc/client";
import { describe, expect, test } from "vitest";
import { fasterSave, refusalOf } from "./save-outcome.ts";

function failed(code: string, more: Record<string, unknown> = {}) {
  const error = new TRPCClientError("In words.");
  return Object.assign(error, { data: { code, errors: [], extra: {}, ...more } });
}

describe("why a save did not happen", () => {
  test("with moderation's findings, so that each can be shown at its place", () => {
    const finding = {
      category: "sensitive_data",
      severity: "block",
      pointer: "/body",
      start: 3,
      end: 9,
      excerpt: "4111…11",
      explanation: "A card number.",
      suggestion: null,
    };
    expect(refusalOf(failed("moderation_blocked", { extra: { findings: [finding] } }))).toEqual({
      kind: "blocked",
      findings: [finding],
    });
  });

  test("with the problems of the texts, line and column included", () => {
    const problem = { pointer: "/body", code: "syntax", detail: "Not closed.", line: 2, column: 4 };
    expect(refusalOf(failed("invalid_template", { extra: { problems: [problem] } }))).toMatchObject({
      kind: "invalid",
      problems: [problem],
    });
  });

  test("with the members that a request got wrong", () => {
    const errors = [{ pointer: "/variables/0/name", code: "custom", detail: "A letter first." }];
    expect(refusalOf(failed("invalid_request", { errors }))).toMatchObject({
      kind: "invalid",
      problems: [{ pointer: "/variables/0/name", detail: "A letter first.", line: null }],
    });
  });

  test.each([
    ["moderation_unavailable", "unavailable"],
    ["conflict", "conflict"],
    ["permission_denied", "other"],
  ])("%s is %s", (code, kind) => expect(refusalOf(failed(code)).kind).toBe(kind));

  test("an answer in a shape that nobody expects is still a sentence", () => {
    expect(refusalOf(failed("moderation_blocked", { extra: { findings: "?" } }))).toEqual({
      kind: "other",
      text: "In words.",
    });
    expect(refusalOf(new TypeError("fetch failed"))).toMatchObject({ kind: "other" });
  });
});

describe("a conflict", () => {
  const now = { latestVersion: 3 };

  test("is somebody's faster save only where there is one: any other is told in its own words", () => {
    expect(fasterSave(now, 2)).toBe(now);
    expect(fasterSave(now, 3)).toBeNull();
  });
});
