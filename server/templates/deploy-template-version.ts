import { recordAudit } from "../audit/record-audit.ts";
import type { Ctx } from "../kernel/ctx.ts";
import { inTenant } from "../kernel/db.ts";
import { DomainError } from "../kernel/errors.ts";
import { getCatalogue } from "../tenancy/catalogue.ts";
import { requireEnvironmentOf } from "../tenancy/unknown-names.ts";
import type { Catalogue } from "../tenancy/catalogue.ts";
import { requireTemplate } from "./present-template.ts";
import { putLive } from "./put-live.ts";
import { selectVersion } from "./queries.ts";
import type { TemplateRow } from "./queries.ts";
import { requireAiCheck } from "./require-ai-check.ts";
import { forgetLiveTemplates } from "./resolve-template.ts";
import type { TemplateDeployResult } from "./schemas.ts";
import { authorizeInEnvironment } from "./template-access.ts";

/**
 * Makes a version live where saving does as well: in the first stage of the application's pipeline or in the sandbox.
 * Needs `templates:write` there. Throws `environment_mismatch` when the caller is bound to another environment, and
 * `conflict` for a later stage, which versions reach only by promotion, and for a version that production never
 * accepts.
 */
export async function deployTemplateVersion(
  ctx: Ctx,
  input: { templateId: string; environment: string; version?: number | undefined },
): Promise<TemplateDeployResult> {
  const row = await requireTemplate(ctx, "templates:read", input.templateId);
  const environment = await findStage(ctx, row, input.environment);
  const place = { unitId: row.unitId, applicationId: row.applicationId, environmentId: environment.id };
  authorizeInEnvironment(ctx, "templates:write", place);
  if (environment.later) {
    throw new DomainError(
      "conflict",
      `Versions reach ${environment.slug} by promotion from the stage before it: POST /v1/promotions.`,
    );
  }
  if (row.archivedAt) throw new DomainError("conflict", "The template is archived.");
  const version = input.version ?? row.latestVersion;
  const stored = await selectVersion(ctx, row.id, version);
  if (!stored) {
    throw new DomainError("invalid_request", `The template has no version ${String(version)}.`, {
      errors: [
        {
          pointer: "/version",
          code: "unknown_version",
          detail: `The latest version is ${String(row.latestVersion)}`,
        },
      ],
    });
  }
  requireAiCheck(await getCatalogue(ctx), [environment.id], stored.moderation);
  const deployedAt = ctx.now();
  const previous = await inTenant(ctx, async (tx) => {
    const before = await putLive(ctx, tx, {
      applicationId: row.applicationId,
      templateId: row.id,
      version,
      environmentIds: [environment.id],
      at: deployedAt,
    });
    const previousVersion = before.get(environment.id) ?? null;
    await recordAudit(ctx, tx, {
      action: "template.deployed",
      targetType: "template",
      targetId: row.id,
      unitId: row.unitId,
      environmentId: environment.id,
      data: { name: row.name },
      before: { version: previousVersion },
      after: { version },
    });
    return previousVersion;
  });
  forgetLiveTemplates();
  const known = row.deployments.find(({ environmentId }) => environmentId === environment.id);
  return {
    templateId: row.id,
    environmentId: environment.id,
    environment: environment.slug,
    version,
    previousVersion: previous,
    disabled: known?.disabled ?? false,
    disabledAt: known?.disabledAt ? new Date(known.disabledAt).toISOString() : null,
    disabledBy: known?.disabledBy ?? null,
    disabledReason: known?.disabledReason ?? null,
    deployedAt: deployedAt.toISOString(),
  };
}

async function findStage(
  ctx: Ctx,
  row: TemplateRow,
  named: string,
): Promise<Catalogue["environments"][number] & { later: boolean }> {
  const catalogue = await getCatalogue(ctx);
  const stages = catalogue.applications.find((entry) => entry.id === row.applicationId)?.stages ?? [];
  const environment = requireEnvironmentOf(catalogue, { name: row.application, stages }, named);
  return { ...environment, later: stages.indexOf(environment.id) > 0 };
}
