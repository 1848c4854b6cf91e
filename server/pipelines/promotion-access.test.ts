import { describe, expect, it } from "vitest";
import { acceptInvitation } from "../access/accept-invitation.ts";
import { createInvitation } from "../access/create-invitation.ts";
import { createApiKey } from "../access/create-api-key.ts";
import { listMembers } from "../access/list-members.ts";
import { removeMember } from "../access/remove-member.ts";
import { listMemberKeys } from "../access/list-member-keys.ts";
import { reactivateMember, suspendMember } from "../access/suspend-member.ts";
import { rotateApiKey } from "../access/rotate-api-key.ts";
import type { Ctx } from "../kernel/ctx.ts";
import { newId } from "../kernel/ids.ts";
import type { BuiltInRole } from "../operations/permissions.ts";
import { testDatabase } from "../testing/database.ts";
import { makePromotionWorld, refusal } from "../testing/promotion-world.ts";
import type { PromotionWorld } from "../testing/promotion-world.ts";
import { restClient } from "../testing/rest-client.ts";
import { approvePromotion } from "./approve-promotion.ts";
import { deployPromotion } from "./deploy-promotion.ts";
import { getBoard } from "./get-board.ts";
import { getPromotion } from "./get-promotion.ts";
import { listPipelines } from "./list-pipelines.ts";
import { listPromotions } from "./list-promotions.ts";
import { rejectPromotion } from "./reject-promotion.ts";
import { rollBackPromotion } from "./roll-back-promotion.ts";
import { boardQuerySchema, promotionListQuerySchema } from "./schemas.ts";
import type { Promotion } from "./schemas.ts";

const database = await testDatabase();
const rest = restClient(database.web);

/** The text of a key that a person created; they must hold the permissions of its role. */
async function keyOf(
  world: PromotionWorld,
  maker: Ctx,
  environment: "production" | "staging" | "sandbox" = "production",
  role: BuiltInRole = "owner",
): Promise<{ id: string; key: string }> {
  return createApiKey(maker, {
    name: `${maker.actor.name}'s`,
    environmentId: world.environments[environment],
    role,
  });
}

