import { inTenant, inTransaction } from "../kernel/db.ts";
import type { Db } from "../kernel/db.ts";
import { DomainError } from "../kernel/errors.ts";
import { logger } from "../kernel/log.ts";
import { isSigned } from "./audit-event.ts";
import { openAuditKey, startChain } from "./audit-key.ts";
import { chainKey, entryHash, genesis } from "./chain.ts";
import type { Origin } from "./chain.ts";
import {
  eventOf,
  insertLinks,
  selectChains,
  selectLeftOver,
  selectProgress,
  selectUnchained,
  takeTurn,
  updateProgress,
} from "./chain-queries.ts";
import type { ChainRow, Progress, UnchainedRow } from "./chain-queries.ts";

const portion = 2_000;
const lastId = "ffffffff-ffff-ffff-ffff-ffffffffffff";

/**
 * Puts the events that are not chained yet into their tenants' chains, in the order of the transactions that wrote them.
 * Only those count whose transaction is older than every one that is still open: no event can come in before them any more.
 * Writers wait for nothing. One process does it at a time; answers how many events it was.
 * @param budget events at most; the rest waits for the next run
 */
export async function buildChains(db: Db, budget = 100_000): Promise<number> {
  let chained = 0;
  /** Tenants that do not exist: their events are left out, so that nobody stops the others with them. */
  const nobodys = new Set<string>();
  while (chained < budget) {
    const { count, done, unknown } = await buildPortion(db, nobodys);
    chained += count;
    // Organisations from before there were chains.
    for (const tenantId of unknown) {
      try {
        await inTenant({ db, tenantId }, (tx) => startChain(tx, tenantId));
      } catch (error) {
        if (!(error instanceof DomainError && error.code === "not_found")) throw error;
        logger().error({ tenantId }, "audit events name an organisation that does not exist");
        nobodys.add(tenantId);
      }
    }
    if (done && unknown.length === 0) break;
  }
  return chained;
}

type Portion = { count: number; done: boolean; unknown: string[] };

/** The keys of chains; one that cannot be opened is left out, unless it is all of them. */
function openKeys(chains: readonly ChainRow[]): Map<string, Buffer> {
  const keys = new Map<string, Buffer>();
  let failure: Error | undefined;
  for (const chain of chains) {
    try {
      keys.set(chain.tenantId, chainKey(openAuditKey(chain.tenantId, chain)));
    } catch (error) {
      failure = error instanceof Error ? error : new Error(String(error));
      logger().error({ err: error, tenantId: chain.tenantId }, "an audit key cannot be opened");
    }
  }
  if (keys.size === 0 && failure !== undefined) throw failure;
  return keys;
}

function buildPortion(db: Db, nobodys: ReadonlySet<string>): Promise<Portion> {
  return inTransaction(db.pool, "BEGIN", async (client) => {
    if (!(await takeTurn(client, "chain"))) return { count: 0, done: true, unknown: [] };
    const progress = await selectProgress(client);
    // Its numbers have begun anew: the database was restored into another cluster.
    const restored = BigInt(progress.xid) >= BigInt(progress.next);
    const rows = restored
      ? await selectLeftOver(client, portion)
      : await selectUnchained(client, progress, portion);
    const tenants = [...new Set(rows.map((row) => row.tenantId))].filter((id) => !nobodys.has(id));
    const chains = new Map((await selectChains(client, tenants)).map((chain) => [chain.tenantId, chain]));
    const unknown = tenants.filter((tenantId) => !chains.has(tenantId));
    if (unknown.length > 0) return { count: 0, done: false, unknown };
    const keys = openKeys([...chains.values()]);
    const links = [...Map.groupBy(rows, (row) => row.tenantId)].flatMap(([tenantId, own]) => {
      const chain = chains.get(tenantId);
      const key = keys.get(tenantId);
      if (!chain || !key) return [];
      let sequence = chain.headSequence ?? chain.purgedSequence;
      let hash = (chain.headHash ?? chain.purgedHash)?.toString("hex") ?? genesis;
      return own.map((row) => {
        const event = eventOf(row);
        const origin = originOf(row, progress);
        if (origin === "foreign") {
          logger().error({ tenantId, eventId: event.id }, "an audit event was not written by the service");
        }
        sequence += 1;
        hash = entryHash(key, hash, { sequence, origin }, event);
        return { tenantId, sequence, eventId: event.id, origin, hash };
      });
    });
    if (links.length > 0) await insertLinks(client, links);
    const done = rows.length < portion || (restored && links.length === 0);
    const last = rows.at(-1);
    if (restored) {
      // What was written since the restore, and by transactions that are still open, comes in the usual way from here on.
      if (done) await updateProgress(client, String(BigInt(progress.horizon) - 1n), lastId);
    } else if (last) await updateProgress(client, last.xid, last.id);
    return { count: links.length, done, unknown };
  });
}

function originOf(row: UnchainedRow, progress: Progress): Origin {
  if (row.mac !== null) return isSigned(eventOf(row), row.mac) ? "service" : "foreign";
  return row.at < progress.signedSince && new Date() < graceEnd(progress) ? "unsigned" : "foreign";
}

/** An unsigned event that is dated back is still chained late: it is taken for an old one for this long only. */
const graceEnd = (progress: Progress) => new Date(progress.signedSince.getTime() + 86_400_000);
