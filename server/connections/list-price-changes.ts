import type { Ctx } from "../kernel/ctx.ts";
import { decodeCursor, toPage } from "../kernel/cursor.ts";
import { visibleScopes } from "../operations/authorize.ts";
import type { z } from "zod";
import { getCatalogue } from "../tenancy/catalogue.ts";
import { selectPriceChanges } from "./queries.ts";
import { priceChangeSchema } from "./schemas.ts";
import type { PriceChange, priceChangesSchema } from "./schemas.ts";

/**
 * How the price lists of connections changed, the newest first: those of everybody's connections, and of a unit's to its
 * members with costs:read. Prices that an operator keeps for a channel of theirs are not among them.
 */
export async function listPriceChanges(
  ctx: Ctx,
  { connectionId, limit, cursor }: z.output<typeof priceChangesSchema>,
): Promise<{ data: PriceChange[]; nextCursor: string | null }> {
  const rows = await selectPriceChanges(ctx, {
    units: await unitsOf(ctx),
    connectionId: connectionId ?? null,
    before: decodeCursor(cursor) ?? null,
    limit: limit + 1,
  });
  return toPage(rows, limit, ({ at, ...row }) => priceChangeSchema.parse({ ...row, at: at.toISOString() }));
}

/** Whose unit's prices the actor may see besides everybody's; null: all. */
async function unitsOf(ctx: Ctx): Promise<string[] | null> {
  const scopes = visibleScopes(ctx, "costs:read");
  if (!scopes || scopes.some(({ unitId, applicationId }) => !unitId && !applicationId)) return null;
  const { applications } = await getCatalogue(ctx);
  return scopes.flatMap(
    ({ unitId, applicationId }) =>
      unitId ?? applications.find(({ id }) => id === applicationId)?.unitId ?? [],
  );
}
