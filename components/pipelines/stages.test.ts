import { describe, expect, test } from "vitest";
import type { BoardRow, Stage } from "../../server/pipelines/schemas.ts";
import { canMove, openPromotion, stagePairs } from "./stages.ts";

const stage = (environmentId: string): Stage => ({
  environmentId,
  environment: environmentId,
  name: environmentId,
  kind: "nonproduction",
  gates: {
    approvals: 0,
    moderation: true,
    whatsappApproval: false,
    whatsappCategory: false,
    testSend: false,
    humanReview: false,
  },
});

function row(versions: (number | null)[], openPromotionId: string | null = null): BoardRow {
  return {
    templateId: "t",
    name: "order-status",
    channel: "sms",
    region: null,
    language: null,
    provider: null,
    latestVersion: 3,
    archivedAt: null,
    stages: versions.map((version, index) => ({
      environmentId: String(index),
      version,
      disabled: false,
      disabledReason: null,
      deployedAt: null,
      openPromotionId: index === versions.length - 1 ? openPromotionId : null,
    })),
    differs: versions.slice(1).map((version, index) => version !== versions[index]),
  };
}

describe("the steps of a pipeline", () => {
  test("there is one between each stage and the next, and none with a single stage", () => {
    const pairs = stagePairs({ stages: [stage("a"), stage("b"), stage("c")] });
    expect(pairs.map(({ index, from, to }) => [index, from.name, to.name])).toEqual([
      [0, "a", "b"],
      [1, "b", "c"],
    ]);
    expect(stagePairs({ stages: [stage("a")] })).toEqual([]);
  });

  test("a row can move where the stages differ and the first of them has something to give", () => {
    expect(canMove(row([2, 1]), { index: 0 })).toBe(true);
    expect(canMove(row([2, null]), { index: 0 })).toBe(true);
    expect(canMove(row([2, 2]), { index: 0 })).toBe(false);
    expect(canMove(row([null, 1]), { index: 0 })).toBe(false);
    expect(canMove(row([2, 1]), { index: 1 })).toBe(false);
  });

  test("a promotion under way belongs to the step into the stage that it changes", () => {
    expect(openPromotion(row([3, 2, 1], "p"), { index: 0 })).toBeNull();
    expect(openPromotion(row([3, 2, 1], "p"), { index: 1 })).toBe("p");
  });
});
