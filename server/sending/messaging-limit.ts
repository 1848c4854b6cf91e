import type { ProviderConnection } from "../connections/load-connection.ts";
import { ttlCache } from "../kernel/cache.ts";
import type { Ctx } from "../kernel/ctx.ts";
import type { OutboundClient } from "../kernel/outbound-http.ts";
import { countStarted } from "./broadcast-queries.ts";

/** How many people a WhatsApp sender may still write to first, and to how many it has, in the last 24 hours. */
export interface MessagingLimit {
  connection: string;
  /** People within 24 hours; null: there is no limit. */
  limit: number | null;
  /** Those who got a message over this connection, whoever wrote first: Meta counts no more of them than these. */
  used: number;
}

/** Why it is not known, in words. */
export interface UnknownLimit {
  problem: string;
}

const answerMs = 5_000;

/** Asking takes a call to the provider, and counting may take a second; a provider that does not answer is not asked again either. */
const known = ttlCache<MessagingLimit | UnknownLimit>({ name: "messaging limits", ttlMs: 60_000, max: 500 });

/**
 * The messaging limit of a connection, at most a minute old. Meta sets it for a business with all its numbers: what was sent over
 * others, or not by this service, is not counted here.
 */
export async function messagingLimit(
  ctx: Ctx,
  { id, name, adapter, connection }: ProviderConnection,
  http: OutboundClient,
): Promise<MessagingLimit | UnknownLimit> {
  const { fetchMessagingLimit } = adapter;
  const untold = { problem: `${adapter.label} does not say to how many people messages may go in 24 hours.` };
  if (!fetchMessagingLimit) return untold;
  const found = await known.get(`${ctx.tenantId} ${id}`, async () => {
    const answer = await fetchMessagingLimit(connection, { http, timeoutMs: answerMs });
    if ("problem" in answer) return answer;
    return { connection: name, limit: answer.limit, used: await countStarted(ctx, id) };
  });
  return found ?? untold;
}
