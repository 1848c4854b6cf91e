import type { PriceListEntry } from "../../server/connections/schemas.ts";
import { channelLabel } from "../messages/channel.tsx";
import { formatMoney, formatNumber, humanize } from "../ui/format.ts";
import { dateFormat } from "../ui/intl.ts";

/** The rows for one kind of message. */
export interface PriceGroup {
  key: string;
  /** Any of them: what they are for. */
  of: Pick<PriceListEntry, "channel" | "category" | "country">;
  /** The row that holds on the day, if one does. */
  now: PriceListEntry | null;
  /** The row that begins next. */
  next: PriceListEntry | null;
  /** How many have ended. */
  ended: number;
}

export const kindKey = ({ channel, category, country }: PriceGroup["of"]) =>
  [channel, category ?? "", country ?? ""].join(" ");

/** One row of a list: no other is for the same messages from the same day on. */
export const rowKey = (entry: PriceListEntry) => `${kindKey(entry)} ${entry.validFrom ?? ""}`;

/** The rows of a list by what they are for, in the list's order; those that only have rows of the past come last. */
export function groupPrices(list: readonly PriceListEntry[], day: string): PriceGroup[] {
  const groups = new Map<string, PriceGroup>();
  for (const entry of list) {
    const key = kindKey(entry);
    const { channel, category, country } = entry;
    const group = groups.get(key) ?? {
      key,
      of: { channel, category, country },
      now: null,
      next: null,
      ended: 0,
    };
    groups.set(key, group);
    if (entry.validTo !== undefined && entry.validTo < day) group.ended += 1;
    else if (entry.validFrom === undefined || entry.validFrom <= day) group.now = entry;
    else if (!group.next || entry.validFrom < (group.next.validFrom ?? "")) group.next = entry;
  }
  const isOver = ({ now, next }: PriceGroup) => (now || next ? 0 : 1);
  return [...groups.values()].sort((a, b) => isOver(a) - isOver(b));
}

/** Today (UTC), by which prices begin and end. */
export const priceDay = () => new Date().toISOString().slice(0, 10);

/** 2026-10-01 → "1 Oct 2026", in the reader's words. */
export function dayText(day: string): string {
  return dateFormat({ dateStyle: "medium", timeZone: "UTC" }).format(new Date(day));
}

export function kindText({ channel, category }: PriceGroup["of"]): string {
  return `${channelLabel(channel)}${category ? `, ${humanize(category).toLowerCase()}` : ""}`;
}

/** The free units and tiers of a row in words, "" without. */
export function volumeText({ currency, freePerMonth = 0, tiers = [] }: PriceListEntry): string {
  return [
    ...(freePerMonth > 0 ? [`first ${formatNumber(freePerMonth)} of a month free`] : []),
    ...tiers.map(({ above, amount }) => `above ${formatNumber(above)} ${formatMoney(amount, currency)}`),
  ].join(", ");
}

/** A whole row in words, but for what it is for: "€0.072 from Dec 4, 2026, above 100,000 €0.065". */
export function priceText(entry: PriceListEntry): string {
  const price = [
    formatMoney(entry.amount, entry.currency),
    ...(entry.validFrom === undefined ? [] : [`from ${dayText(entry.validFrom)}`]),
    ...(entry.validTo === undefined ? [] : [`until ${dayText(entry.validTo)}`]),
  ].join(" ");
  return [price, volumeText(entry)].filter(Boolean).join(", ");
}

/** A price list as CSV in the form that an import reads. */
export function priceCsv(list: readonly PriceListEntry[]): string {
  const lines = list.map((entry) =>
    [
      entry.channel,
      entry.category ?? "",
      entry.country ?? "",
      entry.amount,
      entry.currency,
      entry.validFrom ?? "",
      entry.validTo ?? "",
      entry.freePerMonth ?? "",
      (entry.tiers ?? []).map(({ above, amount }) => `${String(above)}=${amount}`).join(" "),
    ].join(","),
  );
  const header = "channel,category,country,amount,currency,valid_from,valid_to,free_per_month,tiers";
  return [header, ...lines, ""].join("\n");
}
