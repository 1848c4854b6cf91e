import { describe, expect, it } from "vitest";
import { setKillSwitch } from "../templates/set-kill-switch.ts";
import { liveTemplatesByName } from "../templates/resolve-template.ts";
import { testDatabase } from "../testing/database.ts";
import { makePromotionWorld, refusal } from "../testing/promotion-world.ts";
import { approvePromotion } from "./approve-promotion.ts";
import { deployPromotion } from "./deploy-promotion.ts";
import { getPromotion } from "./get-promotion.ts";
import { listPromotions } from "./list-promotions.ts";
import { promotionOperations } from "./operations.ts";
import { rejectPromotion } from "./reject-promotion.ts";
import { rollBackPromotion } from "./roll-back-promotion.ts";
import { promotionListQuerySchema } from "./schemas.ts";

const database = await testDatabase();
const all = promotionListQuerySchema.parse({});
const rollBack = (ctx: Parameters<typeof rollBackPromotion>[0], id: string, force = false) =>
  rollBackPromotion(ctx, { id, force });

describe("a promotion", () => {
  it("waits for another person, then moves every pointer in one moment, and this process serves it at once", async () => {
    const world = await makePromotionWorld(database);
    const { author, reviewer } = world;
    const ids = await world.addTemplates(3);
    const where = {
      environmentId: world.environments.production,
      applicationId: world.tenant.application.id,
      name: "text-00001",
    };
    expect(await liveTemplatesByName(author, where)).toEqual([]);

    const requested = await world.promote(ids, { note: "Spring prices" });
    expect(requested).toMatchObject({
      state: "pending",
      templates: 3,
      note: "Spring prices",
      from: { environment: "staging" },
      to: { environment: "production" },
      requestedBy: { type: "user", id: author.actor.id },
      may: { decide: false, withdraw: true, deploy: false, rollBack: false },
    });
    expect(requested.items.map(({ version, previousVersion }) => [version, previousVersion])).toEqual(
      ids.map(() => [1, null]),
    );
    expect(requested.gates).toMatchObject([
      { gate: "approvals", state: "waiting" },
      { gate: "moderation", state: "passed" },
      { gate: "whatsappApproval", state: "passed" },
    ]);
    expect(await world.live("production", ids)).toEqual({});

    expect((await getPromotion(reviewer, { id: requested.id })).may).toEqual({
      decide: true,
      withdraw: false,
      deploy: false,
      rollBack: false,
    });
    const approved = await approvePromotion(reviewer, { id: requested.id, comment: "Looks right" });
    expect(approved).toMatchObject({
      state: "deployed",
      deployedBy: reviewer.actor.name,
      gates: [],
      decisions: [{ by: reviewer.actor.name, decision: "approve", comment: "Looks right" }],
      may: { decide: false, withdraw: false, deploy: false, rollBack: true },
    });
    expect(Object.values(await world.live("production", ids))).toEqual(
      ids.map(() => ({ version: 1, promotionId: requested.id, disabled: false })),
    );
    expect(await liveTemplatesByName(author, where)).toMatchObject([{ id: ids[0], version: 1 }]);

    const { rows } = await database.owner.query<{ action: string; actor_id: string; data: unknown }>(
      "SELECT action, actor_id, data FROM audit_events WHERE tenant_id = $1 AND target_id = $2 ORDER BY id",
      [world.tenantId, requested.id],
    );
    expect(rows.map(({ action, actor_id }) => [action, actor_id])).toEqual([
      ["promotion.requested", author.actor.id],
      ["promotion.approved", reviewer.actor.id],
      ["promotion.deployed", reviewer.actor.id],
    ]);
    expect(rows.at(-1)?.data).toMatchObject({
      templates: 3,
      items: ids.map((templateId) => ({ templateId, version: 1, previousVersion: null })),
    });
  });

  it("takes everything that differs when nothing is named, in the versions of that moment", async () => {
    const world = await makePromotionWorld(database);
    const same = await world.addTemplates(2, { environments: ["staging", "production"] });
    const changed = await world.addTemplates(2, { environments: ["staging", "production"] });
    const fresh = await world.addTemplates(1);
    await world.save(changed);
    const promotion = await world.promote(null);
    expect(promotion.items.map(({ templateId }) => templateId).toSorted()).toEqual([...changed, ...fresh]);
    // Saved after the request: not part of it.
    await world.save(changed);
    await approvePromotion(world.reviewer, { id: promotion.id });
    const live = await world.live("production", [...same, ...changed, ...fresh]);
    expect(Object.values(live).map(({ version }) => version)).toEqual([1, 1, 2, 2, 1]);
    expect((await world.promote(null)).items.map(({ version }) => version)).toEqual([3, 3]);
  });

  it("is deployed with the request where no approval is needed, and on demand where it is not automatic", async () => {
    const world = await makePromotionWorld(database);
    await world.setGates("production", { approvals: 0 });
    const [first = "", second = ""] = await world.addTemplates(2);
    expect(await world.promote([first])).toMatchObject({
      state: "deployed",
      deployedBy: world.author.actor.name,
    });

    const waiting = await world.promote([second], { automatic: false });
    expect(waiting).toMatchObject({ state: "approved", may: { deploy: true } });
    expect(await world.live("production", [second])).toEqual({});
    expect(await promotionOperations.deploy.call(world.author, { id: waiting.id })).toMatchObject({
      state: "deployed",
    });
    expect((await world.live("production", [second]))[second]).toMatchObject({ version: 1 });
    expect(await refusal(deployPromotion(world.author, { id: waiting.id }))).toMatchObject({
      code: "conflict",
      extra: { state: "deployed" },
    });
  });

  it("needs as many people as its stage requires, each once", async () => {
    const world = await makePromotionWorld(database);
    await world.setGates("production", { approvals: 2 });
    const ids = await world.addTemplates(1);
    const { id } = await world.promote(ids);
    expect(await approvePromotion(world.reviewer, { id })).toMatchObject({
      state: "pending",
      may: { decide: false },
    });
    expect(await refusal(approvePromotion(world.reviewer, { id }))).toMatchObject({ code: "conflict" });
    const second = await world.member("owner");
    expect(await approvePromotion(second, { id })).toMatchObject({ state: "deployed" });
  });

  it("is not deployed while a gate has not passed, and says which", async () => {
    const world = await makePromotionWorld(database, {});
    const ids = await world.addTemplates(1);
    const promotion = await world.promote(ids);
    expect(promotion.gates).toMatchObject([{}, { gate: "moderation", state: "failed", templates: ids }, {}]);
    expect(await approvePromotion(world.reviewer, { id: promotion.id })).toMatchObject({
      state: "approved",
      may: { deploy: false },
    });
    const refused = await refusal(deployPromotion(world.reviewer, { id: promotion.id }));
    expect(refused).toMatchObject({ code: "conflict", extra: { gates: [{}, { gate: "moderation" }, {}] } });
    expect(refused.message).toContain("AI check");
    expect(await world.live("production", ids)).toEqual({});
    // Versions that an AI service has seen pass.
    const seen = await world.addTemplates(1);
    await world.save(seen, { moderation: { checkedBy: ["deterministic", "policy:m"], findings: [] } });
    const { id } = await world.promote(seen);
    expect(await approvePromotion(world.reviewer, { id })).toMatchObject({ state: "deployed" });
  });

  it("waits for the provider's approval of a WhatsApp template, and can then be deployed", async () => {
    const world = await makePromotionWorld(database);
    const ids = await world.addTemplates(2, { channel: "whatsapp" });
    const [named = ""] = ids;
    await world.save([named], { metadata: { templateName: "shipped", language: "en_GB" } });
    const { id, gates } = await world.promote(ids);
    expect(gates[2]).toMatchObject({ gate: "whatsappApproval", state: "waiting", templates: [named] });
    expect(await approvePromotion(world.reviewer, { id })).toMatchObject({ state: "approved" });
    const set = (status: string) =>
      database.owner.query(
        `INSERT INTO whatsapp_approvals (tenant_id, template_id, template_name, language, status, source, updated_by, updated_at)
         VALUES ($1, $2, 'shipped', 'en_GB', $3, 'manual', 'Test', now())
         ON CONFLICT (tenant_id, template_id, template_name, language) DO UPDATE SET status = excluded.status`,
        [world.tenantId, named, status],
      );
    await set("rejected");
    expect((await getPromotion(world.author, { id })).gates[2]).toMatchObject({ state: "failed" });
    await set("approved");
    expect(await getPromotion(world.author, { id })).toMatchObject({ may: { deploy: true } });
    expect(await deployPromotion(world.author, { id })).toMatchObject({ state: "deployed" });
  });

  it("waits for a test send of each version, where the stage requires it", async () => {
    const world = await makePromotionWorld(database);
    await world.setGates("production", { approvals: 0, testSend: true });
    const ids = await world.addTemplates(1);
    const { state, gates } = await world.promote(ids);
    expect(state).toBe("approved");
    expect(gates.at(-1)).toMatchObject({ gate: "testSend", state: "waiting", templates: ids });
  });

  it("ends with one person's rejection, and its templates are free again", async () => {
    const world = await makePromotionWorld(database);
    await world.setGates("production", { approvals: 2 });
    const ids = await world.addTemplates(2);
    const { id } = await world.promote(ids);
    await approvePromotion(world.reviewer, { id });
    // Approvers may still change their mind.
    const rejected = await rejectPromotion(world.reviewer, { id, comment: "Wrong price" });
    expect(rejected).toMatchObject({ state: "rejected", gates: [], may: { decide: false, deploy: false } });
    expect(rejected.decisions.map(({ decision }) => decision).toSorted()).toEqual(["approve", "reject"]);
    for (const again of [approvePromotion, rejectPromotion, deployPromotion]) {
      expect(await refusal(again(world.reviewer, { id }))).toMatchObject({ code: "conflict" });
    }
    expect((await refusal(rollBack(world.reviewer, id))).code).toBe("conflict");
    expect(await world.live("production", ids)).toEqual({});
    expect(await world.promote(ids)).toMatchObject({ state: "pending" });
  });

  it("may be withdrawn by its requester, and by no other author", async () => {
    const world = await makePromotionWorld(database);
    const ids = await world.addTemplates(1);
    const { id } = await world.promote(ids);
    const other = await world.member("template_author", world.tenant.units.alpha);
    const { reject, deploy } = promotionOperations;
    expect((await refusal(reject.call(other, { id }))).code).toBe("permission_denied");
    expect((await refusal(deploy.call(other, { id }))).code).toBe("permission_denied");
    expect(await reject.call(world.author, { id })).toMatchObject({
      state: "withdrawn",
      decisions: [{ decision: "reject", withdrawn: true }],
    });
    const only = async (state: "withdrawn" | "rejected") =>
      (await listPromotions(world.author, { ...all, state })).data.map((row) => row.id);
    expect([await only("withdrawn"), await only("rejected")]).toEqual([[id], []]);
    expect((await refusal(reject.call(world.author, { id }))).message).toBe(
      "The promotion was withdrawn already.",
    );
    const { rows } = await database.owner.query(
      "SELECT action, data->'after' AS after FROM audit_events WHERE tenant_id = $1 AND target_id = $2 AND action <> 'promotion.requested'",
      [world.tenantId, id],
    );
    expect(rows).toEqual([{ action: "promotion.withdrawn", after: { state: "withdrawn" } }]);
    expect(await world.promote(ids)).toMatchObject({ state: "pending" });
  });

  it("leaves a kill switch as it is, also when it is rolled back", async () => {
    const world = await makePromotionWorld(database);
    const [id = ""] = await world.addTemplates(1, { environments: ["staging", "production"] });
    await setKillSwitch(world.reviewer, { id, environment: "production", disabled: true, reason: "Wrong" });
    await world.save([id]);
    const promotion = await world.promote([id]);
    await approvePromotion(world.reviewer, { id: promotion.id });
    expect((await world.live("production", [id]))[id]).toMatchObject({ version: 2, disabled: true });
    await rollBack(world.reviewer, promotion.id);
    expect((await world.live("production", [id]))[id]).toMatchObject({ version: 1, disabled: true });
  });
});

