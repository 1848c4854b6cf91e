/** The rules by which parts become messages. Pure. */
import { createHash } from "node:crypto";

/** How long parts wait for each other, and how many. */
export const partRules = {
  /** After this long a message is told without the parts that have not come, ms. */
  patienceMs: 5 * 60_000,
  /** The clocks of two processes differ by less, ms: none adds to a message while another tells it. */
  marginMs: 10_000,
  /** For how long it is known that a message was put together, so that a repeated part begins none, ms. */
  knownMs: 60 * 60_000,
  /** What could not be told in this time is given up, ms. */
  keptMs: 24 * 60 * 60_000,
  /** Incomplete messages at once, of one sender and over one connection; more are not waited for. */
  mostOfSender: 20,
  mostOfConnection: 1_000,
  /** Rows of a connection, with those that are complete. */
  mostRows: 5_000,
  /** An SMS has at most 160 characters; what is much longer is a message of its own. UTF-16 units. */
  longest: 320,
} as const;

/** Stands for parts that did not come. */
export const missingParts = "[…]";

/** What has come of one message. */
export interface Collected {
  id: string;
  total: number;
  /** Texts by part number; SHA-256 once joined. */
  parts: Record<string, string>;
  firstAt: Date;
  joinedAt: Date | null;
}

export interface Part {
  number: number;
  total: number;
  text: string;
}

/**
 * What a part makes of what came before under its reference; null when it was here already, in a message that was told. Senders count
 * to 255 and begin again, and some use the same reference always: another text in a place that is taken begins a new message,
 * and so does what comes after the time of the one before.
 */
export function collect(
  before: Collected | null,
  part: Part,
  fresh: { id: string; now: Date },
): Collected | null {
  const key = String(part.number);
  const known = before?.parts[key];
  if (before?.joinedAt && known === printOf(part.text)) return null;
  const open =
    before && !before.joinedAt && fresh.now.getTime() - before.firstAt.getTime() < partRules.patienceMs;
  if (open && known === part.text) return before;
  if (open && known === undefined) return { ...before, parts: { ...before.parts, [key]: part.text } };
  return { id: fresh.id, total: part.total, parts: { [key]: part.text }, firstAt: fresh.now, joinedAt: null };
}

export function isComplete({ parts, total }: Collected): boolean {
  return Object.keys(parts).length >= total;
}

/** The text of a message, with one mark for each gap. */
export function textOf({ parts, total }: Pick<Collected, "parts" | "total">): string {
  let text = "";
  let gap = false;
  for (let number = 1; number <= total; number++) {
    const part = parts[String(number)];
    if (part === undefined && !gap) text += missingParts;
    gap = part === undefined;
    text += part ?? "";
  }
  return text;
}

/** The same without its texts. */
export function joinedOf(collected: Collected, now: Date): Collected {
  const parts = Object.fromEntries(
    Object.entries(collected.parts).map(([number, text]) => [number, printOf(text)]),
  );
  return { ...collected, parts, joinedAt: now };
}

function printOf(text: string): string {
  return createHash("sha256").update(text).digest("base64");
}
