/** One message as one or more submit_sm, and what their answers mean together. */
import { setTimeout as pause } from "node:timers/promises";
import type { SendOutcome } from "../adapter.ts";
import type { Answer } from "./smpp-bind.ts";
import type { SmppPool, Submitted } from "./smpp-pool.ts";
import { isThrottled, refusalOf } from "./smpp-status.ts";
import { withHeader } from "./smpp-text.ts";

/** A composed message: the fields that its parts share, and the parts. */
export type Sendable = {
  notificationId: string;
  attempt: number;
  fields: Record<string, unknown>;
  parts: Buffer[];
};

/** A user data header stands before the text (§5.2.12). */
const headerIndicator = 0x40;
/** Between two tries of a part that the provider has no room for, ms. */
const throttledPauseMs = 500;

/**
 * Sends the parts one after the other, so that a refusal of the first leaves nothing behind. Once a part is with the
 * provider, no other outcome than `sent` says that the recipient gets nothing: the message is then `unknown`.
 * @param options `idOf`: the message id in the body of an answer; `final`: no receipt will follow
 */
export async function sendParts(
  pool: SmppPool,
  message: Sendable,
  options: { timeoutMs: number; idOf: (body: Buffer) => string; final: boolean },
): Promise<SendOutcome> {
  const { parts, fields, notificationId, attempt } = message;
  const until = performance.now() + options.timeoutMs;
  const reference = parts.length > 1 ? pool.nextReference() : 0;
  let id = "";
  for (const [index, part] of parts.entries()) {
    const decides = index === parts.length - 1;
    const keep = (answer: Extract<Answer, { kind: "answer" }>): void => {
      if (answer.status !== 0) return;
      id = options.idOf(answer.body);
      if (id !== "") pool.incoming.remember(id, { notificationId, attempt, decides });
    };
    const submit = (): Promise<Submitted> =>
      pool.submit(
        parts.length === 1
          ? { ...fields, short_message: part }
          : {
              ...fields,
              esm_class: headerIndicator,
              short_message: withHeader(part, reference, parts.length, index + 1),
            },
        Math.max(1, until - performance.now()),
        keep,
      );
    let answer = await submit();
    // The parts before are on their way: rather wait for this one's turn than leave the message in pieces.
    while (index > 0 && isBusy(answer) && until - performance.now() > throttledPauseMs) {
      await pause(throttledPauseMs);
      answer = await submit();
    }
    const failure = failureOf(answer);
    if (failure) return index === 0 ? failure : inPieces(failure, index, parts.length);
  }
  return {
    kind: "sent",
    providerMessageId: id === "" ? null : id,
    final: options.final,
    segments: parts.length,
  };
}

function isBusy(answer: Submitted): boolean {
  return answer.kind === "not_written" || (answer.kind === "answer" && isThrottled(answer.status));
}

function failureOf(answer: Submitted): Exclude<SendOutcome, { kind: "sent" }> | null {
  switch (answer.kind) {
    case "answer":
      return answer.status === 0 ? null : refusalOf(answer.status);
    case "not_written":
      return answer.problem.outcome;
    case "timeout":
      return {
        kind: "unknown",
        code: "provider_timeout",
        detail: "The message centre did not answer in time",
      };
    case "lost":
      return {
        kind: "unknown",
        code: "provider_connection_lost",
        detail: "The session ended before the message centre answered",
        cause: answer.session,
      };
  }
}

function inPieces(
  failure: Exclude<SendOutcome, { kind: "sent" }>,
  accepted: number,
  total: number,
): SendOutcome {
  return {
    kind: "unknown",
    code: "provider_partly_accepted",
    detail: `The message centre took ${accepted} of ${total} parts; then: ${failure.detail}`,
    ...(failure.providerCode === undefined ? {} : { providerCode: failure.providerCode }),
    ...(failure.providerMessage === undefined ? {} : { providerMessage: failure.providerMessage }),
    ...(failure.cause === undefined ? {} : { cause: failure.cause }),
  };
}
