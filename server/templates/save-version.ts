import { recordAudit } from "../audit/record-audit.ts";
import type { Ctx } from "../kernel/ctx.ts";
import type { Tx } from "../kernel/db.ts";
import { moderateTexts, refuseBlocked } from "../moderation/moderate-texts.ts";
import type { ModerationResult } from "../moderation/schemas.ts";
import { checkContent } from "./check-content.ts";
import type { TemplateChannel } from "./metadata.ts";
import { deployVersion, insertVersion } from "./queries.ts";
import { invalidTemplate } from "./render.ts";
import type { CompiledVersion, VersionContent } from "./render.ts";
import type { TemplateCreate } from "./schemas.ts";

/** The content of a request in the form in which versions hold it. */
export function toContent(
  channel: TemplateChannel,
  input: Pick<TemplateCreate, "subject" | "body" | "metadata" | "variables">,
): VersionContent {
  return {
    channel,
    subject: input.subject ?? null,
    body: input.body,
    metadata: input.metadata,
    variables: input.variables,
  };
}

/**
 * Everything that must hold before a version is written: the texts are valid and moderation lets them pass. Throws
 * `invalid_template` or `moderation_blocked`.
 */
export function examineContent(content: VersionContent): ModerationResult {
  const check = checkContent(content);
  if (!check.compiled || check.problems.length > 0) throw invalidTemplate(check.problems);
  const moderation = moderateTexts(moderatedTexts(check.compiled));
  refuseBlocked(moderation);
  return moderation;
}

/** All texts that a recipient may read. */
export function moderatedTexts(compiled: CompiledVersion): { pointer: string; text: string }[] {
  return [...compiled.parts.values()].map(({ pointer, source }) => ({ pointer, text: source }));
}

/** Writes a version and makes it live in the environments, in the caller's transaction. */
export async function saveVersion(
  ctx: Ctx,
  tx: Tx,
  save: {
    templateId: string;
    unitId: string;
    version: number;
    content: VersionContent;
    note: string | null;
    moderation: ModerationResult;
    environmentIds: readonly string[];
    action: "template.created" | "template.updated";
  },
): Promise<void> {
  await insertVersion(tx, {
    tenantId: ctx.tenantId,
    templateId: save.templateId,
    version: save.version,
    content: {
      subject: save.content.subject,
      body: save.content.body,
      metadata: save.content.metadata,
      variables: save.content.variables,
    },
    note: save.note,
    authorId: ctx.actor.id,
    authorName: ctx.actor.name,
    moderation: save.moderation,
    createdAt: ctx.now(),
  });
  await deployVersion(tx, ctx.tenantId, save.templateId, save.version, save.environmentIds, ctx.now());
  await recordAudit(ctx, tx, {
    action: save.action,
    targetType: "template",
    targetId: save.templateId,
    unitId: save.unitId,
    data: {
      version: save.version,
      deployedTo: save.environmentIds,
      checkedBy: save.moderation.checkedBy,
      findings: save.moderation.findings.length,
    },
  });
}
