import { describe, expect, it } from "vitest";
import { logger } from "../kernel/log.ts";
import { listOwnNotices } from "../notices/own-notices.ts";
import { testDatabase } from "../testing/database.ts";
import { makePromotionWorld } from "../testing/promotion-world.ts";
import type { PromotionWorld } from "../testing/promotion-world.ts";
import { approvePromotion } from "./approve-promotion.ts";
import { deployPassed } from "./deploy-passed.ts";
import { getPromotion } from "./get-promotion.ts";
import { selectApproved } from "./promotion-queries.ts";
import { rollBackPromotion } from "./roll-back-promotion.ts";

const database = await testDatabase();
const look = () => deployPassed({ db: database.worker, log: logger() });

/** What WhatsApp says of the template `shipped`. */
const decide = (world: PromotionWorld, templateId: string, status: string) =>
  database.owner.query(
    `INSERT INTO whatsapp_approvals (tenant_id, template_id, template_name, language, status, source, updated_by, updated_at)
     VALUES ($1, $2, 'shipped', 'en_GB', $3, 'manual', 'Test', now())`,
    [world.tenantId, templateId, status],
  );

/** A template that WhatsApp has not decided on, in its next version. */
async function undecided(world: PromotionWorld): Promise<string> {
  const [id = ""] = await world.addTemplates(1, {
    channel: "whatsapp",
    environments: ["staging", "production"],
  });
  await world.save([id], { metadata: { templateName: "shipped", language: "en_GB" } });
  return id;
}

const told = async (ctx: PromotionWorld["author"]) =>
  (await listOwnNotices(ctx, { limit: 10 })).data.map(({ kind, targetId }) => [kind, targetId]);

describe("an automatic promotion whose last gate passes after the approvals", () => {
  it("is deployed by itself, and its requester is told", async () => {
    const world = await makePromotionWorld(database);
    const template = await undecided(world);
    const { id } = await world.promote([template]);
    await look();
    expect(await getPromotion(world.author, { id })).toMatchObject({ state: "pending" });
    await approvePromotion(world.reviewer, { id });
    await look();
    expect(await getPromotion(world.author, { id })).toMatchObject({ state: "approved" });

    await decide(world, template, "approved");
    expect(await look()).toBe(1);
    expect(await getPromotion(world.author, { id })).toMatchObject({
      state: "deployed",
      deployedBy: "Automatic deployment",
    });
    expect(await world.live("production", [template])).toMatchObject({
      [template]: { version: 2, promotionId: id },
    });
    expect((await told(world.author))[0]).toEqual(["promotion.deployed", id]);
    expect(await look()).toBe(0);
  });

  it("also where the gates ask for nobody, and not where a person wants to deploy it", async () => {
    const world = await makePromotionWorld(database);
    await world.setGates("production", { approvals: 0 });
    const [first, second] = [await undecided(world), await undecided(world)];
    const automatic = await world.promote([first]);
    const manual = await world.promote([second], { automatic: false });
    for (const template of [first, second]) await decide(world, template, "approved");
    expect(await look()).toBe(1);
    expect(await getPromotion(world.author, { id: automatic.id })).toMatchObject({ state: "deployed" });
    expect(await getPromotion(world.author, { id: manual.id })).toMatchObject({
      state: "approved",
      may: { deploy: true },
    });
  });

  it("waits while somebody who approved it may not sign in", async () => {
    const world = await makePromotionWorld(database);
    const template = await undecided(world);
    const { id } = await world.promote([template]);
    await approvePromotion(world.reviewer, { id });
    await decide(world, template, "approved");
    const suspend = (at: string) =>
      database.owner.query(`UPDATE users SET disabled_at = ${at} WHERE id = $1`, [world.reviewer.actor.id]);
    await suspend("now()");
    expect(await look()).toBe(0);
    await suspend("NULL");
    expect(await look()).toBe(1);
  });

  it("gets its turn however many of another organisation wait", async () => {
    const [flood, other] = [await makePromotionWorld(database), await makePromotionWorld(database)];
    for (const world of [flood, other]) {
      await world.setGates("production", { approvals: 0, testSend: true });
      const ids = await world.addTemplates(world === flood ? 12 : 1);
      for (const templateId of ids) await world.promote([templateId]);
    }
    for (let run = 0; run < 4; run += 1) {
      const chosen = (await selectApproved(database.worker, 10_000)).map(({ tenantId }) => tenantId);
      const organisations = new Set(chosen).size;
      expect(new Set(chosen.slice(0, organisations)).size).toBe(organisations);
      expect(chosen).toContain(other.tenantId);
    }
  });

  it("is left to people when its stage has changed since, and its requester is told once", async () => {
    const world = await makePromotionWorld(database);
    const template = await undecided(world);
    await decide(world, template, "approved");
    const earlier = await world.promote([template]);
    await approvePromotion(world.reviewer, { id: earlier.id });
    await world.save([template], { metadata: { templateName: "shipped", language: "de" } });
    const { id } = await world.promote([template]);
    await approvePromotion(world.reviewer, { id });
    await rollBackPromotion(world.reviewer, { id: earlier.id, force: false });
    await database.owner.query("UPDATE whatsapp_approvals SET language = 'de' WHERE tenant_id = $1", [
      world.tenantId,
    ]);
    for (let run = 0; run < 2; run += 1) expect(await look()).toBe(0);
    expect(await getPromotion(world.author, { id })).toMatchObject({ state: "approved", automatic: false });
    expect((await told(world.author)).filter(([kind]) => kind === "promotion.blocked")).toEqual([
      ["promotion.blocked", id],
    ]);
    expect(await world.live("production", [template])).toMatchObject({ [template]: { version: 1 } });
  });
});
