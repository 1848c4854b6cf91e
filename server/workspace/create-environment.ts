import { recordAudit } from "../audit/record-audit.ts";
import type { Ctx } from "../kernel/ctx.ts";
import { inTenant } from "../kernel/db.ts";
import { newId } from "../kernel/ids.ts";
import { authorize } from "../operations/authorize.ts";
import { forgetCatalogue } from "../tenancy/catalogue.ts";
import { createEnvironmentSchema } from "../tenancy/schemas.ts";
import type { CreateEnvironmentInput } from "../tenancy/schemas.ts";
import { refuseRepeated } from "../tenancy/unique-violation.ts";

/**
 * Adds an environment after the existing ones. Needs organization:manage for the whole tenant. Throws `conflict` when the
 * short name is taken.
 */
export async function createEnvironment(ctx: Ctx, input: CreateEnvironmentInput): Promise<{ id: string }> {
  authorize(ctx, "organization:manage", {});
  const wanted = createEnvironmentSchema.parse(input);
  const id = newId();
  await refuseRepeated("/slug", "Another environment has this short name.", () =>
    inTenant(ctx, async (tx) => {
      const position = await tx.environment.count({ where: { tenantId: ctx.tenantId } });
      await tx.environment.create({
        data: { tenantId: ctx.tenantId, id, ...wanted, position, createdAt: ctx.now() },
      });
      await recordAudit(ctx, tx, {
        action: "environment.created",
        targetType: "environment",
        targetId: id,
        environmentId: id,
        data: wanted,
      });
    }),
  );
  forgetCatalogue(ctx.tenantId);
  return { id };
}
