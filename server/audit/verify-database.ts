import { inTransaction } from "../kernel/db.ts";
import type { Db } from "../kernel/db.ts";
import {
  selectChains,
  selectChainsAfter,
  selectEntries,
  selectGone,
  selectProgress,
  selectSigner,
  selectUnlinked,
} from "./chain-queries.ts";
import type { ChainRow } from "./chain-queries.ts";
import type { Checkpoints } from "./checkpoint.ts";
import { readPublicKey } from "./signing.ts";
import { ChainVerifier } from "./verify-chain.ts";
import type { Problem } from "./verify-chain.ts";
import { beginningOf, keyOf, strayProblem } from "./verify-tenant.ts";

const page = 10_000;
const chainsAtOnce = 100;

export interface TenantReport {
  tenantId: string;
  entries: number;
  problem: Problem | null;
}

/**
 * Verifies the chains of all organisations in a database, or of one, each as it is at one moment: entry by entry, and that no
 * event stands beside the chain. Organisations come one at a time, those that checkpoints name and that are gone at the end.
 * @param options.checkpoints from the file that left the installation, or those that the database has
 * @param options.publicKey the installation's, as noted elsewhere; without it the database's own word is taken
 */
export async function* verifyDatabase(
  db: Pick<Db, "pool">,
  options: { checkpoints: Checkpoints | undefined; publicKey?: string; tenantId?: string },
): AsyncGenerator<TenantReport> {
  const publicKey = options.publicKey ?? (await selectSigner(db.pool))?.publicKey;
  let after: string | null = null;
  for (;;) {
    const chains: ChainRow[] =
      options.tenantId === undefined
        ? await selectChainsAfter(db.pool, after, chainsAtOnce)
        : await selectChains(db.pool, [options.tenantId]);
    for (const chain of chains) {
      yield await verifyTenant(db, chain.tenantId, options.checkpoints, publicKey);
    }
    const last = chains.at(-1);
    if (options.tenantId !== undefined || chains.length < chainsAtOnce || !last) break;
    after = last.tenantId;
  }
  const named = [...(options.checkpoints?.heads.keys() ?? [])].filter(
    (tenantId) => options.tenantId === undefined || tenantId === options.tenantId,
  );
  for (const tenantId of await selectGone(db.pool, named)) {
    const sequence = Math.max(...(options.checkpoints?.of(tenantId).keys() ?? [0]));
    const detail = `The whole trail is gone; a checkpoint was signed for its entry ${String(sequence)}.`;
    yield { tenantId, entries: 0, problem: { kind: "tenant", sequence: 1, eventId: null, detail } };
  }
}

function verifyTenant(
  db: Pick<Db, "pool">,
  tenantId: string,
  checkpoints: Checkpoints | undefined,
  publicKey: string | undefined,
): Promise<TenantReport> {
  return inTransaction(db.pool, "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY", async (client) => {
    const report: TenantReport = { tenantId, entries: 0, problem: null };
    const [chain] = await selectChains(client, [tenantId]);
    if (!chain) return report;
    const key = keyOf(chain);
    if ("problem" in key) return { ...report, problem: key.problem };
    const { from, problem } = beginningOf(
      chain,
      publicKey === undefined ? undefined : readPublicKey(publicKey),
    );
    if (problem) return { ...report, problem };
    const heads = new Map([...(checkpoints?.of(tenantId) ?? [])].filter(([at]) => at >= from.sequence));
    const verifier = new ChainVerifier({ tenantId, key: key.key, from, heads });
    for (let after = from.sequence; ;) {
      const entries = await selectEntries(client, tenantId, after, page);
      for (const entry of entries) {
        report.problem = verifier.add(entry);
        if (report.problem) return report;
        report.entries += 1;
        after = entry.sequence;
      }
      if (entries.length < page) break;
    }
    report.problem = verifier.end();
    if (report.problem && report.problem.kind !== "foreign") return report;
    const progress = await selectProgress(client);
    if (BigInt(progress.xid) >= BigInt(progress.next)) return report;
    for (let after: string | null = null; ;) {
      const strays: Awaited<ReturnType<typeof selectUnlinked>> = await selectUnlinked(
        client,
        tenantId,
        after,
        page,
        progress,
      );
      if (strays.stray !== null) return { ...report, problem: strayProblem(strays.stray) };
      if (strays.count < page) return report;
      after = strays.last;
    }
  });
}
