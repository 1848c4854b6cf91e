/**
 * The error codes of a provider's own list, as data: each has what it means here, or a reason why it has none. What is
 * in no list is judged by the status of the answer (refusedOutcome).
 */
import { isFinalForConnection } from "../kernel/message-failures.ts";
import type { KnownFailure } from "./http-call.ts";

type Code = string | number;

/** Codes that no message of ours can meet, or that say nothing about it. `from` and `to` are numbers, both included. */
export type LeftOut = { why: string } & ({ codes: readonly Code[] } | { from: number; to: number });

/** What a code leads to, as docs/failover.md names it. */
export type Decision =
  /** The message ends: no connection could send it. */
  | "message"
  /** The next connection is asked, and this one never again for this message. */
  | "connection"
  /** The next connection is asked; without one, this one after a pause, because somebody may put its account right. */
  | "account"
  /** The same connection is asked after a pause. */
  | "later"
  /** The message ends, and the recipient's no is recorded. */
  | "opt_out";

/** @throws when a code stands in two rows: a mistake in the table. */
export function errorTable(
  rows: readonly (readonly [KnownFailure, readonly Code[]])[],
): Readonly<Record<string, KnownFailure>> {
  const table: Record<string, KnownFailure> = {};
  for (const [failure, codes] of rows) {
    for (const code of codes) {
      if (Object.hasOwn(table, code)) throw new Error(`The error code ${String(code)} has two meanings`);
      table[code] = failure;
    }
  }
  return table;
}

export function decisionOf({ code, retry }: KnownFailure): Decision {
  if (code === "opted_out") return "opt_out";
  if (retry === "never") return "message";
  if (retry === "later") return "later";
  return isFinalForConnection(code) ? "connection" : "account";
}

/** Why a code has no meaning here; undefined for one that is not left out. */
export function whyLeftOut(leftOut: readonly LeftOut[], code: Code): string | undefined {
  return leftOut.find((entry) =>
    "codes" in entry
      ? entry.codes.some((left) => String(left) === String(code))
      : Number(code) >= entry.from && Number(code) <= entry.to,
  )?.why;
}
