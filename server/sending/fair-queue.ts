/** How much may wait, of one tenant and in all; `refusal` is what is thrown beyond that. */
export interface QueueBounds {
  perTenant: number;
  total: number;
  refusal: () => Error;
}

/**
 * Runs at most `places` pieces of work at once. What waits is started tenant by tenant in turns, so that a tenant with
 * much work delays another by one piece and not by all of them; the work of one tenant starts in its order.
 */
export class FairQueue {
  private readonly queues = new Map<string, (() => void)[]>();
  private readonly bounds: QueueBounds | undefined;
  private free: number;
  private waiting = 0;

  constructor(places: number, bounds?: QueueBounds) {
    this.free = places;
    this.bounds = bounds;
  }

  /** How much waits. */
  get size(): number {
    return this.waiting;
  }

  /** Runs `work` when it is the tenant's turn. Throws the bounds' refusal, without running it, when too much waits. */
  async run<Result>(tenantId: string, work: () => Promise<Result>): Promise<Result> {
    if (this.free > 0) this.free--;
    else await this.wait(tenantId);
    try {
      return await work();
    } finally {
      this.leave();
    }
  }

  private wait(tenantId: string): Promise<void> {
    const queue = this.queues.get(tenantId) ?? [];
    const { bounds } = this;
    if (bounds && (queue.length >= bounds.perTenant || this.waiting >= bounds.total)) throw bounds.refusal();
    this.queues.set(tenantId, queue);
    this.waiting++;
    return new Promise((resolve) => {
      queue.push(resolve);
    });
  }

  /** The tenant whose turn was longest ago: a map keeps the order of insertion. */
  private leave(): void {
    const [next] = this.queues;
    if (!next) {
      this.free++;
      return;
    }
    const [tenantId, queue] = next;
    const start = queue.shift();
    this.queues.delete(tenantId);
    if (queue.length > 0) this.queues.set(tenantId, queue);
    this.waiting--;
    start?.();
  }
}
