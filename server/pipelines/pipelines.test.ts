import { describe, expect, it } from "vitest";
import { getCatalogue } from "../tenancy/catalogue.ts";
import { testDatabase } from "../testing/database.ts";
import { makePromotionWorld, refusal } from "../testing/promotion-world.ts";
import { getBoard } from "./get-board.ts";
import { listPipelines } from "./list-pipelines.ts";
import { rejectPromotion } from "./reject-promotion.ts";
import { boardQuerySchema, pipelineUpdateSchema } from "./schemas.ts";
import { updatePipeline } from "./update-pipeline.ts";

const database = await testDatabase();
const board = (more: Record<string, unknown> = {}) =>
  boardQuerySchema.parse({ application: "shop", ...more });
const stages = (...list: (string | { environment: string; gates?: unknown })[]) =>
  pipelineUpdateSchema.parse({
    application: "shop",
    stages: list.map((stage) => (typeof stage === "string" ? { environment: stage } : stage)),
  });

describe("the board of an application", () => {
  it("shows what each stage has, what differs between neighbours, and the promotion that would change it", async () => {
    const world = await makePromotionWorld(database);
    const [same = ""] = await world.addTemplates(1, { environments: ["staging", "production"] });
    const [changed = ""] = await world.addTemplates(1, { environments: ["staging", "production"] });
    const [fresh = ""] = await world.addTemplates(1);
    await world.addTemplates(1, { applicationId: world.tenant.otherApplication.id });
    const [archived = ""] = await world.addTemplates(1);
    await database.owner.query("UPDATE templates SET archived_at = now() WHERE id = $1", [archived]);
    await world.save([changed]);
    const { id } = await world.promote([fresh]);

    const shown = await getBoard(world.author, board());
    expect(shown.pipeline.stages.map(({ environment, kind }) => [environment, kind])).toEqual([
      ["staging", "nonproduction"],
      ["production", "production"],
    ]);
    expect(shown.differences).toEqual([2]);
    expect(
      shown.data.map((row) => ({
        id: row.templateId,
        versions: row.stages.map(({ version }) => version),
        open: row.stages.map(({ openPromotionId }) => openPromotionId),
        differs: row.differs,
      })),
    ).toEqual([
      { id: same, versions: [1, 1], open: [null, null], differs: [false] },
      { id: changed, versions: [2, 1], open: [null, null], differs: [true] },
      { id: fresh, versions: [1, null], open: [null, id], differs: [true] },
    ]);
    expect(shown.data[0]?.stages[0]?.deployedAt).toMatch(/Z$/);
    expect((await getBoard(world.author, board({ differing: true }))).data).toHaveLength(2);
    expect((await getBoard(world.author, board({ channel: "email" }))).data).toEqual([]);
    expect((await getBoard(world.author, board({ search: "TEXT-00003" }))).data).toMatchObject([
      { templateId: fresh },
    ]);
    expect((await getBoard(world.author, board({ search: "%" }))).data).toEqual([]);
  });

  it("is paged without gaps or repeats while templates are saved", async () => {
    const world = await makePromotionWorld(database);
    const ids = await world.addTemplates(7);
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await getBoard(world.author, board({ limit: 3, cursor }));
      expect(page.differences).toEqual([7]);
      seen.push(...page.data.map(({ templateId }) => templateId));
      await world.save(ids.slice(0, 2));
      cursor = page.nextCursor ?? undefined;
    } while (cursor !== undefined);
    expect(seen).toEqual(ids);
    expect((await refusal(getBoard(world.author, board({ cursor: "x" })))).code).toBe("invalid_cursor");
  });

  it("has no pairs where a pipeline has one stage", async () => {
    const world = await makePromotionWorld(database);
    await world.addTemplates(1);
    await updatePipeline(world.tenant.system, stages("staging"));
    expect(await getBoard(world.author, board())).toMatchObject({ differences: [], data: [{ differs: [] }] });
  });
});

