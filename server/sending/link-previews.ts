import type { Ctx } from "../kernel/ctx.ts";
import { env } from "../kernel/env.ts";
import { environmentShortener } from "../links/load-shorteners.ts";
import { messageLinks } from "../links/message-links.ts";
import { previewLinks } from "../links/shortener.ts";
import type { NotificationRow } from "./notification-queries.ts";
import { statusRank } from "./notification-state.ts";

/** Stand-ins for the links that the filter `shorten` makes in an environment: of the right length, leading nowhere. */
export async function linkPreviews(
  ctx: Pick<Ctx, "db" | "tenantId">,
  environmentId: string,
): Promise<(url: string) => string> {
  return previewLinks(await environmentShortener(ctx, environmentId), env().shortUrl);
}

/**
 * The stored links of a message, and addresses that stayed long. Before its first attempt a message has no links, and
 * stand-ins are used.
 */
export async function storedLinks(
  ctx: Pick<Ctx, "db" | "tenantId">,
  row: Pick<NotificationRow, "id" | "environmentId" | "status">,
): Promise<(url: string) => string> {
  if (statusRank(row.status) === 0) return linkPreviews(ctx, row.environmentId);
  const links = new Map((await messageLinks(ctx, row.id)).map(({ url, shortUrl }) => [url, shortUrl]));
  return (url) => links.get(url) ?? url;
}
