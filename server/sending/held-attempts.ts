/** What a process knows of an attempt that the database shows as open under its name. */
export type Knowledge =
  /** It is at it. */
  | "held"
  /** It called the provider and does not know any more what came of it. */
  | "unsure"
  /** It never called the provider: the claim was committed, but its answer was lost. */
  | "never_called";

/**
 * The attempts that a process is at. A process that lives does not hold every attempt that bears its name: the answer to a
 * claim may have been lost. What it does not hold is settled like the attempt of a process that died, only with less doubt.
 * Bounded by the messages that a process works on at once; `unsure` ones leave with whoever settles them.
 */
export class HeldAttempts {
  private readonly held = new Map<string, "claiming" | "called" | "unsure">();

  /** Before the claim. False: this process is at this message already. */
  begin(notificationId: string): boolean {
    const state = this.held.get(notificationId);
    if (state === "claiming" || state === "called") return false;
    this.held.set(notificationId, "claiming");
    return true;
  }

  /** Right before the provider is called. */
  called(notificationId: string): void {
    this.held.set(notificationId, "called");
  }

  /** The outcome is written, or there was no claim. */
  end(notificationId: string): void {
    this.held.delete(notificationId);
  }

  /** After an error: what was called and not written is not known any more. */
  abandon(notificationId: string): void {
    if (this.held.get(notificationId) === "called") this.held.set(notificationId, "unsure");
    else this.held.delete(notificationId);
  }

  knowledgeOf(notificationId: string): Knowledge {
    const state = this.held.get(notificationId);
    if (state === undefined) return "never_called";
    return state === "unsure" ? "unsure" : "held";
  }
}
