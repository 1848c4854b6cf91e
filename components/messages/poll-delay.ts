import type { Timeline } from "../../server/sending/schemas.ts";
import { statusFace } from "./status.ts";

/** So long after a message's last change its webhooks are waited for: their second retry comes after five minutes. */
const webhooksPatience = 6 * 60_000;

/**
 * Milliseconds until a message is asked about again: a fresh one changes within seconds, one that waits for a receipt may take
 * hours, and one that has ended changes no more, but its webhooks may still be on their way.
 */
export function pollDelay({ notification, webhooks }: Polled, now = Date.now()): number | false {
  if (!notification.final && !statusFace(notification.status).terminal)
    return now - Date.parse(notification.createdAt) < 120_000 ? 1000 : 10_000;
  const changedAt = Date.parse(notification.events.at(-1)?.at ?? notification.createdAt);
  const waits = webhooks.some(({ state }) => state === "pending") && now - changedAt < webhooksPatience;
  return waits ? 5000 : false;
}

/** So far apart are calls about several messages, in milliseconds: a third of what the service answers one person a minute. */
const apart = 150;

/** The same for one of several messages that are looked at together. */
export function pollDelayOf(count: number, polled: Polled, now = Date.now()): number | false {
  const delay = pollDelay(polled, now);
  return delay === false ? false : Math.max(delay, count * apart);
}

type Polled = {
  notification: Pick<Timeline["notification"], "status" | "final" | "createdAt"> & {
    events: readonly Pick<Timeline["notification"]["events"][number], "at">[];
  };
  webhooks: readonly Pick<Timeline["webhooks"][number], "state">[];
};
