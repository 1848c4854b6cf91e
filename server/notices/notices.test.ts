import { describe, expect, it } from "vitest";
import type { Ctx } from "../kernel/ctx.ts";
import { approvePromotion } from "../pipelines/approve-promotion.ts";
import { rejectPromotion } from "../pipelines/reject-promotion.ts";
import { rollBackPromotion } from "../pipelines/roll-back-promotion.ts";
import { testDatabase } from "../testing/database.ts";
import { makePromotionWorld, refusal } from "../testing/promotion-world.ts";
import { countOwnUnread, listOwnNotices, markOwnRead } from "./own-notices.ts";

const database = await testDatabase();
const noticesOf = async (ctx: Ctx) =>
  (await listOwnNotices(ctx, { limit: 100 })).data.map(({ kind, targetId, data }) => ({
    kind,
    targetId,
    by: data.by,
  }));

describe("notices of a promotion", () => {
  it("go to everybody else who may approve it there, and to nobody else", async () => {
    const world = await makePromotionWorld(database);
    const { alpha, beta } = world.tenant.units;
    const owner = await world.member("owner");
    const bystanders = [
      await world.member("release_manager", beta),
      await world.member("template_author", alpha),
      await world.member("auditor"),
    ];
    const gone = await world.member("release_manager", alpha);
    await database.owner.query("UPDATE users SET disabled_at = now() WHERE id = $1", [gone.actor.id]);
    const ids = await world.addTemplates(2);
    const { id } = await world.promote(ids, { note: "Not in a notice" }, owner);

    expect(await noticesOf(world.reviewer)).toEqual([
      { kind: "promotion.requested", targetId: id, by: owner.actor.name },
    ]);
    for (const ctx of [owner, gone, ...bystanders]) expect(await noticesOf(ctx)).toEqual([]);
    const [notice] = (await listOwnNotices(world.reviewer, { limit: 10 })).data;
    expect(notice).toMatchObject({
      targetType: "promotion",
      readAt: null,
      data: { application: "shop", from: "staging", to: "production", templates: 2 },
    });
    expect(JSON.stringify(notice)).not.toContain("Not in a notice");
  });

  it("tell the requester what somebody else has decided, not what they did themselves", async () => {
    const world = await makePromotionWorld(database);
    const { author, reviewer } = world;
    const by = reviewer.actor.name;
    const ids = await world.addTemplates(1);
    const first = await world.promote(ids);
    await rejectPromotion(author, { id: first.id });
    expect(await noticesOf(author)).toEqual([]);

    const second = await world.promote(ids);
    await rejectPromotion(reviewer, { id: second.id });
    const third = await world.promote(ids);
    await approvePromotion(reviewer, { id: third.id });
    await rollBackPromotion(reviewer, { id: third.id, force: false });
    const fourth = await world.promote(ids, { automatic: false });
    await approvePromotion(reviewer, { id: fourth.id });
    expect(await noticesOf(author)).toEqual([
      { kind: "promotion.approved", targetId: fourth.id, by },
      { kind: "promotion.rolled_back", targetId: third.id, by },
      { kind: "promotion.deployed", targetId: third.id, by },
      { kind: "promotion.rejected", targetId: second.id, by },
    ]);
  });

  it("are settled once nobody needs to approve any more", async () => {
    const world = await makePromotionWorld(database);
    const second = await world.member("release_manager");
    const [approved = "", rejected = "", waiting = ""] = await world.addTemplates(3);
    const first = await world.promote([approved]);
    const other = await world.promote([rejected]);
    await world.promote([waiting]);
    expect(await countOwnUnread(second)).toEqual({ count: 3 });
    await approvePromotion(world.reviewer, { id: first.id });
    expect(await countOwnUnread(second)).toEqual({ count: 2 });
    await rejectPromotion(world.author, { id: other.id });
    expect(await countOwnUnread(second)).toEqual({ count: 1 });
    expect(await noticesOf(second)).toHaveLength(3);
  });

  it("are not written when the promotion fails", async () => {
    const world = await makePromotionWorld(database);
    const ids = await world.addTemplates(1);
    await world.promote(ids);
    await refusal(world.promote(ids));
    expect(await noticesOf(world.reviewer)).toHaveLength(1);
  });
});

describe("somebody's notices", () => {
  it("are theirs alone: others neither see them nor mark them as read", async () => {
    const world = await makePromotionWorld(database);
    await world.promote(await world.addTemplates(1));
    const { data } = await listOwnNotices(world.reviewer, { limit: 10 });
    const ids = data.map(({ id }) => id);
    const stranger = (await makePromotionWorld(database)).reviewer;
    // The same person's id in another tenant is another person.
    const namesake = { ...stranger, actor: world.reviewer.actor };
    for (const ctx of [world.author, stranger, namesake]) {
      expect(await noticesOf(ctx)).toEqual([]);
      expect(await countOwnUnread(ctx)).toEqual({ count: 0 });
      await markOwnRead(ctx, { ids });
      await markOwnRead(ctx, {});
    }
    expect(await countOwnUnread(world.reviewer)).toEqual({ count: 1 });
    const key = {
      ...world.reviewer,
      actor: { type: "apiKey" as const, id: world.reviewer.actor.id!, name: "key" },
    };
    expect((await refusal(listOwnNotices(key, { limit: 10 }))).code).toBe("permission_denied");
  });

  it("are counted while unread, are marked one by one or all at once, and come in pages", async () => {
    const world = await makePromotionWorld(database);
    for (const id of await world.addTemplates(5)) await world.promote([id]);
    const first = await listOwnNotices(world.reviewer, { limit: 2 });
    const second = await listOwnNotices(world.reviewer, { limit: 2, cursor: first.nextCursor! });
    const third = await listOwnNotices(world.reviewer, { limit: 2, cursor: second.nextCursor! });
    const all = [...first.data, ...second.data, ...third.data].map(({ id }) => id);
    expect(third.nextCursor).toBeNull();
    expect(new Set(all).size).toBe(5);
    expect(all).toEqual(all.toSorted().toReversed());
    expect(await countOwnUnread(world.reviewer)).toEqual({ count: 5 });
    expect(await markOwnRead(world.reviewer, { ids: all.slice(0, 2) })).toEqual({ unread: 3 });
    expect(await markOwnRead(world.reviewer, {})).toEqual({ unread: 0 });
    const read = await listOwnNotices(world.reviewer, { limit: 10 });
    expect(read.data.every(({ readAt }) => readAt !== null)).toBe(true);
  });
});
