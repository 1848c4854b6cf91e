import { setTimeout as pause } from "node:timers/promises";
import { systemCtx } from "../access/system-ctx.ts";
import { recordAudit } from "../audit/record-audit.ts";
import { forgetRecipients, prepareToForget } from "../consent/forget-recipient.ts";
import { openRecipients } from "../consent/sealed-recipients.ts";
import { forgetContacts } from "../contacts/forget-contacts.ts";
import { eraseFromExports } from "../exports/erase-from-exports.ts";
import { inTenant, inTransaction } from "../kernel/db.ts";
import type { Db } from "../kernel/db.ts";
import { newId } from "../kernel/ids.ts";
import { Spellings } from "../kernel/spellings.ts";
import { enqueueIn } from "../kernel/tasks.ts";
import { spelled } from "../kernel/address.ts";
import { endForErasure } from "../sending/end-for-erasure.ts";
import { forgetWords } from "../sending/index-addresses.ts";
import {
  blankRows,
  deleteInbound,
  deleteParts,
  deleteRows,
  finishErasure,
  requeueErasures,
  saveProgress,
  searchedTables,
  selectConversationsOf,
  selectDeliveriesOf,
  selectJobErrors,
  selectMessagesOf,
  selectTexts,
  takeTurn,
  withoutOthers,
  writeJobError,
  writeTexts,
} from "./erasure-queries.ts";
import type { Progress, SearchedTable } from "./erasure-queries.ts";
import { eraseRecipients } from "./tasks.ts";

/** How long one job works; a stopping worker gives its jobs 20 seconds. */
const sliceMs = 8_000;
/** Rows of one transaction. */
const messagesAtOnce = 100;
const textsAtOnce = 200;
/** Pieces of exported files, each of some hundred thousand characters. */
const piecesAtOnce = 8;
/** An attempt ends within a minute; after that nothing is waited for. */
const mostWaits = 24;
const waitMs = 5_000;

const patiently = "BEGIN; SET LOCAL lock_timeout = '2s'; SET LOCAL statement_timeout = '10s'";

/** Texts that must stay different from each other: those in a unique index. A test compares them with the database's. */
export const uniqueTexts: ReadonlySet<string> = new Set([
  "address_links.address",
  "address_links.linked_address",
  "consent_confirmations.item_id",
  "consent_entries.item_id",
  "contact_addresses.address",
  "contacts.external_id",
  "conversations.address",
  "idempotency_keys.key",
  "inbound_messages.provider_message_id",
  "suppressions.address",
]);

interface Work {
  db: Db;
  tenantId: string;
  id: string;
  addresses: readonly string[];
  spellings: Spellings;
  counts: Record<string, number>;
  progress: Progress;
  /** What is noted in its row. */
  saved: string;
  deadline: number;
}

type Client = Pick<Db["pool"], "query">;

const note = ({ counts }: Pick<Work, "counts">, table: string, rows: number) => {
  if (rows > 0) counts[table] = (counts[table] ?? 0) + rows;
};

const stateOf = ({ progress, counts }: Pick<Work, "progress" | "counts">) =>
  JSON.stringify([progress, counts]);

/** One batch in a transaction with the note of how far it came, if it did; afterwards rests as long as that took. */
async function inBatch<T>(work: Work, batch: (client: Client) => Promise<T>): Promise<T> {
  const began = performance.now();
  const counts = { ...work.counts };
  try {
    const result = await inTransaction(work.db.pool, patiently, async (client) => {
      await client.query("SELECT set_config('app.tenant', $1, true)", [work.tenantId]);
      const done = await batch(client);
      // What did nothing is no step forward, or an erasure that fails again and again would seem to move.
      if (stateOf(work) !== work.saved)
        await saveProgress(client, work.tenantId, work.id, work.progress, work.counts);
      return done;
    });
    work.saved = stateOf(work);
    await pause(Math.min(performance.now() - began, 500));
    return result;
  } catch (error) {
    work.counts = counts;
    throw error;
  }
}

