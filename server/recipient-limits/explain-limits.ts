import type { Ctx } from "../kernel/ctx.ts";
import { limitsOf } from "./message-limits.ts";
import type { LimitedMessage, Wait } from "./message-limits.ts";
import { selectCapCounts, selectOwnZones } from "./queries.ts";
import type { Cap } from "./schemas.ts";
import { storedLimits } from "./stored-limits.ts";

export interface ExplainedLimits {
  /** Why it would wait now. */
  waits: { code: Wait["code"]; until: string | null; detail: string } | null;
  /** The caps that are for it, and how many that count the recipient has had. */
  caps: (Cap & { had: number })[];
}

/** What the limits of the organisation would do to messages now, in their order; a few round trips for all of them. */
export async function explainLimits(
  ctx: Ctx,
  messages: readonly Omit<LimitedMessage, "tenantId">[],
): Promise<ExplainedLimits[]> {
  const limits = await storedLimits(ctx);
  const zones = await selectOwnZones(
    ctx,
    messages.map(({ channel, recipient: address }) => ({ channel, address })),
  );
  return Promise.all(
    messages.map(async (message, index) => {
      const found =
        message.class === "authentication"
          ? null
          : await limitsOf(limits, { ...message, tenantId: ctx.tenantId }, () =>
              Promise.resolve(zones[index] ?? null),
            );
      const wait = found?.quietAt(ctx.now().getTime());
      const counts = found?.cap ? await selectCapCounts(ctx, found.cap) : [];
      return {
        waits: wait
          ? {
              code: wait.code,
              until: wait.never ? null : new Date(wait.until).toISOString(),
              detail: wait.detail,
            }
          : null,
        caps: (found?.cap?.limits ?? []).map((cap, place) => ({ ...cap, had: counts[place] ?? 0 })),
      };
    }),
  );
}
