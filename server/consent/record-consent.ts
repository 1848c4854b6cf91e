import type { Channel } from "../kernel/channel.ts";
import type { Ctx } from "../kernel/ctx.ts";
import type { Tx } from "../kernel/db.ts";
import { newId } from "../kernel/ids.ts";
import type { NotificationClass } from "../tenancy/schemas.ts";

/**
 * Adds a consent entry in the caller's transaction; the newest entry that covers a message counts. Nobody says anything in the
 * future: a clock that is fast must not make an entry outlive those that come after it.
 */
export async function recordConsent(
  ctx: Ctx,
  tx: Tx,
  input: {
    sandbox: boolean;
    channel: Channel;
    address: string;
    state: "opted_in" | "opted_out";
    source: "api" | "portal" | "keyword" | "unsubscribe_link" | "import" | "provider";
    region?: string;
    class?: NotificationClass;
    evidence?: Record<string, string>;
    at?: Date;
  },
): Promise<void> {
  const now = ctx.now();
  await tx.consentEntry.create({
    data: {
      tenantId: ctx.tenantId,
      id: newId(),
      sandbox: input.sandbox,
      channel: input.channel,
      address: input.address,
      region: input.region ?? null,
      class: input.class ?? null,
      state: input.state,
      source: input.source,
      evidence: input.evidence ?? {},
      at: input.at && input.at < now ? input.at : now,
    },
  });
}
