import { env } from "../kernel/env.ts";
import { DomainError } from "../kernel/errors.ts";
import { FairQueue } from "./fair-queue.ts";

/** Requests for more messages than this are bulk: each keeps a connection and the database as busy as several codes. */
const bulkFrom = 10;

/** Whether a request is bulk, by how many messages it is for. */
export function isBulk(messages: number): boolean {
  return messages > bulkFrom;
}

/**
 * Runs few bulk statements at once in a process, so that one-time codes, which never wait here, find connections and
 * the database free. The waiting work is bounded to some seconds, in batches of at most a thousand messages.
 */
export function bulkQueue(slots: number): FairQueue {
  const refusal = () =>
    new DomainError("service_overloaded", "Too many large requests are waiting. Try again shortly.", {
      retryAfter: 2,
    });
  return new FairQueue(slots, { perTenant: 8, total: 100, refusal });
}

let shared: FairQueue | undefined;

/** Runs a batch of bulk requests when it is the tenant's turn. */
export function inBulkTurn<Result>(tenantId: string, work: () => Promise<Result>): Promise<Result> {
  shared ??= bulkQueue(env().webBulkAccepts);
  return shared.run(tenantId, work);
}
