/** Deliverability. Safe in the browser. */
import { z } from "zod";
import type { dnsParts } from "./vocabulary.ts";

/** Mailbox providers, as mail_domain_group() tells them apart. */
export const domainGroups = ["gmail", "yahoo", "microsoft", "other"] as const;
export const domainGroupSchema = z.enum(domainGroups);
export type DomainGroup = z.output<typeof domainGroupSchema>;

export const mailCauses = ["complaints", "bounces"] as const;
export type MailCause = (typeof mailCauses)[number];
export const mailLevels = ["fine", "warned", "held"] as const;
export type MailLevel = (typeof mailLevels)[number];

/** What became of a week's messages to the mailboxes of one provider. */
export interface DomainCounts {
  delivered: number;
  /** Sent through a provider that reports no deliveries. */
  unconfirmed: number;
  /** Also after they were delivered. */
  bounced: number;
  complained: number;
}

export const holdReleaseSchema = z.strictObject({
  group: domainGroupSchema,
  note: z.string().trim().min(1, "Say why: it stands in the audit trail").max(500, "At most 500 characters"),
});
export type HoldRelease = z.output<typeof holdReleaseSchema>;

/** One provider's mailboxes on the page Deliverability. */
export interface GroupStanding extends DomainCounts {
  group: DomainGroup;
  /** Null: nothing was delivered. */
  complaintRate: number | null;
  bounceRate: number | null;
  level: MailLevel;
  cause: MailCause | null;
  /** When a hold or a warning began. */
  since: string | null;
  /** Messages that wait for the hold to end; no more than `mostCounted`. */
  waiting: number;
  /** Until then no hold begins, because somebody released one. */
  accepted: { until: string; byName: string; note: string; at: string } | null;
}

export interface Deliverability {
  from: string;
  to: string;
  groups: GroupStanding[];
  /** On the service's own short links, on all channels. */
  clicks: { people: number; machines: number };
  mayRelease: boolean;
}

/** What DNS says of one thing about a domain. */
export interface DnsPart {
  state: "good" | "warning" | "bad" | "unknown";
  /** Where it was looked for. */
  name: string | null;
  record: string | null;
  summary: string;
  /** A record to add or to put in the place of the one there. */
  fix: { name: string; type: "TXT"; value: string } | null;
  checkedAt: string;
}

export type DnsPartName = (typeof dnsParts)[number];

/** A domain that mails are sent from over a connection. */
export interface SenderDomain extends Record<DnsPartName, DnsPart | null> {
  domain: string;
  connectionId: string;
  connection: string;
  provider: string;
  triedAt: string | null;
  /** Why the last check could not answer everything; what is shown is then older. */
  problem: string | null;
}

export const senderDomainSchema = z.strictObject({
  domain: z.string().min(1).max(253),
  connectionId: z.uuid(),
});
export type SenderDomainKey = z.output<typeof senderDomainSchema>;

export interface SenderDomains {
  data: SenderDomain[];
  /** More than are checked. */
  more: boolean;
  mayCheck: boolean;
}
