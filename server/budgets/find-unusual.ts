import { findHolders } from "../access/find-holders.ts";
import { systemCtx } from "../access/system-ctx.ts";
import { alone } from "../kernel/alone.ts";
import { inTenant } from "../kernel/db.ts";
import type { Db } from "../kernel/db.ts";
import { newId } from "../kernel/ids.ts";
import { writeNotices } from "../notices/write-notices.ts";
import { dayText, daysBefore, startOfDay } from "./months.ts";
import { deleteOld, insertAnomalies, noteLook, selectDaySums, selectToLookAt } from "./queries.ts";
import { unusual, unusualRule } from "./unusual.ts";

/** Organisations that one run looks at, sums of each (the largest), and days that are kept of one day. */
const atOnce = { organisations: 500, sums: 5_000, kept: 50 };
const maxTold = 200;
/** How long findings and alerts are kept, days: as far back as reports reach. */
const keptDays = 400;
/** Receipts and prices of the last hours are waited for, ms. */
const settled = 3 * 3_600_000;
/** So many days before yesterday are looked at, too, the oldest first: nobody may have done it when their time was. */
const missed = 2;

/**
 * Looks at yesterday's costs of each organisation once, a few hours into the day, and tells those who see the costs of what was
 * unusual; also at the days before, if that was missed. Returns how many days of organisations were looked at.
 */
export async function findUnusual(db: Db, now = new Date()): Promise<number> {
  const today = startOfDay(new Date(now.getTime() - settled));
  let looked = 0;
  for (let back = 1 + missed; back > 0; back--) {
    const day = dayText(daysBefore(today, back));
    const tenants = await selectToLookAt(db, day, atOnce.organisations);
    for (const tenantId of tenants)
      await alone(tenantId, "a day's costs could not be looked at", () => look(db, tenantId, day));
    looked += tenants.length;
  }
  await deleteOld(db, keptDays);
  return looked;
}

async function look(db: Db, tenantId: string, day: string): Promise<void> {
  const ctx = systemCtx(db, tenantId, "Budgets");
  const sums = await selectDaySums(db, tenantId, {
    day,
    least: unusualRule.leastAmount,
    limit: atOnce.sums,
  });
  const found = sums
    .flatMap(({ before, ...sum }) => {
      const judged = unusual(Number(sum.amount), before);
      return judged ? [{ ...sum, expected: judged.expected.toFixed(6) }] : [];
    })
    .sort((a, b) => Number(b.amount) - Number(b.expected) - (Number(a.amount) - Number(a.expected)))
    .slice(0, atOnce.kept);
  await inTenant(ctx, async (tx) => {
    if (!(await noteLook(tx, tenantId, day)) || found.length === 0) return;
    await insertAnomalies(
      tx,
      found.map((row) => ({ ...row, tenantId, id: newId(), day: new Date(day) })),
    );
    const told = new Map<string, number>();
    const ofUnit = Map.groupBy(found, ({ unitId }) => unitId);
    for (const [unitId, rows] of ofUnit) {
      const holders = await findHolders(tx, tenantId, { permission: "costs:read", unitId, limit: maxTold });
      for (const holder of holders) told.set(holder, (told.get(holder) ?? 0) + rows.length);
    }
    for (const [count, people] of Map.groupBy(told.keys(), (holder) => told.get(holder) ?? 0)) {
      await writeNotices(ctx, tx, people, {
        kind: "costs.unusual",
        targetType: "tenant",
        targetId: tenantId,
        data: { count, day },
      });
    }
  });
}
