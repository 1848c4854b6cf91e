import { z } from "zod";
import { channelSchema } from "../kernel/channel.ts";

/** What the operator charges per message, by channel; without a fee only the provider's price applies. */
export const platformFeesSchema = z.partialRecord(
  channelSchema,
  z.strictObject({
    amount: z.string().regex(/^\d{1,9}(\.\d{1,6})?$/, "A decimal number with at most six places, e.g. 0.001"),
    currency: z.string().regex(/^[A-Z]{3}$/, "Three upper-case letters, e.g. EUR"),
  }),
);
export type PlatformFees = z.output<typeof platformFeesSchema>;

/** One cost of a message, as the portal shows it. */
export const costEntrySchema = z.object({
  /** message: an attempt's cost at the provider; platform_fee: the operator's own. */
  kind: z.enum(["message", "platform_fee"]),
  /** Number of the attempt; 0 for the fee. */
  attempt: z.int(),
  amount: z.string(),
  currency: z.string(),
  source: z.enum(["reported", "estimated"]),
  at: z.iso.datetime(),
});
export type CostEntry = z.output<typeof costEntrySchema>;
