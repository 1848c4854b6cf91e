import { assert, constantFrom, integer, option, property, record, uniqueArray } from "fast-check";
import type { Arbitrary } from "fast-check";
import { describe, expect, it, test } from "vitest";
import { overlappingPrices } from "../connections/price-rows.ts";
import { priceListSchema, whatsappCategorySchema } from "../connections/schemas.ts";
import type { PriceListEntry, WhatsappCategory } from "../connections/schemas.ts";
import { asksForWindow, estimateCost, isCounted, priceRow } from "./estimate-cost.ts";
import type { PricedMessage, PriceScope } from "./estimate-cost.ts";
import { whatsappRules, whatsappRulesOn } from "./whatsapp-rules.ts";

const price = (amount: string, more: Partial<PriceListEntry> = {}): PriceListEntry => ({
  channel: "sms",
  amount,
  currency: "EUR",
  ...more,
});
const sms = (at: string, segments = 1): PricedMessage => ({
  channel: "sms",
  country: "DE",
  at: new Date(at),
  segments,
});

describe("The row that holds", () => {
  const days = ["2026-01-01", "2026-01-02", "2026-06-30", "2026-07-01", "2026-12-31"];
  const day = option(constantFrom(...days), { nil: undefined });
  const entry: Arbitrary<PriceListEntry> = record(
    {
      channel: constantFrom("sms" as const, "whatsapp" as const),
      country: constantFrom("DE", "FR"),
      category: constantFrom(...whatsappCategorySchema.options),
      amount: constantFrom("0.1", "0.2"),
      currency: constantFrom("EUR"),
      validFrom: day,
      validTo: day,
    },
    { requiredKeys: ["channel", "amount", "currency"] },
  );
  const message = record({
    channel: constantFrom("sms" as const, "whatsapp" as const),
    country: constantFrom("DE", "FR", "US", null),
    category: option(constantFrom(...whatsappCategorySchema.options), { nil: undefined }),
    at: constantFrom(...days).chain((on) =>
      integer({ min: 0, max: 86_399_999 }).map((ms) => new Date(Date.parse(on) + ms)),
    ),
  });

  /** The same by looking at every row. */
  function bySearch(list: readonly PriceListEntry[], of: Parameters<typeof priceRow>[1]) {
    const on = of.at.toISOString().slice(0, 10);
    const rank = (row: PriceListEntry) =>
      (row.country === undefined ? 0 : 4) +
      (row.category === undefined ? 0 : row.category === of.category ? 2 : 1);
    const fits = (row: PriceListEntry) =>
      row.channel === of.channel &&
      (row.country === undefined || row.country === of.country) &&
      (row.category === undefined ||
        row.category === of.category ||
        (of.category === "authentication_international" && row.category === "authentication")) &&
      (row.validFrom ?? on) <= on &&
      (row.validTo ?? on) >= on;
    return list.filter(fits).sort((a, b) => rank(b) - rank(a))[0];
  }

  const sharesDay = (a: PriceListEntry, b: PriceListEntry) =>
    a.channel === b.channel &&
    a.country === b.country &&
    a.category === b.category &&
    (a.validFrom ?? "") <= (b.validTo ?? "9999") &&
    (b.validFrom ?? "") <= (a.validTo ?? "9999");

  it("is the most specific one of the day, in any list without overlaps", () => {
    assert(
      property(uniqueArray(entry, { maxLength: 30 }), message, (rows, of) => {
        const list: PriceListEntry[] = [];
        for (const row of rows) {
          if (row.validTo !== undefined && row.validTo < (row.validFrom ?? "")) continue;
          const shared = list.some((other) => sharesDay(other, row));
          expect(overlappingPrices([...list, row]).length > 0).toBe(shared);
          if (!shared) list.push(row);
        }
        expect(priceRow(list, of)).toBe(bySearch(list, of));
      }),
      { numRuns: 2_000 },
    );
  });

  it("changes at midnight UTC, and between two rows with a gap there is no price", () => {
    const list = [
      price("0.1", { validTo: "2026-06-30" }),
      price("0.2", { validFrom: "2026-07-01", validTo: "2026-09-30" }),
      price("0.3", { validFrom: "2026-12-01" }),
    ];
    const cost = (at: string) => estimateCost(list, sms(at))?.estimate.amount;
    expect(cost("2026-06-30T23:59:59.999Z")).toBe("0.100000");
    expect(cost("2026-07-01T00:00:00.000Z")).toBe("0.200000");
    expect(cost("2026-10-15T00:00:00.000Z")).toBeUndefined();
    expect(cost("2027-01-01T00:00:00.000Z")).toBe("0.300000");
  });

  it("is that of a list from before validity was known, as it was", () => {
    const stored = [
      { channel: "whatsapp", category: "authentication", amount: "0.05", currency: "EUR" },
      { channel: "sms", country: "DE", amount: "0.0750", currency: "EUR" },
    ];
    const list = priceListSchema.parse(stored);
    expect(list).toEqual(stored);
    expect(estimateCost(list, sms("2031-01-01", 2))?.estimate.amount).toBe("0.150000");
    const international = { channel: "whatsapp", country: "IN", segments: null } as const;
    expect(
      estimateCost(list, { ...international, category: "authentication_international", at: new Date() })
        ?.estimate.amount,
    ).toBe("0.050000");
  });
});

