import type { PriceListEntry } from "../connections/schemas.ts";

type Question = {
  channel: PriceListEntry["channel"];
  country: string | null;
  /** Those whose price would do, the best first. */
  categories: readonly NonNullable<PriceListEntry["category"]>[];
  /** A day (UTC), as 2026-10-01. */
  day: string;
};

/**
 * The rows of a price list by what they are for, so that finding one takes a handful of look-ups however long the list is. A
 * list never changes once it is loaded: its index lives as long as the list, which is as long as the loaded connection.
 */
class PriceIndex {
  /** Of each: those that began last first. Their days do not overlap. */
  private readonly rows = new Map<string, PriceListEntry[]>();

  constructor(entries: readonly PriceListEntry[]) {
    for (const entry of entries) {
      const key = keyOf(entry.channel, entry.country, entry.category);
      const rows = this.rows.get(key);
      if (rows) rows.push(entry);
      else this.rows.set(key, [entry]);
    }
    for (const rows of this.rows.values())
      if (rows.length > 1) rows.sort((a, b) => ((a.validFrom ?? "") < (b.validFrom ?? "") ? 1 : -1));
  }

  /** A country's price goes before the general one, a category's before the one for any. */
  find({ channel, country, categories, day }: Question): PriceListEntry | undefined {
    for (const place of country === null ? [undefined] : [country, undefined]) {
      for (const category of categories) {
        const found = this.on(keyOf(channel, place, category), day);
        if (found) return found;
      }
      const found = this.on(keyOf(channel, place, undefined), day);
      if (found) return found;
    }
    return undefined;
  }

  private on(key: string, day: string): PriceListEntry | undefined {
    return this.rows
      .get(key)
      ?.find(
        ({ validFrom, validTo }) =>
          (validFrom === undefined || validFrom <= day) && (validTo === undefined || validTo >= day),
      );
  }
}

function keyOf(channel: string, country: string | undefined, category: string | undefined): string {
  return `${channel} ${country ?? ""} ${category ?? ""}`;
}

const indexes = new WeakMap<readonly PriceListEntry[], PriceIndex>();

/** The row of a list that holds for a message; undefined: the list has no price for it. */
export function findPrice(list: readonly PriceListEntry[], question: Question): PriceListEntry | undefined {
  let index = indexes.get(list);
  if (!index) indexes.set(list, (index = new PriceIndex(list)));
  return index.find(question);
}