describe("four eyes", () => {
  it("means two people: the requester cannot approve a promotion, whatever their role", async () => {
    const world = await makePromotionWorld(database);
    const ids = await world.addTemplates(1);
    const owner = await world.member("owner");
    const { id, may } = await world.promote(ids, {}, owner);
    expect(may).toMatchObject({ decide: false, withdraw: true });
    const refused = await refusal(approvePromotion(owner, { id }));
    expect(refused.code).toBe("permission_denied");
    expect(refused.message).toContain("You can't approve a promotion you requested");
    expect(await world.live("production", ids)).toEqual({});
  });

  it("stays two when the requesting key was handed over and the requester comes back", async () => {
    const world = await makePromotionWorld(database);
    const ids = await world.addTemplates(1);
    const requester = await world.member("owner");
    const heir = await world.member("owner");
    const { key } = await keyOf(world, requester);
    const made = await rest.post<Promotion>("/v1/promotions", {
      key,
      json: { application: "shop", to: "production", templates: [{ templateId: ids[0] }] },
    });
    expect(made.status).toBe(201);
    const { id } = made.body;
    const userId = requester.actor.id!;
    await removeMember(heir, { userId, handKeysTo: heir.actor.id! });
    const email = requester.actor.type === "user" ? requester.actor.email : "";
    const { token } = await createInvitation(heir, {
      email,
      name: "Back",
      assignments: [{ role: "owner", unitId: null }],
    });
    const from = { ip: null, userAgent: null, requestId: "test" };
    await acceptInvitation(database.web, { token, password: "correct horse battery staple", ...from });
    const { data } = await listMembers(heir, { search: email });
    expect(data).toMatchObject([{ id: userId }]);

    expect((await getPromotion(requester, { id })).may).toMatchObject({ decide: false });
    expect((await refusal(approvePromotion(requester, { id }))).code).toBe("permission_denied");
    expect(await rest.post(`/v1/promotions/${id}/approve`, { key })).toMatchObject({ status: 403 });
    expect(await world.live("production", ids)).toEqual({});
    // The colleague did not request it.
    expect(await approvePromotion(heir, { id })).toMatchObject({ state: "deployed" });
  });

  it("does not keep who withdrew a promotion out of its history: a key without an owner, or one that was handed over", async () => {
    const world = await makePromotionWorld(database);
    await world.setGates("production", { approvals: 0, testSend: true });
    const requester = await world.member("owner");
    const heir = await world.member("owner");
    const own = await keyOf(world, requester);
    const nobodys = await world.tenant.makeKey("production", { role: "owner" });
    for (const { key, name } of [
      { key: nobodys.key, name: "nobody's" },
      { key: own.key, name: "handed over" },
    ]) {
      const [templateId] = await world.addTemplates(1);
      const json = { application: "shop", to: "production", templates: [{ templateId }] };
      const { body } = await rest.post<Promotion>("/v1/promotions", { key, json });
      expect(body, name).toMatchObject({ state: "approved", decisions: [] });
      if (key === own.key) {
        await removeMember(heir, { userId: requester.actor.id!, handKeysTo: heir.actor.id! });
      }
      const ended = await rest.post<Promotion>(`/v1/promotions/${body.id}/reject`, {
        key,
        json: { comment: "No longer needed" },
      });
      expect(ended.body, name).toMatchObject({
        state: "withdrawn",
        decisions: [
          {
            by: body.requestedBy.name,
            decision: "reject",
            withdrawn: true,
            counts: true,
            comment: "No longer needed",
          },
        ],
      });
    }
  });

  it("counts approvals only of people who may still sign in", async () => {
    const world = await makePromotionWorld(database);
    const ids = await world.addTemplates(1);
    const approver = await world.member("owner");
    await world.setGates("production", { approvals: 2 });
    const { id } = await world.promote(ids);
    const state = async () =>
      (await getPromotion(approver, { id })).gates.find(({ gate }) => gate === "approvals");
    await approvePromotion(approver, { id });
    const counted = await state();
    const admin = world.tenant.as("owner");
    const userId = approver.actor.id!;
    expect(await listMemberKeys(admin, { userId })).toMatchObject({ approvals: 1 });
    await suspendMember(admin, { userId });
    expect(await state()).not.toEqual(counted);
    const second = await world.member("owner");
    expect(await approvePromotion(second, { id })).toMatchObject({ state: "pending" });
    expect(await world.live("production", ids)).toEqual({});
    await reactivateMember(admin, { userId });
    const third = await world.member("owner");
    expect(await approvePromotion(third, { id })).toMatchObject({ state: "deployed" });
  });

  it("excludes an API key of the requester, and the requester when a key of theirs has requested", async () => {
    const world = await makePromotionWorld(database);
    const [first = "", second = ""] = await world.addTemplates(2);
    const owner = await world.member("owner");
    const { id: keyId, key } = await keyOf(world, owner);

    const byOwner = await world.promote([first], {}, owner);
    const approve = (id: string, by: string) =>
      rest.post<Promotion>(`/v1/promotions/${id}/approve`, { key: by });
    expect(await approve(byOwner.id, key)).toMatchObject({
      status: 403,
      body: { code: "permission_denied" },
    });
    // Not by rotating it either: the successor has the same owner.
    const rotated = await rotateApiKey(owner, { id: keyId, overlapSeconds: 60 });
    expect(await approve(byOwner.id, rotated.key)).toMatchObject({ status: 403 });

    const byKey = await rest.post<Promotion>("/v1/promotions", {
      key,
      json: { application: "shop", to: "production", templates: [{ templateId: second }] },
    });
    expect(byKey).toMatchObject({ status: 201, body: { state: "pending", requestedBy: { type: "apiKey" } } });
    expect(byKey.headers.get("location")).toBe(`/v1/promotions/${byKey.body.id}`);
    expect((await refusal(approvePromotion(owner, { id: byKey.body.id }))).code).toBe("permission_denied");
    expect(await approve(byKey.body.id, key)).toMatchObject({ status: 403 });

    const other = await keyOf(world, await world.member("owner"));
    expect(await approve(byKey.body.id, other.key)).toMatchObject({
      status: 200,
      body: { state: "deployed" },
    });
    expect(await approve(byOwner.id, other.key)).toMatchObject({ status: 200, body: { state: "deployed" } });
  });

  it("counts a person once, by themselves and by a key of theirs", async () => {
    const world = await makePromotionWorld(database);
    await world.setGates("production", { approvals: 2 });
    const ids = await world.addTemplates(1);
    const { id } = await world.promote(ids);
    const owner = await world.member("owner");
    const { key } = await keyOf(world, owner);
    await approvePromotion(owner, { id });
    expect(await rest.post(`/v1/promotions/${id}/approve`, { key })).toMatchObject({ status: 409 });
    expect((await getPromotion(world.author, { id })).state).toBe("pending");
  });

  it("needs a person: a key without an owner cannot approve", async () => {
    const world = await makePromotionWorld(database);
    const ids = await world.addTemplates(1);
    const { id } = await world.promote(ids);
    const { key } = await world.tenant.makeKey("production", { role: "owner" });
    expect(await rest.post(`/v1/promotions/${id}/approve`, { key, json: {} })).toMatchObject({ status: 403 });
    const seen = await rest.get<Promotion>(`/v1/promotions/${id}`, { key });
    expect(seen).toMatchObject({ status: 200, body: { may: { decide: false } } });
  });
});

