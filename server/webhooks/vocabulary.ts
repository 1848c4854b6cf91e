/** Values, limits and words of this domain that pages use as well: without zod, so that a page that only reads them does not load it. */

/** Every event that an endpoint can subscribe to. */
export const webhookEvents = [
  "notification.pending_approval",
  "notification.queued",
  "notification.sending",
  "notification.sent",
  "notification.delivered",
  "notification.failed",
  "notification.rejected",
  "notification.expired",
  "notification.canceled",
  "notification.undetermined",
  "notification.read",
  "notification.bounced",
  "notification.complained",
  "consent.opted_in",
  "consent.opted_out",
  "suppression.created",
  "suppression.removed",
  "import.finished",
  "link.clicked",
  "button.tapped",
  "message.received",
  "processing.error",
  "budget.threshold_reached",
  "audit.checkpoint",
] as const;

/** Those among them that only who asks for them by name is told of: not part of all. */
export const eventsByName = [
  "audit.checkpoint",
  "budget.threshold_reached",
] as const satisfies readonly (typeof webhookEvents)[number][];

/** How many endpoints are asked about at once, and how many of the newest deliveries of each are counted. */
export const successRateLimits = { endpoints: 50, deliveries: 2_000 } as const;
