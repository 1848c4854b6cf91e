import { SharedError } from "./shared-error.ts";

/**
 * How far a failed call got. `blocked` = we refused to dial, `dns`, `connect`, `tls` = no connection; `write` = while
 * sending, `response` = waiting for the status line, `body` = reading the answer.
 */
export type OutboundPhase = "blocked" | "dns" | "connect" | "tls" | "write" | "response" | "body";

/**
 * A call without a complete answer. `bodyWritten` false: not one byte of the request left this process, so it is safe
 * to send it again. `bodyWritten` true: the other side may have acted on it.
 */
export class OutboundError extends SharedError {
  static override readonly kind = "outbound";
  readonly phase: OutboundPhase;
  readonly bodyWritten: boolean;
  /** `blocked`, `dns_failed`, `refused`, `timeout`, `tls_failed`, `reset`, `body_too_large`, `aborted`, `invalid_request`, `invalid_response` */
  readonly code: string;

  constructor(phase: OutboundPhase, code: string, message: string, bodyWritten: boolean, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = "OutboundError";
    this.phase = phase;
    this.code = code;
    this.bodyWritten = bodyWritten;
  }
}

/** The `code` of a Node or undici error, or an empty string. */
export function errorCode(error: Error): string {
  return "code" in error && typeof error.code === "string" ? error.code : "";
}
