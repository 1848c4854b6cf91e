import { ttlCache } from "../kernel/cache.ts";
import type { Ctx } from "../kernel/ctx.ts";
import { logger } from "../kernel/log.ts";
import { counter } from "../kernel/metrics.ts";
import { windowsFor } from "./quiet-hours.ts";
import type { Window } from "./quiet-hours.ts";
import { selectLimits } from "./queries.ts";
import type { LimitsRow } from "./queries.ts";
import { capsSchema, quietRulesSchema } from "./schemas.ts";
import type { Cap, LimitsState, MessagePlace } from "./schemas.ts";

const malformed = counter(
  "tidings_malformed_recipient_limits_total",
  "How often quiet hours and caps of an organisation were read that cannot be: its marketing waits",
);

/** An organisation's limits, as messages are compared with them. */
export interface StoredLimits extends LimitsState {
  /** The quiet hours that are for a message. */
  windowsOf(message: MessagePlace): readonly Window[];
  /** The caps that are. */
  capsOf(message: Pick<MessagePlace, "class" | "channel">): readonly Cap[];
}

const cache = ttlCache<StoredLimits>({ name: "recipient-limits", ttlMs: 1_000, max: 2_000, ahead: true });

/** The limits of the ctx's tenant; at most a second old. */
export async function storedLimits(ctx: Pick<Ctx, "db" | "tenantId">): Promise<StoredLimits> {
  const limits = await cache.get(ctx.tenantId, async () => {
    const read = prepare(readLimits(await selectLimits(ctx)));
    if (read.problem) {
      malformed.inc();
      logger().error({ tenantId: ctx.tenantId }, "quiet hours and caps cannot be read: marketing waits");
    }
    return read;
  });
  return limits ?? noLimits;
}

/** After a change: this process sees it at once, the others within a second. */
export function forgetLimits(tenantId: string): void {
  cache.forget(tenantId);
}

/** What is stored, typed. Of what cannot be read nothing counts but that it is there. */
export function readLimits(row: LimitsRow | null): LimitsState {
  if (row === null) return { quietHours: [], caps: [], revision: 0, problem: false };
  const quietHours = quietRulesSchema.safeParse(row.quietHours);
  const caps = capsSchema.safeParse(row.caps);
  return {
    quietHours: quietHours.data ?? [],
    caps: caps.data ?? [],
    revision: row.revision,
    problem: !quietHours.success || !caps.success,
  };
}

/** @param state not changed any more */
function prepare(state: LimitsState): StoredLimits {
  if (!state.problem && state.quietHours.length + state.caps.length === 0) {
    return { ...state, windowsOf: () => [], capsOf: () => [] };
  }
  const windows = new Map<string, Window[]>();
  return {
    ...state,
    windowsOf(message) {
      const key = `${message.class}/${message.channel}/${message.region}`;
      let found = windows.get(key);
      if (!found) windows.set(key, (found = windowsFor(state.quietHours, message)));
      return found;
    },
    capsOf: (message) =>
      state.caps.filter(
        (cap) => cap.class === message.class && (cap.channel === null || cap.channel === message.channel),
      ),
  };
}

const noLimits = prepare(readLimits(null));
