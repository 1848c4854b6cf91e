import { authorizeSomewhere, visibleScopes } from "../access/authorize.ts";
import type { Ctx } from "../kernel/ctx.ts";
import { DomainError } from "../kernel/errors.ts";
import { isUuid } from "../kernel/ids.ts";
import { getCatalogue } from "../tenancy/catalogue.ts";
import { normalizeAddress } from "./address.ts";
import { selectNotifications } from "./notification-queries.ts";
import type { NotificationFilter } from "./notification-queries.ts";
import { presentSummary } from "./present-notification.ts";
import type { NotificationSummary } from "./schemas.ts";

export type NotificationListInput = Omit<NotificationFilter, "before" | "applicationId"> & {
  /** Name of the application. */
  application?: string | undefined;
  cursor?: string | undefined;
};

/** A page of the notifications that the caller may see, newest first; paging stays right while new ones arrive. */
export async function listNotifications(
  ctx: Ctx,
  input: NotificationListInput,
): Promise<{ data: NotificationSummary[]; nextCursor: string | null }> {
  authorizeSomewhere(ctx, "notifications:read");
  const { application, cursor, limit, ...filter } = input;
  const before = cursor === undefined ? undefined : decodeCursor(cursor);
  const catalogue = await getCatalogue(ctx);
  const applicationId =
    application === undefined
      ? undefined
      : catalogue.applications.find((entry) => entry.name === application)?.id;
  if (application !== undefined && applicationId === undefined) return { data: [], nextCursor: null };
  const rows = await selectNotifications(ctx, visibleScopes(ctx, "notifications:read"), {
    ...filter,
    to: filter.to === undefined ? undefined : normalizeSearch(filter.to),
    search: filter.search === undefined ? undefined : normalizeSearch(filter.search),
    applicationId,
    before,
    limit: limit + 1,
  });
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  return {
    data: page.map((row) => presentSummary(ctx, catalogue, row)),
    nextCursor: rows.length > limit && last ? encodeCursor(last.id) : null,
  };
}

/** Addresses are stored normalised; what is typed into a search may not be. */
function normalizeSearch(text: string): string {
  const trimmed = text.trim();
  return (
    normalizeAddress(
      trimmed.includes("@") ? "email" : "sms",
      trimmed.includes("@") ? trimmed : trimmed.replaceAll(/[\s()-]/g, ""),
    ) ?? trimmed
  );
}

function encodeCursor(id: string): string {
  return Buffer.from(id.replaceAll("-", ""), "hex").toString("base64url");
}

function decodeCursor(cursor: string): string {
  const hex = Buffer.from(cursor, "base64url").toString("hex");
  const id = hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
  if (!isUuid(id) || encodeCursor(id) !== cursor) {
    throw new DomainError("invalid_cursor", "Use the nextCursor of the page before, unchanged.");
  }
  return id;
}
