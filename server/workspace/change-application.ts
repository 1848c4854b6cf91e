import { changes } from "../audit/changes.ts";
import { recordAudit } from "../audit/record-audit.ts";
import type { Ctx } from "../kernel/ctx.ts";
import { inTenant } from "../kernel/db.ts";
import { notFound } from "../kernel/errors.ts";
import { authorize } from "../operations/authorize.ts";
import { forgetCatalogue, getCatalogue } from "../tenancy/catalogue.ts";
import type { CatalogueApplication } from "../tenancy/catalogue.ts";
import { archiveApplicationSchema, updateApplicationSchema } from "../tenancy/schemas.ts";
import type { ArchiveApplicationInput, UpdateApplicationInput } from "../tenancy/schemas.ts";

/** The application, for who manages its team. Throws `not_found` for one that is not there or is not the actor's to see. */
async function requireManaged(ctx: Ctx, id: string): Promise<CatalogueApplication> {
  const application = (await getCatalogue(ctx)).applications.find((one) => one.id === id);
  if (!application) throw notFound();
  authorize(ctx, "organization:manage", { unitId: application.unitId });
  return application;
}

/** Changes what is given of title and defaults; the name that requests carry stays. Needs organization:manage in its team. */
export async function updateApplication(ctx: Ctx, input: UpdateApplicationInput): Promise<void> {
  const { id, ...wanted } = updateApplicationSchema.parse(input);
  const { unitId, name } = await requireManaged(ctx, id);
  const where = { tenantId_id: { tenantId: ctx.tenantId, id } };
  await inTenant(ctx, async (tx) => {
    const before = await tx.application.findUnique({
      where,
      select: { title: true, defaultRegion: true, defaultLanguage: true },
    });
    if (!before) throw notFound();
    const changed = changes(before, wanted);
    if (Object.keys(changed.after).length === 0) return;
    await tx.application.update({ where, data: changed.after });
    await recordAudit(ctx, tx, {
      action: "application.updated",
      targetType: "application",
      targetId: id,
      unitId,
      data: { name },
      ...changed,
    });
  });
  forgetCatalogue(ctx.tenantId);
}

/**
 * Archives an application, or takes it back. Sends that name an archived one are refused as those of an unknown one, and
 * nothing new is made in it; what was accepted before is still sent, and everything about it stays to be read. In force
 * everywhere within two seconds. Needs organization:manage in its team.
 */
export async function archiveApplication(ctx: Ctx, input: ArchiveApplicationInput): Promise<void> {
  const { id, archived } = archiveApplicationSchema.parse(input);
  const { unitId, name } = await requireManaged(ctx, id);
  const where = { tenantId: ctx.tenantId, id, archivedAt: archived ? null : { not: null } };
  await inTenant(ctx, async (tx) => {
    const { count } = await tx.application.updateMany({
      where,
      data: { archivedAt: archived ? ctx.now() : null },
    });
    if (count === 0) return;
    await recordAudit(ctx, tx, {
      action: archived ? "application.archived" : "application.restored",
      targetType: "application",
      targetId: id,
      unitId,
      data: { name },
      before: { archived: !archived },
      after: { archived },
    });
  });
  forgetCatalogue(ctx.tenantId);
}
