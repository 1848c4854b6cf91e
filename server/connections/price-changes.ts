import { isDeepStrictEqual } from "node:util";
import type { Ctx } from "../kernel/ctx.ts";
import type { Tx } from "../kernel/db.ts";
import { newId } from "../kernel/ids.ts";
import { priceKey } from "./price-rows.ts";
import { insertPriceChanges } from "./queries.ts";
import type { PriceListEntry } from "./schemas.ts";

export interface PriceDifference {
  before: PriceListEntry | null;
  after: PriceListEntry | null;
}

/** What became of each row, in the order of the new list, those that went last. A row is the same by what it is for and its first day. */
export function priceDifferences(
  before: readonly PriceListEntry[],
  after: readonly PriceListEntry[],
): PriceDifference[] {
  const rowKey = (entry: PriceListEntry) => `${priceKey(entry)} ${entry.validFrom ?? ""}`;
  const old = new Map(before.map((entry) => [rowKey(entry), entry]));
  const differences: PriceDifference[] = [];
  for (const entry of after) {
    const was = old.get(rowKey(entry)) ?? null;
    old.delete(rowKey(entry));
    if (!isDeepStrictEqual(was, entry)) differences.push({ before: was, after: entry });
  }
  for (const entry of old.values()) differences.push({ before: entry, after: null });
  return differences;
}

/** Records what a change does to a connection's prices, in the transaction of the change: two lists' length of rows at most. */
export async function recordPriceChanges(
  ctx: Ctx,
  tx: Tx,
  connection: { id: string; unitId: string | null },
  before: readonly PriceListEntry[],
  after: readonly PriceListEntry[],
): Promise<void> {
  const differences = priceDifferences(before, after);
  if (differences.length === 0) return;
  await insertPriceChanges(
    tx,
    { tenantId: ctx.tenantId, connectionId: connection.id, unitId: connection.unitId, at: ctx.now() },
    differences.map((difference) => ({ ...difference, id: newId() })),
  );
}
