import { systemCtx } from "../access/system-ctx.ts";
import type { InboundMessage } from "../adapters/adapter.ts";
import type { Ctx } from "../kernel/ctx.ts";
import { inTenant } from "../kernel/db.ts";
import type { Db, Tx } from "../kernel/db.ts";
import { newId } from "../kernel/ids.ts";
import type { Logger } from "../kernel/log.ts";
import { counter } from "../kernel/metrics.ts";
import { cleanAddress, senderAddress, storable } from "./clean-inbound.ts";
import { collect, isComplete, joinedOf, partRules, textOf } from "./collect-parts.ts";
import {
  countParts,
  deleteOldestJoined,
  deleteOldParts,
  lockParts,
  selectOverdueParts,
  selectParts,
  writeParts,
} from "./part-queries.ts";
import type { PartsRow } from "./part-queries.ts";

/** A message put together: told as any other, under the id of its row. */
interface Whole {
  row: PartsRow;
  message: InboundMessage;
}

const told = counter(
  "tidings_inbound_parts_total",
  "Messages from recipients that came in parts, by what became of them",
  ["result"],
);

/**
 * Keeps the parts among messages until all of their message have come, whichever process gets them, and answers the rest, with
 * the messages that are complete now. `settle` is to be called when those are stored: until then a part that is repeated tells them
 * again, under the same id.
 */
export async function joinParts(
  ctx: Ctx,
  connectionId: string,
  inbound: readonly InboundMessage[],
): Promise<{ messages: InboundMessage[]; settle: () => Promise<void> }> {
  const parts = inbound.filter(isPart);
  if (parts.length === 0) return { messages: [...inbound], settle: () => Promise.resolve() };
  const { wholes, alone } = await inTenant(ctx, (tx) => keepParts(ctx, tx, connectionId, parts));
  return {
    messages: [
      ...inbound.filter((message) => !isPart(message)),
      ...wholes.map(({ message }) => message),
      ...alone,
    ],
    settle: () => settle(ctx, connectionId, wholes),
  };
}

type PartMessage = InboundMessage & { part: NonNullable<InboundMessage["part"]> };

function isPart(message: InboundMessage): message is PartMessage {
  const { part, text } = message;
  return part !== undefined && part.total > 1 && text.length <= partRules.longest;
}

async function keepParts(
  ctx: Ctx,
  tx: Tx,
  connectionId: string,
  messages: readonly PartMessage[],
): Promise<{ wholes: Whole[]; alone: InboundMessage[] }> {
  const now = ctx.now();
  // One process at a time for a connection: so parts of one message find each other, and the bounds hold.
  await lockParts(tx, ctx.tenantId, connectionId);
  const keyed = messages.map((message) => ({ message, key: keyOf(message) }));
  const rows = new Map(
    (
      await selectParts(
        tx,
        ctx.tenantId,
        connectionId,
        keyed.map(({ key }) => key),
      )
    ).map((row) => [nameOf(row), row]),
  );
  const { open, all } = await countParts(
    tx,
    ctx.tenantId,
    connectionId,
    keyed.map(({ key }) => key.address),
  );
  let opened = open.reduce((sum, { count }) => sum + count, 0);
  const ofSender = new Map(
    open.flatMap(({ address, count }) => (address === null ? [] : [[address, count]])),
  );
  const changed = new Map<string, PartsRow>();
  const wholes = new Map<string, Whole>();
  const alone: InboundMessage[] = [];
  let begun = 0;
  for (const { message, key } of keyed) {
    const name = nameOf(key);
    const before = rows.get(name) ?? null;
    const text = storable(message.text);
    const part = { number: message.part.number, total: message.part.total, text };
    const collected = collect(before, part, { id: newId(), now });
    if (!collected) {
      told.inc({ result: "repeated" });
      continue;
    }
    const row = { ...key, ...collected };
    if (collected.id !== before?.id) {
      const senders = ofSender.get(key.address) ?? 0;
      if (senders >= partRules.mostOfSender || opened >= partRules.mostOfConnection) {
        // Nobody waits for the rest: it is told as it is, and what follows as well.
        alone.push({ ...wholeOf(row), providerMessageId: message.providerMessageId });
        told.inc({ result: "alone" });
        continue;
      }
      opened++;
      begun++;
      ofSender.set(key.address, senders + 1);
    }
    rows.set(name, row);
    changed.set(row.id, row);
    if (isComplete(row)) wholes.set(row.id, { row, message: wholeOf(row) });
  }
  await writeParts(tx, ctx.tenantId, connectionId, [...changed.values()]);
  if (all + begun > partRules.mostRows) {
    await deleteOldestJoined(tx, ctx.tenantId, connectionId, all + begun - partRules.mostRows);
  }
  return { wholes: [...wholes.values()], alone };
}

