import { recordAudit } from "../audit/record-audit.ts";
import type { Ctx } from "../kernel/ctx.ts";
import { inTenant } from "../kernel/db.ts";
import { newId } from "../kernel/ids.ts";
import { authorize } from "../operations/authorize.ts";
import { forgetCatalogue } from "../tenancy/catalogue.ts";
import { createNotificationTypeSchema } from "../tenancy/schemas.ts";
import type { CreateNotificationTypeInput } from "../tenancy/schemas.ts";
import { refuseRepeated } from "../tenancy/unique-violation.ts";

/**
 * Adds a type to the tenant's catalogue; its class decides lane, lifetime, retries and consent. Needs organization:manage
 * for the whole tenant. Throws `conflict` when the type exists.
 */
export async function createNotificationType(
  ctx: Ctx,
  input: CreateNotificationTypeInput,
): Promise<{ id: string }> {
  authorize(ctx, "organization:manage", {});
  const wanted = createNotificationTypeSchema.parse(input);
  const id = newId();
  await refuseRepeated("/type", "This type is in the catalogue already.", () =>
    inTenant(ctx, async (tx) => {
      await tx.notificationType.create({
        data: { tenantId: ctx.tenantId, id, ...wanted, createdAt: ctx.now() },
      });
      await recordAudit(ctx, tx, {
        action: "notification_type.created",
        targetType: "notification_type",
        targetId: id,
        data: wanted,
      });
    }),
  );
  forgetCatalogue(ctx.tenantId);
  return { id };
}