describe("Rows for the same messages on the same days", () => {
  it("are named with each other and with the days", () => {
    expect(
      overlappingPrices([
        price("1", { validTo: "2026-03-31" }),
        price("2", { country: "DE" }),
        price("3", { validFrom: "2026-03-01", validTo: "2026-03-15" }),
        price("4", { validFrom: "2026-03-31" }),
        price("5", { country: "DE" }),
        price("6", { validFrom: "2030-01-01" }),
      ]),
    ).toEqual([
      { first: 0, second: 2, days: "from 2026-03-01 to 2026-03-15" },
      { first: 0, second: 3, days: "on 2026-03-31" },
      { first: 1, second: 4, days: "every day" },
      { first: 3, second: 5, days: "from 2030-01-01 on" },
    ]);
  });
});

describe("Free units and tiers", () => {
  const row = price("0.10", {
    freePerMonth: 3,
    tiers: [
      { above: 5, amount: "0.08" },
      { above: 10, amount: "0.05" },
    ],
  });

  /** Sends one after the other; counts are kept by month, as the worker does. */
  function counting() {
    const counted = new Map<string, number>();
    const key = (at: Date, scope: PriceScope) => JSON.stringify([at.toISOString().slice(0, 7), scope]);
    return (list: readonly PriceListEntry[], message: PricedMessage) => {
      const priced = estimateCost(list, message, (scope) => counted.get(key(message.at, scope)) ?? 0);
      for (const scope of priced?.counts ?? []) {
        const of = key(message.at, scope);
        counted.set(of, (counted.get(of) ?? 0) + (priced?.units ?? 0));
      }
      return priced?.estimate.amount;
    };
  }

  it("price each unit by its number in the month, and begin anew at the month's border", () => {
    const send = counting();
    const at = "2026-10-31T23:59:59.999Z";
    expect(Array.from({ length: 12 }, () => Number(send([row], sms(at))))).toEqual([
      0, 0, 0, 0.1, 0.1, 0.08, 0.08, 0.08, 0.08, 0.08, 0.05, 0.05,
    ]);
    expect(Number(send([row], sms("2026-11-01T00:00:00.000Z")))).toBe(0);
  });

  it("split a message of several segments at the borders", () => {
    // 3 free, 2 at 0.10, 5 at 0.08, 2 at 0.05
    expect(estimateCost([row], sms("2026-10-01", 12))?.estimate.amount).toBe("0.700000");
  });

  it("come to the same whatever the messages' sizes", () => {
    assert(
      property(uniqueArray(integer({ min: 1, max: 60 }), { maxLength: 10 }), (ends) => {
        const send = counting();
        let sum = 0;
        let sent = 0;
        for (const end of ends.sort((a, b) => a - b)) {
          sum += Number(send([row], sms("2026-10-01", end - sent)));
          sent = end;
        }
        const whole = estimateCost([row], sms("2026-10-01", sent))?.estimate.amount ?? "0";
        expect(sent === 0 ? 0 : sum).toBeCloseTo(sent === 0 ? 0 : Number(whole), 6);
      }),
    );
  });

  it("are kept apart by row, and continue in the next row for the same messages", () => {
    const send = counting();
    const tiers = [{ above: 1, amount: "0.01" }];
    const list = [
      price("0.10", { country: "DE", tiers, validTo: "2026-10-14" }),
      price("0.20", { country: "DE", tiers, validFrom: "2026-10-15" }),
      price("0.30", { tiers }),
    ];
    expect(send(list, sms("2026-10-14"))).toBe("0.100000");
    expect(send(list, { ...sms("2026-10-14"), country: "FR" })).toBe("0.300000");
    expect(send(list, sms("2026-10-15"))).toBe("0.010000");
  });
});

