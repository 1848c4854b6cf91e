/** Comparison of a signature, token or secret from a request. */
import { timingSafeEqual } from "node:crypto";

/** Whether both are the same; the time it takes does not reveal where they differ. */
export function sameText(given: string, expected: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(expected)];
  return one.length === other.length && timingSafeEqual(one, other);
}
