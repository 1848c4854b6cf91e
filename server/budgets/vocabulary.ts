/** Values, limits and words of this domain that pages use as well: without zod, so that a page that only reads them does not load it. */

/** What bounds them. */
export const budgetLimits = {
  /** Of one organisation. */
  budgets: 100,
  thresholds: 5,
  /** Mails about budgets of one organisation in a day (UTC), and of one threshold. */
  mailsADay: 200,
  mailsOfOne: 50,
  /** Lines of a statement; what is beyond them is added up in one line for each currency. */
  lines: 2_000,
  /** Unusual days that are listed, and price changes. */
  findings: 100,
} as const;
