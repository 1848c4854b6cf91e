/** A mistake in the command or its configuration: the message says what to change. Ends the process with `exitCode`. */
export class UsageError extends Error {
  readonly exitCode: number;
  constructor(message: string, exitCode = 2) {
    super(message);
    this.exitCode = exitCode;
  }
}
