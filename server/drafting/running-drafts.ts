import { DomainError } from "../kernel/errors.ts";

/** Drafts that one organisation may have running at the same time, in this process. */
const maxRunning = 4;
const running = new Map<string, number>();

/**
 * Reserves one of the organisation's slots, so that one organisation cannot block the service for others; returns a
 * function that releases it. Throws `rate_limited` when all are taken.
 */
export function reserveDraftSlot(tenantId: string): () => void {
  const taken = running.get(tenantId) ?? 0;
  if (taken >= maxRunning) {
    throw new DomainError(
      "rate_limited",
      `${String(maxRunning)} texts are being written for your organisation right now. Wait until one of them is done.`,
      { retryAfter: 10 },
    );
  }
  running.set(tenantId, taken + 1);
  return () => {
    const left = (running.get(tenantId) ?? 1) - 1;
    if (left > 0) running.set(tenantId, left);
    else running.delete(tenantId);
  };
}
