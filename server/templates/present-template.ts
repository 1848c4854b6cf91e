import type { Ctx } from "../kernel/ctx.ts";
import { notFound } from "../kernel/errors.ts";
import { isUuid } from "../kernel/ids.ts";
import type { Permission } from "../operations/permissions.ts";
import { hasSaved } from "./provenance.ts";
import { selectTemplate, selectVersion } from "./queries.ts";
import type { StoredVersionContent, TemplateRow } from "./queries.ts";
import type { Template, TemplateDeployment, TemplateSummary } from "./schemas.ts";
import { authorizeTemplates, mayWithTemplates } from "./template-access.ts";
import { approvalOf } from "./whatsapp-approvals.ts";

/** A template row as answers present it. */
export function toSummary(row: TemplateRow): TemplateSummary {
  const { unitId: _unit, ...facts } = row;
  return {
    ...facts,
    versions: row.versions.map((version) => ({
      ...version,
      checkedBy: version.checkedBy ?? [],
      findings: version.findings ?? 0,
      createdAt: new Date(version.createdAt).toISOString(),
    })),
    deployments: row.deployments.map(toDeployment),
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
    archivedAt: row.archivedAt?.toISOString() ?? null,
  };
}

/** A deployment as answers present it. */
export function toDeployment(deployment: TemplateRow["deployments"][number]): TemplateDeployment {
  return {
    ...deployment,
    disabledAt: deployment.disabledAt === null ? null : new Date(deployment.disabledAt).toISOString(),
    deployedAt: new Date(deployment.deployedAt).toISOString(),
  };
}

/** The row of a template for which the actor holds the permission; otherwise `not_found` or `permission_denied`. */
export async function requireTemplate(ctx: Ctx, permission: Permission, id: string): Promise<TemplateRow> {
  const row = isUuid(id) ? await selectTemplate(ctx, id) : undefined;
  if (!row) throw notFound();
  authorizeTemplates(ctx, permission, row);
  return row;
}

/** A template with the content of one version, by default the latest; `not_found` for an unknown version. */
export async function presentTemplate(
  ctx: Ctx,
  row: TemplateRow,
  version = row.latestVersion,
): Promise<Template> {
  const content = await selectVersion(ctx, row.id, version);
  if (!content) throw notFound();
  return {
    ...toSummary(row),
    version,
    subject: content.subject,
    body: content.body,
    metadata: { ...content.metadata },
    variables: content.variables,
    note: content.note,
    moderation: content.moderation,
    provenance: content.provenance,
    review: content.review,
    whatsappApproval: await approvalOf(ctx, row.id, content),
    may: { review: await mayReview(ctx, row, content) },
  };
}

/** As reviewVersion decides. */
async function mayReview(
  ctx: Ctx,
  row: TemplateRow,
  { provenance, review, authorId }: StoredVersionContent,
): Promise<boolean> {
  if (provenance.kind === "human" || review !== null || ctx.actor.type !== "user") return false;
  return mayWithTemplates(ctx, "promotions:approve", row) && !(await hasSaved(ctx, authorId));
}
