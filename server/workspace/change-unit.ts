import { recordAudit } from "../audit/record-audit.ts";
import type { Ctx } from "../kernel/ctx.ts";
import { inTenant } from "../kernel/db.ts";
import { notFound } from "../kernel/errors.ts";
import { authorize } from "../operations/authorize.ts";
import { forgetCatalogue } from "../tenancy/catalogue.ts";
import { deletePartSchema, updateUnitSchema } from "../tenancy/schemas.ts";
import type { DeletePartInput, UpdateUnitInput } from "../tenancy/schemas.ts";
import { refuseWhenUsed } from "./dependents.ts";
import { lockUnit } from "./queries.ts";

/** Renames a team; its short name stays, because requests and connections name it. Needs organization:manage. */
export async function updateUnit(ctx: Ctx, input: UpdateUnitInput): Promise<void> {
  authorize(ctx, "organization:manage", {});
  const { id, name } = updateUnitSchema.parse(input);
  const where = { tenantId_id: { tenantId: ctx.tenantId, id } };
  await inTenant(ctx, async (tx) => {
    const before = await tx.organizationUnit.findUnique({ where });
    if (!before) throw notFound();
    if (before.name === name) return;
    await tx.organizationUnit.update({ where, data: { name } });
    await recordAudit(ctx, tx, {
      action: "unit.updated",
      targetType: "organization_unit",
      targetId: id,
      unitId: id,
      data: { name: before.name },
      before: { name: before.name },
      after: { name },
    });
  });
  forgetCatalogue(ctx.tenantId);
}

/** Deletes a team that nothing is left of. Needs organization:manage. Throws `conflict` with what hangs on it. */
export async function deleteUnit(ctx: Ctx, input: DeletePartInput): Promise<void> {
  authorize(ctx, "organization:manage", {});
  const { id } = deletePartSchema.parse(input);
  const { tenantId } = ctx;
  await inTenant(ctx, async (tx) => {
    if (!(await lockUnit(tx, tenantId, id))) throw notFound();
    const where = { tenantId_id: { tenantId, id } };
    const { slug, name } = await tx.organizationUnit.findUniqueOrThrow({ where });
    await refuseWhenUsed(tx, tenantId, { kind: "unit", id, name });
    await tx.organizationUnit.delete({ where });
    await recordAudit(ctx, tx, {
      action: "unit.deleted",
      targetType: "organization_unit",
      targetId: id,
      unitId: id,
      data: { name },
      before: { slug, name },
    });
  });
  forgetCatalogue(tenantId);
}
