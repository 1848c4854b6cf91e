/** So many at once; the others wait, but no longer than they want to. */
export class Slots {
  private free: number;
  private readonly waiting: (() => void)[] = [];

  constructor(slots: number) {
    this.free = slots;
  }

  /** Resolves with a function that leaves again, or with null when `ms` have passed before there was room. */
  enter(ms: number): Promise<(() => void) | null> {
    if (this.free > 0) {
      this.free--;
      return Promise.resolve(() => this.leave());
    }
    return new Promise((resolve) => {
      const go = () => {
        clearTimeout(timer);
        resolve(() => this.leave());
      };
      const timer = setTimeout(
        () => {
          this.waiting.splice(this.waiting.indexOf(go), 1);
          resolve(null);
        },
        Math.max(0, ms),
      );
      this.waiting.push(go);
    });
  }

  private leave(): void {
    const next = this.waiting.shift();
    // Handed over, so that nobody can come in between.
    if (next) next();
    else this.free++;
  }
}
