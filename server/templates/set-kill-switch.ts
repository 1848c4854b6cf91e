import { recordAudit } from "../audit/record-audit.ts";
import type { Ctx } from "../kernel/ctx.ts";
import { inTenant } from "../kernel/db.ts";
import { DomainError } from "../kernel/errors.ts";
import { getCatalogue } from "../tenancy/catalogue.ts";
import { requireEnvironment } from "../tenancy/unknown-names.ts";
import { requireTemplate, toDeployment } from "./present-template.ts";
import { forgetLiveTemplates } from "./resolve-template.ts";
import type { KillSwitch, KillSwitchResult } from "./schemas.ts";
import { authorizeInEnvironment } from "./template-access.ts";

/**
 * Disables or enables a template in one environment, whatever version is live there: in this process at once, in the
 * others within a second. Promotions leave the switch as it is. Needs promotions:approve there. Throws `conflict` when
 * nothing of the template is live there, and `environment_mismatch` for a key of another environment.
 */
export async function setKillSwitch(ctx: Ctx, input: KillSwitch & { id: string }): Promise<KillSwitchResult> {
  const row = await requireTemplate(ctx, "templates:read", input.id);
  const environment = requireEnvironment(await getCatalogue(ctx), input.environment);
  authorizeInEnvironment(ctx, "promotions:approve", {
    unitId: row.unitId,
    applicationId: row.applicationId,
    environmentId: environment.id,
  });
  const reason = input.reason || null;
  const deployment = await inTenant(ctx, async (tx) => {
    const key = { tenantId: ctx.tenantId, templateId: row.id, environmentId: environment.id };
    const was = await tx.templateDeployment.findUnique({
      where: { tenantId_templateId_environmentId: key },
    });
    // Switched already, and for the same reason: there is nothing to do, and nothing to tell.
    if (was?.disabled === input.disabled && was.disabledReason === (input.disabled ? reason : null)) {
      return was;
    }
    const { count } = await tx.templateDeployment.updateMany({
      where: key,
      data: {
        disabled: input.disabled,
        disabledAt: input.disabled ? ctx.now() : null,
        disabledBy: input.disabled ? ctx.actor.name : null,
        disabledReason: input.disabled ? reason : null,
      },
    });
    if (count === 0) {
      throw new DomainError(
        "conflict",
        `The template is not live in ${environment.slug}: there is nothing to switch.`,
      );
    }
    const stored = await tx.templateDeployment.findUniqueOrThrow({
      where: { tenantId_templateId_environmentId: key },
    });
    await recordAudit(ctx, tx, {
      action: input.disabled ? "template.disabled" : "template.enabled",
      targetType: "template",
      targetId: row.id,
      unitId: row.unitId,
      environmentId: environment.id,
      data: { name: row.name, version: stored.version, reason },
      before: { disabled: was?.disabled ?? false },
      after: { disabled: input.disabled },
    });
    return stored;
  });
  forgetLiveTemplates();
  return {
    templateId: row.id,
    ...toDeployment({
      environmentId: environment.id,
      environment: environment.slug,
      version: deployment.version,
      disabled: deployment.disabled,
      disabledAt: deployment.disabledAt?.toISOString() ?? null,
      disabledBy: deployment.disabledBy,
      disabledReason: deployment.disabledReason,
      deployedAt: deployment.deployedAt.toISOString(),
    }),
  };
}
