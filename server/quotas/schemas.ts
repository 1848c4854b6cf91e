/** Quotas of organisations. Safe in the browser. */
import { z } from "zod";

const limit = z.int({ error: "A whole number" }).min(1, { error: "At least 1" }).max(2_000_000_000);

/** What an organisation may do at most; null: as much as it wants. */
export const quotaSchema = z.strictObject({
  /** Messages accepted in a day (UTC), outside the sandbox. */
  messagesPerDay: limit.nullable(),
  /** The same in a calendar month (UTC). */
  messagesPerMonth: limit.nullable(),
  /** Requests of all its API keys together. */
  requestsPerMinute: limit.nullable(),
});
export type Quota = z.output<typeof quotaSchema>;

export const noQuota: Quota = { messagesPerDay: null, messagesPerMonth: null, requestsPerMinute: null };

/** How much was accepted, at most some seconds ago, and when counting begins anew. */
export interface QuotaUse {
  day: { used: number; resetsAt: Date };
  month: { used: number; resetsAt: Date };
}
