import { describe, expect, test } from "vitest";
import type { BoardRow, Stage } from "../../server/pipelines/schemas.ts";
import { promotionLimits } from "../../server/pipelines/vocabulary.ts";
import { canMove, movableRows, openPromotion, readsOn, stagePairs } from "./stages.ts";

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

describe("promoting everything", () => {
  const many = (count: number, ...of: Parameters<typeof row>) =>
    Array.from({ length: count }, () => row(...of));
  const step = { index: 0 };

  test("takes what the step can move and leaves what another promotion has", () => {
    const [free, busy, other] = [row([2, 1]), row([2, 1], "p"), row([null, 1])];
    expect(movableRows([free, busy, other], step)).toEqual({ free: [free], busy: [busy] });
  });

  test("reads on to the last page, and stops only with more than one promotion can move", () => {
    expect(readsOn([], step, true)).toBe(true);
    expect(readsOn(many(promotionLimits.templates, [2, 1]), step, true)).toBe(true);
    expect(readsOn(many(promotionLimits.templates + 1, [2, 1]), step, true)).toBe(false);
    expect(readsOn([row([2, 1])], step, false)).toBe(false);
  });

  test("reads on past what it can't move, so that nothing behind it is left out", () => {
    const limit = promotionLimits.templates + 1;
    expect(readsOn(many(limit, [2, 1], "p"), step, true)).toBe(true);
    expect(readsOn(many(limit, [2, 2, 1]), step, true)).toBe(true);
    expect(readsOn(many(limit, [null, 1]), step, true)).toBe(true);
  });
});
