import { expect, test } from "vitest";
import { readPriceList } from "./read-price-list.ts";

test("prices are read with any separator and with columns in any order", () => {
  const entries = [
    { channel: "sms", country: "DE", amount: "0.0750", currency: "EUR" },
    { channel: "sms", amount: "0.1", currency: "EUR" },
  ];
  for (const csv of [
    "channel,country,amount,currency\nsms,DE,0.0750,EUR\nsms,,0.1,EUR\n",
    "\ufeffCountry;Channel;Currency;Amount\r\nDE;sms;EUR;0.0750\r\n\r\n;sms;EUR;0.1",
    "channel\tcountry\tamount\tcurrency\tnote\nsms\tDE\t0.0750\tEUR\tx\nsms\t\t0.1\tEUR\t",
  ]) {
    expect(readPriceList(csv)).toEqual({ entries, errors: [] });
  }
});

test("every wrong line is reported with its number and the right form", () => {
  const csv = [
    "channel,country,amount,currency,category",
    "fax,DE,1,EUR,",
    "sms,Germany,1,EUR,",
    'sms,DE,"1,5",EUR,',
    "sms,DE,1,euro,",
    "sms,DE,1,EUR,utility",
    "whatsapp,DE,1,EUR,utility",
    "whatsapp,DE,2,EUR,utility",
  ].join("\n");
  const { entries, errors } = readPriceList(csv);
  expect(entries).toEqual([
    { channel: "whatsapp", category: "utility", country: "DE", amount: "1", currency: "EUR" },
  ]);
  expect(errors.map(({ line }) => line)).toEqual([2, 3, 4, 5, 6, 8]);
  expect(errors[2]?.detail).toContain("0.0750");
  expect(errors[5]?.detail).toContain("line 7");
});

test("a file that is not a price list is reported as such", () => {
  expect(readPriceList("").errors).toHaveLength(1);
  expect(readPriceList("hello").errors).toHaveLength(1);
  expect(readPriceList("country,amount\nDE,1").errors[0]?.detail).toContain("channel, currency");
  expect(readPriceList("channel,amount,currency\nsms,1").errors[0]?.line).toBe(2);
});

test("validity, free units and tiers are read, and what does not fit is named with its column", () => {
  const header = "channel,category,country,amount,currency,valid_from,valid_to,free_per_month,tiers";
  expect(
    readPriceList(
      [
        header,
        "sms,,DE,0.0750,EUR,,2026-12-31,,",
        "sms,,DE,0.0720,EUR,2027-01-01,,,100000=0.0650 1000000=0.06",
        "whatsapp,service,,0.03,EUR,,,1000,",
        "whatsapp,authentication_international,IN,0.03,EUR,,,,",
      ].join("\n"),
    ),
  ).toEqual({
    entries: [
      { channel: "sms", country: "DE", amount: "0.0750", currency: "EUR", validTo: "2026-12-31" },
      {
        ...{ channel: "sms", country: "DE", amount: "0.0720", currency: "EUR", validFrom: "2027-01-01" },
        tiers: [
          { above: 100_000, amount: "0.0650" },
          { above: 1_000_000, amount: "0.06" },
        ],
      },
      { channel: "whatsapp", category: "service", amount: "0.03", currency: "EUR", freePerMonth: 1_000 },
      {
        ...{ channel: "whatsapp", category: "authentication_international", country: "IN" },
        ...{ amount: "0.03", currency: "EUR" },
      },
    ],
    errors: [],
  });
  const { errors } = readPriceList(
    [
      header,
      "sms,,DE,1,EUR,1.10.2026,,,",
      "sms,,DE,1,EUR,2026-10-01,2026-09-30,,",
      "sms,,DE,1,EUR,,,many,",
      "sms,,DE,1,EUR,,,,100000",
      "sms,,DE,1,EUR,,,,200=0.1 100=0.2",
      "sms,,DE,1,EUR,,2026-06-30,,",
      "sms,,DE,2,EUR,2026-06-30,,,",
    ].join("\n"),
  );
  expect(errors).toEqual([
    { line: 2, detail: "valid_from: a day such as 2026-10-01, or empty for no beginning" },
    { line: 3, detail: "valid_to: The last day is before the first, 2026-10-01" },
    { line: 4, detail: "free_per_month: a whole number such as 1000, or empty" },
    { line: 5, detail: expect.stringMatching(/^tiers: up to twenty/) as string },
    {
      line: 6,
      detail: "tiers: Tiers begin at higher and higher numbers; the one before begins above 200",
    },
    {
      line: 8,
      detail: "The same messages as in line 7, on 2026-06-30: end one the day before the other begins",
    },
  ]);
});
