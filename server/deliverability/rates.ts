import type { DomainCounts, MailCause } from "./schemas.ts";

/** Complaints, of what was delivered; null when nothing was. */
export function complaintRate({ delivered, complained }: DomainCounts): number | null {
  return delivered === 0 ? null : complained / delivered;
}

/** Mails of which it is known that they arrived, came back, or that nothing more will be heard of them. */
export const ended = ({ delivered, unconfirmed, bounced }: DomainCounts): number =>
  delivered + unconfirmed + bounced;

/** What came back, of all that ended. */
export function bounceRate(counts: DomainCounts): number | null {
  return ended(counts) === 0 ? null : counts.bounced / ended(counts);
}

/** "0.42% of 12,000 delivered messages were reported as spam", for people. */
export function rateText(cause: MailCause, counts: DomainCounts): string {
  const [rate, of] =
    cause === "complaints" ? [complaintRate(counts), counts.delivered] : [bounceRate(counts), ended(counts)];
  const percent = `${((rate ?? 0) * 100).toFixed(cause === "complaints" ? 2 : 1)}%`;
  const messages = of.toLocaleString("en");
  return cause === "complaints"
    ? `${percent} of ${messages} delivered messages were reported as spam`
    : `${percent} of ${messages} messages came back`;
}
