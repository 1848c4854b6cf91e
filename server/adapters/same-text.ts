/** Comparison of a signature, token or secret that somebody handed in. */
import { timingSafeEqual } from "node:crypto";

/** Whether both are the same; how long it takes does not tell where they differ. */
export function sameText(given: string, expected: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(expected)];
  return one.length === other.length && timingSafeEqual(one, other);
}
