import type { Ctx } from "../kernel/ctx.ts";
import { decodeCursor, toPage } from "../kernel/cursor.ts";
import { authorizeAddressSearch, visibleScopes } from "../operations/authorize.ts";
import { getCatalogue } from "../tenancy/catalogue.ts";
import type { Catalogue } from "../tenancy/catalogue.ts";
import { normalizeSearch, readAddress } from "../kernel/address.ts";
import { countNotifications, selectNotifications } from "./notification-queries.ts";
import type { NotificationFilter } from "./notification-queries.ts";
import { presentSummary } from "./present-notification.ts";
import type { NotificationSummary } from "./schemas.ts";

export type NotificationListInput = Omit<NotificationFilter, "before" | "applicationId" | "revealed"> & {
  /** Name of the application. */
  application?: string | undefined;
  cursor?: string | undefined;
};

/**
 * A page of the notifications that the caller may see, newest first; paging stays stable while new ones arrive. Throws
 * `permission_denied` for a search by address of somebody who may see none.
 */
export async function listNotifications(
  ctx: Ctx,
  input: NotificationListInput,
): Promise<{ data: NotificationSummary[]; nextCursor: string | null }> {
  const { cursor, limit, ...filter } = input;
  const before = decodeCursor(cursor);
  const catalogue = await getCatalogue(ctx);
  const found = filterOf(ctx, catalogue, filter);
  if (!found) return { data: [], nextCursor: null };
  const rows = await selectNotifications(ctx, visibleScopes(ctx, "notifications:read"), {
    ...found,
    before,
    limit: limit + 1,
  });
  return toPage(rows, limit, (row) => presentSummary(ctx, catalogue, row));
}

/** So many messages are counted, and no more. */
const mostCounted = 100_000;

/** How many notifications a filter leaves over of those that the caller may see; `more`: they are at least as many. */
export async function countMessages(
  ctx: Ctx,
  input: Omit<NotificationListInput, "cursor" | "limit">,
): Promise<{ count: number; more: boolean }> {
  const filter = filterOf(ctx, await getCatalogue(ctx), input);
  if (!filter) return { count: 0, more: false };
  const scopes = visibleScopes(ctx, "notifications:read");
  const count = await countNotifications(ctx, scopes, filter, mostCounted);
  return { count, more: count === mostCounted };
}

/** Throws `permission_denied` for a filter by an address, or a search that is one, of somebody who may see none. */
export function refuseAddressSearch(
  ctx: Ctx,
  { to, search, environmentId }: Pick<NotificationListInput, "to" | "search" | "environmentId">,
): void {
  if (to !== undefined || (search !== undefined && readAddress(search) !== null))
    authorizeAddressSearch(ctx, environmentId);
}

/** A filter as statements take it; undefined when there is no such application. Throws as refuseAddressSearch. */
export function filterOf(
  ctx: Ctx,
  catalogue: Catalogue,
  { application, ...filter }: Omit<NotificationListInput, "cursor" | "limit">,
): Omit<NotificationFilter, "before" | "limit"> | undefined {
  refuseAddressSearch(ctx, filter);
  const applicationId =
    application === undefined
      ? undefined
      : catalogue.applications.find((entry) => entry.name === application)?.id;
  if (application !== undefined && applicationId === undefined) return undefined;
  return {
    ...filter,
    to: filter.to === undefined ? undefined : normalizeSearch(filter.to),
    search: filter.search === undefined ? undefined : normalizeSearch(filter.search),
    revealed: visibleScopes(ctx, "content:reveal"),
    applicationId,
  };
}
