import { Decimal } from "decimal.js";
import { whatsappCategorySchema } from "../connections/schemas.ts";
import type { PriceListEntry, WhatsappCategory } from "../connections/schemas.ts";

export interface Estimate {
  /** Decimal string, six places. */
  amount: string;
  currency: string;
  source: "estimated";
}

/**
 * What a message costs by a connection's price list; null when the list has no matching entry. A country's price takes
 * precedence over the general one, a WhatsApp category's over the one for any.
 * @param to.country ISO 3166-1 country of the recipient, null when it has none
 * @param segments SMS: how many are billed; null on channels that bill messages
 */
export function estimateCost(
  priceList: readonly PriceListEntry[],
  to: {
    channel: PriceListEntry["channel"];
    country: string | null;
    category?: WhatsappCategory | undefined;
  },
  segments: number | null,
): Estimate | undefined {
  let price: PriceListEntry | undefined;
  let best = -1;
  for (const entry of priceList) {
    if (entry.channel !== to.channel) continue;
    if (entry.country !== undefined && entry.country !== to.country) continue;
    if (entry.category !== undefined && entry.category !== to.category) continue;
    const rank = (entry.country === undefined ? 0 : 2) + (entry.category === undefined ? 0 : 1);
    if (rank > best) [price, best] = [entry, rank];
  }
  if (!price) return undefined;
  return {
    amount: new Decimal(price.amount).times(segments ?? 1).toFixed(6),
    currency: price.currency,
    source: "estimated",
  };
}

/**
 * A provider's name of a WhatsApp category, e.g. "AUTHENTICATION_INTERNATIONAL", as price lists name it; undefined for
 * unknown ones.
 */
export function whatsappCategoryOf(word: string): WhatsappCategory | undefined {
  const name = word.toLowerCase().replace(/_international$/, "");
  const category = whatsappCategorySchema.safeParse(name);
  return category.success ? category.data : undefined;
}
