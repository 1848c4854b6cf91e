import type { DomainGroup } from "./schemas.ts";

/** Values, limits and words of this domain that pages use as well: without zod, so that a page that only reads them does not load it. */

const names: Record<string, string> = {
  gmail: "Gmail",
  yahoo: "Yahoo and AOL",
  microsoft: "Outlook and Hotmail",
} satisfies Record<Exclude<DomainGroup, "other">, string>;

/** "Marketing to …" */
export const groupName = (group: string): string => names[group] ?? "other mailboxes";

/**
 * What an organisation is measured by at each mailbox provider. Complaints are shares of what was delivered: Gmail and Yahoo ask for
 * less than 0.1% and never 0.3%. Bounces are shares of what was delivered or came back: Amazon SES reviews an account from 5% on
 * and stops it from 10% on. A week has each weekday once, is long enough for complaints, which come days later, and lets a fault
 * be forgotten in as long.
 */
export const mailThresholds = {
  windowDays: 7,
  /** With fewer messages a rate says nothing: there is neither a warning nor a hold. */
  leastMessages: 1_000,
  complaints: { warn: 0.001, hold: 0.003 },
  bounces: { warn: 0.05, hold: 0.1 },
  /** For so long after somebody released a hold there is no other. */
  acceptedHours: 24,
} as const;

export const mostCounted = 10_000;

export const dnsParts = ["spf", "dkim", "dmarc"] as const;

/** Sender domains of an organisation that are checked and shown; one over two connections counts twice. */
export const mostDomains = 50;
