import type { Timeline } from "../../server/sending/schemas.ts";

export type EventRow = Timeline["notification"]["events"][number];
export type AttemptRow = Timeline["attempts"][number];
export type WebhookRow = Timeline["webhooks"][number];

export type TimelineEntry =
  | { kind: "event"; at: number; order: number; event: EventRow }
  | { kind: "attempt"; at: number; order: number; attempt: AttemptRow }
  | { kind: "webhook"; at: number; order: number; delivery: WebhookRow };

/** Sequence number of the change to `sending` under which an attempt was made. */
function openedBy(events: readonly EventRow[], attempt: AttemptRow): number {
  const started = Date.parse(attempt.startedAt);
  return (
    events.findLast((event) => event.type === "sending" && Date.parse(event.at) <= started)?.sequence ?? 0
  );
}

/**
 * Everything that happened to one message, oldest first. At the same millisecond an event comes before the
 * attempt that it opened, and a webhook after the event that it tells of.
 */
export function buildTimeline(
  timeline: Pick<Timeline, "attempts" | "webhooks"> & {
    notification: Pick<Timeline["notification"], "events">;
  },
): TimelineEntry[] {
  const entries: TimelineEntry[] = [
    ...timeline.notification.events.map((event) => ({
      kind: "event" as const,
      at: Date.parse(event.at),
      order: event.sequence * 100,
      event,
    })),
    ...timeline.attempts.map((attempt) => ({
      kind: "attempt" as const,
      at: Date.parse(attempt.startedAt),
      order: openedBy(timeline.notification.events, attempt) * 100 + 10,
      attempt,
    })),
    ...timeline.webhooks.map((delivery) => ({
      kind: "webhook" as const,
      at: Date.parse(delivery.deliveredAt ?? delivery.at),
      order: (delivery.sequence ?? 0) * 100 + 50,
      delivery,
    })),
  ];
  return entries.toSorted((a, b) => a.at - b.at || a.order - b.order);
}
