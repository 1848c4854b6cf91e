import { recordAudit } from "../audit/record-audit.ts";
import type { Ctx } from "../kernel/ctx.ts";
import { inTenant } from "../kernel/db.ts";
import { DomainError, notFound } from "../kernel/errors.ts";
import { presentTemplate, requireTemplate } from "./present-template.ts";
import { hasSaved } from "./provenance.ts";
import { insertReview, selectVersion } from "./queries.ts";
import type { Template } from "./schemas.ts";
import { authorizeTemplates } from "./template-access.ts";

/**
 * Records that a person has read a version that AI drafted or edited, for the gate of the same name. Needs
 * promotions:approve. Throws `conflict` for a version that a person wrote, or that is reviewed already, and
 * `permission_denied` for keys and for who saved the version, by themselves or with a key of theirs.
 */
export async function reviewVersion(ctx: Ctx, input: { id: string; version: number }): Promise<Template> {
  const row = await requireTemplate(ctx, "templates:read", input.id);
  authorizeTemplates(ctx, "promotions:approve", row);
  const stored = await selectVersion(ctx, row.id, input.version);
  if (!stored) throw notFound();
  if (ctx.actor.type !== "user") {
    throw new DomainError("permission_denied", "A person reviews a text; a key cannot.");
  }
  if (stored.provenance.kind === "human") {
    throw new DomainError("conflict", `A person wrote version ${String(input.version)}: it needs no review.`);
  }
  if (await hasSaved(ctx, stored.authorId)) {
    throw new DomainError(
      "permission_denied",
      "You saved this version yourself, or a key of yours did. Somebody else who approves promotions has to review it.",
    );
  }
  const { id: reviewerId, name: reviewerName } = ctx.actor;
  await inTenant(ctx, async (tx) => {
    const key = { tenantId: ctx.tenantId, templateId: row.id, version: input.version };
    if (!(await insertReview(tx, { ...key, reviewerId, reviewerName, at: ctx.now() }))) {
      throw new DomainError("conflict", `Version ${String(input.version)} is reviewed already.`);
    }
    await recordAudit(ctx, tx, {
      action: "template.version_reviewed",
      targetType: "template",
      targetId: row.id,
      unitId: row.unitId,
      before: { reviewed: false },
      after: { reviewed: true },
      data: { name: row.name, version: input.version, provenance: stored.provenance.kind },
    });
  });
  return presentTemplate(ctx, await requireTemplate(ctx, "templates:read", row.id), input.version);
}
