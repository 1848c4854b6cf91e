import { z } from "zod";
import { channelSchema } from "../kernel/channel.ts";

/** What the operator charges one message, by channel; a channel without a fee costs nothing beyond the provider. */
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
  /** message: what a try cost at the provider; platform_fee: the operator's own. */
  kind: z.enum(["message", "platform_fee"]),
  /** Of the try; 0 for the fee. */
  attempt: z.int(),
  amount: z.string(),
  currency: z.string(),
  source: z.enum(["reported", "estimated"]),
  at: z.iso.datetime(),
});
export type CostEntry = z.output<typeof costEntrySchema>;