/** Once they are stored, only what tells a repetition is kept of them. Nothing is added to them any more. */
async function settle(ctx: Ctx, connectionId: string, wholes: readonly Whole[]): Promise<void> {
  if (wholes.length === 0) return;
  const now = ctx.now();
  const joined = wholes.map(({ row }) => ({ ...row, ...joinedOf(row, now) }));
  await inTenant(ctx, (tx) => writeParts(tx, ctx.tenantId, connectionId, joined));
  told.inc({ result: "joined" }, wholes.filter(({ row }) => isComplete(row)).length);
}

type RecordMessages = (ctx: Ctx, input: { connectionId: string; inbound: InboundMessage[] }) => Promise<void>;

type OverdueRow = Awaited<ReturnType<typeof selectOverdueParts>>[number];

/** Overdue messages of one round, and the most rounds of a run. */
const atOnce = 500;
const rounds = 20;
/** How long those of one connection, which could not be told together, are told one by one in a run, ms. */
const aloneMs = 10_000;

/**
 * Tells what has waited for its other parts for too long, with a mark for what is missing, and forgets what was put together long
 * ago; of all organisations. What cannot be told now is tried again in the next run. Returns how many were told.
 */
export async function tellIncomplete(
  deps: { db: Db; log: Logger },
  record: RecordMessages,
  now = new Date(),
): Promise<number> {
  const { db } = deps;
  let count = 0;
  let after = "";
  for (let round = 0; round < rounds; round++) {
    const overdue = await selectOverdueParts(db, {
      before: new Date(now.getTime() - partRules.patienceMs - partRules.marginMs),
      after,
      limit: atOnce,
    });
    const groups = Map.groupBy(overdue, ({ tenantId, connectionId }) => `${tenantId} ${connectionId}`);
    for (const rows of groups.values()) {
      const all = await tellOverdue(deps, record, rows);
      count += all;
      // One that cannot be told keeps no other of its connection from being told.
      const until = performance.now() + aloneMs;
      if (all === 0 && rows.length > 1)
        for (const row of rows)
          if (performance.now() < until) count += await tellOverdue(deps, record, [row]);
    }
    after = overdue.at(-1)?.id ?? "";
    if (overdue.length < atOnce) break;
  }
  const ago = (ms: number): Date => new Date(now.getTime() - ms);
  await deleteOldParts(db, { joined: ago(partRules.knownMs), any: ago(partRules.keptMs) });
  return count;
}

/** Tells some messages of one connection; returns how many: all of them, or none. */
async function tellOverdue(
  { db, log }: { db: Db; log: Logger },
  record: RecordMessages,
  rows: readonly OverdueRow[],
): Promise<number> {
  const [first] = rows;
  if (!first) return 0;
  const { tenantId, connectionId } = first;
  const ctx = systemCtx(db, tenantId, "Messages in parts");
  try {
    const wholes = rows.map((row) => ({ row, message: wholeOf(row) }));
    await record(ctx, { connectionId, inbound: wholes.map(({ message }) => message) });
    await settle(ctx, connectionId, wholes);
    told.inc({ result: "incomplete" }, rows.filter((row) => !isComplete(row)).length);
    return rows.length;
  } catch (error) {
    log.warn({ err: error, tenantId, connectionId }, "messages without all parts could not be told yet");
    return 0;
  }
}

function keyOf({ channel, from, to, part }: PartMessage) {
  return {
    channel,
    address: senderAddress({ channel, from }),
    ownAddress: cleanAddress(channel, to),
    reference: part.reference,
    total: part.total,
  };
}

function nameOf({ address, ownAddress, reference, total }: ReturnType<typeof keyOf>): string {
  return JSON.stringify([address, ownAddress, reference, total]);
}

function wholeOf(row: PartsRow): InboundMessage {
  return {
    channel: row.channel,
    from: row.address,
    to: row.ownAddress,
    text: textOf(row),
    providerMessageId: row.id,
    at: row.firstAt,
  };
}
