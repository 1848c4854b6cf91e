import type { Ctx } from "../kernel/ctx.ts";
import { canonicalJson } from "../kernel/canonical-json.ts";
import { inTenant } from "../kernel/db.ts";
import { DomainError, notFound } from "../kernel/errors.ts";
import { getCatalogue } from "../tenancy/catalogue.ts";
import { presentTemplate, requireTemplate } from "./present-template.ts";
import { provenanceOf } from "./provenance.ts";
import { selectVersion, takeNextVersion } from "./queries.ts";
import type { StoredVersionContent, TemplateRow } from "./queries.ts";
import { refuseForeignSender } from "./refuse-foreign-sender.ts";
import { requireAiCheck } from "./require-ai-check.ts";
import { forgetLiveTemplates } from "./resolve-template.ts";
import { examineContent, saveVersion, toContent } from "./save-version.ts";
import type { ExaminedContent } from "./save-version.ts";
import type { Template, TemplateUpdate } from "./schemas.ts";
import { savedInto } from "./template-access.ts";
import { refuseApprovalFromSandbox } from "./whatsapp-approvals.ts";

const audienceMembers = [
  "application",
  "name",
  "notificationType",
  "notificationSubtype",
  "channel",
  "region",
  "language",
  "provider",
] as const;

/**
 * Creates the next version of a template; earlier ones stay as they are. None when nothing would change: the content is that of the
 * latest version, checked as well as now, live wherever a save makes it live and not said to be written by another hand; a note alone makes none. Throws `conflict` when `expectedVersion` is
 * not the latest or the template is archived, and what createTemplate throws for the content.
 */
export async function updateTemplate(ctx: Ctx, input: TemplateUpdate & { id: string }): Promise<Template> {
  const row = await requireTemplate(ctx, "templates:write", input.id);
  refuseOtherAudience(row, input);
  refuseStale(row, input.expectedVersion);
  const content = toContent(row.channel, input);
  await refuseForeignSender(ctx, content, row.unitId);
  const examined = await examineContent(ctx, content, {
    application: row.application,
    notificationType: row.notificationType,
    language: row.language,
    templateId: row.id,
  });
  const latest = await selectVersion(ctx, row.id, row.latestVersion);
  const provenance = provenanceOf(ctx, input.provenance, latest);
  const catalogue = await getCatalogue(ctx);
  const application = catalogue.applications.find((entry) => entry.id === row.applicationId);
  if (!application) throw notFound();
  const environmentIds = savedInto(ctx, catalogue, application);
  requireAiCheck(catalogue, environmentIds, examined.moderation);
  refuseApprovalFromSandbox(content.metadata, application, environmentIds);
  if (latest && changesNothing(row, latest, examined, environmentIds, input.provenance)) {
    return presentTemplate(ctx, row);
  }
  await inTenant(ctx, async (tx) => {
    const version = await takeNextVersion(tx, ctx.tenantId, row.id, ctx.now(), input.expectedVersion);
    if (version === null)
      throw new DomainError("conflict", "Someone else saved this template in the meantime.");
    await saveVersion(ctx, tx, {
      templateId: row.id,
      name: row.name,
      applicationId: row.applicationId,
      unitId: row.unitId,
      version,
      examined,
      note: input.note ?? null,
      provenance,
      environmentIds,
      action: "template.updated",
    });
  });
  forgetLiveTemplates();
  return presentTemplate(ctx, await requireTemplate(ctx, "templates:write", row.id));
}

function changesNothing(
  row: TemplateRow,
  latest: StoredVersionContent,
  { content, moderation }: ExaminedContent,
  environmentIds: readonly string[],
  said: TemplateUpdate["provenance"],
): boolean {
  const isLive = (id: string) =>
    row.deployments.some(
      ({ environmentId, version }) => environmentId === id && version === row.latestVersion,
    );
  // What says how an approval stands is kept beside the versions.
  if ("approvalStatus" in content.metadata || !environmentIds.every(isLive)) return false;
  const { kind, model } = latest.provenance;
  if (said && said.kind !== "human" && (said.kind !== kind || (said.model ?? null) !== model)) return false;
  return (
    moderation.checkedBy.every((by) => latest.moderation.checkedBy.includes(by)) &&
    (["subject", "body", "metadata", "variables", "compiledBody"] as const).every(
      (member) => canonicalJson(content[member]) === canonicalJson(latest[member]),
    )
  );
}

function refuseOtherAudience(row: TemplateRow, input: TemplateUpdate): void {
  const changed = audienceMembers.filter(
    (member) => input[member] !== undefined && input[member] !== row[member],
  );
  if (changed.length === 0) return;
  throw new DomainError(
    "invalid_request",
    "What a template is for cannot change; create another template for that.",
    {
      errors: changed.map((member) => ({
        pointer: `/${member}`,
        code: "immutable",
        detail: `This is ${JSON.stringify(row[member])}`,
      })),
    },
  );
}

function refuseStale(row: TemplateRow, expected: number | undefined): void {
  if (row.archivedAt) throw new DomainError("conflict", "The template is archived.");
  if (expected !== undefined && expected !== row.latestVersion) {
    throw new DomainError(
      "conflict",
      `The latest version is ${String(row.latestVersion)}, not ${String(expected)}: somebody else saved this template in the meantime.`,
      { extra: { latestVersion: row.latestVersion } },
    );
  }
}
