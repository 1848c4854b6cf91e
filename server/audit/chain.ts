import { createHmac } from "node:crypto";
import { eventText } from "./audit-event.ts";
import type { AuditEvent } from "./audit-event.ts";

/**
 * service: signed by the process that wrote it; unsigned: from before events were signed; foreign: not written by the
 * service, though it stands in the table.
 */
export type Origin = "service" | "unsigned" | "foreign";

/** An event with its place in its tenant's chain. */
export interface Entry {
  /** From 1, without gaps. */
  sequence: number;
  origin: Origin;
  /** Hex. */
  hash: string;
  /** Null: it is gone. */
  event: AuditEvent | null;
}

/** What stands before the first entry. */
export const genesis = "0".repeat(64);

const forUse = (key: Buffer, use: string) =>
  createHmac("sha256", key).update(`tidings audit ${use}`).digest();

/** The key of a tenant's hashes, from its audit key. */
export const chainKey = (auditKey: Buffer): Buffer => forUse(auditKey, "chain");
/** The key of a tenant's address tokens. */
export const addressKey = (auditKey: Buffer): Buffer => forUse(auditKey, "addresses");

/**
 * The hash of an entry (hex): HMAC-SHA-256 over its place, its origin, the hash before it and every column of its event.
 * @param key from chainKey
 */
export function entryHash(
  key: Buffer,
  previous: string,
  entry: Pick<Entry, "sequence" | "origin">,
  event: AuditEvent,
): string {
  const place = `tidings-audit/1\n${String(entry.sequence)}\n${entry.origin}\n${previous}\n`;
  return createHmac("sha256", key).update(place).update(eventText(event)).digest("hex");
}
