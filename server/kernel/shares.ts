import { Counts } from "./counts.ts";
import { DomainError } from "./errors.ts";

/**
 * Lets each of many have so much work under way at once; what is more waits its turn, first come first served, for so long. Holds an
 * entry only for those who have any.
 */
export class Shares {
  private readonly each: number;
  private readonly patienceMs: number;
  private readonly running = new Counts();
  private readonly lines = new Map<string, (() => void)[]>();

  constructor(each: number, patienceMs: number) {
    this.each = each;
    this.patienceMs = patienceMs;
  }

  /** Throws `rate_limited` when its turn does not come in time. The work must not ask for another turn of the same name. */
  async run<Result>(name: string, work: () => Promise<Result>): Promise<Result> {
    if (this.running.of(name) < this.each) this.running.add(name);
    else await this.turn(name);
    try {
      return await work();
    } finally {
      this.passOn(name);
    }
  }

  private turn(name: string): Promise<void> {
    const line = this.lines.get(name) ?? [];
    this.lines.set(name, line);
    return new Promise((resolve, reject) => {
      const begin = () => {
        clearTimeout(timer);
        resolve();
      };
      const timer = setTimeout(() => {
        line.splice(line.indexOf(begin), 1);
        if (line.length === 0) this.lines.delete(name);
        const detail = "Too many requests of your organisation are in progress. Try again shortly.";
        reject(new DomainError("rate_limited", detail, { retryAfter: 1 }));
      }, this.patienceMs);
      line.push(begin);
    });
  }

  /** To the first who waits, if anybody does. */
  private passOn(name: string): void {
    const line = this.lines.get(name);
    const next = line?.shift();
    if (line?.length === 0) this.lines.delete(name);
    if (next) next();
    else this.running.remove(name);
  }
}
