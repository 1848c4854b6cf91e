import { systemCtx } from "../access/system-ctx.ts";
import { inTenant } from "../kernel/db.ts";
import type { Db } from "../kernel/db.ts";
import { enqueueWebhookEvent } from "./enqueue-webhook-event.ts";
import { selectTenantsAsking } from "./queries.ts";

const event = "audit.checkpoint";

/** Owes `audit.checkpoint` to the endpoints that ask for it by name: to each organisation what was signed for its own trail. */
export async function announceHeads(
  db: Db,
  statements: readonly { tenantId: string; statement: Record<string, unknown> }[],
): Promise<void> {
  const asking = await selectTenantsAsking(db, event);
  for (const { tenantId, statement } of statements) {
    if (!asking.has(tenantId)) continue;
    const ctx = systemCtx(db, tenantId, "Audit");
    await inTenant(ctx, (tx) =>
      enqueueWebhookEvent(ctx, tx, { event, applicationId: null, environmentId: null, payload: statement }),
    );
  }
}
