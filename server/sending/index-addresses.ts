import { inTransaction } from "../kernel/db.ts";
import type { Db, Tx } from "../kernel/db.ts";
import { erasedText } from "../kernel/erased.ts";
import { idFloor, timeOfId } from "../kernel/ids.ts";
import type { Logger } from "../kernel/log.ts";
import {
  deleteWords,
  selectNextUnworded,
  selectUnworded,
  tryLockWords,
  writeWords,
} from "./address-word-queries.ts";
import type { WordedAddress } from "./address-word-queries.ts";
import { wordsOf } from "./address-words.ts";

/** A message's id is made before its transaction commits: after so long nothing older comes any more. */
const settledMs = 60_000;
/** Messages of one transaction. */
const portion = 2_000;
/** How long one turn works. */
const turnMs = 8_000;

const patiently = "BEGIN; SET LOCAL lock_timeout = '2s'; SET LOCAL statement_timeout = '20s'";

/**
 * Writes down by which words the addresses of new messages are found, and of all that were there before. Organisations take turns
 * portion by portion, so that none waits for another's flood; what is left when the time is over, the next call takes. Each message is
 * read once, a minute after it was made; until then searches read it themselves. Returns how many messages it read. Worker's role.
 */
export async function indexAddresses(
  { db, log }: { db: Db; log: Logger },
  options: { now?: number; turnMs?: number; portion?: number } = {},
): Promise<number> {
  const before = idFloor(new Date((options.now ?? Date.now()) - settledMs));
  const deadline = Date.now() + (options.turnMs ?? turnMs);
  const limit = options.portion ?? portion;
  let all = 0;
  let waiting = await selectUnworded(db, before);
  while (waiting.length > 0) {
    const more: string[] = [];
    for (const tenantId of waiting) {
      if (Date.now() > deadline) return all;
      try {
        const read = await indexPortion(db, tenantId, before, limit);
        all += read;
        if (read === limit) more.push(tenantId);
      } catch (error) {
        log.warn({ err: error, tenantId }, "addresses could not be indexed; the next turn tries again");
      }
    }
    waiting = more;
  }
  return all;
}

function indexPortion(db: Db, tenantId: string, before: string, limit: number): Promise<number> {
  return inTransaction(db.pool, patiently, async (client) => {
    if (!(await tryLockWords(client, tenantId))) return 0;
    const messages = await selectNextUnworded(client, tenantId, before, limit);
    const last = messages.at(-1);
    if (!last) return 0;
    const seen = new Map<string, WordedAddress>();
    // In the order of their ids, so the last day is the newest.
    for (const { id, sandbox, recipient: address } of messages) {
      if (address === erasedText) continue;
      const key = `${String(sandbox)} ${address}`;
      const day = new Date(timeOfId(id)).toISOString().slice(0, 10);
      const known = seen.get(key);
      if (known) known.day = day;
      else seen.set(key, { sandbox, address, words: wordsOf(address), day });
    }
    await writeWords(client, tenantId, [...seen.values()], last.id);
    return messages.length;
  });
}

/**
 * Removes what these addresses are found by, in the caller's transaction, once no message has them any more. Returns how many rows went.
 */
export function forgetWords(tx: Tx, tenantId: string, addresses: readonly string[]): Promise<number> {
  return deleteWords(
    tx,
    tenantId,
    addresses.flatMap((address) => wordsOf(address).map((word) => ({ word, address }))),
  );
}
