import { z } from "zod";
import { channelSchema } from "../kernel/channel.ts";
import { lackable } from "./vocabulary.ts";

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

const instant = z.iso.datetime({ offset: true, error: "An ISO 8601 date and time with a zone" });
const name = z.string().min(1).max(128);

/** Which entries of the ledger: those that a figure of the cost report is the sum of, so its filter has the same names. */
export const entryListSchema = z.object({
  from: instant,
  to: instant,
  environmentId: z.uuid().optional(),
  unitId: z.uuid().optional(),
  application: name.optional(),
  channel: channelSchema.optional(),
  provider: z.uuid().optional(),
  country: z.string().min(1).max(3).optional(),
  notificationType: name.optional(),
  notificationSubtype: name.optional(),
  template: z.uuid().optional(),
  mailDomain: z.enum(["gmail", "yahoo", "microsoft", "other"]).optional(),
  currency: currencySchema.optional(),
  /** Only entries that have none of it. */
  without: z.enum(lackable).optional(),
  limit: z.int().min(1).max(200).default(50),
  cursor: z.string().max(500).optional(),
});
export type EntryListInput = z.output<typeof entryListSchema>;

/** An entry of the ledger with what it was for. */
export interface ListedEntry {
  id: string;
  at: string;
  notificationId: string;
  kind: "message" | "platform_fee";
  attempt: number;
  source: "reported" | "estimated";
  amount: string;
  currency: string;
  segments: number | null;
  /** Its short name. */
  environment: string | null;
  application: string | null;
  channel: string;
  provider: string | null;
  country: string | null;
  notificationType: string;
  notificationSubtype: string;
  template: string | null;
}
