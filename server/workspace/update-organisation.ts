import { recordAudit } from "../audit/record-audit.ts";
import type { Ctx } from "../kernel/ctx.ts";
import { inTenant } from "../kernel/db.ts";
import { authorize } from "../operations/authorize.ts";
import { forgetCatalogue, getCatalogue } from "../tenancy/catalogue.ts";
import { updateOrganisationSchema } from "../tenancy/schemas.ts";
import type { UpdateOrganisationInput } from "../tenancy/schemas.ts";
import { renameTenant } from "./queries.ts";

/**
 * Changes what the organisation is called; its short name stays, because addresses and sign-ins carry it. Needs
 * organization:manage for the whole tenant.
 */
export async function updateOrganisation(ctx: Ctx, input: UpdateOrganisationInput): Promise<void> {
  authorize(ctx, "organization:manage", {});
  const { name } = updateOrganisationSchema.parse(input);
  const { tenant } = await getCatalogue(ctx);
  if (tenant.name === name) return;
  await inTenant(ctx, async (tx) => {
    await renameTenant(tx, name);
    await recordAudit(ctx, tx, {
      action: "tenant.renamed",
      targetType: "tenant",
      targetId: ctx.tenantId,
      data: { name: tenant.name },
      before: { name: tenant.name },
      after: { name },
    });
  });
  forgetCatalogue(ctx.tenantId);
}
