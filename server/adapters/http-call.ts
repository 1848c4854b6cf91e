/** What the adapters of HTTP providers share: one call within the attempt's clock, and what a refusal means by its status. */
import { OutboundError } from "../kernel/outbound-http.ts";
import type { OutboundRequest, OutboundResponse } from "../kernel/outbound-http.ts";
import { trimTrailing } from "../kernel/trim-trailing.ts";
import type { AdapterDeps, FailureCode, SendOutcome, TestResult } from "./adapter.ts";
import { unavailable } from "./known-failures.ts";
import { retryAfterMs } from "./provider-text.ts";
import { transportOutcome } from "./transport-outcome.ts";

const TIMEOUT_MS = 15_000;
const MAX_ANSWER_BYTES = 65_536;
/** With less left of the clock, a call could only leave open whether the message was taken, ms. */
const LEAST_MS = 100;

export type ProviderRequest = {
  method: "GET" | "HEAD" | "POST" | "PUT" | "PATCH";
  url: string;
  headers: Record<string, string>;
  body?: string;
  /** Of the answer; 64 KiB without it. */
  maxBodyBytes?: number;
  onBodyLimit?: OutboundRequest["onBodyLimit"];
};

/** One call to a provider. Rejects with OutboundError when there is no complete answer. */
export function callProvider(deps: AdapterDeps, request: ProviderRequest): Promise<OutboundResponse> {
  return deps.http.request({
    ...request,
    timeoutMs: deps.timeoutMs ?? TIMEOUT_MS,
    maxBodyBytes: request.maxBodyBytes ?? MAX_ANSWER_BYTES,
    ...(deps.signal ? { signal: deps.signal } : {}),
  });
}

/** For a message that takes several calls: each has what those before it have left of the attempt's clock. */
export function onOneClock(deps: AdapterDeps): AdapterDeps {
  const end = performance.now() + (deps.timeoutMs ?? TIMEOUT_MS);
  return {
    ...deps,
    get timeoutMs() {
      return Math.max(1, Math.floor(end - performance.now()));
    },
  };
}

/** Makes the call that sends a message; `read` says what the answer means. Without an answer, the network's failure decides. */
export async function sendThrough(
  deps: AdapterDeps,
  request: ProviderRequest,
  read: (answer: OutboundResponse) => SendOutcome,
): Promise<SendOutcome> {
  if ((deps.timeoutMs ?? TIMEOUT_MS) < LEAST_MS) {
    const detail = "The provider took too long with what was asked before the message";
    return { kind: "not_sent", retry: "later", code: "provider_timeout", detail };
  }
  let answer: OutboundResponse;
  try {
    // The status of an answer counts, however long the page is that a gateway put around it.
    answer = await callProvider(deps, { ...request, onBodyLimit: "truncate" });
  } catch (error) {
    return transportOutcome(error);
  }
  return read(answer);
}

/** Makes the call of a credential test; without an answer, the network's failure is the problem. */
export async function testThrough(
  deps: AdapterDeps,
  request: ProviderRequest,
  read: (answer: OutboundResponse) => TestResult,
): Promise<TestResult> {
  try {
    return read(await callProvider(deps, request));
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error;
    // It answered, at greater length than is read.
    const answered = error.code === "body_too_large";
    return { ok: false, problem: error.message, ...(answered ? { reachable: true } : {}) };
  }
}

/** A test's answer that says neither yes nor no. Whoever refuses a question (4xx) is there, unless it gave up on it (408). */
export function unexpectedAnswer(provider: string, status: number, words = ""): TestResult {
  const why = words === "" ? "" : `: ${words}`;
  const problem = `${provider} answered with status ${String(status)}${why}`;
  const refuses = status >= 400 && status < 500 && status !== 408;
  return { ok: false, problem, ...(refuses ? { reachable: true } : {}) };
}

/** What an error code of a provider means for the message. */
export type KnownFailure = { retry: "later" | "failover" | "never"; code: FailureCode; detail: string };

/**
 * The outcome of an answer by which the provider did not say that it has the message. `known` is what the provider's own
 * code says, and wins over the status.
 */
export function refusedOutcome(
  answer: Pick<OutboundResponse, "status" | "headers">,
  said: { providerCode?: string; providerMessage?: string },
  known?: KnownFailure,
): SendOutcome {
  const provider = { providerCode: String(answer.status), ...said };
  if (!known && leavesOpen(answer.status)) {
    const detail = `The provider answered with status ${answer.status}`;
    return { kind: "unknown", code: "provider_error", detail, ...provider };
  }
  const failure = known ?? failureOfStatus(answer.status);
  const wait = failure.retry === "later" ? retryAfterMs(answer.headers["retry-after"]) : undefined;
  return { kind: "not_sent", ...failure, ...(wait === undefined ? {} : { retryAfterMs: wait }), ...provider };
}

/**
 * Whether the message may have been taken: a server or gateway that failed or gave up on it (5xx, 408, and 499 of nginx), a
 * success of another kind than the expected one, and 303, which points to the result of what was done (RFC 9110, 15.4.4).
 */
function leavesOpen(status: number): boolean {
  return status >= 500 || status < 300 || [303, 408, 499].includes(status);
}

function failureOfStatus(status: number): KnownFailure {
  switch (status) {
    // RFC 8470: not processed, because it came in a TLS handshake.
    case 425:
      return unavailable;
    case 429:
      return {
        retry: "later",
        code: "provider_rate_limited",
        detail: "The provider takes no more messages for now",
      };
    case 401:
    case 403:
      return {
        retry: "failover",
        code: "provider_credentials",
        detail: "The provider does not accept the connection's credentials",
      };
    case 413:
      return {
        retry: "failover",
        code: "message_too_large",
        detail: "The message is larger than the provider takes",
      };
    default:
      return { retry: "failover", code: "provider_rejected", detail: "The provider refuses the message" };
  }
}

/** A message that is not even tried, because the connection or the message lacks something. */
export function notTried(retry: "failover" | "never", code: FailureCode, detail: string): SendOutcome {
  return { kind: "not_sent", retry, code, detail, unasked: true };
}

/** A 2xx without the id of the message. */
export const unreadableAnswer: SendOutcome = {
  kind: "unknown",
  code: "provider_answer_unreadable",
  detail: "The provider accepted, but gave no message id",
};

/** A configured base address without its last slashes, or the provider's own. */
export function baseOf(configured: string | undefined, own: string): string {
  return configured === undefined ? own : trimTrailing(configured, "/");
}

/** RFC 7617. */
export function basicAuth(user: string, password: string): string {
  return `Basic ${Buffer.from(`${user}:${password}`).toString("base64")}`;
}

/** Whether a provider outside could call this address; several refuse a message whose callback address they cannot. */
export function isPublicName(url: string): boolean {
  return /^https?:\/\/[^/:]+\.[^/:]+/.test(url);
}
