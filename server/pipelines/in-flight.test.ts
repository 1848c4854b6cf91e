import { describe, expect, it } from "vitest";
import { newId } from "../kernel/ids.ts";
import { templateUpdateSchema } from "../templates/schemas.ts";
import { updateTemplate } from "../templates/update-template.ts";
import { testDatabase } from "../testing/database.ts";
import { makeSendingWorld } from "../testing/sending-world.ts";
import { approvePromotion } from "./approve-promotion.ts";
import { createPromotion } from "./create-promotion.ts";
import { rollBackPromotion } from "./roll-back-promotion.ts";

const database = await testDatabase();

describe("a send in flight during a promotion", () => {
  it("uses one version or the other in all of its channels, never a mix, and keeps the one that it was accepted with", async () => {
    const world = await makeSendingWorld(database, { settings: { ai: { allowWithoutAi: true } } });
    const { tenant } = world;
    await tenant.addSimulator();
    const { rows: templates } = await database.owner.query<{ id: string; channel: string }>(
      "SELECT id, channel FROM templates WHERE tenant_id = $1 AND notification_type = 'order' ORDER BY id",
      [tenant.tenantId],
    );
    expect(templates).toHaveLength(2);
    for (const { id, channel } of templates) {
      const next = templateUpdateSchema.parse({
        ...(channel === "email" ? { subject: "Second" } : {}),
        body: "Second {{ code }}",
        variables: [{ name: "code" }],
      });
      await updateTemplate(tenant.system, { ...next, id });
    }
    const recipients = [
      { channel: "sms" as const, recipient: "+4915112345678" },
      { channel: "email" as const, recipient: "ada@example.com" },
    ];
    const author = tenant.as("template_author");
    const reviewer = tenant.as("release_manager");

    const flipping = { done: false };
    const flips = (async () => {
      for (let flip = 0; flip < 6; flip++) {
        const { id } = await createPromotion(author, {
          application: "shop",
          to: "production",
          templates: templates.map((template) => ({ templateId: template.id })),
          automatic: true,
        });
        await approvePromotion(reviewer, { id });
        // Besides the continuous sends: one that must find the new versions, and one the old ones.
        await world.send({ recipients, transactionId: newId() });
        await rollBackPromotion(reviewer, { id, force: false });
        await world.send({ recipients, transactionId: newId() });
      }
    })().finally(() => (flipping.done = true));
    const sender = async (): Promise<void> => {
      for (let sent = 0; sent < 40 && !flipping.done; sent++) {
        await world.send({ recipients, transactionId: newId() });
      }
    };
    await Promise.all([flips, ...Array.from({ length: 4 }, sender)]);

    const requests = async () =>
      (
        await database.owner.query<{ versions: number[]; count: number }>(
          `SELECT array_agg(DISTINCT template_version) AS versions, count(*)::int AS count FROM notifications
           WHERE tenant_id = $1 GROUP BY request_id`,
          [tenant.tenantId],
        )
      ).rows;
    const accepted = await requests();
    expect(accepted.length).toBeGreaterThan(10);
    for (const { versions, count } of accepted) expect([versions.length, count]).toEqual([1, 2]);
    expect(new Set(accepted.flatMap(({ versions }) => versions))).toEqual(new Set([1, 2]));

    // Delivered after the last rollback: still what it was accepted with.
    const before = await database.owner.query(
      "SELECT id, template_version FROM notifications WHERE tenant_id = $1 ORDER BY id",
      [tenant.tenantId],
    );
    await world.runJobs();
    const after = await database.owner.query(
      "SELECT id, template_version FROM notifications WHERE tenant_id = $1 ORDER BY id",
      [tenant.tenantId],
    );
    expect(after.rows).toEqual(before.rows);
  });
});
