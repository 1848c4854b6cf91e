import fc from "fast-check";
import pg from "pg";
import { describe, expect, it, vi } from "vitest";
import { DomainError } from "../kernel/errors.ts";
import { testDatabase } from "../testing/database.ts";
import { makePromotionWorld, refusal } from "../testing/promotion-world.ts";
import { approvePromotion } from "./approve-promotion.ts";
import { createPromotion } from "./create-promotion.ts";
import { deployPromotion } from "./deploy-promotion.ts";
import { rejectPromotion } from "./reject-promotion.ts";
import { rollBackPromotion } from "./roll-back-promotion.ts";
import type { Promotion } from "./schemas.ts";

const database = await testDatabase();

/** Outcomes of concurrent work: answers and refusals; anything else fails. */
function outcomes<T>(results: PromiseSettledResult<T>[]): { done: T[]; refused: DomainError[] } {
  const done: T[] = [];
  const refused: DomainError[] = [];
  for (const result of results) {
    if (result.status === "fulfilled") done.push(result.value);
    else if (result.reason instanceof DomainError) refused.push(result.reason);
    else throw result.reason;
  }
  return { done, refused };
}

describe("of several concurrent promotions of the same templates", () => {
  it("one is requested; the others learn the templates, the other promotion and what it waits for", async () => {
    const world = await makePromotionWorld(database);
    const ids = await world.addTemplates(5);
    const others = await Promise.all(
      Array.from({ length: 4 }, () => world.member("template_author", world.tenant.units.alpha)),
    );
    const { done, refused } = outcomes(
      await Promise.allSettled(
        others.map((ctx, index) =>
          world.promote(index % 2 === 0 ? ids.slice(0, 3) : ids.slice(2).toReversed(), {}, ctx),
        ),
      ),
    );
    expect(done).toHaveLength(1);
    expect(refused).toHaveLength(3);
    const winner = done[0]!;
    for (const error of refused) {
      expect(error).toMatchObject({ code: "promotion_conflict", status: 409 });
      expect(error.extra.conflicts).toContainEqual(
        expect.objectContaining({
          templateId: ids[2],
          name: "text-00003",
          promotion: { id: winner.id, state: "pending", requestedBy: winner.requestedBy.name },
        }),
      );
      expect(error.message).toContain(winner.requestedBy.name);
    }
  });

  it("one is deployed where no approval is needed, and the stage has only that one's versions", async () => {
    const world = await makePromotionWorld(database);
    await world.setGates("production", { approvals: 0 });
    const ids = await world.addTemplates(20, { environments: ["staging", "production"] });
    await world.save(ids);
    const { done, refused } = outcomes(
      await Promise.allSettled(Array.from({ length: 6 }, () => world.promote(ids))),
    );
    expect(done).toHaveLength(1);
    for (const error of refused) expect(["promotion_conflict", "invalid_request"]).toContain(error.code);
    const live = Object.values(await world.live("production", ids));
    expect(live).toEqual(ids.map(() => ({ version: 2, promotionId: done[0]?.id, disabled: false })));
  });

  it("both go through when they share nothing", async () => {
    const world = await makePromotionWorld(database);
    await world.setGates("production", { approvals: 0 });
    const ids = await world.addTemplates(10);
    const { done } = outcomes(
      await Promise.allSettled([world.promote(ids.slice(0, 5)), world.promote(ids.slice(5))]),
    );
    expect(done.map(({ state }) => state)).toEqual(["deployed", "deployed"]);
  });
});

describe("a deployment", () => {
  it("is refused when the stage has changed since the request, names what moved, and changes nothing", async () => {
    const world = await makePromotionWorld(database);
    const ids = await world.addTemplates(3);
    const first = await world.promote(ids);
    await approvePromotion(world.reviewer, { id: first.id });
    await world.save(ids);
    const second = await world.promote(ids);
    await rollBackPromotion(world.reviewer, { id: first.id, force: false });
    const error = await refusal(approvePromotion(world.reviewer, { id: second.id }));
    expect(error.code).toBe("promotion_conflict");
    expect(error.extra.conflicts).toMatchObject(
      ids.map((templateId) => ({ templateId, version: null, expectedVersion: 1, promotion: null })),
    );
    expect(await world.live("production", ids)).toEqual({});
    const { rows } = await database.owner.query(
      "SELECT 1 FROM promotion_decisions WHERE promotion_id = $1 UNION ALL SELECT 1 FROM promotions WHERE id = $1 AND state <> 'pending'",
      [second.id],
    );
    expect(rows).toEqual([]);
    await rejectPromotion(world.author, { id: second.id });
    expect(await world.promote(ids)).toMatchObject({
      items: ids.map(() => ({ version: 2, previousVersion: null })),
    });
  });

  it("is refused when a template was archived since the request", async () => {
    const world = await makePromotionWorld(database);
    const ids = await world.addTemplates(2);
    const { id } = await world.promote(ids);
    // As if it happened between check and deployment; archiving itself refuses while a promotion holds the template.
    await database.owner.query("UPDATE templates SET archived_at = now() WHERE id = $1", [ids[1]]);
    const error = await refusal(approvePromotion(world.reviewer, { id }));
    expect(error.extra.conflicts).toMatchObject([{ templateId: ids[1], detail: "It was archived" }]);
    expect(await world.live("production", ids)).toEqual({});
  });

  it("happens once, however many request it at the same moment", async () => {
    const world = await makePromotionWorld(database);
    const ids = await world.addTemplates(5);
    const { id } = await world.promote(ids, { automatic: false });
    await approvePromotion(world.reviewer, { id });
    const deployed = outcomes(
      await Promise.allSettled(Array.from({ length: 5 }, () => deployPromotion(world.reviewer, { id }))),
    );
    expect(deployed.done).toHaveLength(1);
    for (const error of deployed.refused) expect(error.code).toBe("conflict");
    const back = outcomes(
      await Promise.allSettled(
        Array.from({ length: 5 }, () => rollBackPromotion(world.reviewer, { id, force: false })),
      ),
    );
    expect(back.done).toHaveLength(1);
    expect(await world.live("production", ids)).toEqual({});
  });

  it("counts two approvals at the same moment as two", async () => {
    const world = await makePromotionWorld(database);
    await world.setGates("production", { approvals: 2 });
    const ids = await world.addTemplates(2);
    const { id } = await world.promote(ids);
    const second = await world.member("release_manager");
    const { done } = outcomes(
      await Promise.allSettled([world.reviewer, second].map((ctx) => approvePromotion(ctx, { id }))),
    );
    expect(done).toHaveLength(2);
    expect(Object.keys(await world.live("production", ids))).toHaveLength(2);
  });

  it("moves a thousand templates without a statement for each", async () => {
    const world = await makePromotionWorld(database);
    await world.setGates("production", { approvals: 0, testSend: false });
    const statements = async (ids: string[]): Promise<number> => {
      // All of the product's statements pass through here, including Prisma's.
      const query = vi.spyOn(pg.Client.prototype, "query");
      try {
        expect(await world.promote(ids)).toMatchObject({ state: "deployed", templates: ids.length });
        return query.mock.calls.length;
      } finally {
        query.mockRestore();
      }
    };
    const one = await statements(await world.addTemplates(1));
    const thousand = await world.addTemplates(1_000);
    // A few more where a cache has just expired.
    expect(await statements(thousand)).toBeLessThan(one + 10);
    expect(Object.keys(await world.live("production", thousand))).toHaveLength(1_000);
  });
});

