/** Values, limits and words of this domain that pages use as well: without zod, so that a page that only reads them does not load it. */

/** What a message may have none of, by which reports tell those apart. */
export const absentees = [
  "provider",
  "template",
  "country",
  "mailDomain",
  "notificationType",
  "notificationSubtype",
  "code",
  "providerCode",
] as const;

/** Why recipients of a broadcast got no message at all, in words. */
export const leftOutReasons: Record<string, string> = {
  contact_deleted: "Contact was deleted",
  no_address: "No longer has an address on this channel",
  duplicate_recipient: "Receives it at another address, or was listed in the request itself",
  expired: "Not reached in time",
  canceled: "Canceled before processing",
};

/** How many messages a person takes in hand at once. */
export const mostAtOnce = 100;

/** How many messages of a filter are counted at most. */
export const mostCounted = 100_000;
