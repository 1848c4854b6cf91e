/** Values, limits and words of this domain that pages use as well: without zod, so that a page that only reads them does not load it. */

/** By what messages and costs are told apart. */
export const dimensions = [
  "channel",
  "application",
  "environment",
  "unit",
  "provider",
  "country",
  "notificationType",
  "notificationSubtype",
  "template",
  "mailDomain",
] as const;

/** Of what periods the Overview tells, by how long ago they began. */
export const overviewPeriods = ["1h", "24h", "7d", "30d"] as const;
export type OverviewPeriod = (typeof overviewPeriods)[number];
