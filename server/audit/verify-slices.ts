import type { KeyObject } from "node:crypto";
import { alone } from "../kernel/alone.ts";
import { inTransaction } from "../kernel/db.ts";
import type { Db } from "../kernel/db.ts";
import { logger } from "../kernel/log.ts";
import { gauge } from "../kernel/metrics.ts";
import {
  selectChains,
  selectChainsToVerify,
  selectEntries,
  selectGone,
  selectLinkHash,
  selectProgress,
  selectSigner,
  selectUnlinked,
  updateVerification,
} from "./chain-queries.ts";
import type { ChainRow, Progress } from "./chain-queries.ts";
import { loadStoredCheckpoints } from "./stored-checkpoints.ts";
import { readPublicKey } from "./signing.ts";
import { ChainVerifier } from "./verify-chain.ts";
import type { KnownHeads, Problem } from "./verify-chain.ts";
import { beginningOf, keyOf, strayProblem } from "./verify-tenant.ts";

const page = 2_000;
const chainsAtOnce = 200;

const failing = gauge("tidings_audit_failing_chains", "Audit chains whose verification failed");

/**
 * Verifies a slice of what there is: new entries soon, and every chain from its beginning once a day, some thousand entries at
 * a time. Says how many entries it looked at, and which chains are wrong.
 */
export async function verifySlices(
  db: Db,
  options: { entries?: number; ms?: number; now?: () => Date } = {},
): Promise<{ entries: number; failed: string[] }> {
  const now = options.now ?? (() => new Date());
  const until = performance.now() + (options.ms ?? 10_000);
  let left = options.entries ?? 20_000;
  let entries = 0;
  const failed: string[] = [];
  const due = await selectChainsToVerify(db.pool, now(), chainsAtOnce);
  const signer = await selectSigner(db.pool);
  const checkpoints = signer && (await loadStoredCheckpoints(db.pool, signer.publicKey));
  for (const tenantId of await selectGone(db.pool, [...(checkpoints?.heads.keys() ?? [])])) {
    failed.push(tenantId);
    logger().error({ tenantId }, "an audit trail that a checkpoint names is gone");
  }
  if (checkpoints?.problem) logger().error(checkpoints.problem, "the stored audit checkpoints were changed");
  for (const { tenantId } of due)
    await alone(tenantId, "an audit trail could not be verified", async () => {
      while (left > 0 && performance.now() < until) {
        const heads = checkpoints?.of(tenantId) ?? new Map<number, string>();
        const slice = await verifySlice(db, tenantId, {
          heads,
          publicKey: signer && readPublicKey(signer.publicKey),
          now: now(),
        });
        entries += slice.entries;
        left -= Math.max(slice.entries, 10);
        if (slice.problem && slice.done) {
          failed.push(tenantId);
          logger().error({ tenantId, ...slice.problem }, "the verification of an audit trail failed");
        }
        if (slice.done) break;
      }
    });
  failing.set({}, failed.length);
  return { entries, failed };
}

interface Slice {
  entries: number;
  problem: Problem | null;
  /** There is nothing more to do for now. */
  done: boolean;
}

async function verifySlice(
  db: Db,
  tenantId: string,
  options: { heads: KnownHeads; publicKey: KeyObject | undefined; now: Date },
): Promise<Slice> {
  const result = await inTransaction(
    db.pool,
    "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY",
    async (client) => {
      const [chain] = await selectChains(client, [tenantId]);
      if (!chain) return undefined;
      const progress = await selectProgress(client);
      return { chain, ...(await look(client, chain, progress, options)) };
    },
  );
  if (!result) return { entries: 0, problem: null, done: true };
  const { chain, problem, checkedSequence, checkedEventId, fullCheckAt, atHead, entries } = result;
  await updateVerification(db.pool, tenantId, {
    checkedSequence,
    checkedEventId,
    fullCheckAt,
    verified:
      atHead && (!problem || problem.kind === "foreign")
        ? { sequence: checkedSequence, at: options.now }
        : null,
    // When it was first seen counts, as long as it is the same.
    failure: problem && {
      kind: problem.kind,
      sequence: problem.sequence,
      eventId: problem.eventId,
      detail: problem.detail,
      foundAt: chain.failure?.detail === problem.detail ? chain.failure.foundAt : options.now.toISOString(),
    },
  });
  return { entries, problem, done: atHead || (problem !== null && problem.kind !== "foreign") };
}

type Queries = Parameters<typeof selectEntries>[0];

async function look(
  client: Queries,
  chain: ChainRow,
  progress: Progress,
  { heads, publicKey, now }: { heads: KnownHeads; publicKey: KeyObject | undefined; now: Date },
) {
  const { tenantId } = chain;
  const state = {
    checkedSequence: Math.max(chain.checkedSequence, chain.purgedSequence),
    checkedEventId: chain.checkedEventId,
    fullCheckAt: chain.fullCheckAt,
    entries: 0,
    atHead: false,
    /** Stays said until a round from the beginning finds it no more; the round goes on past it. */
    foreign: chain.failure?.kind === "foreign" ? chain.failure : (null as Problem | null),
  };
  const wrong = (problem: Problem) => ({ ...state, problem });
  const key = keyOf(chain);
  if ("problem" in key) return wrong(key.problem);
  const begins = beginningOf(chain, publicKey);
  if (begins.problem) return wrong(begins.problem);
  const daily = !state.fullCheckAt || now.getTime() - state.fullCheckAt.getTime() > 86_400_000;
  // A new round begins where the last one has ended.
  const ended = state.checkedSequence >= (chain.headSequence ?? chain.purgedSequence);
  if (daily && (ended || !state.fullCheckAt)) {
    state.checkedSequence = chain.purgedSequence;
    state.checkedEventId = null;
    state.fullCheckAt = now;
    state.foreign = null;
  }
  const hash =
    state.checkedSequence === begins.from.sequence
      ? begins.from.hash
      : await selectLinkHash(client, tenantId, state.checkedSequence);
  if (hash === undefined) {
    // What was verified before is not there any more.
    const from = state.checkedSequence;
    state.checkedSequence = chain.purgedSequence;
    return wrong({
      kind: "truncated",
      sequence: from,
      eventId: null,
      detail: `Entry ${String(from)}, which was verified before, is gone.`,
    });
  }
  const verifier = new ChainVerifier({
    tenantId,
    key: key.key,
    from: { sequence: state.checkedSequence, hash },
    heads,
  });
  const rows = await selectEntries(client, tenantId, state.checkedSequence, page);
  state.entries = rows.length;
  for (const row of rows) {
    const problem = verifier.add(row);
    if (problem) return wrong(problem);
    state.checkedSequence = verifier.last.sequence;
  }
  state.foreign ??= verifier.foreign;
  const strays = await selectUnlinked(client, tenantId, state.checkedEventId, page, progress);
  // In a database that was just restored the numbers of transactions say nothing until the chain has gone on.
  if (strays.stray !== null && BigInt(progress.xid) < BigInt(progress.next)) {
    return wrong(strayProblem(strays.stray));
  }
  // The newest ones may still be on their way into the chain, or be followed by one with a smaller id: looked at again.
  if (strays.count === page) state.checkedEventId = strays.last;
  state.atHead = rows.length < page && strays.count < page;
  return { ...state, problem: (state.atHead ? verifier.end() : null) ?? state.foreign };
}
