/**
 * The one list of the states of a notification and their transitions. Pure and safe in the browser. The database has
 * the same in notification_may_become(), notification_rank(), is_terminal_status(), is_recipient_action(),
 * webhook_event_of() and the partial indexes of `notifications`; a test compares them.
 */
export const notificationStatuses = [
  "pending_approval",
  "scheduled",
  "queued",
  "sending",
  "sent",
  "delivered",
  "failed",
  "rejected",
  "expired",
  "canceled",
  "undetermined",
] as const;
export type NotificationStatus = (typeof notificationStatuses)[number];

/** What a recipient or provider reports about a message besides its state; each is an event with a time. */
export const notificationSignals = ["read", "clicked", "bounced", "complained"] as const;
export type NotificationSignal = (typeof notificationSignals)[number];

const ranks: Record<NotificationStatus, 0 | 1 | 2 | 3> = {
  pending_approval: 0,
  scheduled: 0,
  queued: 0,
  sending: 1,
  sent: 2,
  delivered: 3,
  failed: 3,
  rejected: 3,
  expired: 3,
  canceled: 3,
  undetermined: 3,
};

/** A status never goes down in rank; 3 is terminal. */
export function statusRank(status: NotificationStatus): 0 | 1 | 2 | 3 {
  return ranks[status];
}

/**
 * Whether a notification in `from` may become `to`. The first terminal status stands, except `undetermined`. From `sending` to
 * `canceled` only between attempts, and only while no provider may have it: advance_notifications() sees to that.
 */
export function mayBecome(from: NotificationStatus, to: NotificationStatus): boolean {
  // A person approves it, or not.
  if (from === "pending_approval") {
    return ["scheduled", "queued", "rejected", "expired", "canceled"].includes(to);
  }
  if (to === "pending_approval" || to === "scheduled" || to === "queued") return false;
  if (from === "undetermined") return to === "delivered" || to === "failed";
  if (to === "canceled" || to === "expired" || to === "rejected") return ranks[from] < 2;
  return ranks[to] > ranks[from];
}
