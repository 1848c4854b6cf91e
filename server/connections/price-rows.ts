import type { PriceListEntry } from "./schemas.ts";

/** What a price is for: at one time one row of a list. */
export function priceKey(entry: Pick<PriceListEntry, "channel" | "category" | "country">): string {
  return [entry.channel, entry.category ?? "", entry.country ?? ""].join(" ");
}

/** Two rows of a list, by their place in it, that hold for the same messages on the same days. */
export interface PriceOverlap {
  first: number;
  second: number;
  /** Which days, in words. */
  days: string;
}

/** Before and after every day, in the order of texts. */
const [always, forever] = ["", "9999-99-99"];

/**
 * Rows that would hold for the same messages on the same days, each named once with an earlier one. Both days of a row's
 * validity belong to it.
 */
export function overlappingPrices(entries: readonly PriceListEntry[]): PriceOverlap[] {
  const byKey = new Map<string, { index: number; from: string; to: string }[]>();
  entries.forEach((entry, index) => {
    const key = priceKey(entry);
    const row = { index, from: entry.validFrom ?? always, to: entry.validTo ?? forever };
    const rows = byKey.get(key);
    if (rows) rows.push(row);
    else byKey.set(key, [row]);
  });
  const found: PriceOverlap[] = [];
  for (const rows of byKey.values()) {
    rows.sort((a, b) => (a.from < b.from ? -1 : a.from > b.from ? 1 : a.index - b.index));
    let [longest] = rows;
    for (const row of rows.slice(1)) {
      if (!longest) break;
      if (row.from <= longest.to) {
        const [first, second] = [longest.index, row.index].sort((a, b) => a - b) as [number, number];
        found.push({ first, second, days: daysOf(row.from, row.to < longest.to ? row.to : longest.to) });
      }
      if (row.to > longest.to) longest = row;
    }
  }
  return found.sort((a, b) => a.second - b.second || a.first - b.first);
}

function daysOf(from: string, to: string): string {
  if (from === always) return to === forever ? "every day" : `until ${to}`;
  if (to === forever) return `from ${from} on`;
  return from === to ? `on ${from}` : `from ${from} to ${to}`;
}

/** What is wrong with one row, at which of its members; none: it can be used. */
export function priceProblems(entry: PriceListEntry): { member: string; code: string; detail: string }[] {
  const problems: { member: string; code: string; detail: string }[] = [];
  if (entry.category !== undefined && entry.channel !== "whatsapp") {
    problems.push({ member: "category", code: "invalid_value", detail: "Categories are WhatsApp's" });
  }
  if (entry.validFrom !== undefined && entry.validTo !== undefined && entry.validTo < entry.validFrom) {
    const detail = `The last day is before the first, ${entry.validFrom}`;
    problems.push({ member: "validTo", code: "invalid_value", detail });
  }
  entry.tiers?.forEach(({ above }, index) => {
    const before = entry.tiers?.[index - 1]?.above;
    if (before === undefined || above > before) return;
    const detail = `Tiers begin at higher and higher numbers; the one before begins above ${String(before)}`;
    problems.push({ member: `tiers/${String(index)}/above`, code: "invalid_value", detail });
  });
  return problems;
}
