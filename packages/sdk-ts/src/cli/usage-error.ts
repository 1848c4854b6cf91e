/** A mistake that whoever typed the command can mend: the message says how. Ends the process with `exitCode`. */
export class UsageError extends Error {
  readonly exitCode: number;
  constructor(message: string, exitCode = 2) {
    super(message);
    this.exitCode = exitCode;
  }
}
