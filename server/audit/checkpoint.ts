import { createHash } from "node:crypto";
import type { KeyObject } from "node:crypto";
import { z } from "zod";
import { isSignedBy } from "./signing.ts";
import type { Sign } from "./signing.ts";
import type { KnownHeads, Problem } from "./verify-chain.ts";

const hash = z.string().regex(/^[0-9a-f]{64}$/);

/** The last entry of a tenant's chain. */
const headSchema = z.object({ tenantId: z.uuid(), sequence: z.int().min(1), hash });
export type Head = z.output<typeof headSchema>;

const checkpointSchema = z.object({
  format: z.literal("tidings-audit-checkpoint/1"),
  /** keyId of the public key. */
  keyId: z.string(),
  number: z.int().min(1),
  at: z.iso.datetime(),
  /** SHA-256 of the line before; null for the first one. */
  previous: hash.nullable(),
  /** Whether all chains are named; otherwise those that have grown since the checkpoint before. */
  full: z.boolean(),
  heads: z.array(headSchema),
});
export type Checkpoint = z.output<typeof checkpointSchema>;
const signedSchema = checkpointSchema.extend({ signature: z.string() });

const kind = "audit checkpoint";

/** A checkpoint as it is stored and filed: one line of JSON. */
export function checkpointLine(checkpoint: Omit<Checkpoint, "format">, sign: Sign): string {
  const statement: Checkpoint = { format: "tidings-audit-checkpoint/1", ...checkpoint };
  return JSON.stringify({ ...statement, signature: sign(kind, statement) });
}

export const lineHash = (line: string): string => createHash("sha256").update(line).digest("hex");

/** What is said to one organisation of its own chain: a webhook event. */
export function headStatement(
  head: Head & { at: string; checkpoint: number; keyId: string },
  sign: Sign,
): Record<string, unknown> {
  return { ...head, signature: sign("audit head", head) };
}

/** Whether headStatement made it, with the private key of this public one. */
export function isHeadStatement(publicKey: KeyObject, told: Record<string, unknown>): boolean {
  const { tenantId, sequence, hash: hashOfHead, at, checkpoint, keyId, signature } = told;
  if (typeof signature !== "string") return false;
  return isSignedBy(
    publicKey,
    "audit head",
    { tenantId, sequence, hash: hashOfHead, at, checkpoint, keyId },
    signature,
  );
}

/** What an organisation's chain begins after, once its oldest entries were deleted. */
export interface PurgeNote {
  tenantId: string;
  sequence: number;
  hash: string;
  at: string;
}

export const signPurge = (note: PurgeNote, sign: Sign): string => sign("audit purge", note);
export const isPurgeNote = (publicKey: KeyObject, note: PurgeNote, signature: string): boolean =>
  isSignedBy(publicKey, "audit purge", note, signature);

/** What a series of checkpoints knows, and what is wrong with the series itself. */
export class Checkpoints {
  /** Tenant → the heads that it had. */
  readonly heads = new Map<string, Map<number, string>>();
  private readonly times = new Map<string, Map<number, string>>();
  count = 0;
  newest: Checkpoint | undefined;
  private last: string | undefined;
  private readonly publicKey: KeyObject;

  constructor(publicKey: KeyObject) {
    this.publicKey = publicKey;
  }

  /**
   * The next line of the file, or of the table. A line may be there twice: the process that wrote it may have ended before
   * it noted that.
   */
  add(line: string): Problem | null {
    if (line.trim() === "" || line === this.last) return null;
    const place = `Checkpoint ${String((this.newest?.number ?? 0) + 1)}`;
    let parsed;
    try {
      parsed = signedSchema.safeParse(JSON.parse(line));
    } catch {
      return checkpointProblem(`${place} cannot be read.`);
    }
    if (!parsed.success) return checkpointProblem(`${place} cannot be read.`);
    const { signature, ...checkpoint } = parsed.data;
    const named = `Checkpoint ${String(checkpoint.number)} of ${checkpoint.at}`;
    if (!isSignedBy(this.publicKey, kind, checkpoint, signature)) {
      return checkpointProblem(`${named} is not signed by this installation's key.`);
    }
    if (this.newest && this.last !== undefined) {
      if (checkpoint.number !== this.newest.number + 1 || checkpoint.previous !== lineHash(this.last)) {
        return checkpointProblem(
          `${named} does not follow the one before it, ${String(this.newest.number)}.`,
        );
      }
    } else if (!checkpoint.full) {
      // A file that was cut: what it knows begins with the first line that names all organisations.
      return null;
    }
    for (const head of checkpoint.heads) {
      const known = this.heads.get(head.tenantId) ?? new Map<number, string>();
      const told = known.get(head.sequence);
      if (told !== undefined && told !== head.hash) {
        return checkpointProblem(
          `${named} names another entry ${String(head.sequence)} of organisation ${head.tenantId} than one before it.`,
        );
      }
      this.heads.set(head.tenantId, known.set(head.sequence, head.hash));
      const times = this.times.get(head.tenantId) ?? new Map<number, string>();
      if (told === undefined) this.times.set(head.tenantId, times.set(head.sequence, checkpoint.at));
    }
    this.count += 1;
    this.newest = checkpoint;
    this.last = line;
    return null;
  }

  /** When a head was signed first. */
  signedAt(tenantId: string, sequence: number): string | undefined {
    return this.times.get(tenantId)?.get(sequence);
  }

  of(tenantId: string): KnownHeads {
    return this.heads.get(tenantId) ?? new Map<number, string>();
  }
}

function checkpointProblem(detail: string): Problem {
  return { kind: "checkpoint", sequence: null, eventId: null, detail };
}
