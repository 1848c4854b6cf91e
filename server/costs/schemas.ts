import { z } from "zod";
import { channelSchema } from "../kernel/channel.ts";

const currencySchema = z.string().regex(/^[A-Z]{3}$/, "Three upper-case letters, e.g. EUR");

/** What the operator charges per message, by channel; without a fee only the provider's price applies. */
export const platformFeesSchema = z.partialRecord(
  channelSchema,
  z.strictObject({
    amount: z.string().regex(/^\d{1,9}(\.\d{1,6})?$/, "A decimal number with at most six places, e.g. 0.001"),
    currency: currencySchema,
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
  /** The amount in the organisation's own currency at its rate of that day; null without a rate. */
  own: z.object({ amount: z.string(), currency: z.string() }).nullable(),
});
export type CostEntry = z.output<typeof costEntrySchema>;

/** More than a year of daily rates of a handful of currencies. */
export const mostRates = 2_000;

const rateKey = z.object({
  currency: currencySchema,
  validFrom: z.iso.date("A day, as 2027-01-31"),
});

export const rateSchema = rateKey.extend({
  /** How much of the organisation's own currency one unit is worth. */
  rate: z
    .string()
    .regex(/^\d{1,9}(\.\d{1,9})?$/, "A decimal number with at most nine places, e.g. 0.9412")
    .refine((rate) => Number(rate) > 0, "More than 0"),
});
export type Rate = z.output<typeof rateSchema>;

export const rateKeySchema = rateKey;

export const ownCurrencySchema = z.object({ currency: currencySchema.nullable() });

/** The organisation's own currency and its rates, by currency, the newest first. */
export const currencyStateSchema = ownCurrencySchema.extend({ rates: z.array(rateSchema) });
export type CurrencyState = z.output<typeof currencyStateSchema>;
