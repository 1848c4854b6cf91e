import { outdated } from "../access/revision.ts";
import { changes } from "../audit/changes.ts";
import { recordAudit } from "../audit/record-audit.ts";
import type { Ctx } from "../kernel/ctx.ts";
import { inTenant } from "../kernel/db.ts";
import type { Tx } from "../kernel/db.ts";
import { DomainError, notFound } from "../kernel/errors.ts";
import type { FieldError } from "../kernel/errors.ts";
import { forgetCatalogue } from "../tenancy/catalogue.ts";
import { deletePartSchema, updateNotificationTypeSchema } from "../tenancy/schemas.ts";
import type { DeletePartInput, NotificationType, UpdateNotificationTypeInput } from "../tenancy/schemas.ts";
import { authorizeTypeChange } from "./authorize-type-change.ts";
import { refuseWhenUsed } from "./dependents.ts";
import { countOfType, lockCatalogue } from "./queries.ts";

/**
 * Changes class and subtypes of a type; its name stays, because requests carry it. Another class changes lane, lifetime,
 * retries and consent of all messages that are accepted from then on. Needs organization:manage for the whole tenant.
 * Throws `conflict` for a subtype that goes although templates or rules are for it, and `revision_conflict` when what the change is
 * based on is given, and somebody has changed it since.
 */
export async function updateNotificationType(
  ctx: Ctx,
  input: UpdateNotificationTypeInput,
): Promise<NotificationType> {
  await authorizeTypeChange(ctx);
  const { id, expected, ...wanted } = updateNotificationTypeSchema.parse(input);
  const where = { tenantId_id: { tenantId: ctx.tenantId, id } };
  const type = await inTenant(ctx, async (tx) => {
    await lockCatalogue(tx, ctx.tenantId);
    const before = await tx.notificationType.findUnique({ where });
    if (!before) throw notFound();
    const present = { class: before.class, subtypes: before.subtypes };
    if (expected && Object.keys(changes(present, expected).after).length > 0) throw outdated("the type");
    const changed = changes(present, wanted);
    if (Object.keys(changed.after).length === 0) return before.type;
    const gone = before.subtypes.filter((subtype) => !wanted.subtypes.includes(subtype));
    await refuseUsedSubtypes(tx, ctx.tenantId, before.type, gone);
    await tx.notificationType.update({ where, data: wanted });
    await recordAudit(ctx, tx, {
      action: "notification_type.updated",
      targetType: "notification_type",
      targetId: id,
      data: { name: before.type },
      ...changed,
    });
    return before.type;
  });
  forgetCatalogue(ctx.tenantId);
  return { id, type, ...wanted };
}

async function refuseUsedSubtypes(
  tx: Tx,
  tenantId: string,
  type: string,
  gone: readonly string[],
): Promise<void> {
  const errors: FieldError[] = [];
  for (const subtype of gone) {
    const { templates = 0, rules = 0 } = await countOfType(tx, tenantId, type, subtype);
    if (templates + rules === 0) continue;
    errors.push({
      pointer: "/subtypes",
      code: "used",
      detail: `${subtype} is used by ${String(templates)} templates and ${String(rules)} routing rules`,
    });
  }
  if (errors.length > 0) {
    throw new DomainError("conflict", "A subtype that is used cannot be taken away.", { errors });
  }
}

/** Deletes a type that no template or rule is for. Needs organization:manage. Throws `conflict` with what is for it. */
export async function deleteNotificationType(ctx: Ctx, input: DeletePartInput): Promise<void> {
  await authorizeTypeChange(ctx);
  const { id } = deletePartSchema.parse(input);
  const { tenantId } = ctx;
  const where = { tenantId_id: { tenantId, id } };
  await inTenant(ctx, async (tx) => {
    const found = await tx.notificationType.findUnique({ where });
    if (!found) throw notFound();
    const { type, subtypes } = found;
    await refuseWhenUsed(tx, tenantId, { kind: "notificationType", id, type, name: type });
    await tx.notificationType.delete({ where });
    await recordAudit(ctx, tx, {
      action: "notification_type.deleted",
      targetType: "notification_type",
      targetId: id,
      data: { name: type },
      before: { type, class: found.class, subtypes },
    });
  });
  forgetCatalogue(tenantId);
}
