import { parse } from "csv-parse/sync";
import { Decimal } from "decimal.js";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { setCurrency, setRate } from "../costs/currency.ts";
import { setPlatformFees } from "../costs/set-platform-fees.ts";
import { bookPrices } from "../costs/queries.ts";
import type { Change } from "../sending/notification-change.ts";
import { testDatabase } from "../testing/database.ts";
import {
  becomes,
  claimOver,
  makeSendingWorld,
  messageId,
  notTakenBy,
  takenBy,
} from "../testing/sending-world.ts";
import type { SendingWorld } from "../testing/sending-world.ts";
import { costReport } from "./cost-report.ts";
import { focusCosts } from "./focus-costs.ts";
import { foldMetrics, packRollups } from "./fold-metrics.ts";
import { compareDay, replaceFromLedger } from "./recompute-day.ts";
import { selectDailyCosts } from "./queries.ts";
import type { CostReport } from "./schemas.ts";

const database = await testDatabase();
const today = () => new Date(Math.floor(Date.now() / 86_400_000) * 86_400_000);
const price = (amount: string, currency: string, source: "estimated" | "reported") => ({
  ...{ amount, currency, source },
});

/** The same sums by plain SQL over the ledger. */
async function ledger(world: SendingWorld, column: string) {
  const { rows } = await database.owner.query<{ key: string; currency: string; total: string }>(
    `SELECT ${column} AS key, e.currency, sum(e.amount)::text AS total FROM cost_entries e
     JOIN notifications n ON n.tenant_id = e.tenant_id AND n.id = e.notification_id
     LEFT JOIN attempts a ON a.tenant_id = e.tenant_id AND a.notification_id = e.notification_id AND a.number = e.attempt
     WHERE e.tenant_id = $1 GROUP BY 1, 2 ORDER BY 1, 2`,
    [world.tenantId],
  );
  return rows;
}
const flat = (report: CostReport, dimension: "channel" | "provider" | "country") =>
  report.groups
    .flatMap(({ key, costs }) =>
      costs.map(({ currency, total }) => ({ key: key[dimension]?.value ?? "none", currency, total })),
    )
    .sort((a, b) => a.key.localeCompare(b.key) || a.currency.localeCompare(b.currency));

const amount = fc.integer({ min: 1, max: 999_999_999 }).map((micro) => (micro / 1_000_000).toFixed(6));
const currency = fc.constantFrom("EUR", "USD");
const source = fc.constantFrom("estimated" as const, "reported" as const);

