import { recordAudit } from "../audit/record-audit.ts";
import type { Ctx } from "../kernel/ctx.ts";
import { inTenant } from "../kernel/db.ts";
import { DomainError } from "../kernel/errors.ts";
import { idFloor } from "../kernel/ids.ts";
import { managedEndpoint } from "./manage-endpoint.ts";
import { reopenDeliveries } from "./queries.ts";
import type { Replay } from "./schemas.ts";

/** What one transaction handles in well under a second. */
const maxPerCall = 10_000;

/**
 * Delivers everything again that failed, or that the endpoint missed while it was off, since a moment, and immediately what has failed and waits for
 * its next attempt; oldest first, behind current deliveries. The worker delivers in the background; `complete` is false
 * when the limit of one call was reached.
 */
export async function replayFailedWebhooks(
  ctx: Ctx,
  input: Replay & { id: string },
): Promise<{ replayed: number; complete: boolean }> {
  const endpoint = await managedEndpoint(ctx, input.id);
  if (!endpoint.enabled) throw new DomainError("conflict", "Turn the endpoint on first.");
  const replayed = await inTenant(ctx, async (tx) => {
    const count = await reopenDeliveries(tx, ctx.tenantId, endpoint.id, {
      sinceId: idFloor(new Date(Math.max(0, Date.parse(input.since)))),
      limit: maxPerCall,
    });
    await recordAudit(ctx, tx, {
      action: "webhook.replayed",
      targetType: "webhook",
      targetId: endpoint.id,
      unitId: endpoint.unitId,
      environmentId: endpoint.environmentId,
      data: { since: input.since, count },
    });
    return count;
  });
  return { replayed, complete: replayed < maxPerCall };
}
