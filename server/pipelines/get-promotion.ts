import type { Ctx } from "../kernel/ctx.ts";
import { presentPromotion } from "./present-promotion.ts";
import { requirePromotion } from "./promotion-access.ts";
import type { Promotion } from "./schemas.ts";

/** One promotion with everything that it moves, the results of its gates and its decisions. */
export async function getPromotion(ctx: Ctx, input: { id: string }): Promise<Promotion> {
  return presentPromotion(ctx, await requirePromotion(ctx, "templates:read", input.id));
}