describe("an API key", () => {
  it("requests and decides only in its own environment", async () => {
    const world = await makePromotionWorld(database);
    const ids = await world.addTemplates(1);
    const owner = await world.member("owner");
    const staging = await keyOf(world, owner, "staging");
    const json = { application: "shop", to: "production", templates: [{ templateId: ids[0] }] };
    expect(await rest.post("/v1/promotions", { key: staging.key, json })).toMatchObject({
      status: 403,
      body: { code: "environment_mismatch" },
    });
    const { id } = await world.promote(ids);
    expect(await rest.get(`/v1/promotions/${id}`, { key: staging.key })).toMatchObject({ status: 404 });
    for (const action of ["approve", "reject", "deploy", "rollback"]) {
      expect(await rest.post(`/v1/promotions/${id}/${action}`, { key: staging.key })).toMatchObject({
        status: 404,
      });
    }
    expect(await rest.get("/v1/promotions", { key: staging.key })).toMatchObject({ body: { data: [] } });
    const production = await keyOf(world, owner);
    expect(await rest.get("/v1/promotions?state=pending", { key: production.key })).toMatchObject({
      body: { data: [{ id, templates: 1 }], nextCursor: null },
    });
  });

  it("changes the stage of its own environment, and no other's gates", async () => {
    const world = await makePromotionWorld(database);
    const owner = await world.member("owner");
    const staging = await keyOf(world, owner, "staging");
    const gates = { approvals: 0, moderation: false, whatsappApproval: false, testSend: false };
    const put = (key: string, stages: unknown[]) => rest.put("/v1/pipelines/shop", { key, json: { stages } });
    const loosened = [{ environment: "staging" }, { environment: "production", gates }];
    expect(await put(staging.key, loosened)).toMatchObject({
      status: 403,
      body: { code: "environment_mismatch" },
    });
    expect(await put(staging.key, [{ environment: "staging" }])).toMatchObject({ status: 403 });
    expect(
      await put(staging.key, [{ environment: "staging", gates }, { environment: "production" }]),
    ).toMatchObject({
      status: 202,
      body: {
        stages: [{ gates: { moderation: true } }, { environment: "production", gates: { approvals: 1 } }],
        proposal: { stages: [{ gates }, { environment: "production" }], may: { confirm: false } },
      },
    });
    // Production would then be the first stage, where everything saved goes live by itself.
    expect(await put(staging.key, [{ environment: "production" }])).toMatchObject({
      status: 403,
      body: { code: "environment_mismatch" },
    });
    const production = await keyOf(world, owner);
    expect(
      await put(production.key, [{ environment: "production" }, { environment: "staging" }]),
    ).toMatchObject({ status: 403 });
    expect(await put(production.key, loosened)).toMatchObject({
      status: 202,
      body: { proposal: { stages: [{}, { gates }] } },
    });
  });
});

describe("another team's member and another tenant's owner", () => {
  it("see nothing of a promotion: it is as unknown as one that does not exist", async () => {
    const world = await makePromotionWorld(database);
    const ids = await world.addTemplates(1);
    const { id } = await world.promote(ids);
    const colleague = await world.member("owner", world.tenant.units.beta);
    const stranger = (await makePromotionWorld(database)).tenant.as("owner");
    for (const ctx of [colleague, stranger]) {
      for (const named of [id, newId(), "no-uuid"]) {
        for (const work of [
          () => getPromotion(ctx, { id: named }),
          () => approvePromotion(ctx, { id: named }),
          () => rejectPromotion(ctx, { id: named }),
          () => deployPromotion(ctx, { id: named }),
          () => rollBackPromotion(ctx, { id: named, force: true }),
        ]) {
          const refused = await refusal(work());
          expect({ code: refused.code, extra: refused.extra }).toEqual({ code: "not_found", extra: {} });
        }
      }
      expect((await listPromotions(ctx, promotionListQuerySchema.parse({}))).data).toEqual([]);
      expect(
        (await listPromotions(ctx, promotionListQuerySchema.parse({ templateId: ids[0] }))).data,
      ).toEqual([]);
    }
    expect((await refusal(world.promote(ids, {}, colleague))).code).toBe("unknown_application");
    expect((await refusal(getBoard(colleague, boardQuerySchema.parse({ application: "shop" })))).code).toBe(
      "unknown_application",
    );
    expect((await listPipelines(colleague)).data.map(({ application }) => application)).toEqual(["desk"]);
    // A template of another team is unknown, too.
    const [foreign = ""] = await world.addTemplates(1, { applicationId: world.tenant.otherApplication.id });
    expect(await refusal(world.promote([foreign]))).toMatchObject({ errors: [{ code: "unknown_template" }] });
  });

  it("somebody who may read but not approve is told so", async () => {
    const world = await makePromotionWorld(database);
    const ids = await world.addTemplates(1);
    const { id } = await world.promote(ids);
    const auditor = world.tenant.as("auditor");
    expect((await getPromotion(auditor, { id })).may).toEqual({
      decide: false,
      withdraw: false,
      deploy: false,
      rollBack: false,
    });
    for (const work of [
      () => approvePromotion(auditor, { id }),
      () => rejectPromotion(auditor, { id }),
      () => deployPromotion(auditor, { id }),
      () => rollBackPromotion(auditor, { id, force: false }),
      () => world.promote(ids, {}, auditor),
    ]) {
      expect((await refusal(work())).code).toBe("permission_denied");
    }
  });
});
