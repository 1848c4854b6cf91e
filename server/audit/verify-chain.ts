import { entryHash, genesis } from "./chain.ts";
import type { Entry } from "./chain.ts";

export const problemKinds = [
  "changed",
  "missing",
  "misplaced",
  "foreign",
  "inserted",
  "truncated",
  "checkpoint",
  "purge",
  "tenant",
] as const;
export type ProblemKind = (typeof problemKinds)[number];

/** The first thing that is wrong with a chain. */
export interface Problem {
  kind: ProblemKind;
  /** The entry that it is seen at. */
  sequence: number | null;
  eventId: string | null;
  detail: string;
}

/** What checkpoints say of one chain: sequence → hash (hex). */
export type KnownHeads = ReadonlyMap<number, string>;

/** Where a chain begins: nothing before it, or a signed note of what was deleted because of its age. */
export interface Beginning {
  sequence: number;
  hash: string;
}

export const firstBeginning: Beginning = { sequence: 0, hash: genesis };

/**
 * Goes through one tenant's chain, entry by entry in the order in which they stand, and stops at the first that is wrong.
 * Holds nothing but the last hash, so that a chain of any length can be verified.
 */
export class ChainVerifier {
  /** The last entry that was right. */
  last: Beginning;
  /** The first entry that the service did not write: it is told at the end, because what follows it may be right. */
  foreign: Problem | null = null;
  private readonly tenantId: string;
  private readonly key: Buffer;
  private readonly heads: KnownHeads;
  private readonly begins: number;
  /** An entry whose hash is not right: what is wrong with it shows at the next one. */
  private wrong: (Entry & { event: NonNullable<Entry["event"]> }) | undefined;

  /** @param options.key from chainKey */
  constructor(options: { tenantId: string; key: Buffer; from?: Beginning; heads?: KnownHeads }) {
    this.tenantId = options.tenantId;
    this.key = options.key;
    this.last = options.from ?? firstBeginning;
    this.begins = this.last.sequence;
    this.heads = options.heads ?? new Map();
  }

  /** The next entry; answers the first problem, also at every call after it. */
  add(entry: Entry): Problem | null {
    if (this.wrong) return this.explain(entry);
    const { sequence, event } = entry;
    const expected = this.last.sequence + 1;
    if (sequence !== expected) {
      return problem(
        sequence > expected ? "missing" : "misplaced",
        expected,
        null,
        sequence > expected
          ? `Entry ${range(expected, sequence - 1)} not there: after entry ${String(expected - 1)} comes ${String(sequence)}.`
          : `Where entry ${String(expected)} should be stands entry ${String(sequence)}.`,
      );
    }
    if (!event) {
      return problem("missing", sequence, null, `Entry ${String(sequence)} has no event any more.`);
    }
    const hash = entryHash(this.key, this.last.hash, entry, event);
    if (event.tenantId !== this.tenantId || hash !== entry.hash) {
      this.wrong = { ...entry, event };
      return null;
    }
    if (entry.origin === "foreign") {
      const detail = `Entry ${String(sequence)} was not written by the service.`;
      this.foreign ??= problem("foreign", sequence, event.id, detail);
    }
    const known = this.heads.get(sequence);
    if (known !== undefined && known !== hash) {
      return problem(
        "checkpoint",
        sequence,
        event.id,
        `Entry ${String(sequence)} is not the one that a checkpoint was signed for: the chain was written anew.`,
      );
    }
    this.last = { sequence, hash };
    return null;
  }

  /** After the last entry: whether entries are missing that a checkpoint names, or one was not written by the service. */
  end(): Problem | null {
    if (this.wrong) return this.explain(undefined);
    let newest = this.begins;
    for (const sequence of this.heads.keys()) newest = Math.max(newest, sequence);
    if (newest <= this.last.sequence) return this.foreign;
    return problem(
      "truncated",
      this.last.sequence + 1,
      null,
      `The chain ends at entry ${String(this.last.sequence)}, but a checkpoint was signed for entry ${String(newest)}.`,
    );
  }

  /** An entry whose hash is wrong was changed when the next one follows from that hash; otherwise it is another one. */
  private explain(next: Entry | undefined): Problem {
    const entry = this.wrong;
    if (!entry) throw new Error("nothing is wrong");
    const { sequence, event } = entry;
    const number = String(sequence);
    const follows =
      next?.event && next.sequence === sequence + 1
        ? entryHash(this.key, entry.hash, next, next.event) === next.hash
        : this.heads.get(sequence) === entry.hash;
    return follows
      ? problem("changed", sequence, event.id, `Entry ${number} was changed after it was written.`)
      : problem(
          "misplaced",
          sequence,
          event.id,
          `Entry ${number} is not the one that belongs there: it was changed, moved or added.`,
        );
  }
}

function range(first: number, last: number): string {
  return first === last ? `${String(first)} is` : `${String(first)} to ${String(last)} are`;
}

function problem(
  kind: ProblemKind,
  sequence: number | null,
  eventId: string | null,
  detail: string,
): Problem {
  return { kind, sequence, eventId, detail };
}
