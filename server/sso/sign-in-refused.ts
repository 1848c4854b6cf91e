import type { RefusalReason } from "./schemas.ts";

/** A sign-in through an identity provider that came to nothing. The message is for the log; people are told the reason. */
export class SignInRefused extends Error {
  readonly reason: RefusalReason;

  constructor(reason: RefusalReason, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = "SignInRefused";
    this.reason = reason;
  }
}
