import type { KeyObject } from "node:crypto";
import { openAuditKey } from "./audit-key.ts";
import { chainKey } from "./chain.ts";
import type { ChainRow } from "./chain-queries.ts";
import { isPurgeNote } from "./checkpoint.ts";
import { firstBeginning } from "./verify-chain.ts";
import type { Beginning, Problem } from "./verify-chain.ts";

/** Where a chain begins, and what is wrong with the note of what was deleted before. */
export function beginningOf(
  chain: Pick<ChainRow, "tenantId" | "purgedSequence" | "purgedHash" | "purgedAt" | "purgedSignature">,
  publicKey: KeyObject | undefined,
): { from: Beginning; problem: Problem | null } {
  const { tenantId, purgedSequence: sequence } = chain;
  if (sequence === 0) return { from: firstBeginning, problem: null };
  const hash = chain.purgedHash?.toString("hex") ?? "";
  const note = { tenantId, sequence, hash, at: chain.purgedAt?.toISOString() ?? "" };
  const holds = publicKey !== undefined && isPurgeNote(publicKey, note, chain.purgedSignature ?? "");
  return {
    from: { sequence, hash },
    problem: holds
      ? null
      : {
          kind: "purge",
          sequence,
          eventId: null,
          detail: `The entries up to ${String(sequence)} are gone, and the note that says why is not signed by this installation.`,
        },
  };
}

/** The key of a chain's hashes, or what is wrong with it. */
export function keyOf(chain: ChainRow): { key: Buffer } | { problem: Problem } {
  try {
    return { key: chainKey(openAuditKey(chain.tenantId, chain)) };
  } catch {
    return {
      problem: {
        kind: "tenant",
        sequence: null,
        eventId: null,
        detail: "The key of this chain cannot be opened: it was replaced, or the master key is another one.",
      },
    };
  }
}

export function strayProblem(eventId: string): Problem {
  return {
    kind: "inserted",
    sequence: null,
    eventId,
    detail: `Event ${eventId} stands in the table but not in the chain: it was added afterwards, or its entry was taken out.`,
  };
}
