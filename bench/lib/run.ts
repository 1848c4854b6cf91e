import type { BenchCluster } from "./cluster.ts";

/** Shared by the sections. */
export interface Run {
  folder: string;
  cluster: BenchCluster;
  /** Shorter and smaller, for a first look. */
  quick: boolean;
  /** Records the peak memory of a product process. */
  noteMemory(process: "web" | "workers", bytes: number): void;
  say(text: string): void;
}

/** One line of the table. */
export interface Measure {
  section: string;
  name: string;
  value: number;
  unit: string;
  /** The target as a text, and whether it is met; null where there is none. */
  target: string | null;
  met: boolean | null;
}

export function measure(
  section: string,
  name: string,
  value: number,
  unit: string,
  target?: { at: "least" | "most"; value: number },
): Measure {
  return {
    section,
    name,
    value,
    unit,
    target: target ? `${target.at === "least" ? "≥" : "≤"} ${target.value} ${unit}`.trim() : null,
    met: target ? (target.at === "least" ? value >= target.value : value <= target.value) : null,
  };
}

/** The smallest value that `share` of the values do not exceed. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? NaN;
}
