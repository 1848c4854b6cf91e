import type { CoverageCell } from "./types.ts";

export type CellKind = "made" | "wide" | "fallback" | "missing";

/** Whether a text was made for this very audience, for its language everywhere, another language steps in, or there is none. */
export function cellKind(cell: CoverageCell): CellKind {
  if (!cell.match) return "missing";
  const { language, region } = cell.match;
  if (language !== "exact" && !(language === "any" && cell.language === null)) return "fallback";
  return region === "exact" || cell.region === null ? "made" : "wide";
}
