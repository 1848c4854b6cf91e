import type { Ctx } from "../kernel/ctx.ts";
import { inTenant } from "../kernel/db.ts";
import { DomainError } from "../kernel/errors.ts";
import { newId } from "../kernel/ids.ts";
import { requireNotificationType } from "../tenancy/unknown-names.ts";
import { presentTemplate, requireTemplate } from "./present-template.ts";
import { provenanceOf } from "./provenance.ts";
import { findByAudience, findOtherMeaning } from "./queries.ts";
import type { Audience } from "./queries.ts";
import { refuseForeignSender } from "./refuse-foreign-sender.ts";
import { requireAiCheck } from "./require-ai-check.ts";
import { forgetLiveTemplates } from "./resolve-template.ts";
import { examineContent, saveVersion, toContent } from "./save-version.ts";
import type { Template, TemplateCreate } from "./schemas.ts";
import { requireApplication, savedInto } from "./template-access.ts";
import { refuseApprovalFromSandbox } from "./whatsapp-approvals.ts";

/**
 * Creates a template with its version 1, live in the application's first stage and in the sandbox. Throws
 * `unknown_application`, `unknown_notification_type`, `invalid_template`, `sender_not_allowed`, `moderation_blocked`, `template_exists`, and
 * `conflict` when it would go live in production without the AI check.
 */
export async function createTemplate(ctx: Ctx, input: TemplateCreate): Promise<Template> {
  const { catalogue, application } = await requireApplication(ctx, "templates:write", input.application);
  requireNotificationType(catalogue, input.notificationType, input.notificationSubtype);
  const content = toContent(input.channel, input);
  await refuseForeignSender(ctx, content, application.unitId);
  const examined = await examineContent(ctx, content, {
    application: application.name,
    notificationType: input.notificationType,
    language: input.language ?? null,
  });
  const environmentIds = savedInto(ctx, catalogue, application);
  requireAiCheck(catalogue, environmentIds, examined.moderation);
  refuseApprovalFromSandbox(content.metadata, application, environmentIds);
  const audience: Audience = {
    applicationId: application.id,
    notificationType: input.notificationType,
    notificationSubtype: input.notificationSubtype,
    channel: input.channel,
    region: input.region ?? null,
    language: input.language ?? null,
    provider: input.provider ?? null,
  };
  const id = newId();
  try {
    await inTenant(ctx, async (tx) => {
      const other = await findOtherMeaning(tx, ctx.tenantId, input.name, audience);
      if (other) throw nameTaken(input.name, other);
      const existing = await findByAudience(tx, ctx.tenantId, audience);
      if (existing) throw audienceTaken(existing);
      await tx.template.create({
        data: {
          tenantId: ctx.tenantId,
          id,
          name: input.name,
          ...audience,
          latestVersion: 1,
          createdAt: ctx.now(),
          updatedAt: ctx.now(),
        },
      });
      await saveVersion(ctx, tx, {
        templateId: id,
        name: input.name,
        applicationId: application.id,
        unitId: application.unitId,
        version: 1,
        examined,
        note: input.note ?? null,
        provenance: provenanceOf(ctx, input.provenance, undefined),
        environmentIds,
        action: "template.created",
      });
    });
  } catch (error) {
    // Another request was faster, with another name.
    if (isUniqueViolation(error)) {
      const existing = await inTenant(ctx, (tx) => findByAudience(tx, ctx.tenantId, audience));
      throw existing ? audienceTaken(existing) : error;
    }
    throw error;
  }
  forgetLiveTemplates();
  return presentTemplate(ctx, await requireTemplate(ctx, "templates:write", id));
}

/** The refusal of a second template for an audience. */
export function audienceTaken(existing: { id: string; name: string }): DomainError {
  return new DomainError(
    "template_exists",
    `The template "${existing.name}" already serves this type, subtype, channel, region, language and provider. Make a new version of it, or choose another audience.`,
    { extra: { existing: { id: existing.id, name: existing.name } } },
  );
}

/** The refusal of a name that is used for another type or subtype. */
export function nameTaken(
  name: string,
  other: { notificationType: string; notificationSubtype: string },
): DomainError {
  return new DomainError(
    "template_exists",
    `Templates named "${name}" are for ${other.notificationType} / ${other.notificationSubtype}. A name means one type and subtype.`,
    { errors: [{ pointer: "/name", code: "template_exists", detail: "Used for another type or subtype" }] },
  );
}

/** Whether another transaction was faster. */
export function isUniqueViolation(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "P2002";
}
