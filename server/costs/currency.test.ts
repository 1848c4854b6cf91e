import { describe, expect, it } from "vitest";
import { testDatabase } from "../testing/database.ts";
import { makeTenant } from "../testing/factories.ts";
import { getCurrency, removeRate, setCurrency, setRate } from "./currency.ts";
import { costsOf, totalOf } from "./list-costs.ts";
import { mostRates, rateSchema } from "./schemas.ts";
import { newId } from "../kernel/ids.ts";

const database = await testDatabase();
const euro = (validFrom: string, rate: string) => ({ currency: "EUR", validFrom, rate });

/** One message's costs: each `[amount, currency, day]`. */
async function charge(tenantId: string, costs: readonly [string, string, string][]) {
  const id = newId();
  for (const [index, [amount, currency, day]] of costs.entries()) {
    await database.owner.query(
      `INSERT INTO cost_entries (tenant_id, id, notification_id, attempt, kind, amount, currency, source, at)
       VALUES ($1, $2, $3, $4, 'message', $5, $6, 'reported', $7)`,
      [tenantId, newId(), id, index + 1, amount, currency, `${day}T23:30:00Z`],
    );
  }
  return id;
}

describe("an organisation's own currency", () => {
  it("shows each cost at the rate of its day, and adds up only what has one", async () => {
    const tenant = await makeTenant(database);
    const owner = tenant.as("owner");
    const ours = await charge(tenant.tenantId, [
      ["0.070000", "EUR", "2026-03-31"],
      ["0.070000", "EUR", "2026-04-01"],
      ["0.010000", "CHF", "2026-04-01"],
      // What cost nothing needs no rate.
      ["0.000000", "USD", "2026-04-01"],
    ]);
    expect(totalOf(await costsOf(owner, ours))).toBeNull();

    await setCurrency(owner, { currency: "CHF" });
    await setRate(owner, euro("2026-04-01", "0.9"));
    expect((await costsOf(owner, ours)).map(({ own }) => own?.amount ?? null)).toEqual([
      null,
      "0.063000",
      "0.010000",
      "0.000000",
    ]);
    expect(totalOf(await costsOf(owner, ours))).toBeNull();

    await setRate(owner, euro("2026-01-01", "0.95"));
    expect(totalOf(await costsOf(owner, ours))).toEqual({ amount: "0.139500", currency: "CHF" });
    await removeRate(owner, { currency: "EUR", validFrom: "2026-04-01" });
    expect(totalOf(await costsOf(owner, ours))).toEqual({ amount: "0.143000", currency: "CHF" });

    // What was charged stays as it was charged.
    expect((await costsOf(owner, ours)).map(({ currency }) => currency)).toEqual([
      "EUR",
      "EUR",
      "CHF",
      "USD",
    ]);
  });

  it("keeps the rates of each own currency apart, and brings them back with it", async () => {
    const tenant = await makeTenant(database);
    const owner = tenant.as("owner");
    await setCurrency(owner, { currency: "CHF" });
    await setRate(owner, euro("2026-01-01", "0.950000000"));
    expect(await setCurrency(owner, { currency: "USD" })).toEqual({ currency: "USD", rates: [] });
    expect(await setCurrency(owner, { currency: null })).toEqual({ currency: null, rates: [] });
    expect(await setCurrency(owner, { currency: "CHF" })).toEqual({
      currency: "CHF",
      rates: [euro("2026-01-01", "0.95")],
    });
  });

  it("is one organisation's alone", async () => {
    const [one, other] = [await makeTenant(database), await makeTenant(database)];
    await setCurrency(one.as("owner"), { currency: "CHF" });
    await setRate(one.as("owner"), euro("2026-01-01", "0.95"));
    expect(await getCurrency(other.as("owner"))).toEqual({ currency: null, rates: [] });
    const theirs = await charge(other.tenantId, [["1.000000", "EUR", "2026-02-01"]]);
    expect((await costsOf(other.as("owner"), theirs))[0]?.own).toBeNull();
  });

  it("is changed only by who manages the settings of the whole organisation", async () => {
    const tenant = await makeTenant(database);
    await expect(setCurrency(tenant.as("finance"), { currency: "CHF" })).rejects.toMatchObject({
      code: "permission_denied",
    });
  });

  it("refuses rates that mean nothing, and says what to change", async () => {
    const tenant = await makeTenant(database);
    const owner = tenant.as("owner");
    await expect(setRate(owner, euro("2026-01-01", "0.95"))).rejects.toMatchObject({ code: "conflict" });
    await setCurrency(owner, { currency: "EUR" });
    await expect(setRate(owner, euro("2026-01-01", "0.95"))).rejects.toMatchObject({
      code: "invalid_request",
    });
    await expect(removeRate(owner, { currency: "USD", validFrom: "2026-01-01" })).rejects.toMatchObject({
      code: "not_found",
    });
    for (const rate of ["0", "0.000", "-1", "1e3", "1234567890", "0.1234567891", ""]) {
      expect(rateSchema.safeParse(euro("2026-01-01", rate)).success, rate).toBe(false);
    }
    expect(rateSchema.safeParse(euro("2026-02-30", "1")).success).toBe(false);
  });

  it("takes no more rates than are read at once, corrections aside", async () => {
    const tenant = await makeTenant(database);
    const owner = tenant.as("owner");
    await setCurrency(owner, { currency: "CHF" });
    await database.owner.query(
      `INSERT INTO exchange_rates (tenant_id, own_currency, currency, valid_from, rate)
       SELECT $1, 'CHF', 'EUR', date '2020-01-01' + n, 1 FROM generate_series(1, $2::int) AS n`,
      [tenant.tenantId, mostRates],
    );
    await expect(setRate(owner, euro("2019-01-01", "0.95"))).rejects.toMatchObject({ code: "conflict" });
    await setRate(owner, euro("2020-01-02", "0.95"));
    expect((await getCurrency(owner)).rates).toHaveLength(mostRates);
  });
});
