import { authorize } from "../access/authorize.ts";
import type { Permission } from "../access/permissions.ts";
import { recordAudit } from "../audit/record-audit.ts";
import type { Ctx } from "../kernel/ctx.ts";
import { inTenant } from "../kernel/db.ts";
import { DomainError } from "../kernel/errors.ts";
import { getCatalogue } from "../tenancy/catalogue.ts";
import type { Catalogue } from "../tenancy/catalogue.ts";
import { requireTemplate } from "./present-template.ts";
import { deployVersion, selectVersion } from "./queries.ts";
import type { TemplateRow } from "./queries.ts";
import { forgetLiveTemplates } from "./resolve-template.ts";
import type { TemplateDeployResult } from "./schemas.ts";

/**
 * Makes a version live in one environment of the application: a stage of its pipeline or the sandbox. Needs
 * `templates:write` for the sandbox and the first stage, where saving deploys as well, and `promotions:approve` for the
 * later ones. Throws `environment_mismatch` when the caller is bound to another environment.
 */
export async function deployTemplateVersion(
  ctx: Ctx,
  input: { templateId: string; environment: string; version?: number | undefined },
): Promise<TemplateDeployResult> {
  const row = await requireTemplate(ctx, "templates:read", input.templateId);
  const { environment, permission } = await findStage(ctx, row, input.environment);
  authorizeStage(ctx, permission, row, environment.id);
  if (row.archivedAt) throw new DomainError("conflict", "The template is archived.");
  const version = input.version ?? row.latestVersion;
  if (!(await selectVersion(ctx, row.id, version))) {
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
  const deployedAt = ctx.now();
  const previous = await inTenant(ctx, async (tx) => {
    const before = await deployVersion(tx, ctx.tenantId, row.id, version, [environment.id], deployedAt);
    const previousVersion = before.get(environment.id) ?? null;
    await recordAudit(ctx, tx, {
      action: "template.deployed",
      targetType: "template",
      targetId: row.id,
      unitId: row.unitId,
      environmentId: environment.id,
      data: { name: row.name, version, previousVersion },
    });
    return previousVersion;
  });
  forgetLiveTemplates();
  return {
    templateId: row.id,
    environmentId: environment.id,
    environment: environment.slug,
    version,
    previousVersion: previous,
    disabled: row.deployments.some((known) => known.environmentId === environment.id && known.disabled),
    deployedAt: deployedAt.toISOString(),
  };
}

async function findStage(
  ctx: Ctx,
  row: TemplateRow,
  named: string,
): Promise<{ environment: Catalogue["environments"][number]; permission: Permission }> {
  const catalogue = await getCatalogue(ctx);
  const stages = catalogue.applications.find((entry) => entry.id === row.applicationId)?.stages ?? [];
  const environment = catalogue.environments.find((entry) => entry.id === named || entry.slug === named);
  const position = environment ? stages.indexOf(environment.id) : -1;
  if (!environment || (environment.kind !== "sandbox" && position < 0)) {
    const known = catalogue.environments.filter(
      (entry) => entry.kind === "sandbox" || stages.includes(entry.id),
    );
    throw new DomainError(
      "invalid_request",
      `The application "${row.application}" has no stage of this name.`,
      {
        errors: [
          {
            pointer: "/environment",
            code: "unknown_environment",
            detail: `Its environments are ${known.map((entry) => entry.slug).join(", ")}`,
          },
        ],
      },
    );
  }
  const early = environment.kind === "sandbox" || position === 0;
  return { environment, permission: early ? "templates:write" : "promotions:approve" };
}

/** The caller sees the template, so an environment out of reach is no secret: say that it is the wrong one. */
function authorizeStage(ctx: Ctx, permission: Permission, row: TemplateRow, environmentId: string): void {
  try {
    authorize(ctx, permission, { unitId: row.unitId, applicationId: row.applicationId, environmentId });
  } catch (error) {
    if (!(error instanceof DomainError) || error.code !== "not_found") throw error;
    throw new DomainError(
      "environment_mismatch",
      "The API key belongs to another environment than the one named.",
    );
  }
}
