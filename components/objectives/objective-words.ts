import type { ObjectiveKind } from "../../server/objectives/schemas.ts";
import { numberFormat } from "../ui/intl.ts";

export const objectiveName: Record<ObjectiveKind, string> = {
  availability: "Send requests accepted",
  codes: "One-time codes in time",
};

/** A share as a percentage that does not round a miss away: 0.99996 is 99.996%, not 100%. */
export function sharePercent(share: number): string {
  const digits = share >= 0.999 ? 3 : 2;
  const cut = Math.floor(share * 100 * 10 ** digits + 1e-6) / 10 ** digits;
  return numberFormat({ style: "percent", maximumFractionDigits: digits }).format(cut / 100);
}
