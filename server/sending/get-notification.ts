import type { Ctx } from "../kernel/ctx.ts";
import { notFound } from "../kernel/errors.ts";
import { isUuid } from "../kernel/ids.ts";
import { authorize } from "../operations/authorize.ts";
import { getCatalogue } from "../tenancy/catalogue.ts";
import { selectNotification } from "./notification-queries.ts";
import type { EventRow, NotificationRow } from "./notification-queries.ts";
import { presentNotification } from "./present-notification.ts";
import type { Notification } from "./schemas.ts";

/** The row with its events, if the caller may do `permission` with it; not_found otherwise, also for other tenants' notifications. */
export async function readableNotification(
  ctx: Ctx,
  id: string,
  permission: "notifications:read" | "notifications:cancel" | "notifications:send" = "notifications:read",
): Promise<NotificationRow & { events: EventRow[] }> {
  if (!isUuid(id)) throw notFound();
  const row = await selectNotification(ctx, id);
  if (!row) throw notFound();
  authorize(ctx, permission, {
    unitId: row.unitId,
    applicationId: row.applicationId,
    environmentId: row.environmentId,
  });
  return row;
}

/** A notification with its events, both as of one moment. */
export async function getNotification(ctx: Ctx, input: { id: string }): Promise<Notification> {
  const row = await readableNotification(ctx, input.id);
  return presentNotification(ctx, await getCatalogue(ctx), row, row.events);
}