describe("the cost report", () => {
  it("equals a plain SQL sum over the ledger to the last digit, whatever was charged, corrected and booked later", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.record({
            channel: fc.constantFrom("sms" as const, "email" as const),
            country: fc.constantFrom("+4915112345", "+336123456"),
            first: fc.tuple(amount, currency, source),
            second: fc.option(fc.tuple(amount, currency, source)),
            booked: fc.option(fc.tuple(amount, currency)),
            segments: fc.integer({ min: 1, max: 4 }),
          }),
          { minLength: 1, maxLength: 12 },
        ),
        fc.infiniteStream(fc.nat(3)),
        async (messages, dice) => {
          const world = await makeSendingWorld(database);
          await setPlatformFees(database.worker, world.tenant.slug, {
            sms: { amount: "0.000500", currency: "EUR" },
          });
          const [one, other] = [await world.addSmtp(25), await world.addSmtp(26)];
          for (const [index, message] of messages.entries()) {
            const id = messageId(
              await world.send({
                recipients: [
                  message.channel === "sms"
                    ? { channel: "sms", recipient: `${message.country}${String(10 + index)}` }
                    : { channel: "email", recipient: `p${String(index)}@gmail.com` },
                ],
              }),
            );
            const sid = `provider-${String(index)}`;
            const steps: Change[] = message.second
              ? [
                  claimOver(one),
                  notTakenBy(1, "unknown", { next: { dueAt: new Date(), task: "deliver_transactional" } }),
                  claimOver(other),
                  takenBy(2, {
                    providerMessageId: sid,
                    segments: message.segments,
                    price: price(...message.second),
                  }),
                  becomes("delivered"),
                  {
                    kind: "price",
                    price: { ...price(...message.first), attempt: 1 },
                  },
                ]
              : [
                  claimOver(one),
                  takenBy(1, {
                    providerMessageId: sid,
                    segments: message.segments,
                    price: price(...message.first),
                  }),
                ];
            for (const step of steps) {
              await world.advance(id, step);
              const drawn: unknown = dice.next().value;
              if (drawn === 0) await foldMetrics(database.worker);
              if (drawn === 1) await packRollups(database.worker, new Date(Date.now() + 4 * 86_400_000));
            }
            if (message.booked) {
              const [booked, inCurrency] = message.booked;
              await bookPrices(database.worker, world.tenantId, message.second ? other : one, [
                { providerMessageId: sid, price: { amount: booked, currency: inCurrency } },
              ]);
            }
          }
          expect(await compareDay(database.worker, world.tenantId, today())).toEqual([]);
          await foldMetrics(database.worker);
          expect(await compareDay(database.worker, world.tenantId, today())).toEqual([]);
          const owner = world.tenant.as("owner");
          const report = await costReport(owner, { groupBy: ["channel"] });
          const all = await ledger(world, "'all'");
          const totals = report.totals.map((sums) => ({
            key: "all",
            currency: sums.currency,
            total: sums.total,
          }));
          expect(totals.sort((a, b) => a.currency.localeCompare(b.currency))).toEqual(all);
          expect(flat(report, "channel")).toEqual(await ledger(world, "n.channel"));
          const byProvider = await costReport(owner, { groupBy: ["provider"] });
          expect(flat(byProvider, "provider")).toEqual(
            (
              await ledger(world, "CASE e.kind WHEN 'message' THEN a.connection_id::text ELSE 'none' END")
            ).sort((a, b) => a.key.localeCompare(b.key) || a.currency.localeCompare(b.currency)),
          );
          const file = await focusCosts(owner, {
            to: new Date(today().getTime() + 86_400_000).toISOString(),
          });
          let csv = file.first.slice(1);
          for await (const piece of file.rest) csv += Buffer.from(piece).toString();
          const focus = parse<Record<string, string>>(csv, { columns: true });
          for (const { currency: one, total } of report.totals)
            expect(
              Decimal.sum(
                0,
                ...focus.filter((row) => row.BillingCurrency === one).map((row) => row.BilledCost ?? "0"),
              ).toFixed(6),
            ).toBe(total);
          const byCountry = await costReport(owner, { groupBy: ["country"] });
          expect(flat(byCountry, "country")).toEqual(await ledger(world, "coalesce(n.country, n.region)"));
          for (const { total, messages: charged, platformFees } of report.totals)
            expect(Number(total)).toBeCloseTo(Number(charged) + Number(platformFees), 6);
        },
      ),
      { numRuns: 12, seed: 11, endOnFailure: true },
    );
  });

  it("adds currencies up in the organisation's own only, by each day's rate, and names what has none", async () => {
    const world = await makeSendingWorld(database);
    const owner = world.tenant.as("owner");
    const connection = await world.addSmtp(25);
    const spend = async (amount: string, inCurrency: string) => {
      const id = messageId(await world.send());
      await world.advance(
        id,
        claimOver(connection),
        takenBy(1, { price: price(amount, inCurrency, "reported") }),
      );
    };
    await spend("0.100000", "USD");
    await spend("0.070000", "EUR");
    // What cost nothing needs no rate.
    await spend("0.000000", "CHF");
    await foldMetrics(database.worker);
    expect((await costReport(owner, {})).own).toBeNull();
    await setCurrency(owner, { currency: "EUR" });
    expect((await costReport(owner, {})).own).toMatchObject({ total: "0.070000", withoutRate: ["USD"] });
    await setRate(owner, { currency: "USD", validFrom: "2020-01-01", rate: "0.5" });
    expect((await costReport(owner, {})).own).toEqual({
      currency: "EUR",
      messages: "0.120000",
      platformFees: "0.000000",
      total: "0.120000",
      withoutRate: [],
    });
  });

  it("counts what has a rate in its groups and months as in its totals, when a part of the period has none", async () => {
    const world = await makeSendingWorld(database);
    const owner = world.tenant.as("owner");
    const connection = await world.addSmtp(25);
    for (const [sid, daysAgo] of [
      ["early", 3],
      ["late", 0],
    ] as const) {
      const id = messageId(await world.send());
      await world.advance(id, claimOver(connection), takenBy(1, { providerMessageId: sid }));
      await database.owner.query(
        "UPDATE attempts SET started_at = started_at - make_interval(days => $2) WHERE notification_id = $1",
        [id, daysAgo],
      );
    }
    await bookPrices(database.worker, world.tenantId, connection, [
      { providerMessageId: "early", price: { amount: "4", currency: "USD" } },
      { providerMessageId: "late", price: { amount: "1", currency: "USD" } },
    ]);
    await foldMetrics(database.worker);
    await setCurrency(owner, { currency: "EUR" });
    const yesterday = new Date(today().getTime() - 86_400_000);
    await setRate(owner, { currency: "USD", validFrom: yesterday.toISOString().slice(0, 10), rate: "0.5" });
    const half = { total: "0.500000", withoutRate: ["USD"] };
    for (const interval of ["day", "month"] as const) {
      const report = await costReport(owner, {
        from: new Date(today().getTime() - 5 * 86_400_000).toISOString(),
        interval,
        groupBy: ["provider"],
      });
      expect(report.own).toMatchObject(half);
      expect(report.groups).toMatchObject([{ own: half }]);
    }
  });

  it("leaves a price where its try was made, however late it comes", async () => {
    const world = await makeSendingWorld(database);
    const connection = await world.addSmtp(25);
    const id = messageId(await world.send());
    await world.advance(id, claimOver(connection), takenBy(1, { providerMessageId: "late" }));
    await database.owner.query(
      `UPDATE attempts SET started_at = started_at - interval '30 days' WHERE notification_id = $1`,
      [id],
    );
    await bookPrices(database.worker, world.tenantId, connection, [
      { providerMessageId: "late", price: { amount: "0.5", currency: "EUR" } },
    ]);
    await foldMetrics(database.worker);
    const day = new Date(today().getTime() - 30 * 86_400_000);
    const then = await costReport(world.tenant.as("owner"), {
      from: day.toISOString(),
      to: new Date(day.getTime() + 86_400_000).toISOString(),
    });
    expect(then.totals).toMatchObject([{ currency: "EUR", total: "0.500000" }]);
  });

  it("as FOCUS has each cost once, also when its price changes between two pages", async () => {
    const world = await makeSendingWorld(database);
    const owner = world.tenant.as("owner");
    const connection = await world.addSmtp(25);
    for (const sid of ["one", "two"])
      await world.advance(
        messageId(await world.send()),
        claimOver(connection),
        takenBy(1, { providerMessageId: sid, price: price("0.07", "EUR", "estimated") }),
      );
    await foldMetrics(database.worker);
    const filter = { from: today(), to: new Date(today().getTime() + 86_400_000) };
    const book = async (providerMessageId: string) => {
      const booked = [{ providerMessageId, price: { amount: "0.08", currency: "EUR" } }];
      await bookPrices(database.worker, world.tenantId, connection, booked);
      await foldMetrics(database.worker);
    };
    const read = async (after?: { keyId: string }) =>
      selectDailyCosts(owner, null, filter, { after, limit: 1 });
    const first = await read();
    await book("one");
    expect(await read(first.at(-1))).toEqual([]);
    expect(first).toMatchObject([{ source: "estimated", entries: 2, amount: "0.140000" }]);
    expect(await read()).toMatchObject([
      { source: "estimated", entries: 1, amount: "0.070000" },
      { source: "reported", entries: 1, amount: "0.080000" },
    ]);
  });

  it("is put right from the ledger when the store was changed, and says what differed", async () => {
    const world = await makeSendingWorld(database);
    const connection = await world.addSmtp(25);
    await world.advance(
      messageId(await world.send()),
      claimOver(connection),
      takenBy(1, { price: price("0.25", "EUR", "reported") }),
      becomes("delivered"),
    );
    await foldMetrics(database.worker);
    await database.owner.query("UPDATE rollup_costs SET amount = amount + 1 WHERE tenant_id = $1", [
      world.tenantId,
    ]);
    await database.owner.query(
      "UPDATE rollups SET delivered = delivered + 2 WHERE tenant_id = $1 AND grain = 'hour'",
      [world.tenantId],
    );
    // Something that is not folded yet when the day is replaced.
    await world.send();
    const found = await compareDay(database.worker, world.tenantId, today());
    expect(found.map(({ measure, ledger: says, stored }) => [measure, says, stored])).toEqual(
      expect.arrayContaining([
        ["amount message reported EUR", "0.250000", "1.250000"],
        ["status delivered", "1", expect.stringMatching(/^[35]$/)],
      ]),
    );
    await replaceFromLedger(database.worker, world.tenantId, today());
    expect(await compareDay(database.worker, world.tenantId, today())).toEqual([]);
    await foldMetrics(database.worker);
    expect(await compareDay(database.worker, world.tenantId, today())).toEqual([]);
  });

  it("says how many of a connection's tries have a price", async () => {
    const world = await makeSendingWorld(database);
    const connection = await world.addSmtp(25);
    for (const given of [price("0.1", "EUR", "estimated"), undefined, undefined])
      await world.advance(
        messageId(await world.send()),
        claimOver(connection),
        takenBy(1, given ? { price: given } : {}),
      );
    await foldMetrics(database.worker);
    const { unpriced } = await costReport(world.tenant.as("owner"), {});
    expect(unpriced).toMatchObject([{ connectionId: connection, sent: 3, charged: 1 }]);
  });
});
