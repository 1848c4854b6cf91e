import type { Ctx } from "../kernel/ctx.ts";
import type { Tx } from "../kernel/db.ts";
import { createNotificationTypeSchema } from "../tenancy/schemas.ts";
import type { CreateNotificationTypeInput, NotificationType } from "../tenancy/schemas.ts";
import { addEntry, insertEntry } from "./add-entry.ts";
import { authorizeTypeChange } from "./authorize-type-change.ts";

/**
 * Adds a type to the tenant's catalogue; its class decides lane, lifetime, retries and consent. Needs organization:manage
 * for the whole tenant. Throws `conflict` when the type exists, or when there are as many as there may be.
 */
export async function createNotificationType(
  ctx: Ctx,
  input: CreateNotificationTypeInput,
): Promise<NotificationType> {
  await authorizeTypeChange(ctx);
  const wanted = createNotificationTypeSchema.parse(input);
  const taken = { pointer: "/type", detail: "This type is in the catalogue already." };
  const { tenantId } = ctx;
  const { id } = await addEntry(
    ctx,
    taken,
    { what: "notification types", count: (tx) => tx.notificationType.count({ where: { tenantId } }) },
    (tx) => insertNotificationType(ctx, tx, wanted),
  );
  return { id, ...wanted };
}

/** Writes a type that was checked, in the caller's transaction. Returns its id. */
export function insertNotificationType(
  ctx: Ctx,
  tx: Tx,
  wanted: CreateNotificationTypeInput,
): Promise<string> {
  return insertEntry(ctx, tx, async (key) => {
    await tx.notificationType.create({ data: { ...key, ...wanted } });
    return {
      action: "notification_type.created",
      targetType: "notification_type",
      data: { name: wanted.type },
      after: wanted,
    };
  });
}
