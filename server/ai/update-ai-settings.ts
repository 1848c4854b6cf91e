import { refuseOutdated } from "../access/revision.ts";
import { changes as changesOf } from "../audit/changes.ts";
import { recordAudit } from "../audit/record-audit.ts";
import type { Ctx } from "../kernel/ctx.ts";
import { inTenant } from "../kernel/db.ts";
import { authorize } from "../operations/authorize.ts";
import { forgetCatalogue } from "../tenancy/catalogue.ts";
import { lockTenantSettings } from "../tenancy/lock-settings.ts";
import { getAiSettings } from "./get-ai-settings.ts";
import { mergeAiSettings } from "./queries.ts";
import { aiSettingsUpdateSchema } from "./schemas.ts";
import type { AiSettings, AiSettingsUpdate } from "./schemas.ts";

/**
 * Changes the given members and leaves the others. Needs settings:manage for the whole tenant; audited. Throws `revision_conflict` when
 * the policy that the change is based on is given, and somebody has changed it since: nothing else keeps the text of theirs.
 */
export async function updateAiSettings(ctx: Ctx, input: AiSettingsUpdate): Promise<AiSettings> {
  authorize(ctx, "settings:manage", {});
  const { expectedPolicy, ...changes } = aiSettingsUpdateSchema.parse(input);
  const { policy, ...others } = changes;
  // As it stands now, not as this process last saw it.
  forgetCatalogue(ctx.tenantId);
  const stood = await getAiSettings(ctx);
  await inTenant(ctx, async (tx) => {
    if (expectedPolicy !== undefined) {
      const tenant = await lockTenantSettings(tx, ctx.tenantId);
      refuseOutdated("the content rules", expectedPolicy, tenant?.settings.ai.policy ?? "");
    }
    await mergeAiSettings(tx, changes);
    await recordAudit(ctx, tx, {
      action: "ai_settings.updated",
      targetType: "tenant",
      targetId: ctx.tenantId,
      // The policy is long, and not for every reader of the audit trail.
      ...changesOf(
        { ...stood, policyCharacters: stood.policy.length },
        { ...others, ...(policy === undefined ? {} : { policyCharacters: policy.length }) },
      ),
    });
  });
  forgetCatalogue(ctx.tenantId);
  return getAiSettings(ctx);
}
