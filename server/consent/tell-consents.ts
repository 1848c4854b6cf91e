import type { Ctx } from "../kernel/ctx.ts";
import type { Tx } from "../kernel/db.ts";
import { enqueueWebhookEvents } from "../webhooks/enqueue-webhook-event.ts";
import type { NewEntry } from "./queries.ts";

/** Tells webhook endpoints of entries, in the caller's transaction. */
export async function tellConsents(
  ctx: Ctx,
  tx: Tx,
  sandbox: boolean,
  entries: readonly Omit<NewEntry, "evidence">[],
): Promise<void> {
  await enqueueWebhookEvents(
    ctx,
    tx,
    entries.map(({ id, channel, address, region, class: of, state, source, at }) => ({
      event: `consent.${state}` as const,
      applicationId: null,
      environmentId: null,
      sandbox,
      payload: { consentId: id, channel, address, region, class: of, source, at: at.toISOString() },
      at,
    })),
  );
}
