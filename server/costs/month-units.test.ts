import { afterEach, describe, expect, it, vi } from "vitest";
import type { Db } from "../kernel/db.ts";
import { newId } from "../kernel/ids.ts";
import { testDatabase } from "../testing/database.ts";
import { makeTenant } from "../testing/factories.ts";
import type { PriceScope } from "./estimate-cost.ts";
import { countingTimes, countUnits, unitsBefore, writeUnits } from "./month-units.ts";
import { addUnits } from "./queries.ts";

const database = await testDatabase();
const { tenantId } = await makeTenant(database);
const ctx = { db: database.worker, tenantId };
const inDe: PriceScope = { channel: "sms", category: "", country: "DE" };
const october = new Date("2026-10-31T23:59:59.999Z");
const november = new Date("2026-11-01T00:00:00.000Z");

afterEach(() => void vi.restoreAllMocks());

/** What another process, or this one earlier, has written. */
const stored = async (connectionId: string) => {
  const { rows } = await database.owner.query<{ month: string; units: string }>(
    `SELECT to_char(month, 'YYYY-MM') AS month, units::text FROM price_units
     WHERE tenant_id = $1 AND connection_id = $2 ORDER BY country`,
    [tenantId, connectionId],
  );
  return rows.map(({ month, units }) => `${month} ${units}`);
};
const count = (connectionId: string, units: number, at = october, scope = inDe) =>
  countUnits(database.worker, { tenantId, connectionId }, { counts: [scope], units }, at);

describe("The units of a month", () => {
  it("count at once in this process and are written together", async () => {
    const connectionId = newId();
    expect((await unitsBefore(ctx, connectionId, october))(inDe)).toBe(0);
    for (let i = 0; i < 100; i++) count(connectionId, 2);
    expect((await unitsBefore(ctx, connectionId, october))(inDe)).toBe(200);
    expect(await stored(connectionId)).toEqual([]);
    const query = vi.spyOn(database.worker.pool, "query");
    await writeUnits();
    expect(query).toHaveBeenCalledOnce();
    expect(await stored(connectionId)).toEqual(["2026-10 200"]);
    expect((await unitsBefore(ctx, connectionId, october))(inDe)).toBe(200);
    await writeUnits();
    expect(await stored(connectionId)).toEqual(["2026-10 200"]);
  });

  it("are written by themselves within two seconds", async () => {
    const connectionId = newId();
    count(connectionId, 1);
    await vi.waitFor(async () => expect(await stored(connectionId)).toEqual(["2026-10 1"]), {
      timeout: countingTimes.writeMs + 3_000,
    });
  });

  it("include what other processes wrote after twenty seconds, and no message waits for that", async () => {
    const connectionId = newId();
    const row = { tenantId, connectionId, ...inDe, month: "2026-10" };
    await unitsBefore(ctx, connectionId, october);
    await addUnits(database.worker, [{ ...row, units: 7 }]);
    expect((await unitsBefore(ctx, connectionId, october))(inDe)).toBe(0);
    const later = performance.now() + countingTimes.readMs;
    vi.spyOn(performance, "now").mockReturnValue(later);
    // The first to ask goes on with what was known.
    expect((await unitsBefore(ctx, connectionId, october))(inDe)).toBe(0);
    await vi.waitFor(async () => expect((await unitsBefore(ctx, connectionId, october))(inDe)).toBe(7));
    // Its own writing learns of them as well.
    await addUnits(database.worker, [{ ...row, units: 5 }]);
    count(connectionId, 1);
    await writeUnits();
    expect((await unitsBefore(ctx, connectionId, october))(inDe)).toBe(13);
  });

  it("of many processes at once add up exactly", async () => {
    const connectionId = newId();
    const scopes = ["DE", "FR", "US", ""].map((country) => ({ ...inDe, country }));
    await Promise.all(
      Array.from({ length: 40 }, (_, i) =>
        addUnits(
          database.worker,
          (i % 2 ? scopes : scopes.toReversed()).map((scope) => ({
            tenantId,
            connectionId,
            ...scope,
            month: "2026-10",
            units: 3,
          })),
        ),
      ),
    );
    expect(await stored(connectionId)).toEqual(Array.from({ length: 4 }, () => "2026-10 120"));
  });

  it("begin anew with the month, and what comes late for the month before changes nothing", async () => {
    const connectionId = newId();
    count(connectionId, 9, october);
    count(connectionId, 1, november);
    expect((await unitsBefore(ctx, connectionId, october))(inDe)).toBe(9);
    expect((await unitsBefore(ctx, connectionId, november))(inDe)).toBe(1);
    await writeUnits();
    expect(await stored(connectionId)).toEqual(["2026-11 1"]);
    count(connectionId, 5, october);
    await writeUnits();
    expect(await stored(connectionId)).toEqual(["2026-11 1"]);
    expect((await unitsBefore(ctx, connectionId, november))(inDe)).toBe(1);
  });

  it("are counted by a web process as well, each organisation's by itself", async () => {
    const other = await makeTenant(database);
    const connectionId = newId();
    for (const tenant of [tenantId, other.tenantId, tenantId])
      countUnits(database.web, { tenantId: tenant, connectionId }, { counts: [inDe], units: 4 }, october);
    count(connectionId, 1);
    await writeUnits();
    expect(await stored(connectionId)).toEqual(["2026-10 9"]);
    expect((await unitsBefore({ ...ctx, db: database.web }, connectionId, october))(inDe)).toBe(9);
    expect((await unitsBefore({ ...ctx, tenantId: other.tenantId }, connectionId, october))(inDe)).toBe(4);
  });

  it("that are counted during a writing are written before a process stops", async () => {
    const connectionId = newId();
    count(connectionId, 1);
    const first = writeUnits();
    await Promise.resolve();
    count(connectionId, 2);
    await writeUnits();
    expect(await stored(connectionId)).toEqual(["2026-10 3"]);
    await first;
  });

  it("are kept while the database does not answer", async () => {
    const connectionId = newId();
    const broken = {
      role: "worker",
      pool: { query: () => Promise.reject(new Error("away")) },
    } as unknown as Db;
    countUnits(broken, { tenantId, connectionId }, { counts: [inDe], units: 4 }, october);
    await writeUnits();
    expect(await stored(connectionId)).toEqual([]);
    broken.pool.query = database.worker.pool.query.bind(database.worker.pool);
    await writeUnits();
    expect(await stored(connectionId)).toEqual(["2026-10 4"]);
  });
});
