import { describe, expect, it } from "vitest";
import type { Gates } from "../tenancy/schemas.ts";
import { looseningsOf } from "./loosening.ts";

const strict: Gates = {
  approvals: 1,
  moderation: true,
  whatsappApproval: true,
  whatsappCategory: true,
  testSend: false,
  humanReview: true,
};
const open: Gates = {
  approvals: 0,
  moderation: true,
  whatsappApproval: false,
  whatsappCategory: false,
  testSend: false,
  humanReview: false,
};
const stage = (
  environment: string,
  gates: Gates = open,
  kind: "production" | "nonproduction" = "nonproduction",
) => ({
  environmentId: environment,
  environment,
  kind,
  gates,
});
const production = (gates: Gates = strict) => stage("production", gates, "production");
const before = [stage("development"), stage("staging"), production()];

describe("a pipeline", () => {
  it.each([
    ["that stays as it is", before],
    [
      "with higher gates",
      [stage("development"), stage("staging", strict), production({ ...strict, approvals: 3 })],
    ],
    ["with a stage more, of the gates that its kind begins with", [stage("new"), ...before]],
  ])("%s is not looser", (_what, after) => {
    expect(looseningsOf(before, after)).toEqual([]);
  });

  it.each([
    [
      "fewer approvals",
      [...before.slice(0, 2), production({ ...strict, approvals: 0 })],
      ["production asks for 0 instead of 1 approvals"],
    ],
    [
      "a gate less",
      [...before.slice(0, 2), production({ ...strict, moderation: false })],
      ["production no longer asks for moderation"],
    ],
    [
      "no review of what AI wrote",
      [...before.slice(0, 2), production({ ...strict, humanReview: false })],
      ["production no longer asks for a person's review of what AI wrote"],
    ],
    ["a stage taken out", [stage("development"), production()], ["staging is taken out"]],
    [
      "a stage first that was not",
      [production(), stage("development"), stage("staging")],
      ["staging comes before", "production becomes the first stage, which nothing gates"],
    ],
    [
      "a stage that skips another",
      [stage("development"), production(), stage("staging")],
      ["production comes before staging"],
    ],
    [
      "the first stage gone",
      [stage("staging"), production()],
      ["staging becomes the first stage, which nothing gates"],
    ],
    [
      "a new stage with less than its kind begins with",
      [...before, stage("eu", open, "production")],
      ["eu asks for 0 instead of 1 approvals", "eu no longer asks for WhatsApp approval"],
    ],
    [
      "a new production that nothing gates",
      [stage("eu", strict, "production"), ...before],
      ["eu becomes the first stage, which nothing gates"],
    ],
  ])("with %s is looser", (_what, after, words) => {
    const found = looseningsOf(before, after);
    for (const word of words.filter((each) => !each.endsWith("comes before"))) expect(found).toContain(word);
  });

  it("that was taken apart and put together again is compared with the defaults of its kinds", () => {
    expect(looseningsOf([stage("development")], [stage("development"), production(open)])).toHaveLength(2);
  });
});
