import { LRUCache } from "lru-cache";
import type { Db } from "../kernel/db.ts";
import { logger } from "../kernel/log.ts";
import { perDb } from "../kernel/per-db.ts";
import { noteKeyUses } from "./queries.ts";

interface Use {
  tenantId: string;
  at: number;
  address: string | null;
}

/** A process reports the same key so often at most, ms. */
const againAfter = 60_000;
/** Uses are gathered for so long, ms. */
const gatherFor = 1_000;
const maxKeys = 20_000;

/**
 * Notes when and from where keys were used, beside the requests: in memory, each key at most once a minute, and all of a second
 * in one statement.
 */
class KeyUses {
  private readonly db: Db;
  private readonly reported = new LRUCache<string, number>({ max: maxKeys });
  private waiting = new Map<string, Use>();
  private timer: NodeJS.Timeout | undefined;

  constructor(db: Db) {
    this.db = db;
  }

  note(key: { id: string; tenantId: string }, address: string | null, now: number): void {
    if (now - (this.reported.get(key.id) ?? 0) < againAfter || this.waiting.size >= maxKeys) return;
    this.reported.set(key.id, now);
    this.waiting.set(key.id, { tenantId: key.tenantId, at: now, address });
    this.timer ??= setTimeout(() => void this.report(), gatherFor).unref();
  }

  private async report(): Promise<void> {
    this.timer = undefined;
    const uses = [...this.waiting].map(([id, use]) => ({ id, ...use, at: new Date(use.at) }));
    this.waiting = new Map();
    try {
      await noteKeyUses(this.db, uses);
    } catch (error) {
      if (this.db.pool.ended) return;
      // The next use is reported at once.
      for (const { id } of uses) this.reported.delete(id);
      logger().warn({ err: error, keys: uses.length }, "the use of keys was not noted");
    }
  }
}

const usesOf = perDb("key-uses", (db) => new KeyUses(db));

/** Notes a use of a key. Neither waits nor throws. */
export function noteKeyUse(
  db: Db,
  key: { id: string; tenantId: string },
  address: string | null,
  now: number,
): void {
  usesOf(db).note(key, address, now);
}
