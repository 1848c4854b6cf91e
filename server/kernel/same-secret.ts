/** Comparison of a signature, token or secret from a request: the time it takes does not reveal where the two differ. */
import { timingSafeEqual } from "node:crypto";

export function sameBytes(given: Uint8Array, expected: Uint8Array): boolean {
  return given.length === expected.length && timingSafeEqual(given, expected);
}

export function sameText(given: string, expected: string): boolean {
  return sameBytes(Buffer.from(given), Buffer.from(expected));
}
