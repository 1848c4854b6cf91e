import type { Ctx } from "../kernel/ctx.ts";
import type { Tx } from "../kernel/db.ts";
import { authorize } from "../operations/authorize.ts";
import { createNotificationTypeSchema } from "../tenancy/schemas.ts";
import type { CreateNotificationTypeInput } from "../tenancy/schemas.ts";
import { addEntry, insertEntry } from "./add-entry.ts";

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
  return addEntry(ctx, { pointer: "/type", detail: "This type is in the catalogue already." }, (tx) =>
    insertNotificationType(ctx, tx, wanted),
  );
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
