import { LRUCache } from "lru-cache";
import type { Ctx } from "../kernel/ctx.ts";
import type { Db } from "../kernel/db.ts";
import { logger } from "../kernel/log.ts";
import type { PriceScope, PricedEstimate, UnitsBefore } from "./estimate-cost.ts";
import { addUnits, recountEntry, selectUnits } from "./queries.ts";

/**
 * How many segments or messages a connection's rows with tiers or free units have priced this month (UTC). Nobody waits for a
 * lock, and messages share round trips: each process counts for itself, adds what it counted every two seconds to what all
 * processes see, and reads the others' counts every twenty. So a count is behind by what other processes have sent in 22 s at
 * most, and by the messages under way; a process that is killed loses what it counted in its last two seconds.
 */
export const countingTimes = { writeMs: 2_000, readMs: 20_000 } as const;

interface Counted {
  /** What all processes have counted, as last read or written. */
  stored: Map<string, number>;
  readAt: number;
  reading: Promise<void> | null;
  /** Grows with each writing, so that what was read before it does not replace what it returned. */
  writes: number;
}

interface Pending {
  db: Db;
  row: PriceScope & { tenantId: string; connectionId: string; month: string };
  units: number;
}

type Place = { tenantId: string; connectionId: string };

const months = new LRUCache<string, Counted>({ max: 10_000 });
let pending = new Map<string, Pending>();
let writing = new Map<string, Pending>();
let written = Promise.resolve();
let timer: NodeJS.Timeout | undefined;

const monthOf = (at: Date) => at.toISOString().slice(0, 7);
const placeKey = ({ tenantId, connectionId }: Place, month: string) => `${tenantId} ${connectionId} ${month}`;
const scopeKey = ({ channel, category, country }: PriceScope) => `${channel} ${category} ${country}`;

/** The counts of a connection in the month of `at`; waits for the database only the first time. */
export async function unitsBefore(
  ctx: Pick<Ctx, "db" | "tenantId">,
  connectionId: string,
  at: Date,
): Promise<UnitsBefore> {
  const month = monthOf(at);
  const place = { tenantId: ctx.tenantId, connectionId };
  const key = placeKey(place, month);
  let counted = months.get(key);
  if (!counted) {
    counted = { stored: new Map(), readAt: Number.NEGATIVE_INFINITY, reading: null, writes: 0 };
    months.set(key, counted);
  }
  const { stored } = counted;
  if (performance.now() - counted.readAt >= countingTimes.readMs) {
    const first = counted.readAt === Number.NEGATIVE_INFINITY;
    if (first) await (counted.reading ??= read(ctx, connectionId, month, counted));
    else
      counted.reading ??= read(ctx, connectionId, month, counted).catch((error: unknown) => {
        const said = "counts of a month could not be read; the last ones are used";
        logger().warn({ err: error, ...place }, said);
      });
  }
  return (scope) => {
    const of = scopeKey(scope);
    const own = `${key} ${of}`;
    return (stored.get(of) ?? 0) + (pending.get(own)?.units ?? 0) + (writing.get(own)?.units ?? 0);
  };
}

async function read(
  ctx: Pick<Ctx, "db" | "tenantId">,
  connectionId: string,
  month: string,
  counted: Counted,
): Promise<void> {
  const { writes } = counted;
  try {
    const rows = await selectUnits(ctx, connectionId, month);
    if (counted.writes !== writes) return;
    counted.readAt = performance.now();
    for (const row of rows) counted.stored.set(scopeKey(row), row.units);
  } finally {
    counted.reading = null;
  }
}

/** Counts a message that a provider took, in a worker or a web process; the database learns of it within two seconds. */
export function countUnits(
  db: Db,
  place: Place,
  { counts, units }: Pick<PricedEstimate, "counts" | "units">,
  at: Date,
): void {
  const month = monthOf(at);
  for (const scope of counts) {
    const key = `${placeKey(place, month)} ${scopeKey(scope)}`;
    const known = pending.get(key);
    if (known) known.units += units;
    else pending.set(key, { db, row: { ...place, ...scope, month }, units });
  }
  if (pending.size > 0) timer ??= setTimeout(() => void writeUnits(), countingTimes.writeMs).unref();
}

/**
 * Counts a message as what is charged instead of what it was counted as (undefined: nothing). Of several receipts that say the same
 * one does it.
 */
export async function recountUnits(
  ctx: Ctx,
  { connectionId, ...entry }: Parameters<typeof recountEntry>[1] & { connectionId: string },
  { from, to, at }: { from: PricedEstimate | undefined; to: PricedEstimate; at: Date },
): Promise<void> {
  if (!(await recountEntry(ctx, entry))) return;
  const place = { tenantId: ctx.tenantId, connectionId };
  if (from) countUnits(ctx.db, place, { ...from, units: -from.units }, at);
  countUnits(ctx.db, place, to, at);
}

/** Writes what was counted; a process also does when it stops. What cannot be written is tried again. */
export function writeUnits(): Promise<void> {
  clearTimeout(timer);
  timer = undefined;
  written = written.then(writePending);
  return written;
}

async function writePending(): Promise<void> {
  if (pending.size === 0) return;
  [writing, pending] = [pending, new Map<string, Pending>()];
  for (const { db, entries } of statements([...writing.values()])) {
    try {
      const totals = await addUnits(
        db,
        entries.map(({ row, units }) => ({ ...row, units })),
      );
      for (const total of totals) {
        const counted = months.get(placeKey(total, total.month));
        if (!counted) continue;
        counted.writes += 1;
        counted.stored.set(scopeKey(total), total.units);
      }
      for (const { row } of entries) writing.delete(`${placeKey(row, row.month)} ${scopeKey(row)}`);
    } catch (error) {
      logger().warn({ err: error }, "units of price lists could not be counted yet");
      keep(entries);
    }
  }
  writing = new Map();
  if (pending.size > 0) timer ??= setTimeout(() => void writeUnits(), countingTimes.writeMs).unref();
}

const togetherOf = ({ db, row }: Pending) => `${row.month} ${db.role === "worker" ? "" : row.tenantId}`;

/**
 * Of one month each, the older first: a statement cannot change a row twice. Of one tenant where the role sees no other. At most a
 * thousand rows in one.
 */
function statements(all: readonly Pending[]): { db: Db; entries: Pending[] }[] {
  const list: { db: Db; together: string; entries: Pending[] }[] = [];
  for (const entry of [...all].sort((a, b) => (togetherOf(a) < togetherOf(b) ? -1 : 1))) {
    const { db } = entry;
    const last = list.at(-1);
    const together = togetherOf(entry);
    const fits = last?.db === db && last.together === together;
    if (fits && last.entries.length < 1_000) last.entries.push(entry);
    else list.push({ db, together, entries: [entry] });
  }
  return list;
}

function keep(entries: readonly Pending[]): void {
  for (const entry of entries) {
    const key = `${placeKey(entry.row, entry.row.month)} ${scopeKey(entry.row)}`;
    const since = pending.get(key);
    pending.set(key, { ...entry, units: entry.units + (since?.units ?? 0) });
  }
}
