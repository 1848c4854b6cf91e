import { describe, expect, it } from "vitest";
import { createApiKey } from "../access/create-api-key.ts";
import type { Ctx } from "../kernel/ctx.ts";
import { inTenant } from "../kernel/db.ts";
import { newId } from "../kernel/ids.ts";
import type { Gates } from "../tenancy/schemas.ts";
import { testDatabase } from "../testing/database.ts";
import { makePromotionWorld, refusal } from "../testing/promotion-world.ts";
import type { PromotionWorld } from "../testing/promotion-world.ts";
import { restClient } from "../testing/rest-client.ts";
import { deleteEnvironment } from "../workspace/change-environment.ts";
import { createEnvironment } from "../workspace/create-environment.ts";
import { approvePromotion } from "./approve-promotion.ts";
import { confirmPipelineChange, withdrawPipelineChange } from "./decide-pipeline-change.ts";
import { deployPromotion } from "./deploy-promotion.ts";
import { getPromotion } from "./get-promotion.ts";
import { listPipelines } from "./list-pipelines.ts";
import { pipelineUpdateSchema } from "./schemas.ts";
import type { Pipeline } from "./schemas.ts";
import { updatePipeline } from "./update-pipeline.ts";

const database = await testDatabase();
const rest = restClient(database.web);
const none: Gates = {
  approvals: 0,
  moderation: false,
  whatsappApproval: false,
  whatsappCategory: false,
  testSend: false,
  humanReview: false,
};
const change = (gates: Gates) =>
  pipelineUpdateSchema.parse({
    application: "shop",
    stages: [{ environment: "staging" }, { environment: "production", gates }],
  });
const productionOf = (pipeline: Pipeline) => pipeline.stages.find(({ kind }) => kind === "production")?.gates;
const shown = async (ctx: Ctx) =>
  (await listPipelines(ctx)).data.find(({ application }) => application === "shop")!;
const audited = async (world: PromotionWorld) => {
  const { rows } = await database.owner.query<{ action: string }>(
    "SELECT action FROM audit_events WHERE tenant_id = $1 AND action LIKE 'pipeline.%' ORDER BY id",
    [world.tenantId],
  );
  return rows.map(({ action }) => action);
};

describe("of two people who change a pipeline at the same time", () => {
  it("the second is told, whether the first change was made or waits", async () => {
    const world = await makePromotionWorld(database);
    const [first, second] = [await world.member("administrator"), await world.member("administrator")];
    const { revision } = await shown(second);
    const stricter = {
      ...change({ ...none, approvals: 2, moderation: true, whatsappApproval: true }),
      revision,
    };
    await updatePipeline(first, stricter);
    const other = {
      ...change({ ...none, approvals: 4, moderation: true, whatsappApproval: true }),
      revision,
    };
    expect((await refusal(updatePipeline(second, other))).code).toBe("revision_conflict");
    expect(productionOf(await shown(second))).toMatchObject({ approvals: 2 });

    const again = await shown(second);
    await updatePipeline(first, { ...change(none), revision: again.revision });
    expect((await refusal(updatePipeline(second, { ...other, revision: again.revision }))).code).toBe(
      "revision_conflict",
    );
    expect((await shown(second)).proposal?.requestedBy).toBe(first.actor.name);
    const seen = (await shown(second)).revision;
    expect(await updatePipeline(second, { ...other, revision: seen })).toMatchObject({ proposal: null });
  });
});

