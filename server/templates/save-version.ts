import { recordAudit } from "../audit/record-audit.ts";
import type { ModerationResult } from "../content-checks/schemas.ts";
import type { Channel } from "../kernel/channel.ts";
import type { Ctx } from "../kernel/ctx.ts";
import type { Tx } from "../kernel/db.ts";
import { moderateTexts, refuseBlocked } from "../moderation/moderate-texts.ts";
import { examineTexts } from "../rendering/render-pool.ts";
import { invalidTemplate } from "../template-language/render.ts";
import type { VersionContent } from "../template-language/render.ts";
import type { Provenance } from "./provenance.ts";
import { putLive } from "./put-live.ts";
import { insertVersion } from "./queries.ts";
import type { TemplateCreate } from "./schemas.ts";
import { recordApproval } from "./whatsapp-approvals.ts";

/** A request's content in the form of versions. */
export function toContent(
  channel: Channel,
  input: Pick<TemplateCreate, "subject" | "body" | "metadata" | "variables">,
): VersionContent {
  return {
    channel,
    subject: input.subject ?? null,
    body: input.body,
    metadata: input.metadata,
    variables: input.variables,
    compiledBody: null,
  };
}

/** How long the checks of a save may wait for their turn, ms. */
const savePatienceMs = 10_000;

/** A content that may be saved: checked, compiled if it is MJML, and moderated. */
export interface ExaminedContent {
  content: VersionContent;
  moderation: ModerationResult;
}

/** The purpose of the texts, for moderation. */
type ContentPurpose = {
  application: string;
  notificationType: string;
  language: string | null;
  templateId?: string | undefined;
};

/**
 * Checks everything before a version is written: the texts are valid and moderation accepts them. Calls the AI service
 * where there is one, so call it outside a transaction. Throws `invalid_template`, `moderation_blocked` or
 * `moderation_unavailable`.
 */
export async function examineContent(
  ctx: Ctx,
  content: VersionContent,
  about: ContentPurpose,
): Promise<ExaminedContent> {
  const examined = await moderateContent(ctx, content, about);
  refuseBlocked(examined.moderation);
  return examined;
}

/** As examineContent, but a block by moderation is a result, not an error. */
export async function moderateContent(
  ctx: Ctx,
  content: VersionContent,
  about: ContentPurpose,
): Promise<ExaminedContent> {
  const check = await examineTexts(ctx.tenantId, content, {
    patienceMs: savePatienceMs,
    language: about.language,
  });
  if (!check.content || check.problems.length > 0) throw invalidTemplate(check.problems);
  const moderation = await moderateTexts(ctx, check, {
    ...about,
    channel: content.channel,
    variables: content.variables.map(({ name }) => name),
  });
  return { content: check.content, moderation };
}

/** Writes a version and makes it live in the environments, in the caller's transaction. */
export async function saveVersion(
  ctx: Ctx,
  tx: Tx,
  save: {
    templateId: string;
    /** Of the template. */
    name: string;
    applicationId: string;
    unitId: string;
    version: number;
    examined: ExaminedContent;
    note: string | null;
    provenance: Provenance;
    environmentIds: readonly string[];
    action: "template.created" | "template.updated";
  },
): Promise<void> {
  const { content, moderation } = save.examined;
  const template = { id: save.templateId, unitId: save.unitId };
  await insertVersion(tx, {
    tenantId: ctx.tenantId,
    templateId: save.templateId,
    version: save.version,
    content: { ...content, metadata: await recordApproval(ctx, tx, template, content) },
    note: save.note,
    authorId: ctx.actor.id,
    authorName: ctx.actor.name,
    moderation,
    provenance: save.provenance,
    createdAt: ctx.now(),
  });
  await putLive(ctx, tx, { ...save, at: ctx.now() });
  await recordAudit(ctx, tx, {
    action: save.action,
    targetType: "template",
    targetId: save.templateId,
    unitId: save.unitId,
    ...(save.version > 1 ? { before: { version: save.version - 1 } } : {}),
    after: { version: save.version },
    data: {
      name: save.name,
      deployedTo: save.environmentIds,
      checkedBy: moderation.checkedBy,
      findings: moderation.findings.length,
      provenance: save.provenance.kind,
      ...(save.provenance.model === null ? {} : { model: save.provenance.model }),
    },
  });
}
