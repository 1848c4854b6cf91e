import type { Ctx } from "../kernel/ctx.ts";
import { enqueueLostDeliveries } from "./delivery-queries.ts";

/** Longer than a job needs from its time to its start under load. */
const graceMs = 30_000;

/** The safety net: puts deliveries back in the queue whose job got lost. Answers how many; zero is the healthy answer. */
export async function sweepWebhooks(ctx: Pick<Ctx, "db">): Promise<number> {
  return enqueueLostDeliveries(ctx.db, { graceMs, limit: 5_000 });
}
