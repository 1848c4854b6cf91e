import { recordAudit } from "../audit/record-audit.ts";
import type { Ctx } from "../kernel/ctx.ts";
import { inTenant } from "../kernel/db.ts";
import { presentTemplate, requireTemplate } from "./present-template.ts";
import { refuseOpenPromotion } from "./refuse-open-promotion.ts";
import { forgetLiveTemplates } from "./resolve-template.ts";
import type { Template } from "./schemas.ts";
import { authorizeEverywhere, authorizeLaterStages } from "./template-access.ts";

/**
 * Archives a template everywhere; its versions stay for the messages that were made from them. Its audience is free
 * again. Archiving twice changes nothing. Throws `conflict` while a promotion is about to move it, and
 * `environment_mismatch` for a key when it is live in an environment that matters more than the key's own. Where it is
 * live in a later stage of its pipeline this needs promotions:approve there as well, like the kill switch.
 */
export async function archiveTemplate(ctx: Ctx, input: { id: string }): Promise<Template> {
  const row = await requireTemplate(ctx, "templates:write", input.id);
  await authorizeEverywhere(ctx, "templates:write", row);
  await authorizeLaterStages(ctx, row);
  await inTenant(ctx, async (tx) => {
    const { count } = await tx.template.updateMany({
      where: { tenantId: ctx.tenantId, id: row.id, archivedAt: null },
      data: { archivedAt: ctx.now(), updatedAt: ctx.now() },
    });
    if (count === 0) return;
    // After the update, which locks the row. A promotion that is requested at this very moment may still name the
    // template; it is refused when it would be deployed.
    await refuseOpenPromotion(tx, ctx.tenantId, row.id);
    await recordAudit(ctx, tx, {
      action: "template.archived",
      targetType: "template",
      targetId: row.id,
      unitId: row.unitId,
      before: { archived: false },
      after: { archived: true },
      data: { name: row.name, liveIn: row.deployments.map((deployment) => deployment.environment) },
    });
  });
  forgetLiveTemplates();
  return presentTemplate(ctx, await requireTemplate(ctx, "templates:write", row.id));
}
