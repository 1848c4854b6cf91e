import type { SendOutcome } from "../adapters/adapter.ts";
import type { HeldAttempts } from "./held-attempts.ts";
import { attemptLostAfter } from "./message-class.ts";
import type { Delivery } from "./queries.ts";

/** The process that asks about an open attempt. */
interface Asking {
  /** Its name, as attempts record it. */
  worker: string;
  /** The attempts that it holds. */
  held: Pick<HeldAttempts, "stateOf">;
}

type WithAttempts = Pick<Delivery, "id" | "attempts" | "openAttempt" | "now">;

/** An attempt that never called its provider. */
export const interrupted: SendOutcome = {
  kind: "not_sent",
  retry: "later",
  code: "interrupted",
  detail: "The database was interrupted before the provider was called.",
};

const workerLost: SendOutcome = {
  kind: "unknown",
  code: "worker_lost",
  detail: "The process that was sending it ended before the provider's answer was recorded.",
};

/**
 * Whether a process is working on the message's open attempt. A living process may still have lost it, and no attempt
 * takes long. `isAlive`: whether another process lives.
 */
export async function attemptIsUnderWay(
  delivery: WithAttempts,
  { worker, held, isAlive }: Asking & { isAlive: (worker: string) => Promise<boolean> },
): Promise<boolean> {
  const open = delivery.openAttempt === null ? undefined : delivery.attempts.at(-1);
  if (!open) return false;
  if (open.worker === worker) return held.stateOf(delivery.id) === "held";
  if (delivery.now.getTime() - Date.parse(open.startedAt) > attemptLostAfter) return false;
  return isAlive(open.worker);
}

/** The outcome of an open attempt that no process is working on. */
export function outcomeOfLost(delivery: WithAttempts, { worker, held }: Asking): SendOutcome {
  const own = delivery.attempts.at(-1)?.worker === worker;
  return own && held.stateOf(delivery.id) === "not_called" ? interrupted : workerLost;
}
