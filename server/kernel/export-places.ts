import { DomainError } from "./errors.ts";

/** Keeps exports few, of one organisation and in this process: each holds on to the database for as long as somebody reads. */
export class ExportPlaces {
  private readonly running = new Map<string, number>();
  private readonly most: { organisation: number; process: number };

  constructor(most: { organisation: number; process: number }) {
    this.most = most;
  }

  /** Throws `rate_limited` while too many are under way. */
  check(tenantId: string): void {
    const all = [...this.running.values()].reduce((sum, count) => sum + count, 0);
    if ((this.running.get(tenantId) ?? 0) < this.most.organisation && all < this.most.process) return;
    throw new DomainError(
      "rate_limited",
      "Other exports are in progress. Try again when one of them has ended.",
      { retryAfter: 30 },
    );
  }

  /**
   * The file's first piece, which is read at once, and the rest, which is to be read to its end or ended with return(): that
   * gives the place back. Throws `rate_limited` as check() does.
   */
  async begin(
    tenantId: string,
    pieces: () => AsyncGenerator<string>,
  ): Promise<{ first: string; rest: AsyncGenerator<string> }> {
    // Others may have begun since it was checked.
    this.check(tenantId);
    const rest = this.counted(tenantId, pieces);
    const first = await rest.next();
    return { first: first.done ? "" : first.value, rest };
  }

  /** The same without reading anything: its place is taken when the first piece is asked for. */
  whenRead<Piece>(tenantId: string, pieces: () => AsyncGenerator<Piece>): AsyncGenerator<Piece> {
    return this.counted(tenantId, pieces);
  }

  private async *counted<Piece>(
    tenantId: string,
    pieces: () => AsyncGenerator<Piece>,
  ): AsyncGenerator<Piece> {
    this.running.set(tenantId, (this.running.get(tenantId) ?? 0) + 1);
    try {
      yield* pieces();
    } finally {
      const left = (this.running.get(tenantId) ?? 1) - 1;
      if (left > 0) this.running.set(tenantId, left);
      else this.running.delete(tenantId);
    }
  }
}
