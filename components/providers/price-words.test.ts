import { expect, test } from "vitest";
import { readPriceList } from "../../server/connections/read-price-list.ts";
import type { PriceListEntry } from "../../server/connections/schemas.ts";
import { groupPrices, priceCsv, priceText } from "./price-words.ts";

const list: PriceListEntry[] = [
  { channel: "whatsapp", category: "marketing", amount: "0.1", currency: "EUR", validTo: "2026-06-30" },
  { channel: "sms", country: "DE", amount: "0.08", currency: "EUR", validTo: "2026-12-31" },
  {
    ...{ channel: "sms", country: "DE", amount: "0.07", currency: "EUR", validFrom: "2027-06-01" },
  },
  {
    ...{ channel: "sms", country: "DE", amount: "0.072", currency: "EUR", validFrom: "2027-01-01" },
    ...{ validTo: "2027-05-31", tiers: [{ above: 100_000, amount: "0.065" }] },
  },
  { channel: "whatsapp", category: "service", amount: "0.03", currency: "EUR", freePerMonth: 1_000 },
];

test("prices are shown with the row of the day and the one that follows, those that are over last", () => {
  const shown = (day: string) =>
    groupPrices(list, day).map(({ key, now, next, ended }) => [key, now?.amount, next?.amount, ended]);
  expect(shown("2026-12-31")).toEqual([
    ["sms  DE", "0.08", "0.072", 0],
    ["whatsapp service ", "0.03", undefined, 0],
    ["whatsapp marketing ", undefined, undefined, 1],
  ]);
  expect(shown("2027-01-01")[0]).toEqual(["sms  DE", "0.072", "0.07", 1]);
  expect(shown("2026-06-30")[0]).toEqual(["whatsapp marketing ", "0.1", undefined, 0]);
});

test("a row is told with its days, free units and tiers", () => {
  expect(list.map(priceText)).toEqual([
    "€0.10 until Jun 30, 2026",
    "€0.08 until Dec 31, 2026",
    "€0.07 from Jun 1, 2027",
    "€0.072 from Jan 1, 2027 until May 31, 2027, above 100,000 €0.065",
    "€0.03, first 1,000 of a month free",
  ]);
});

test("an exported list is read again as it was", () => {
  expect(readPriceList(priceCsv(list))).toEqual({ entries: list, errors: [] });
});