describe("the stages of a pipeline", () => {
  it("are environments of the tenant, each once, and not a sandbox", async () => {
    const world = await makePromotionWorld(database);
    const other = await makePromotionWorld(database);
    const foreign = other.environments.production;
    const error = await refusal(
      updatePipeline(world.reviewer, stages("staging", "sandbox", "staging", "nowhere", foreign)),
    );
    expect(error.errors.map(({ pointer, code }) => [pointer, code])).toEqual([
      ["/stages/1/environment", "sandbox"],
      ["/stages/2/environment", "repeated"],
      ["/stages/3/environment", "unknown_environment"],
      ["/stages/4/environment", "unknown_environment"],
    ]);
    expect(pipelineUpdateSchema.safeParse({ application: "shop", stages: [] }).success).toBe(false);
  });

  it("change with their gates, take effect at once, and the audit trail names who did it", async () => {
    const world = await makePromotionWorld(database);
    const gates = { approvals: 2, moderation: true, whatsappApproval: true, testSend: true };
    const updated = await updatePipeline(
      world.reviewer,
      stages("staging", { environment: "production", gates }),
    );
    expect(updated.stages).toMatchObject([
      // Its previous state.
      { environment: "staging", gates: { approvals: 0, whatsappApproval: false } },
      { environment: "production", gates },
    ]);
    const { applications } = await getCatalogue(world.reviewer);
    expect(applications.find(({ name }) => name === "shop")?.stages).toEqual([
      world.environments.staging,
      world.environments.production,
    ]);
    expect((await listPipelines(world.author)).data).toMatchObject([{ stages: updated.stages }]);
    const { rows } = await database.owner.query<{ actor_id: string; data: { after: unknown } }>(
      "SELECT actor_id, data FROM audit_events WHERE tenant_id = $1 AND action = 'pipeline.updated'",
      [world.tenantId],
    );
    expect(rows).toMatchObject([
      {
        actor_id: world.reviewer.actor.id,
        data: { after: [{}, { environmentId: world.environments.production, gates }] },
      },
    ]);
  });

  it("stay neighbours while a promotion is open between them", async () => {
    const world = await makePromotionWorld(database);
    const ids = await world.addTemplates(1);
    const { id } = await world.promote(ids);
    for (const change of [stages("staging"), stages("production"), stages("production", "staging")]) {
      const error = await refusal(updatePipeline(world.reviewer, change));
      expect(error).toMatchObject({
        code: "conflict",
        extra: {
          promotions: [{ id, from: "staging", to: "production", requestedBy: world.author.actor.name }],
        },
      });
    }
    await rejectPromotion(world.author, { id });
    expect((await updatePipeline(world.tenant.system, stages("staging"))).stages).toHaveLength(1);
  });

  it("are never removed under a promotion that is requested at the same moment", async () => {
    const world = await makePromotionWorld(database);
    const ids = await world.addTemplates(8);
    const requests = ids.map((id) => world.promote([id]));
    const change = updatePipeline(world.tenant.system, stages("staging"));
    const results = await Promise.allSettled([change, ...requests]);
    const { rows } = await database.owner.query<{ open: number; stages: number }>(
      `SELECT (SELECT count(*)::int FROM promotion_items WHERE tenant_id = $1 AND open) AS open,
              (SELECT count(*)::int FROM pipeline_stages WHERE tenant_id = $1 AND application_id = $2) AS stages`,
      [world.tenantId, world.tenant.application.id],
    );
    // Either the change came first and no promotion was created after it, or a promotion was and the change was
    // refused.
    expect(rows[0]?.stages === 2 || rows[0]?.open === 0, JSON.stringify(rows)).toBe(true);
    expect(results.some(({ status }) => status === "fulfilled")).toBe(true);
  });

  it("are changed only by those who may manage pipelines in that unit", async () => {
    const world = await makePromotionWorld(database);
    expect((await refusal(updatePipeline(world.author, stages("staging")))).code).toBe("permission_denied");
    const colleague = await world.member("release_manager", world.tenant.units.beta);
    expect((await refusal(updatePipeline(colleague, stages("staging")))).code).toBe("not_found");
    const stranger = (await makePromotionWorld(database)).reviewer;
    const named = { ...stages("staging"), application: world.tenant.application.id };
    expect((await refusal(updatePipeline(stranger, named))).code).toBe("not_found");
    expect((await listPipelines(world.author)).data[0]?.stages).toHaveLength(2);
  });
});