/**
 * Goes on with an erasure for a few seconds and adds a job for the rest. What is done is noted with it, so that a job may run
 * any number of times. In this order: first each no is kept as a token, so that there is no moment without it; then nothing
 * more is sent; then everything that belongs to the addresses goes; then every text of the organisation in which they may
 * occur is searched; then what came in the meantime, and the files that were exported. An organisation's erasures are carried out one after the other; one that fails again and again lets
 * the others go first.
 */
export async function runErasure(
  deps: { db: Db },
  key: { tenantId: string; erasureId: string },
  options: { sliceMs?: number } = {},
): Promise<void> {
  const { tenantId, erasureId: id } = key;
  const ctx = systemCtx(deps.db, tenantId, "Erasure");
  const again = (afterMs = 0) => enqueueIn(ctx, afterMs, eraseRecipients, key);
  const row = await takeTurn(deps.db, tenantId, id);
  if (!row) return;
  if (row.behind) return again(waitMs);
  const addresses = openRecipients(tenantId, id, row);
  const from = { progress: { phase: "messages" as const, ...row.progress }, counts: row.counts };
  const work: Work = {
    ...from,
    saved: stateOf(from),
    db: deps.db,
    tenantId,
    id,
    addresses,
    spellings: new Spellings(addresses.map(spelled)),
    deadline: Date.now() + (options.sliceMs ?? sliceMs),
  };
  const token = await prepareToForget(ctx);
  for (const part of parts(addresses, 200)) {
    const kept = await inTenant(ctx, (tx) => forgetRecipients(tx, tenantId, token, part));
    note(work, "suppressions", kept.suppressions);
    note(work, "consent_entries", kept.consents);
    note(work, "contacts", await inTenant(ctx, (tx) => forgetContacts(tx, tenantId, part)));
    note(work, "address_links", kept.links);
  }
  for (;;) {
    const { ended, underWay } = await inTenant(ctx, (tx) =>
      endForErasure(tx, tenantId, addresses, messagesAtOnce),
    );
    if (ended === 0 && underWay > 0 && (work.progress.waits ?? 0) < mostWaits) {
      work.progress = { ...work.progress, waits: (work.progress.waits ?? 0) + 1 };
      await inBatch(work, () => Promise.resolve());
      return again(waitMs);
    }
    if (ended === 0) break;
  }
  while (await eraseMessages(work)) if (Date.now() > work.deadline) return again();
  for (const part of parts(addresses, 200))
    note(work, "address_words", await inTenant(ctx, (tx) => forgetWords(tx, tenantId, part)));
  while (await eraseConversations(work)) if (Date.now() > work.deadline) return again();
  if (work.progress.phase !== "again") {
    if (!(await searchTexts(work))) return again();
    work.progress = { phase: "again" };
    await inBatch(work, () => Promise.resolve());
    return again();
  }
  while (await eraseFiles(work)) if (Date.now() > work.deadline) return again();
  await inTenant(ctx, async (tx) => {
    if (!(await finishErasure(tx, tenantId, id, work.counts, ctx.now()))) return;
    await recordAudit(ctx, tx, {
      action: "erasure.finished",
      targetType: "erasure",
      targetId: id,
      before: { state: "running" },
      after: { state: "done" },
      data: { addresses: addresses.length, tables: work.counts },
    });
  });
}

/** Erasures of all organisations whose job failed for good, or got lost, get another. Returns how many. */
export async function resumeErasures({ db }: { db: Db }): Promise<number> {
  return requeueErasures(db, 1_000);
}

function parts<T>(items: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, index) =>
    items.slice(index * size, (index + 1) * size),
  );
}

/** Takes the contents out of some messages and of what belongs to them. Returns whether there may be more. */
function eraseMessages(work: Work): Promise<boolean> {
  return inBatch(work, async (client) => {
    const { tenantId } = work;
    const found = await selectMessagesOf(client, tenantId, work.addresses, messagesAtOnce);
    if (found.length === 0) return false;
    const ids = found.map(({ id }) => id);
    const deliveries = await selectDeliveriesOf(client, tenantId, ids);
    const blank = async (table: string, column: string, of: readonly string[], more?: string) => {
      note(work, table, await blankRows(client, tenantId, table, column, of, more));
    };
    await blank("notification_events", "notification_id", ids);
    await blank("attempts", "notification_id", ids);
    note(work, "short_links", await deleteRows(client, tenantId, "short_links", "notification_id", ids));
    await blank("webhook_deliveries", "id", deliveries);
    await blank("webhook_attempts", "delivery_id", deliveries);
    await blank("notifications", "id", ids);
    await blank("send_requests", "id", [...new Set(found.map(({ requestId }) => requestId))], withoutOthers);
    return found.length === messagesAtOnce;
  });
}

