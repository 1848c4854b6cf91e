import { recordAudit } from "../audit/record-audit.ts";
import { checkTexts } from "../content-checks/checks.ts";
import type { Channel } from "../kernel/channel.ts";
import type { Ctx } from "../kernel/ctx.ts";
import type { Tx } from "../kernel/db.ts";
import { newId } from "../kernel/ids.ts";
import { moderatedTexts } from "../rendering/moderated-texts.ts";
import { checkContent } from "../template-language/check-content.ts";
import type { ContentCheck } from "../template-language/check-content.ts";
import type { TemplateMetadata } from "../template-language/metadata.ts";
import type { CompiledVersion, VersionContent } from "../template-language/render.ts";
import type { VariableDeclaration } from "../template-language/variables.ts";
import { deployVersion, insertVersion } from "./queries.ts";

/** A text that comes with the product. */
export interface FirstTemplate {
  name: string;
  notificationType: string;
  notificationSubtype: string;
  channel: Channel;
  language: string;
  subject: string | null;
  body: string;
  metadata: TemplateMetadata;
  variables: VariableDeclaration[];
}

/** A first text that was checked and compiled. */
export type CheckedTemplate = FirstTemplate & { compiled: CompiledVersion };

/** Checks texts that come with the product, outside of a transaction. Throws for one that is not valid: it is ours. */
export async function checkFirstTemplates(templates: readonly FirstTemplate[]): Promise<CheckedTemplate[]> {
  const checked: CheckedTemplate[] = [];
  for (const template of templates) {
    const { channel, subject, body, metadata, variables } = template;
    const content = { channel, subject, body, metadata, variables: [...variables], compiledBody: null };
    const { compiled, problems } = await checkPatiently(content);
    if (!compiled || problems.length > 0) throw new Error(`${template.name}: ${String(problems[0]?.detail)}`);
    checked.push({ ...template, compiled });
  }
  return checked;
}

/**
 * Without the trial with the longest values, which takes the most time, and again where a machine that is busy was too slow:
 * the texts are known.
 */
async function checkPatiently(content: VersionContent): Promise<ContentCheck> {
  for (let left = 4; ; left--) {
    const check = await checkContent(content, { longest: false });
    if (left === 0 || !check.problems.some(({ code }) => code === "limit_exceeded")) return check;
  }
}

/**
 * Writes the first templates of an application that is being set up, live in the environments, in the caller's transaction.
 * Nobody's AI service is asked for texts that come with the product; their versions say so.
 */
export async function insertFirstTemplates(
  ctx: Ctx,
  tx: Tx,
  input: {
    application: { id: string; unitId: string };
    environmentIds: readonly string[];
    templates: readonly CheckedTemplate[];
  },
): Promise<void> {
  const { tenantId } = ctx;
  const at = ctx.now();
  for (const template of input.templates) {
    const { name, notificationType, notificationSubtype, channel, language, compiled } = template;
    const id = newId();
    const findings = checkTexts(moderatedTexts(compiled), { language });
    await tx.template.create({
      data: {
        tenantId,
        id,
        applicationId: input.application.id,
        name,
        notificationType,
        notificationSubtype,
        channel,
        language,
        latestVersion: 1,
        createdAt: at,
        updatedAt: at,
      },
    });
    await insertVersion(tx, {
      tenantId,
      templateId: id,
      version: 1,
      content: compiled.content,
      note: "First version",
      authorId: ctx.actor.id,
      authorName: ctx.actor.name,
      moderation: { checkedBy: ["deterministic"], findings },
      provenance: { kind: "human", model: null },
      createdAt: at,
    });
    await deployVersion(tx, tenantId, id, 1, input.environmentIds, at);
    await recordAudit(ctx, tx, {
      action: "template.created",
      targetType: "template",
      targetId: id,
      unitId: input.application.unitId,
      after: { version: 1 },
      data: {
        name,
        deployedTo: input.environmentIds,
        checkedBy: ["deterministic"],
        findings: findings.length,
      },
    });
  }
}
