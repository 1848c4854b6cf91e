import { Decimal } from "decimal.js";
import { expect, test } from "vitest";
import { listEntries } from "../../server/costs/list-entries.ts";
import { entryListSchema } from "../../server/costs/schemas.ts";
import type { ListedEntry } from "../../server/costs/schemas.ts";
import { setPlatformFees } from "../../server/costs/set-platform-fees.ts";
import { costReport } from "../../server/insights/cost-report.ts";
import { foldMetrics } from "../../server/insights/fold-metrics.ts";
import { dimensions } from "../../server/insights/vocabulary.ts";
import type { CostSums } from "../../server/insights/schemas.ts";
import type { Change } from "../../server/sending/notification-change.ts";
import { getCatalogue } from "../../server/tenancy/catalogue.ts";
import { testDatabase } from "../../server/testing/database.ts";
import {
  becomes,
  claimOver,
  makeSendingWorld,
  messageId,
  notTakenBy,
  takenBy,
} from "../../server/testing/sending-world.ts";
import { endOf } from "../charts/period.ts";
import { chargeParsers } from "../costs/use-charges.ts";
import { chargesBehind } from "./charge-links.ts";
import { within } from "./message-links.ts";
import { filterNames, type ReportFilters } from "./report-filters.tsx";

const database = await testDatabase();
const hour = 3_600_000;
const none = {
  ...(Object.fromEntries(filterNames.map((name) => [name, null])) as ReportFilters),
  everywhere: true,
};

/** What a list of charges comes to, as the report says it. */
function sumsOf(entries: readonly ListedEntry[]): Pick<CostSums, "currency" | "total" | "charged">[] {
  return [...new Set(entries.map(({ currency }) => currency))].sort().map((currency) => {
    const of = entries.filter((entry) => entry.currency === currency);
    return {
      currency,
      total: Decimal.sum(0, ...of.map(({ amount }) => amount)).toFixed(6),
      charged: of.filter(({ kind }) => kind === "message").length,
    };
  });
}
const said = (costs: readonly CostSums[]) =>
  costs
    .map(({ currency, total, charged }) => ({ currency, total, charged }))
    .sort((a, b) => a.currency.localeCompare(b.currency));

test("every figure of the cost report leads to the charges that it is the sum of", async () => {
  const world = await makeSendingWorld(database);
  await setPlatformFees(database.worker, world.tenant.slug, { sms: { amount: "0.000500", currency: "EUR" } });
  const [one, other] = [await world.addSmtp(25), await world.addSmtp(26)];
  const price = (amount: string, currency: string) => ({ amount, currency, source: "estimated" as const });
  const histories: Change[][] = [
    [],
    [claimOver(one), takenBy(1, { segments: 2, price: price("0.123456", "EUR") }), becomes("delivered")],
    [claimOver(other), takenBy(1, { price: price("0.050000", "USD") })],
    [
      claimOver(one),
      takenBy(1, { price: price("0.070000", "EUR") }),
      { kind: "price", price: { amount: "0.081000", currency: "USD", source: "reported", attempt: 1 } },
    ],
    [
      claimOver(one),
      notTakenBy(1, "unknown", { next: { dueAt: new Date(), task: "deliver_transactional" } }),
      claimOver(other),
      takenBy(2, { price: price("0.010001", "EUR") }),
      { kind: "price", price: { ...price("0.020002", "EUR"), attempt: 1 } },
    ],
  ];
  const recipients = [
    { channel: "sms" as const, recipient: "+4915112345678" },
    { channel: "sms" as const, recipient: "+33612345678" },
    { channel: "email" as const, recipient: "ada@gmail.com" },
  ];
  for (const history of histories) {
    const accepted = await world.send({ recipients });
    for (const [place] of recipients.entries()) await world.advance(messageId(accepted, place), ...history);
  }
  await foldMetrics(database.worker);
  const owner = world.tenant.as("owner");
  const { environments, units } = await getCatalogue(owner);

  /** All that the page lists at a link, page by page. */
  async function charges(link: Record<string, string> | null): Promise<ListedEntry[]> {
    const { env, unit, everywhere, ...query } = link ?? {};
    expect(
      Object.keys(query).filter((name) => !(name in chargeParsers)),
      "parameters that the page does not know",
    ).toEqual([]);
    const all: ListedEntry[] = [];
    for (let cursor: string | undefined; ;) {
      const { data, nextCursor } = await listEntries(
        owner,
        entryListSchema.parse({
          ...query,
          environmentId: environments.find(({ slug }) => slug === env)?.id,
          unitId: units.find(({ slug }) => slug === unit)?.id,
          limit: 4,
          cursor,
        }),
      );
      all.push(...data);
      if (nextCursor === null) return all;
      cursor = nextCursor;
    }
  }

  const to = Math.ceil(Date.now() / hour) * hour;
  const bounds = { from: to - 30 * hour, to };
  const period = within(bounds);
  const { totals, series } = await costReport(owner, { ...period, interval: "day" });
  expect(totals).toHaveLength(2);
  const everything = await charges(chargesBehind(none, period));
  expect(sumsOf(everything)).toEqual(said(totals));
  expect(new Set(everything.map(({ id }) => id)).size).toBe(everything.length);
  expect(everything.map(({ at }) => at)).toEqual(
    everything
      .map(({ at }) => at)
      .sort()
      .reverse(),
  );
  expect(everything.some(({ kind }) => kind === "platform_fee")).toBe(true);

  for (const point of series) {
    const start = Date.parse(point.at);
    const at = within(bounds, { from: start, to: endOf(start, "day") });
    expect(sumsOf(await charges(chargesBehind(none, at)))).toEqual(said(point.costs));
  }
  let looked = 0;
  for (const by of dimensions) {
    const { groups } = await costReport(owner, { ...period, groupBy: [by] });
    for (const group of groups) {
      const of = { by, key: group.key };
      const link = chargesBehind(none, period, { group: of });
      expect(sumsOf(await charges(link)), `${by} ${group.key[by]?.label ?? ""}`).toEqual(said(group.costs));
      const euros = chargesBehind(none, period, { group: of, currency: "EUR" });
      expect(sumsOf(await charges(euros))).toEqual(
        said(group.costs.filter(({ currency }) => currency === "EUR")),
      );
      looked++;
    }
  }
  expect(looked).toBeGreaterThan(15);

  // Another organisation has none of them.
  const stranger = (await makeSendingWorld(database)).tenant.as("owner");
  expect(await listEntries(stranger, entryListSchema.parse({ ...period }))).toEqual({
    data: [],
    nextCursor: null,
  });
});

test("a period that no report has is refused", async () => {
  const { tenant } = await makeSendingWorld(database);
  const owner = tenant.as("owner");
  const ask = (from: string, to: string) => listEntries(owner, entryListSchema.parse({ from, to }));
  await expect(ask("2026-02-01T00:00:00Z", "2026-01-01T00:00:00Z")).rejects.toMatchObject({
    code: "invalid_request",
  });
  await expect(ask("2024-01-01T00:00:00Z", "2026-01-01T00:00:00Z")).rejects.toMatchObject({
    code: "invalid_request",
  });
});
