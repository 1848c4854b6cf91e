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
  no_address: "No address on this channel any more",
  duplicate_recipient: "Gets it at another address, or was named in the request itself",
  expired: "Not reached in time",
  canceled: "Canceled before their turn",
};
