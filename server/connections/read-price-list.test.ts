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
