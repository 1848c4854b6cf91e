import type { Ctx } from "../kernel/ctx.ts";
import { decodeCursor, toPage } from "../kernel/cursor.ts";
import { isUuid } from "../kernel/ids.ts";
import { visibleScopes } from "../operations/authorize.ts";
import { toWebhook } from "./manage-endpoint.ts";
import { selectEndpoints } from "./queries.ts";
import type { Webhook, WebhookListQuery } from "./schemas.ts";

/** The endpoints that the actor may manage, newest first. */
export async function listWebhookEndpoints(
  ctx: Ctx,
  input: WebhookListQuery & { environmentId?: string; unitId?: string },
): Promise<{ data: Webhook[]; nextCursor: string | null }> {
  const before = decodeCursor(input.cursor) ?? null;
  if (input.environmentId !== undefined && !isUuid(input.environmentId))
    return { data: [], nextCursor: null };
  const rows = await selectEndpoints(ctx, {
    scopes: visibleScopes(ctx, "webhooks:manage"),
    environmentId: input.environmentId,
    unitId: input.unitId,
    application: input.application,
    before,
    limit: input.limit + 1,
  });
  return toPage(rows, input.limit, (row) => toWebhook(row, ctx.now()));
}
