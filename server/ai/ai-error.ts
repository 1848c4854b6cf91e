import { APIConnectionError, APIConnectionTimeoutError, APIError, APIUserAbortError } from "openai";
import { DomainError } from "../kernel/errors.ts";
import { OutboundError } from "../kernel/outbound-http.ts";

/**
 * Why there is no answer of the AI service. `unavailable`: it cannot be reached, fails or is overloaded. `timeout`: not
 * in time. `off_schema`: the answer does not have the requested form. `refused`: it rejects our key, model or request,
 * which the operator has to fix. `aborted`: the caller gave up.
 */
export type AiErrorKind = "unavailable" | "timeout" | "off_schema" | "refused" | "aborted";

const messages: Record<AiErrorKind, string> = {
  unavailable: "The AI service can't be reached or isn't working.",
  timeout: "The AI service did not answer in time.",
  off_schema: "The AI service gave an unusable answer.",
  refused: "The AI service refuses the configured key, model or address.",
  aborted: "The call to the AI service was canceled.",
};

/** The message is ours: the service's own can contain parts of keys and texts. */
export class AiError extends Error {
  readonly kind: AiErrorKind;
  /** HTTP status of the service's answer, for the log. */
  readonly status: number | undefined;
  /** Whether the service may have worked on it, and so may bill it. */
  readonly mayBeBilled: boolean;

  constructor(kind: AiErrorKind, facts: { status?: number | undefined; mayBeBilled?: boolean } = {}) {
    super(messages[kind]);
    this.name = "AiError";
    this.kind = kind;
    this.status = facts.status;
    this.mayBeBilled = facts.mayBeBilled ?? false;
  }
}

/** Maps whatever a call to the service threw. Errors that are not the service's come back as they are. */
export function toAiError(error: unknown): unknown {
  if (error instanceof AiError || error instanceof DomainError) return error;
  if (error instanceof APIUserAbortError) return new AiError("aborted", { mayBeBilled: true });
  if (error instanceof APIConnectionTimeoutError) return new AiError("timeout", { mayBeBilled: true });
  const outbound = findOutbound(error);
  if (outbound) {
    if (outbound.code === "timeout") return new AiError("timeout", { mayBeBilled: outbound.bodyWritten });
    if (outbound.code === "aborted") return new AiError("aborted", { mayBeBilled: outbound.bodyWritten });
    if (outbound.code === "body_too_large") return new AiError("off_schema", { mayBeBilled: true });
    return new AiError("unavailable", { mayBeBilled: outbound.bodyWritten });
  }
  if (error instanceof APIConnectionError) return new AiError("unavailable");
  if (error instanceof APIError) {
    const status = error.status as number | undefined;
    // Without a status: an error that a stream reported between two chunks.
    if (status === undefined) return new AiError("unavailable", { mayBeBilled: true });
    if (status === 408 || status === 504) return new AiError("timeout", { status, mayBeBilled: true });
    if (status === 409 || status === 429 || status >= 500) return new AiError("unavailable", { status });
    return new AiError("refused", { status });
  }
  // The package could not read the answer: invalid JSON.
  if (error instanceof SyntaxError) return new AiError("off_schema", { mayBeBilled: true });
  return error;
}

function findOutbound(error: unknown): OutboundError | undefined {
  for (let current = error, hops = 0; current instanceof Error && hops < 4; current = current.cause, hops++) {
    if (current instanceof OutboundError) return current;
  }
  return undefined;
}

/** The message for the user; says what to do. */
export function aiUnavailable(error: AiError): DomainError {
  const advice =
    error.kind === "refused"
      ? "The operator has to fix its configuration. Until then, write the text yourself."
      : "Try again in a moment, or write the text yourself.";
  return new DomainError("ai_unavailable", `${error.message} ${advice}`, {
    ...(error.kind === "refused" ? {} : { retryAfter: 30 }),
    cause: error,
  });
}
