import { env } from "../kernel/env.ts";
import { DomainError } from "../kernel/errors.ts";

/** Requests of more messages than this are bulk: one keeps a connection and the database for as long as several codes take. */
const bulkFrom = 10;
/** Batches that one tenant may have waiting, and all together: some seconds of work, each at most a thousand messages. */
const maxWaiting = { ofOne: 8, all: 100 };

interface Waiting {
  start: () => void;
}

/**
 * Lets few bulk statements run at once in a process, so that connections and the database are there for one-time codes,
 * which never wait here. Tenants take turns; one tenant's batches run in their order.
 */
export class BulkTurns {
  private readonly slots: number;
  private running = 0;
  private count = 0;
  /** By tenant, in the order in which it is their turn. */
  private readonly queues = new Map<string, Waiting[]>();

  /** @param slots statements under way at once */
  constructor(slots: number) {
    this.slots = slots;
  }

  /** Runs `work` when it is the tenant's turn. Throws `service_overloaded`, before anything is written, when too much waits. */
  async run<Result>(tenantId: string, work: () => Promise<Result>): Promise<Result> {
    if (this.running >= this.slots) await this.wait(tenantId);
    else this.running++;
    try {
      return await work();
    } finally {
      this.next();
    }
  }

  get waiting(): number {
    return this.count;
  }

  private wait(tenantId: string): Promise<void> {
    const queue = this.queues.get(tenantId) ?? [];
    if (queue.length >= maxWaiting.ofOne || this.count >= maxWaiting.all) {
      throw new DomainError("service_overloaded", "Too many large requests are waiting. Try again shortly.", {
        retryAfter: 2,
      });
    }
    this.queues.set(tenantId, queue);
    this.count++;
    return new Promise((resolve) => {
      queue.push({ start: resolve });
    });
  }

  /** Hands the slot to the next tenant in line, who then goes to the end of it. */
  private next(): void {
    const [turn] = this.queues;
    if (!turn) {
      this.running--;
      return;
    }
    const [tenantId, queue] = turn;
    const waiting = queue.shift();
    this.queues.delete(tenantId);
    if (queue.length > 0) this.queues.set(tenantId, queue);
    this.count--;
    waiting?.start();
  }
}

let shared: BulkTurns | undefined;

/** Whether a request is bulk, by how many messages it is for. */
export function isBulk(messages: number): boolean {
  return messages > bulkFrom;
}

/** Runs a batch of bulk requests in its turn. */
export function inBulkTurn<Result>(tenantId: string, work: () => Promise<Result>): Promise<Result> {
  shared ??= new BulkTurns(env().webBulkAccepts);
  return shared.run(tenantId, work);
}
