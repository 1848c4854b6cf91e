/** What a process knows of an attempt that the database shows as open under its name. */
export type HeldState =
  /** It is working on it. */
  | "held"
  /** It called the provider, but the outcome was lost. */
  | "in_doubt"
  /** It never called the provider: the claim was committed, but its answer was lost. */
  | "not_called";

/**
 * The attempts that a process is working on. A live process does not hold every attempt under its name, because the
 * answer to a claim may have been lost. An attempt that it does not hold is settled like one of a dead process, only
 * with less doubt. Bounded by the messages that a process works on at once; those in doubt are removed when they are
 * settled.
 */
export class HeldAttempts {
  private readonly held = new Map<string, "claiming" | "called" | "in_doubt">();
  /** Resolved when this process is at the message no more. */
  private readonly letGo = new Map<string, PromiseWithResolvers<undefined>>();

  /** Before the claim. False: this process is working on this message already. */
  begin(notificationId: string): boolean {
    const state = this.held.get(notificationId);
    if (state === "claiming" || state === "called") return false;
    this.held.set(notificationId, "claiming");
    this.letGo.set(notificationId, Promise.withResolvers());
    return true;
  }

  /**
   * Runs the work of an attempt, beginning before the claim. False: nothing was done, because this process is at the message
   * already; see `released`.
   */
  async during(notificationId: string, work: () => Promise<void>): Promise<boolean> {
    if (!this.begin(notificationId)) return false;
    try {
      await work();
      this.end(notificationId);
      return true;
    } catch (error) {
      this.abandon(notificationId);
      throw error;
    }
  }

  /** Resolves when this process is at the message no more; at once if it is not. */
  async released(notificationId: string): Promise<void> {
    await this.letGo.get(notificationId)?.promise;
  }

  /** Right before the provider is called. */
  called(notificationId: string): void {
    this.held.set(notificationId, "called");
  }

  /** The outcome is written, or there was no claim. */
  end(notificationId: string): void {
    this.held.delete(notificationId);
    this.release(notificationId);
  }

  /** After an error: the outcome of a call that was not written is lost. */
  private abandon(notificationId: string): void {
    if (this.held.get(notificationId) === "called") this.held.set(notificationId, "in_doubt");
    else this.held.delete(notificationId);
    this.release(notificationId);
  }

  private release(notificationId: string): void {
    this.letGo.get(notificationId)?.resolve(undefined);
    this.letGo.delete(notificationId);
  }

  stateOf(notificationId: string): HeldState {
    const state = this.held.get(notificationId);
    if (state === undefined) return "not_called";
    return state === "in_doubt" ? "in_doubt" : "held";
  }
}
