/** Values, limits and words of this domain that pages use as well: without zod, so that a page that only reads them does not load it. */

/** What an entry of the ledger may lack, as reports tell apart what has none. */
export const lackable = [
  "provider",
  "template",
  "country",
  "mailDomain",
  "notificationType",
  "notificationSubtype",
] as const;
