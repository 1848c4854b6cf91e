import { recordAudit } from "../audit/record-audit.ts";
import type { Ctx } from "../kernel/ctx.ts";
import { inTenant } from "../kernel/db.ts";
import { audienceTaken, isUniqueViolation, nameTaken } from "./create-template.ts";
import { presentTemplate, requireTemplate } from "./present-template.ts";
import { findByAudience, findOtherMeaning } from "./queries.ts";
import type { Audience } from "./queries.ts";
import { forgetLiveTemplates } from "./resolve-template.ts";
import type { Template } from "./schemas.ts";
import { authorizeEverywhere, authorizeLaterStages } from "./template-access.ts";

/**
 * Restores an archived template, live again exactly where it was, with the versions and kill switches that it had.
 * Throws `template_exists` when another one serves its audience by now, or its name means something else, and
 * `environment_mismatch` or `permission_denied` as archiveTemplate does. Restoring twice changes nothing.
 */
export async function restoreTemplate(ctx: Ctx, input: { id: string }): Promise<Template> {
  const row = await requireTemplate(ctx, "templates:write", input.id);
  await authorizeEverywhere(ctx, "templates:write", row);
  await authorizeLaterStages(ctx, row);
  const audience: Audience = {
    applicationId: row.applicationId,
    notificationType: row.notificationType,
    notificationSubtype: row.notificationSubtype,
    channel: row.channel,
    region: row.region,
    language: row.language,
    provider: row.provider,
  };
  try {
    await inTenant(ctx, async (tx) => {
      const other = await findOtherMeaning(tx, ctx.tenantId, row.name, audience);
      if (other) throw nameTaken(row.name, other);
      const existing = await findByAudience(tx, ctx.tenantId, audience);
      if (existing && existing.id !== row.id) throw audienceTaken(existing);
      const { count } = await tx.template.updateMany({
        where: { tenantId: ctx.tenantId, id: row.id, NOT: { archivedAt: null } },
        data: { archivedAt: null, updatedAt: ctx.now() },
      });
      if (count === 0) return;
      await recordAudit(ctx, tx, {
        action: "template.restored",
        targetType: "template",
        targetId: row.id,
        unitId: row.unitId,
        before: { archived: true },
        after: { archived: false },
        data: { name: row.name, liveIn: row.deployments.map((deployment) => deployment.environment) },
      });
    });
  } catch (error) {
    // Somebody created or restored another one for the audience at the same moment.
    if (!isUniqueViolation(error)) throw error;
    const existing = await inTenant(ctx, (tx) => findByAudience(tx, ctx.tenantId, audience));
    throw existing && existing.id !== row.id ? audienceTaken(existing) : error;
  }
  forgetLiveTemplates();
  return presentTemplate(ctx, await requireTemplate(ctx, "templates:write", row.id));
}
