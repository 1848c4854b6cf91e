import type { Ctx } from "../kernel/ctx.ts";
import { env } from "../kernel/env.ts";
import { environmentShortener } from "../links/load-shorteners.ts";
import { messageLinks } from "../links/message-links.ts";
import { previewLinks } from "../links/shortener.ts";
import type { NotificationRow } from "./notification-queries.ts";
import { statusRank } from "./notification-state.ts";

/** What the filter `shorten` would give in an environment: links of the right length that lead nowhere. */
export async function linkPreviews(
  ctx: Pick<Ctx, "db" | "tenantId">,
  environmentId: string,
): Promise<(url: string) => string> {
  return previewLinks(await environmentShortener(ctx, environmentId), env().shortUrl);
}

/**
 * What it gave in a stored message: its own links, and addresses that stayed long. Before the message was first tried it has
 * none, and what they would look like stands in.
 */
export async function storedLinks(
  ctx: Pick<Ctx, "db" | "tenantId">,
  row: Pick<NotificationRow, "id" | "environment_id" | "status">,
): Promise<(url: string) => string> {
  if (statusRank(row.status) === 0) return linkPreviews(ctx, row.environment_id);
  const links = new Map((await messageLinks(ctx, row.id)).map(({ url, shortUrl }) => [url, shortUrl]));
  return (url) => links.get(url) ?? url;
}
