import PQueue from "p-queue";

interface Waiting<Item, Result> {
  item: Item;
  resolve(result: Result): void;
  reject(error: unknown): void;
}

/**
 * Lets concurrent calls share one database round trip. Items that arrive within `delayMs`, or while `maxParallel`
 * flushes are under way, go into one call of `run`, which answers each in the order given. When a flush of several fails,
 * each item is tried alone, so that one bad item fails only itself; `run` must therefore be all or nothing.
 */
export class Batcher<Item, Result> {
  private waiting: Waiting<Item, Result>[] = [];
  private running = 0;
  private timer: NodeJS.Timeout | undefined;
  private readonly run: (items: Item[]) => Promise<Result[]>;
  private readonly options: {
    delayMs: number;
    maxItems: number;
    maxParallel: number;
    /** How much of `maxWeight` an item takes; a flush holds at least one item. */
    weight?: (item: Item) => number;
    maxWeight?: number;
    /** Two items with one key never share a flush. */
    exclusiveKey?: (item: Item) => string | undefined;
    retryAlone?: (error: unknown) => boolean;
    /** Takes turns, e.g. with other batchers that share the database; without it each flush runs at once. */
    inTurn?: (flush: () => Promise<void>) => Promise<void>;
  };

  constructor(run: (items: Item[]) => Promise<Result[]>, options: Batcher<Item, Result>["options"]) {
    this.run = run;
    this.options = options;
  }

  add(item: Item): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ item, resolve, reject });
      this.schedule();
    });
  }

  /** Items not yet handed to `run`. */
  get size(): number {
    return this.waiting.length;
  }

  private schedule(): void {
    if (this.running >= this.options.maxParallel || this.waiting.length === 0) return;
    if (this.waiting.length >= this.options.maxItems) {
      clearTimeout(this.timer);
      this.timer = undefined;
      this.flush();
    } else {
      this.timer ??= setTimeout(() => {
        this.timer = undefined;
        this.flush();
      }, this.options.delayMs);
    }
  }

  private take(): Waiting<Item, Result>[] {
    const { maxItems, exclusiveKey } = this.options;
    const { weight, maxWeight } = this.options;
    if (!exclusiveKey && !weight) return this.waiting.splice(0, maxItems);
    let total = 0;
    const taken: Waiting<Item, Result>[] = [];
    const left: Waiting<Item, Result>[] = [];
    const keys = new Set<string>();
    for (const entry of this.waiting) {
      const key = exclusiveKey?.(entry.item);
      const heavier = total + (weight?.(entry.item) ?? 0);
      if (
        taken.length >= maxItems ||
        (key !== undefined && keys.has(key)) ||
        (taken.length > 0 && maxWeight !== undefined && heavier > maxWeight)
      ) {
        left.push(entry);
      } else {
        total = heavier;
        if (key !== undefined) keys.add(key);
        taken.push(entry);
      }
    }
    this.waiting = left;
    return taken;
  }

  private flush(): void {
    if (this.running >= this.options.maxParallel) return;
    this.running++;
    const flush = async () => {
      // Flushes when its turn has come: until then more items may join.
      const batch = this.take();
      if (batch.length > 0) await this.settle(batch);
    };
    void (this.options.inTurn?.(flush) ?? flush()).finally(() => {
      this.running--;
      this.schedule();
    });
  }

  private async settle(batch: Waiting<Item, Result>[]): Promise<void> {
    try {
      const results = await this.run(batch.map((entry) => entry.item));
      batch.forEach((entry, index) => {
        entry.resolve(results[index] as Result);
      });
    } catch (error) {
      if (batch.length === 1 || this.options.retryAlone?.(error) === false) {
        for (const entry of batch) entry.reject(error);
        return;
      }
      for (const entry of batch) await this.settle([entry]);
    }
  }
}

/** Runs work in its turn; `soon`: before waiting work without it. */
export type InTurn = (work: () => Promise<void>, order?: "soon") => Promise<void>;

/** A queue that runs `places` pieces of work at a time, first come first served. */
export function inTurns(places: number): InTurn {
  const queue = new PQueue({ concurrency: places });
  return (work, order) => queue.add(work, { priority: order === "soon" ? 1 : 0 });
}
