import type { Ctx } from "../kernel/ctx.ts";
import { enqueueLostDeliveries } from "./delivery-queries.ts";

/** Longer than a job needs from its time to its start under load. */
const graceMs = 30_000;

/** The safety net: enqueues deliveries whose job got lost. Returns how many; zero in a healthy system. */
export async function sweepWebhooks(ctx: Pick<Ctx, "db">): Promise<number> {
  return enqueueLostDeliveries(ctx.db, { graceMs, limit: 5_000 });
}
