import type { Ctx } from "../kernel/ctx.ts";
import { selectMessageLinks } from "./queries.ts";
import type { MessageLink } from "./schemas.ts";

/** The short links of a message, with their targets. The caller has authorised the reader. */
export async function messageLinks(
  ctx: Pick<Ctx, "db" | "tenantId">,
  notificationId: string,
): Promise<(MessageLink & { url: string; shortUrl: string })[]> {
  const rows = await selectMessageLinks(ctx, notificationId);
  return rows.map((row) => ({
    shortUrl: row.shortUrl,
    url: row.url,
    clicks: row.code === null ? null : row.clicks,
    machineClicks: row.code === null ? null : row.machineClicks,
    firstClickedAt: row.firstClickedAt?.toISOString() ?? null,
    lastClickedAt: row.lastClickedAt?.toISOString() ?? null,
  }));
}