describe("what cannot be promoted", () => {
  it("is named, all at once", async () => {
    const world = await makePromotionWorld(database);
    const [fine = "", archived = "", other = ""] = await world.addTemplates(3);
    const [nowhere = ""] = await world.addTemplates(1, { environments: ["sandbox"] });
    const [same = ""] = await world.addTemplates(1, { environments: ["staging", "production"] });
    const [foreign = ""] = await world.addTemplates(1, { applicationId: world.tenant.otherApplication.id });
    await database.owner.query("UPDATE templates SET archived_at = now() WHERE id = $1", [archived]);
    const error = await refusal(
      world.promote(null, {
        templates: [
          { templateId: fine, version: 1 },
          { templateId: fine },
          { templateId: archived },
          { templateId: nowhere },
          { templateId: same },
          { templateId: foreign },
          { templateId: other, version: 7 },
        ],
      }),
    );
    expect(error.code).toBe("invalid_request");
    expect(error.errors.map(({ pointer, code }) => [pointer, code])).toEqual([
      ["/templates/1/templateId", "repeated"],
      ["/templates/2/templateId", "archived"],
      ["/templates/3/templateId", "not_live"],
      ["/templates/4/templateId", "unchanged"],
      ["/templates/5/templateId", "unknown_template"],
      ["/templates/6/version", "other_version"],
    ]);
    expect(error.errors[1]?.detail).toContain("text-00002");
    // Nothing was stored.
    expect((await listPromotions(world.author, all)).data).toEqual([]);
  });

  it("is nothing, and a stage that takes no promotions", async () => {
    const world = await makePromotionWorld(database);
    expect(await refusal(world.promote(null))).toMatchObject({ code: "invalid_request" });
    for (const [to, code] of [
      ["staging", "first_stage"],
      ["sandbox", "unknown_environment"],
      ["nowhere", "unknown_environment"],
    ] as const) {
      expect(await refusal(world.promote(null, { to }))).toMatchObject({
        code: "invalid_request",
        errors: [{ pointer: "/to", code }],
      });
    }
    expect((await refusal(world.promote(null, { application: "nope" }))).code).toBe("unknown_application");
  });
});

