import { systemCtx } from "../access/system-ctx.ts";
import type { ProviderEvents } from "../adapters/adapter.ts";
import type { ProviderConnection } from "../connections/load-connection.ts";
import type { Db } from "../kernel/db.ts";
import { logger } from "../kernel/log.ts";
import { counter } from "../kernel/metrics.ts";
import type { PlatformChannel } from "../platform/load-channel.ts";
import { splitProviderEvents } from "../platform/split-provider-events.ts";
import { recordReceipts } from "./record-receipts.ts";

/** Where events come from: a tenant's own connection, or a channel of the operator that several tenants share. */
export type ProviderEventSource =
  | { own: Pick<ProviderConnection, "id" | "tenantId" | "name"> }
  | { channel: Pick<PlatformChannel, "id" | "name"> };

const unmatchedMessages = counter(
  "tidings_platform_messages_unmatched_total",
  "Messages from recipients over an operator's channel to a number that no organisation has",
);

/**
 * Records the events of a callback or session; those of a shared channel are recorded for the tenant they belong to.
 * @param requestId correlates with the callback; left out, a new one is made
 */
export async function recordProviderEvents(
  deps: { db: Db },
  source: ProviderEventSource,
  events: ProviderEvents,
  requestId?: string,
): Promise<{ unmatched: number }> {
  const { db } = deps;
  if ("own" in source) {
    const { id: connectionId, tenantId, name } = source.own;
    const ctx = systemCtx(db, tenantId, `Provider ${name}`, requestId);
    return recordReceipts(ctx, { connectionId, ...events });
  }
  const { id, name } = source.channel;
  const { shares, unmatchedReceipts, unmatchedInbound } = await splitProviderEvents(db, id, events);
  if (unmatchedInbound > 0) {
    unmatchedMessages.inc(unmatchedInbound);
    logger().warn(
      { channelId: id, count: unmatchedInbound },
      "messages came to a number that no organisation has",
    );
  }
  const recorded = await Promise.all(
    shares.map(({ tenantId, ...share }) =>
      recordReceipts(systemCtx(db, tenantId, `Provider ${name}`, requestId), share),
    ),
  );
  return { unmatched: recorded.reduce((sum, { unmatched }) => sum + unmatched, unmatchedReceipts) };
}