/** Deletes some of what the recipients wrote. Returns whether there may be more. */
function eraseConversations(work: Work): Promise<boolean> {
  return inBatch(work, async (client) => {
    const { tenantId } = work;
    note(work, "inbound_parts", await deleteParts(client, tenantId, work.addresses));
    const found = await selectConversationsOf(client, tenantId, work.addresses, 50);
    if (found.length === 0) return false;
    const inbound = await deleteInbound(client, tenantId, found, 500);
    note(work, "inbound_messages", inbound);
    if (inbound < 500)
      note(work, "conversations", await deleteRows(client, tenantId, "conversations", "id", found));
    return true;
  });
}

/**
 * Takes the addresses out of some pieces of the files that were exported: last of all, so that what is written to a file from now on is
 * without them already. Returns whether there is more.
 */
function eraseFiles(work: Work): Promise<boolean> {
  return inBatch(work, async (client) => {
    const { changed, after } = await eraseFromExports(client, work.tenantId, work.spellings, {
      after: work.progress.file ?? null,
      most: piecesAtOnce,
    });
    note(work, "export_chunks", changed);
    if (after) work.progress = { phase: "again", file: after };
    return after !== null;
  });
}

/** Searches every text of the organisation in which the addresses may occur. Returns whether it came to the end. */
async function searchTexts(work: Work): Promise<boolean> {
  const tables = await searchedTables(work.db.pool);
  const first = work.progress.table;
  for (const table of tables) {
    if (first !== undefined && table.table < first) continue;
    let after = table.table === first ? work.progress.after : undefined;
    for (;;) {
      const last: string[] | undefined = await inBatch(work, async (client) => {
        const reached = await searchRows(work, client, table, after);
        // Noted with what was changed: a job that ends here is gone on with here.
        if (reached) work.progress = { phase: "texts", table: table.table, after: reached };
        return reached;
      });
      if (!last) break;
      after = last;
      if (Date.now() > work.deadline) return false;
    }
    const next = tables[tables.indexOf(table) + 1];
    if (next) work.progress = { phase: "texts", table: next.table };
    if (next && Date.now() > work.deadline) {
      await inBatch(work, () => Promise.resolve());
      return false;
    }
  }
  await inBatch(work, async (client) => {
    for (const { id, error } of await selectJobErrors(client, work.tenantId)) {
      const scrubbed = work.spellings.scrub(error);
      if (scrubbed !== error) await writeJobError(client, id, scrubbed);
    }
  });
  return true;
}

/** Searches the next rows of a table. Returns the key of the last one, or undefined at the end. */
async function searchRows(
  work: Work,
  client: Client,
  table: SearchedTable,
  after: string[] | undefined,
): Promise<string[] | undefined> {
  const rows = await selectTexts(client, work.tenantId, table, after, textsAtOnce);
  let breath = performance.now();
  for (const row of rows) {
    // Long texts take time: whatever else this process does gets its turn.
    if (performance.now() - breath > 20) {
      await pause(1);
      breath = performance.now();
    }
    const scrubbed = row.texts.map((text, index) => {
      if (text === null) return null;
      const column = table.texts[index];
      if (column?.type !== "jsonb") {
        const plain = work.spellings.scrub(text);
        return plain !== text && uniqueTexts.has(`${table.table}.${column?.column ?? ""}`)
          ? `${plain} ${newId()}`
          : plain;
      }
      const value = JSON.parse(text) as unknown;
      const plain = work.spellings.scrubJson(value);
      return plain === value ? text : JSON.stringify(plain);
    });
    if (scrubbed.every((text, index) => text === row.texts[index])) continue;
    note(
      work,
      table.table,
      await writeTexts(client, work.tenantId, table, { key: row.key, before: row.texts, after: scrubbed }),
    );
  }
  return rows.length < textsAtOnce ? undefined : rows.at(-1)?.key;
}
