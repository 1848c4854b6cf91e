const mark = Symbol.for("tidings.error-kind");

/**
 * An error that `instanceof` recognises by its kind. Next loads a module once per bundle, and what stands on globalThis belongs to the
 * bundle that came first: an error that it throws is of another copy of the class than the one that its caller compares with.
 */
export abstract class SharedError extends Error {
  /** A name of its own for each class. */
  static readonly kind: string;

  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    Object.defineProperty(this, mark, { value: new.target.kind });
  }

  static override [Symbol.hasInstance](this: { readonly kind?: string }, value: unknown): boolean {
    return (
      typeof value === "object" &&
      value !== null &&
      mark in value &&
      value[mark] === (this.kind ?? value[mark])
    );
  }
}
