import { recordAudit } from "../audit/record-audit.ts";
import type { Ctx } from "../kernel/ctx.ts";
import { inTenant } from "../kernel/db.ts";
import { newId } from "../kernel/ids.ts";
import { authorize } from "../operations/authorize.ts";
import { forgetCatalogue } from "../tenancy/catalogue.ts";
import { createUnitSchema } from "../tenancy/schemas.ts";
import type { CreateUnitInput } from "../tenancy/schemas.ts";
import { refuseRepeated } from "../tenancy/unique-violation.ts";

/** Adds a team. Needs organization:manage for the whole tenant. Throws `conflict` when the short name is taken. */
export async function createUnit(ctx: Ctx, input: CreateUnitInput): Promise<{ id: string }> {
  authorize(ctx, "organization:manage", {});
  const wanted = createUnitSchema.parse(input);
  const id = newId();
  await refuseRepeated("/slug", "Another team has this short name.", () =>
    inTenant(ctx, async (tx) => {
      await tx.organizationUnit.create({
        data: { tenantId: ctx.tenantId, id, ...wanted, createdAt: ctx.now() },
      });
      await recordAudit(ctx, tx, {
        action: "unit.created",
        targetType: "organization_unit",
        targetId: id,
        unitId: id,
        data: wanted,
      });
    }),
  );
  forgetCatalogue(ctx.tenantId);
  return { id };
}