describe("Meta's rules", () => {
  const amounts: Record<WhatsappCategory, string> = {
    marketing: "0.113000",
    utility: "0.050000",
    authentication: "0.040000",
    authentication_international: "0.200000",
    service: "0.030000",
  };
  const list = whatsappCategorySchema.options.map((category) =>
    price(amounts[category], { channel: "whatsapp", category }),
  );
  const cost = (
    category: WhatsappCategory,
    {
      at,
      windowOpen,
      used = 1_000,
      ...more
    }: Omit<Partial<PricedMessage>, "at"> & { at: string; used?: number },
  ) =>
    estimateCost(
      list,
      {
        channel: "whatsapp",
        country: "DE",
        category,
        segments: null,
        meta: true,
        ...more,
        at: new Date(at),
        windowOpen: windowOpen ?? false,
      },
      () => used,
    )?.estimate.amount;

  const free = "0.000000";
  // day, window: marketing, utility, authentication, authentication_international, service
  const golden: [string, boolean, string[]][] = [
    ["2025-06-30T23:59:59.999Z", false, ["0.113000", "0.050000", "0.040000", "0.200000", free]],
    ["2025-06-30T23:59:59.999Z", true, ["0.113000", "0.050000", "0.040000", "0.200000", free]],
    ["2025-07-01T00:00:00.000Z", false, ["0.113000", "0.050000", "0.040000", "0.200000", free]],
    ["2025-07-01T00:00:00.000Z", true, ["0.113000", free, "0.040000", "0.200000", free]],
    ["2026-09-30T23:59:59.999Z", false, ["0.113000", "0.050000", "0.040000", "0.200000", free]],
    ["2026-09-30T23:59:59.999Z", true, ["0.113000", free, "0.040000", "0.200000", free]],
    ["2026-10-01T00:00:00.000Z", false, ["0.113000", "0.050000", "0.040000", "0.200000", "0.030000"]],
    ["2026-10-01T00:00:00.000Z", true, ["0.113000", "0.050000", "0.040000", "0.200000", "0.030000"]],
  ];
  test.each(golden)("at %s with an open window: %s", (at, windowOpen, expected) => {
    expect(whatsappCategorySchema.options.map((category) => cost(category, { at, windowOpen }))).toEqual(
      expected,
    );
  });

  it("let the first thousand service messages of a month go free from 1 October 2026 on, unless the list says otherwise", () => {
    const at = "2026-10-01";
    expect(cost("service", { at, used: 999 })).toBe(free);
    expect(cost("service", { at, used: 1_000 })).toBe("0.030000");
    expect(cost("utility", { at, used: 0 })).toBe("0.050000");
    const message = { channel: "whatsapp", country: "DE", category: "service", segments: null } as const;
    const own = (freePerMonth: number, used: number) =>
      estimateCost(
        [price("0.03", { channel: "whatsapp", category: "service", freePerMonth })],
        { ...message, meta: true, at: new Date(at) },
        () => used,
      )?.estimate.amount;
    expect([own(0, 0), own(10, 9), own(10, 10)]).toEqual(["0.030000", free, "0.030000"]);
    // Counted over all countries.
    expect(estimateCost(list, { ...message, meta: true, at: new Date(at) })?.counts).toEqual([
      { channel: "whatsapp", category: "service", country: "*" },
    ]);
  });

  it("are Meta's alone: over another provider its price list decides", () => {
    expect(cost("service", { at: "2025-08-01", meta: false })).toBe("0.030000");
    expect(cost("utility", { at: "2025-08-01", meta: false, windowOpen: true })).toBe("0.050000");
  });

  it("say less than what Meta says of the message itself", () => {
    const at = "2025-08-01";
    expect(cost("utility", { at, windowOpen: true, decided: "charged" })).toBe("0.050000");
    expect(cost("marketing", { at, decided: "free" })).toBe(free);
  });

  it("ask for the window only where it decides", () => {
    const asking = (at: string) =>
      whatsappCategorySchema.options.filter((category) => asksForWindow({ category, at: new Date(at) }));
    expect(asking("2025-06-30")).toEqual([]);
    expect(asking("2025-07-01")).toEqual(["utility"]);
    expect(asking("2026-10-01")).toEqual([]);
  });

  it("are in order, each with its source, and none before the first", () => {
    const days = whatsappRules.map(({ from }) => from);
    expect(days).toEqual([...new Set(days)].sort());
    for (const { sources } of whatsappRules) expect(sources.length).toBeGreaterThan(0);
    expect(whatsappRulesOn("2024-10-31")).toBeUndefined();
    expect(whatsappRulesOn("2026-10-01")?.from).toBe("2026-10-01");
  });

  it("count nothing for a message that is free or has a plain price", () => {
    const message: PricedMessage = {
      channel: "whatsapp",
      country: "DE",
      category: "service",
      segments: null,
      meta: true,
      at: new Date("2026-10-01"),
    };
    const [row = price("1")] = list.filter(({ category }) => category === "service");
    expect(isCounted(row, message)).toBe(true);
    expect(isCounted(row, { ...message, decided: "free" })).toBe(false);
    expect(isCounted(row, { ...message, meta: false })).toBe(false);
  });
});

it("takes microseconds with the longest list", () => {
  const countries = Array.from(
    { length: 400 },
    (_, i) => `${String.fromCharCode(65 + (i % 26))}${String.fromCharCode(65 + Math.floor(i / 26))}`,
  );
  const list = countries.flatMap((country) =>
    whatsappCategorySchema.options.map((category) =>
      price("0.05", { channel: "whatsapp", country, category }),
    ),
  );
  expect(list).toHaveLength(2_000);
  const message: PricedMessage = {
    channel: "whatsapp",
    country: "DE",
    category: "utility",
    segments: null,
    meta: true,
    at: new Date(),
  };
  const rounds = 20_000;
  for (let i = 0; i < rounds; i++) estimateCost(list, message);
  const from = performance.now();
  for (let i = 0; i < rounds; i++) estimateCost(list, message);
  const each = ((performance.now() - from) / rounds) * 1_000;
  // Measured 1 to 2 µs; a search through the list takes more than this.
  expect(each).toBeLessThan(25);
});
