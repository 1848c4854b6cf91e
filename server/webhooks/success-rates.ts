import type { Ctx } from "../kernel/ctx.ts";
import { notFound } from "../kernel/errors.ts";
import { visibleScopes } from "../operations/authorize.ts";
import { selectOutcomes } from "./queries.ts";
import { successRateLimits } from "./vocabulary.ts";
import type { EndpointSuccess } from "./schemas.ts";

const dayMs = 24 * 3_600_000;

/**
 * How many events of the last 24 hours and 7 days were delivered and how many failed, of those endpoints that the actor may
 * manage; others are left out. Throws `not_found` when there is none of them for the actor.
 */
export async function webhookSuccessRates(
  ctx: Ctx,
  input: { ids: readonly string[] },
): Promise<{ data: EndpointSuccess[] }> {
  const dayAgo = new Date(ctx.now().getTime() - dayMs);
  const weekAgo = new Date(ctx.now().getTime() - 7 * dayMs);
  const rows = await selectOutcomes(ctx, {
    scopes: visibleScopes(ctx, "webhooks:manage"),
    ids: input.ids,
    dayAgo,
    weekAgo,
    limit: successRateLimits.deliveries,
  });
  if (rows.length === 0) throw notFound();
  return {
    data: rows.map((row) => ({
      id: row.id,
      last24Hours: {
        delivered: row.dayDelivered,
        failed: row.dayFailed,
        complete: row.dayComplete,
      },
      last7Days: {
        delivered: row.weekDelivered,
        failed: row.weekFailed,
        complete: row.weekComplete,
      },
    })),
  };
}