describe("a rollback", () => {
  it("puts back exactly what the promotion replaced, and takes out what was not there", async () => {
    const world = await makePromotionWorld(database);
    const [old = ""] = await world.addTemplates(1);
    const first = await world.promote([old]);
    await approvePromotion(world.reviewer, { id: first.id });
    const [bystander = ""] = await world.addTemplates(1, { environments: ["staging", "production"] });
    const [fresh = ""] = await world.addTemplates(1);
    await world.save([old]);
    const ids = [old, bystander, fresh];
    const before = await world.live("production", ids);
    expect(before[old]).toMatchObject({ version: 1, promotionId: first.id });
    const second = await world.promote([old, fresh]);
    await approvePromotion(world.reviewer, { id: second.id });
    const rolledBack = await rollBackPromotion(world.reviewer, {
      id: second.id,
      force: false,
      note: "Wrong",
    });
    expect(rolledBack).toMatchObject({
      state: "rolled_back",
      rolledBackBy: world.reviewer.actor.name,
      rollbackNote: "Wrong",
      may: { rollBack: false },
    });
    expect(await world.live("production", ids)).toEqual(before);
    expect((await refusal(rollBack(world.reviewer, second.id))).code).toBe("conflict");
    // The first one is the latest again, so it can be rolled back as well.
    await rollBack(world.reviewer, first.id);
    expect(await world.live("production", [old])).toEqual({});
  });

  it("is refused when something later has moved a template, names it, and succeeds when forced", async () => {
    const world = await makePromotionWorld(database);
    const [moved = "", kept = ""] = await world.addTemplates(2, { environments: ["staging", "production"] });
    await world.save([moved, kept]);
    const first = await world.promote([moved, kept]);
    await approvePromotion(world.reviewer, { id: first.id });
    await world.save([moved]);
    const second = await world.promote([moved]);
    await approvePromotion(world.reviewer, { id: second.id });

    const error = await refusal(rollBack(world.reviewer, first.id));
    expect(error).toMatchObject({
      code: "promotion_conflict",
      extra: {
        conflicts: [
          {
            templateId: moved,
            name: "text-00001",
            version: 3,
            expectedVersion: 2,
            promotion: { id: second.id, state: "deployed", requestedBy: world.author.actor.name },
          },
        ],
      },
    });
    expect(error.message).toContain("text-00001");
    expect((await world.live("production", [kept]))[kept]).toMatchObject({ version: 2 });

    await rollBack(world.reviewer, first.id, true);
    expect(Object.values(await world.live("production", [moved, kept]))).toEqual([
      { version: 1, promotionId: null, disabled: false },
      { version: 1, promotionId: null, disabled: false },
    ]);
    // The later one finds its own template moved, by a rollback this time.
    expect(await refusal(rollBack(world.reviewer, second.id))).toMatchObject({ code: "promotion_conflict" });
  });

  it("needs the right to approve", async () => {
    const world = await makePromotionWorld(database);
    const ids = await world.addTemplates(1);
    const { id } = await world.promote(ids);
    await approvePromotion(world.reviewer, { id });
    expect((await refusal(rollBack(world.author, id))).code).toBe("permission_denied");
  });
});
