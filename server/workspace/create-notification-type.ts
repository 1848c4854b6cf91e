import type { Ctx } from "../kernel/ctx.ts";
import type { Tx } from "../kernel/db.ts";
import { DomainError } from "../kernel/errors.ts";
import { createNotificationTypeSchema } from "../tenancy/schemas.ts";
import type { CreateNotificationTypeInput, NotificationType } from "../tenancy/schemas.ts";
import { addEntry, insertEntry } from "./add-entry.ts";
import { authorizeTypeChange } from "./authorize-type-change.ts";

/** Every request of the organisation reads all of them. */
export const maxNotificationTypes = 500;

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
  const { id } = await addEntry(ctx, taken, async (tx) => {
    if ((await tx.notificationType.count({ where: { tenantId: ctx.tenantId } })) >= maxNotificationTypes) {
      throw new DomainError(
        "conflict",
        `An organisation has at most ${String(maxNotificationTypes)} notification types. Delete one that is not used.`,
      );
    }
    return insertNotificationType(ctx, tx, wanted);
  });
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
