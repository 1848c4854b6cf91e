/**
 * Lets at most `places` messages of a lane be worked on at once in one process. Who waits comes in by turns, one message a
 * tenant, so that a tenant with many waiting delays another by one message and not by all of them. What waits costs an id;
 * how many may wait is bounded by the jobs that a runner fetches.
 */
export class TurnGate {
  private readonly waiting = new Map<string, (() => void)[]>();
  private free: number;

  constructor(places: number) {
    this.free = places;
  }

  /** Does `work` for a tenant once there is a place for it. */
  async pass<T>(tenantId: string, work: () => Promise<T>): Promise<T> {
    if (this.free > 0) this.free--;
    else await this.queue(tenantId);
    try {
      return await work();
    } finally {
      this.leave();
    }
  }

  private queue(tenantId: string): Promise<void> {
    return new Promise((resolve) => {
      const line = this.waiting.get(tenantId);
      if (line) line.push(resolve);
      else this.waiting.set(tenantId, [resolve]);
    });
  }

  /** A place is passed on to the tenant whose turn is the longest ago: maps keep the order of insertion. */
  private leave(): void {
    const [next] = this.waiting;
    if (!next) {
      this.free++;
      return;
    }
    const [tenantId, line] = next;
    const enter = line.shift();
    this.waiting.delete(tenantId);
    if (line.length > 0) this.waiting.set(tenantId, line);
    enter?.();
  }
}
