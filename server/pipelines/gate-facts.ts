import type { Ctx } from "../kernel/ctx.ts";
import { testedVersions } from "../sending/template-tests.ts";
import { approvalsOf } from "../templates/whatsapp-approvals.ts";
import { getCatalogue } from "../tenancy/catalogue.ts";
import type { GatedVersion, GateFacts } from "./gates.ts";

/**
 * Facts for the gates of a stage, for all versions of a promotion in two statements. Versions are immutable, so this
 * may be read before the deciding transaction.
 */
export async function loadGateFacts(
  ctx: Ctx,
  toEnvironmentId: string,
  versions: readonly GatedVersion[],
): Promise<GateFacts> {
  const [{ tenant, environments, notificationTypes }, whatsapp, tested] = await Promise.all([
    getCatalogue(ctx),
    approvalsOf(
      ctx,
      versions.flatMap(({ templateId, templateName, templateLanguage }) =>
        templateName === null ? [] : [{ templateId, templateName, language: templateLanguage }],
      ),
    ),
    testedVersions(ctx, versions),
  ]);
  return {
    versions,
    // Unknown is treated as the stricter kind.
    production: environments.find(({ id }) => id === toEnvironmentId)?.kind !== "nonproduction",
    allowWithoutAi: tenant.settings.ai.allowWithoutAi,
    whatsapp,
    isMarketing: ({ notificationType }) =>
      notificationTypes.some(({ type, class: of }) => type === notificationType && of === "marketing"),
    tested,
  };
}
