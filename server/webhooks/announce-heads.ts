import { systemCtx } from "../access/system-ctx.ts";
import { alone } from "../kernel/alone.ts";
import { inTenant } from "../kernel/db.ts";
import type { Db } from "../kernel/db.ts";
import { enqueueWebhookEvent } from "./enqueue-webhook-event.ts";
import { insertFeedEvents, selectTenantsAsking } from "./queries.ts";

const event = "audit.checkpoint";

/**
 * Tells each organisation of what was signed for its own trail: in the feed, and as `audit.checkpoint` to the endpoints that ask for it
 * by name.
 */
export async function announceHeads(
  db: Db,
  statements: readonly { tenantId: string; statement: Record<string, unknown> }[],
): Promise<void> {
  const asking = await selectTenantsAsking(db, event);
  const at = new Date();
  await insertFeedEvents(
    db,
    statements
      .filter(({ tenantId }) => !asking.has(tenantId))
      .map(({ tenantId, statement }) => ({ tenantId, event, payload: statement, at })),
  );
  for (const { tenantId, statement } of statements) {
    if (!asking.has(tenantId)) continue;
    const ctx = systemCtx(db, tenantId, "Audit");
    await alone(tenantId, "an organisation was not told of its audit trail's checkpoint", () =>
      inTenant(ctx, (tx) =>
        enqueueWebhookEvent(ctx, tx, { event, applicationId: null, environmentId: null, payload: statement }),
      ),
    );
  }
}
