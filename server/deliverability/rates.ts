import type { DomainCounts, MailCause } from "./schemas.ts";

/** Complaints, of what was delivered; null when nothing was. */
export function complaintRate({ delivered, complained }: DomainCounts): number | null {
  return delivered === 0 ? null : complained / delivered;
}

/** What came back, of all of which a mailbox provider has said what became of it. */
export function bounceRate({ delivered, bounced }: DomainCounts): number | null {
  return delivered + bounced === 0 ? null : bounced / (delivered + bounced);
}

/** "0.42 % of 12,000 delivered messages were reported as spam", for people. */
export function rateText(cause: MailCause, counts: DomainCounts): string {
  const [rate, of] =
    cause === "complaints"
      ? [complaintRate(counts), counts.delivered]
      : [bounceRate(counts), counts.delivered + counts.bounced];
  const percent = `${((rate ?? 0) * 100).toFixed(cause === "complaints" ? 2 : 1)} %`;
  const messages = of.toLocaleString("en");
  return cause === "complaints"
    ? `${percent} of ${messages} delivered messages were reported as spam`
    : `${percent} of ${messages} messages came back`;
}
