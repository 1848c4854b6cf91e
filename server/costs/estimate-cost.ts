import { Decimal } from "decimal.js";
import { whatsappCategorySchema } from "../connections/schemas.ts";
import type { PriceListEntry, WhatsappCategory } from "../connections/schemas.ts";
import { findPrice } from "./price-index.ts";
import { whatsappRulesOn } from "./whatsapp-rules.ts";

export interface Estimate {
  /** Decimal string, six places. */
  amount: string;
  currency: string;
  source: "estimated";
  /** WhatsApp: the category that it counts as in its month; left out where nothing depends on that. */
  countedAs?: string;
}

/** What units are counted by in a month, where a row has tiers or free units. */
export interface PriceScope {
  channel: PriceListEntry["channel"];
  /** "": the row without a category. */
  category: string;
  /** "": the row without a country; "*": all countries together, as Meta counts what is free. */
  country: string;
}

/** A message as price lists see it. */
export interface PricedMessage {
  channel: PriceListEntry["channel"];
  /** ISO 3166-1 country of the recipient, null when it has none. */
  country: string | null;
  category?: WhatsappCategory | undefined;
  /** When it is sent. */
  at: Date;
  /** SMS: how many segments are billed; null on channels that bill messages. */
  segments: number | null;
  /** Whether Meta bills it, so that its rules hold besides the list. */
  meta?: boolean;
  /** Whether the recipient's customer service window is open; only asked of those for whom that decides. */
  windowOpen?: boolean;
  /** What the provider has said already: that it charges for the message, or that it does not. */
  decided?: "charged" | "free" | undefined;
}

export interface PricedEstimate {
  estimate: Estimate;
  /** The units that it adds to the counts of the month, and under what; none where nothing depends on them. */
  counts: PriceScope[];
  units: number;
}

/** How many units were counted before in the message's month (UTC). */
export type UnitsBefore = (scope: PriceScope) => number;

const nothing: UnitsBefore = () => 0;

/**
 * What a message costs by a connection's price list; undefined when the list has no price for it on that day. A country's price
 * takes precedence over the general one, a WhatsApp category's over the one for any. Of a row with free units or tiers, each
 * segment or message is priced by its number in the month.
 */
export function estimateCost(
  priceList: readonly PriceListEntry[],
  message: PricedMessage,
  unitsBefore: UnitsBefore = nothing,
): PricedEstimate | undefined {
  if (priceList.length === 0) return undefined;
  const row = priceRow(priceList, message);
  if (!row) return undefined;
  const units = message.segments ?? 1;
  const of = (amount: Decimal) => ({
    amount: amount.toFixed(6),
    currency: row.currency,
    source: "estimated" as const,
  });
  if (isFree(message)) return { estimate: of(new Decimal(0)), counts: [], units };
  const free = freeUnits(row, message);
  const counts = scopesOf(row, free);
  if (counts.length === 0) return { estimate: of(new Decimal(row.amount).times(units)), counts, units };
  const before = free ? unitsBefore(free.scope) : 0;
  const unpaid = free ? Math.min(units, Math.max(0, free.units - before)) : 0;
  const amount = tieredAmount(row, row.tiers ? unitsBefore(scopeOf(row)) + unpaid : 0, units - unpaid);
  const { category: countedAs } = message;
  return { estimate: { ...of(amount), ...(countedAs && { countedAs }) }, counts, units };
}

/** The row that holds for a message, whatever was counted. */
export function priceRow(
  priceList: readonly PriceListEntry[],
  { channel, country, category, at }: Pick<PricedMessage, "channel" | "country" | "category" | "at">,
): PriceListEntry | undefined {
  return findPrice(priceList, { channel, country, categories: fitting(category), day: dayOf(at) });
}

/** Whether what was sent before in the month decides about a message's price. */
export function isCounted(row: PriceListEntry, message: PricedMessage): boolean {
  return !isFree(message) && scopesOf(row, freeUnits(row, message)).length > 0;
}

/** Whether it decides about a message's price if the recipient's customer service window is open. */
export function asksForWindow({
  category,
  at,
}: {
  category?: WhatsappCategory | undefined;
  at: Date;
}): boolean {
  return category !== undefined && whatsappRulesOn(dayOf(at))?.free[category] === "in_window";
}

function isFree({ meta = false, windowOpen = false, category, at, decided }: PricedMessage): boolean {
  if (decided !== undefined) return decided === "free";
  if (!meta || category === undefined) return false;
  const when = whatsappRulesOn(dayOf(at))?.free[category];
  return when === "always" || (when === "in_window" && windowOpen);
}

/** Of a month's units the first ones are free by the list, or where it says nothing by Meta's rules. */
function freeUnits(
  row: PriceListEntry,
  { meta = false, category, at }: PricedMessage,
): { units: number; scope: PriceScope } | undefined {
  if (row.freePerMonth !== undefined) {
    return row.freePerMonth > 0 ? { units: row.freePerMonth, scope: scopeOf(row) } : undefined;
  }
  if (!meta || category === undefined) return undefined;
  const units = whatsappRulesOn(dayOf(at))?.freePerMonth[category];
  return units === undefined ? undefined : { units, scope: { channel: "whatsapp", category, country: "*" } };
}

function scopesOf(row: PriceListEntry, free: { scope: PriceScope } | undefined): PriceScope[] {
  const own = row.tiers !== undefined || (row.freePerMonth ?? 0) > 0 ? [scopeOf(row)] : [];
  return free?.scope.country === "*" ? [...own, free.scope] : own;
}

function scopeOf({ channel, category, country }: PriceListEntry): PriceScope {
  return { channel, category: category ?? "", country: country ?? "" };
}

/** What `units` cost of which the first has the number `before + 1` in the month. */
function tieredAmount({ amount, tiers = [] }: PriceListEntry, before: number, units: number): Decimal {
  let total = new Decimal(0);
  let from = before;
  const end = before + units;
  for (let tier = 0; from < end; tier++) {
    const price = tier === 0 ? amount : (tiers[tier - 1]?.amount ?? amount);
    const to = Math.min(end, tiers[tier]?.above ?? Infinity);
    if (to <= from) continue;
    total = total.plus(new Decimal(price).times(to - from));
    from = to;
  }
  return total;
}

const fitting = (category: WhatsappCategory | undefined): readonly WhatsappCategory[] =>
  category === undefined
    ? []
    : category === "authentication_international"
      ? [category, "authentication"]
      : [category];

let lastDay = { number: Number.NaN, text: "" };

/** The day (UTC), as 2026-10-01. */
function dayOf(at: Date): string {
  const number = Math.floor(at.getTime() / 86_400_000);
  if (number !== lastDay.number) lastDay = { number, text: at.toISOString().slice(0, 10) };
  return lastDay.text;
}

/**
 * A provider's name of a WhatsApp category, e.g. "AUTHENTICATION-INTERNATIONAL", as price lists name it; undefined for
 * unknown ones.
 */
export function whatsappCategoryOf(word: string): WhatsappCategory | undefined {
  const name = word.toLowerCase().replaceAll("-", "_");
  const category = whatsappCategorySchema.safeParse(name === "marketing_lite" ? "marketing" : name);
  return category.success ? category.data : undefined;
}