/** The model: what each stage has of each template. */
interface Model {
  staging: number[];
  production: ({ version: number; by: number } | null)[];
  /** For each promotion, in order: what it moved and replaced. */
  promotions: {
    items: { template: number; version: number; previous: Model["production"][number] }[];
    state: "open" | "deployed" | "ended";
  }[];
}

const command = fc.oneof(
  fc.record({ do: fc.constant("save" as const), template: fc.nat(2) }),
  fc.record({
    do: fc.constant("request" as const),
    templates: fc.uniqueArray(fc.nat(2), { minLength: 1, maxLength: 3 }),
  }),
  fc.record({ do: fc.constant("approve" as const), which: fc.nat(5) }),
  fc.record({ do: fc.constant("reject" as const), which: fc.nat(5) }),
  fc.record({ do: fc.constant("rollBack" as const), which: fc.nat(5), force: fc.boolean() }),
);

describe("any order of saves, promotions and rollbacks", () => {
  it("leaves every pointer where a simple model says", async () => {
    const world = await makePromotionWorld(database);
    await fc.assert(
      fc.asyncProperty(fc.array(command, { maxLength: 14 }), async (commands) => {
        const ids = await world.addTemplates(3);
        const model: Model = { staging: [1, 1, 1], production: [null, null, null], promotions: [] };
        const made: Promotion[] = [];
        const attempt = async (allowed: boolean, work: () => Promise<unknown>): Promise<void> => {
          if (allowed) await work();
          else await refusal(work());
        };
        for (const step of commands) {
          if (step.do === "save") {
            model.staging[step.template]!++;
            await world.save([ids[step.template]!]);
          } else if (step.do === "request") {
            const free = step.templates.every(
              (template) =>
                model.production[template]?.version !== model.staging[template] &&
                !model.promotions.some(
                  ({ state, items }) => state === "open" && items.some((item) => item.template === template),
                ),
            );
            await attempt(free, async () => {
              made.push(
                await createPromotion(world.author, {
                  application: "shop",
                  to: "production",
                  templates: step.templates.map((template) => ({ templateId: ids[template]! })),
                  automatic: true,
                }),
              );
              model.promotions.push({
                state: "open",
                items: step.templates.map((template) => ({
                  template,
                  version: model.staging[template]!,
                  previous: model.production[template]!,
                })),
              });
            });
          } else {
            const promotion = model.promotions[step.which];
            const id = made[step.which]?.id;
            if (!promotion || !id) continue;
            const now = (template: number) => JSON.stringify(model.production[template]);
            if (step.do === "approve") {
              const unmoved = promotion.items.every(
                ({ template, previous }) => model.production[template]?.version === previous?.version,
              );
              const allowed = promotion.state === "open" && unmoved;
              await attempt(allowed, () => approvePromotion(world.reviewer, { id }));
              if (!allowed) continue;
              promotion.state = "deployed";
              for (const { template, version } of promotion.items)
                model.production[template] = { version, by: step.which };
            } else if (step.do === "reject") {
              const allowed = promotion.state === "open";
              await attempt(allowed, () => rejectPromotion(world.reviewer, { id }));
              if (allowed) promotion.state = "ended";
            } else {
              const untouched = promotion.items.every(
                ({ template, version }) => now(template) === JSON.stringify({ version, by: step.which }),
              );
              const allowed = promotion.state === "deployed" && (untouched || step.force);
              await attempt(allowed, () => rollBackPromotion(world.reviewer, { id, force: step.force }));
              if (!allowed) continue;
              promotion.state = "ended";
              for (const { template, previous } of promotion.items) model.production[template] = previous;
            }
          }
          const live = await world.live("production", ids);
          expect(
            ids.map((id) => {
              const pointer = live[id];
              if (!pointer) return null;
              return {
                version: pointer.version,
                by: made.findIndex((promotion) => promotion.id === pointer.promotionId),
              };
            }),
          ).toEqual(model.production);
        }
      }),
      { numRuns: 25 },
    );
  });
});