describe("the gates of a promotion", () => {
  it("are those of the time of the request, whatever happens to the pipeline", async () => {
    const world = await makePromotionWorld(database);
    const ids = await world.addTemplates(1);
    const manager = world.reviewer;
    const { id } = await world.promote(ids, {}, manager);
    // As if two people had loosened it.
    await updatePipeline(world.tenant.system, change(none));
    expect((await getPromotion(manager, { id })).gates).toMatchObject([
      { gate: "approvals", state: "waiting" },
      { gate: "moderation" },
      { gate: "whatsappApproval" },
    ]);
    expect((await refusal(deployPromotion(manager, { id }))).code).toBe("conflict");
    expect(await world.live("production", ids)).toEqual({});
    await approvePromotion(await world.member("owner"), { id });
    expect(await world.live("production", ids)).toMatchObject({ [ids[0]!]: { version: 1 } });
  });

  it("do not become stricter after it either", async () => {
    const world = await makePromotionWorld(database);
    const { id } = await world.promote(await world.addTemplates(1));
    await updatePipeline(
      world.reviewer,
      change({ ...none, approvals: 3, moderation: true, whatsappApproval: true }),
    );
    expect(await approvePromotion(world.reviewer, { id })).toMatchObject({ state: "deployed" });
  });

  it("cannot be rewritten with the rights of the web process", async () => {
    const world = await makePromotionWorld(database);
    const { id } = await world.promote(await world.addTemplates(1));
    for (const set of [
      "gates = '{}'",
      "requested_by_id = NULL",
      "requested_by_person_id = NULL",
      "to_environment_id = from_environment_id",
    ]) {
      await expect(
        inTenant(world.author, (tx) =>
          tx.$executeRawUnsafe(`UPDATE promotions SET ${set} WHERE id = '${id}'`),
        ),
      ).rejects.toThrow(/permission denied/);
    }
  });

  it("need a person to request where they need approvals: a key without an owner cannot", async () => {
    const world = await makePromotionWorld(database);
    const ids = await world.addTemplates(1);
    const { key } = await world.tenant.makeKey("production", { role: "owner" });
    const json = { application: "shop", to: "production", templates: [{ templateId: ids[0] }] };
    expect(await rest.post("/v1/promotions", { key, json })).toMatchObject({
      status: 403,
      body: { code: "permission_denied" },
    });
    const owner = await world.member("owner");
    const own = await createApiKey(owner, {
      name: "own",
      environmentId: world.environments.production,
      role: "owner",
    });
    expect(await rest.post("/v1/promotions", { key: own.key, json })).toMatchObject({ status: 201 });
  });
});

