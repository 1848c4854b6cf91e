import type { Ctx } from "../kernel/ctx.ts";
import { decodeCursor, toPage } from "../kernel/cursor.ts";
import { visibleScopes } from "../operations/authorize.ts";
import { getCatalogue } from "../tenancy/catalogue.ts";
import { toSummary } from "./present-promotion.ts";
import { selectPromotions } from "./promotion-queries.ts";
import type { PromotionListQuery, PromotionSummary } from "./schemas.ts";

/**
 * The promotions that the actor may see, newest first: for a key, those into its own environment. A filter with an
 * unknown name finds nothing.
 */
export async function listPromotions(
  ctx: Ctx,
  input: PromotionListQuery,
): Promise<{ data: PromotionSummary[]; nextCursor: string | null }> {
  const { applications, environments } = await getCatalogue(ctx);
  const { application, environment, cursor, limit, ...filter } = input;
  const applicationId =
    application === undefined
      ? undefined
      : applications.find((entry) => entry.name === application || entry.id === application)?.id;
  const environmentId =
    environment === undefined
      ? undefined
      : environments.find((entry) => entry.slug === environment || entry.id === environment)?.id;
  const before = decodeCursor(cursor);
  if (
    (application !== undefined && applicationId === undefined) ||
    (environment !== undefined && environmentId === undefined)
  ) {
    return { data: [], nextCursor: null };
  }
  const rows = await selectPromotions(ctx, {
    ...filter,
    applicationId,
    environmentId,
    scopes: visibleScopes(ctx, "templates:read"),
    before,
    limit: limit + 1,
  });
  return toPage(rows, limit, toSummary);
}
