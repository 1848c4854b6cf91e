import { systemCtx } from "../access/system-ctx.ts";
import type { InboundMessage, Receipt } from "../adapters/adapter.ts";
import type { ProviderConnection } from "../connections/load-connection.ts";
import type { Db } from "../kernel/db.ts";
import { logger } from "../kernel/log.ts";
import { counter } from "../kernel/metrics.ts";
import type { PlatformChannel } from "../platform/load-channel.ts";
import { splitTold } from "../platform/split-told.ts";
import { recordReceipts } from "./record-receipts.ts";

/** Who was told: a tenant's own connection, or a channel of the operator that several share. */
export type ToldSource =
  | { own: Pick<ProviderConnection, "id" | "tenantId" | "name"> }
  | { channel: Pick<PlatformChannel, "id" | "name"> };

const nobodys = counter(
  "tidings_platform_messages_unmatched_total",
  "Messages from recipients over an operator's channel to a number that no organisation has",
);

/**
 * Records what a provider tells, by a callback or over a session: for a shared channel, with each tenant what is its own.
 * @param requestId correlates with the callback; a new one without it
 */
export async function recordTold(
  deps: { db: Db },
  source: ToldSource,
  told: { receipts: Receipt[]; inbound: InboundMessage[] },
  requestId?: string,
): Promise<{ unmatched: number }> {
  const { db } = deps;
  if ("own" in source) {
    const { id: connectionId, tenantId, name } = source.own;
    const ctx = systemCtx(db, tenantId, `Provider ${name}`, requestId);
    return recordReceipts(ctx, { connectionId, ...told });
  }
  const { id, name } = source.channel;
  const { shares, unmatchedReceipts, unmatchedInbound } = await splitTold(db, id, told);
  if (unmatchedInbound > 0) {
    nobodys.inc(unmatchedInbound);
    logger().warn({ channelId: id, count: unmatchedInbound }, "messages came to a number that nobody has");
  }
  const recorded = await Promise.all(
    shares.map(({ tenantId, connectionId, receipts, inbound }) =>
      recordReceipts(systemCtx(db, tenantId, `Provider ${name}`, requestId), {
        connectionId,
        receipts,
        inbound,
      }),
    ),
  );
  return { unmatched: recorded.reduce((sum, { unmatched }) => sum + unmatched, unmatchedReceipts) };
}
