import type { ConnectionHealth } from "../connections/connection-state.ts";
import type { FailureCode } from "../kernel/message-failures.ts";

/**
 * Why no connection can take a message at the moment: all candidates are out. Null when one can be used, or when there
 * is none at all.
 */
export function unavailableReason(
  candidates: readonly { connectionId: string; name: string }[],
  health: ReadonlyMap<string, ConnectionHealth>,
): { code: FailureCode; detail: string } | null {
  const reasons: string[] = [];
  for (const { connectionId, name } of candidates) {
    const known = health.get(connectionId);
    if (known?.breaker !== "open") return null;
    const why = known.reasonDetail === null ? "" : ` (${known.reasonDetail})`;
    reasons.push(`${name} is unavailable since ${known.since.toISOString()}${why}.`);
  }
  return reasons.length === 0 ? null : { code: "provider_unavailable", detail: reasons.join(" ") };
}