describe("a change that loosens a pipeline", () => {
  it("waits for a second person, who is neither its proposer nor a key of theirs", async () => {
    const world = await makePromotionWorld(database);
    const owner = await world.member("owner");
    const proposed = await updatePipeline(owner, change(none));
    expect(productionOf(proposed)).toMatchObject({ approvals: 1 });
    const id = proposed.proposal!.id;
    expect(proposed.proposal).toMatchObject({
      loosens: [
        "production asks for 0 instead of 1 approvals",
        "production no longer asks for moderation",
        "production no longer asks for WhatsApp approval",
      ],
      may: { confirm: false, withdraw: true },
    });
    expect((await refusal(confirmPipelineChange(owner, { application: "shop", id }))).code).toBe(
      "permission_denied",
    );
    const { key } = await createApiKey(owner, {
      name: "own",
      environmentId: world.environments.production,
      role: "owner",
    });
    const nobodys = await world.tenant.makeKey("production", { role: "owner" });
    for (const text of [key, nobodys.key]) {
      expect(await rest.post(`/v1/pipelines/shop/proposal/${id}/confirm`, { key: text })).toMatchObject({
        status: 403,
      });
    }
    expect(productionOf(await shown(world.reviewer))).toMatchObject({ approvals: 1 });
    expect((await shown(world.reviewer)).proposal?.may).toEqual({ confirm: true, withdraw: true });
    expect((await shown(world.author)).proposal?.may).toEqual({ confirm: false, withdraw: false });
    const confirmed = await confirmPipelineChange(world.reviewer, { application: "shop", id });
    expect(confirmed).toMatchObject({ proposal: null });
    expect(productionOf(confirmed)).toEqual(none);
    expect(await audited(world)).toEqual(["pipeline.loosening_proposed", "pipeline.updated"]);
  });

  it("is announced to those who can confirm it, until it is decided", async () => {
    const world = await makePromotionWorld(database);
    const unread = async () => {
      const { rows } = await database.owner.query<{ user_id: string }>(
        "SELECT user_id FROM notices WHERE tenant_id = $1 AND kind = 'pipeline.proposed' AND read_at IS NULL ORDER BY 1",
        [world.tenantId],
      );
      return rows.map(({ user_id }) => user_id);
    };
    const { proposal } = await updatePipeline(world.reviewer, change(none));
    expect(await unread()).toEqual([world.tenant.owner.id]);
    await withdrawPipelineChange(world.reviewer, { application: "shop", id: proposal!.id });
    expect(await unread()).toEqual([]);
    expect(await shown(world.reviewer)).toMatchObject({
      proposal: null,
      stages: [{}, { gates: { approvals: 1 } }],
    });
    // Overtaken by a change that needs nobody.
    await updatePipeline(world.reviewer, change(none));
    expect(await unread()).toEqual([world.tenant.owner.id]);
    await updatePipeline(
      world.reviewer,
      change({ ...none, approvals: 3, moderation: true, whatsappApproval: true }),
    );
    expect(await unread()).toEqual([]);
  });

  it("cannot be confirmed once it was replaced, decided or overtaken", async () => {
    const world = await makePromotionWorld(database);
    const owner = await world.member("owner");
    const confirm = (id: string) => refusal(confirmPipelineChange(owner, { application: "shop", id }));
    const first = (await updatePipeline(world.reviewer, change({ ...none, moderation: true }))).proposal!.id;
    const second = (await updatePipeline(world.reviewer, change(none))).proposal!.id;
    expect((await confirm(first)).code).toBe("not_found");
    expect((await confirm(newId())).code).toBe("not_found");
    // Not through this product, which drops a waiting change with every other change, but as a manual repair would.
    await world.setGates("production", { approvals: 4 });
    expect((await confirm(second)).code).toBe("conflict");
    await updatePipeline(owner, change({ ...none, approvals: 5, moderation: true, whatsappApproval: true }));
    expect((await confirm(second)).code).toBe("not_found");
  });

  it("cannot be confirmed when an environment in it was deleted", async () => {
    const world = await makePromotionWorld(database);
    const owner = world.tenant.as("owner");
    const { id: environmentId } = await createEnvironment(owner, {
      slug: "trial",
      name: "Trial",
      kind: "nonproduction",
    });
    const wanted = change(none);
    wanted.stages.splice(1, 0, { environment: "trial" });
    const { proposal } = await updatePipeline(world.reviewer, wanted);
    await deleteEnvironment(owner, { id: environmentId });
    const confirming = confirmPipelineChange(await world.member("owner"), {
      application: "shop",
      id: proposal!.id,
    });
    expect(await refusal(confirming)).toMatchObject({ code: "conflict" });
    expect((await shown(world.reviewer)).stages.map(({ environment }) => environment)).toEqual([
      "staging",
      "production",
    ]);
  });

  it("is made at once where nobody else could confirm it", async () => {
    const world = await makePromotionWorld(database);
    const { tenant } = world;
    await database.owner.query("DELETE FROM role_assignments WHERE tenant_id = $1 AND user_id <> $2", [
      world.tenantId,
      tenant.owner.id,
    ]);
    const alone: Ctx = { ...tenant.as("owner"), actor: { type: "user", ...tenant.owner, name: "Olga" } };
    expect(productionOf(await updatePipeline(alone, change(none)))).toEqual(none);
    const { rows } = await database.owner.query<{ data: unknown }>(
      "SELECT data FROM audit_events WHERE tenant_id = $1 AND action = 'pipeline.updated'",
      [world.tenantId],
    );
    expect(rows).toMatchObject([
      { data: { confirmedBy: null, loosens: [{}, {}, {}].map(() => expect.any(String) as string) } },
    ]);
  });

  it("is unknown to another team or organisation", async () => {
    const world = await makePromotionWorld(database);
    const id = (await updatePipeline(world.reviewer, change(none))).proposal!.id;
    const stranger = (await makePromotionWorld(database)).tenant.as("owner");
    const colleague = await world.member("owner", world.tenant.units.beta);
    for (const ctx of [stranger, colleague]) {
      expect((await refusal(confirmPipelineChange(ctx, { application: "shop", id }))).code).toBe("not_found");
      expect((await refusal(withdrawPipelineChange(ctx, { application: "shop", id }))).code).toBe(
        "not_found",
      );
    }
  });
});
