import { environment } from "./environment.ts";
import { ConnectionError, TidingsError, TimeoutError, errorOf } from "./errors.ts";

export interface TidingsOptions {
  /** Address of the installation; `TIDINGS_URL` without it. */
  baseUrl?: string;
  /** `TIDINGS_API_KEY` without it. */
  apiKey?: string;
  /** Your organisation's id, sent with every request; `TIDINGS_TENANT_ID` without it. `null`: leave it to the key. */
  tenantId?: string | null;
  /** Retries after a failure that may pass; default 2. */
  maxRetries?: number;
  /** Milliseconds for one attempt, the reading of the answer included; default 30,000. */
  timeout?: number;
  /** The longest `Retry-After` that is waited for, in milliseconds; default 60,000. Beyond it the error is thrown at once. */
  maxRetryAfter?: number;
  /** Sent with every request. */
  headers?: Record<string, string>;
  /** Another implementation of fetch. */
  fetch?: typeof fetch;
}

export interface RequestOptions {
  /** Ends the call, also between two attempts; it then rejects with the signal's reason. */
  signal?: AbortSignal;
  /** As in the client's options. */
  timeout?: number;
  maxRetries?: number;
  headers?: Record<string, string>;
  /** Of a POST: the service answers a repetition with the first answer. Made by the client without it. */
  idempotencyKey?: string;
}

export interface Sent extends RequestOptions {
  query?: Readonly<Record<string, unknown>> | undefined;
  body?: unknown;
}

/** Worth another attempt: of conflicts and quotas, only those that pass within seconds. */
export const isRetryable = (error: TidingsError): boolean => {
  const { status, code } = error;
  if (status === 409) return code === "request_in_progress";
  // A month's budget.
  if (status === 429) return code !== "ai_budget_exhausted";
  return status === 408 || status >= 500 || error instanceof ConnectionError;
};

/** Milliseconds: before the first retry half a second on average, doubled for each further one; at most eight. */
export const backoff = (attempt: number) => Math.min(500 * 2 ** attempt, 8_000) * (0.5 + Math.random());

/** Seconds, as a number or as a date: that counts by the clock of whoever answered, as far as it is told. */
function retryAfterOf(headers: Headers): number | undefined {
  const value = headers.get("retry-after");
  if (!value) return undefined;
  const now = Date.parse(headers.get("date") ?? "") || Date.now();
  const seconds = /^\d+(\.\d+)?$/.test(value) ? Number(value) : (Date.parse(value) - now) / 1_000;
  return Number.isFinite(seconds) ? Math.max(0, seconds) : undefined;
}

/** Milliseconds that a timer takes; more, such as Infinity, would end at once. */
const longest = 2 ** 31 - 1;
export const timer = (milliseconds: number, done: () => void) =>
  setTimeout(done, Math.min(milliseconds, longest));

/** Waits, and rejects with the signal's reason when that ends it. */
export function pause(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) {
      reject(signal.reason as Error);
      return;
    }
    const end = () => {
      clearTimeout(waiting);
      reject(signal?.reason as Error);
    };
    const waiting = timer(milliseconds, () => {
      signal?.removeEventListener("abort", end);
      resolve();
    });
    signal?.addEventListener("abort", end, { once: true });
  });
}

function queryOf(query: Sent["query"]): string {
  const text = new URLSearchParams();
  for (const [name, value] of Object.entries(query ?? {})) {
    for (const each of Array.isArray(value) ? value : [value]) {
      if (each === undefined || each === null) continue;
      text.append(name, each instanceof Date ? each.toISOString() : String(each));
    }
  }
  return text.size > 0 ? `?${text.toString()}` : "";
}

const invalid = (detail: string) => new TidingsError({ status: 0, code: "invalid_configuration", detail });

function configured(value: string | undefined, option: string, variable: string): string {
  const found = (value ?? environment(variable))?.trim();
  if (found) return found;
  throw invalid(`${option} is missing. Pass it to new Tidings({ ${option} }), or set ${variable}`);
}

/** Without what is wrong: an address can have a password, and the key is one. */
function checked(baseUrl: string, apiKey: string): void {
  if (!/^https?:\/\/[^\s/?#@]+(?:\/|$)/i.test(baseUrl))
    throw invalid("baseUrl is not an address like https://tidings.example.com, without a user name");
  if (!/^[\x21-\x7e]+$/.test(apiKey))
    throw invalid("apiKey has a character that no key has, such as a space or a line break");
}

/** Sends requests, and retries those that may succeed next time. */
export class Transport {
  readonly baseUrl: string;
  readonly #headers: Record<string, string>;
  readonly #options: TidingsOptions;

  constructor(options: TidingsOptions) {
    this.baseUrl = configured(options.baseUrl, "baseUrl", "TIDINGS_URL").replace(/\/+$/, "");
    const apiKey = configured(options.apiKey, "apiKey", "TIDINGS_API_KEY");
    checked(this.baseUrl, apiKey);
    this.#options = options;
    this.#headers = {
      ...options.headers,
      accept: "application/json",
      authorization: `Bearer ${apiKey}`,
      ...(options.tenantId === null
        ? {}
        : { "x-tenant-id": configured(options.tenantId, "tenantId", "TIDINGS_TENANT_ID") }),
    };
  }

  async send(method: string, path: string, sent: Sent = {}): Promise<unknown> {
    const maxRetries = sent.maxRetries ?? this.#options.maxRetries ?? 2;
    const maxWait = this.#options.maxRetryAfter ?? 60_000;
    const url = `${this.baseUrl}${path}${queryOf(sent.query)}`;
    const headers = new Headers({ ...this.#headers, ...sent.headers });
    // One for all attempts: it is what makes a repetition safe.
    if (method === "POST" && (sent.idempotencyKey !== undefined || !headers.has("idempotency-key")))
      headers.set("idempotency-key", sent.idempotencyKey ?? crypto.randomUUID());
    let body: string | undefined;
    if (sent.body !== undefined) {
      headers.set("content-type", "application/json");
      body = JSON.stringify(sent.body);
    }
    for (let attempt = 0; ; attempt++) {
      sent.signal?.throwIfAborted();
      try {
        return await this.#attempt(url, { method, headers, ...(body === undefined ? {} : { body }) }, sent);
      } catch (error) {
        if (!(error instanceof TidingsError) || attempt >= maxRetries || !isRetryable(error)) throw error;
        const wait = (error.retryAfter ?? 0) * 1_000;
        if (wait > maxWait) throw error;
        await pause(Math.max(wait, backoff(attempt)), sent.signal);
      }
    }
  }

  async #attempt(url: string, init: RequestInit, { signal, timeout }: Sent): Promise<unknown> {
    const limit = timeout ?? this.#options.timeout ?? 30_000;
    const controller = new AbortController();
    const cancel = () => controller.abort(signal?.reason);
    signal?.addEventListener("abort", cancel, { once: true });
    const late = new AbortController();
    const limited = timer(limit, () => {
      late.abort();
      controller.abort();
    });
    try {
      const call = this.#options.fetch ?? fetch;
      // A redirected POST would arrive as a GET.
      const response = await call(url, { ...init, redirect: "manual", signal: controller.signal });
      const text = await response.text();
      const type = response.headers.get("content-type") ?? "";
      const isJson = /\bjson\b/i.test(type);
      // A page is of something in between, whatever its status.
      if (response.ok && !isJson && !/\bhtml\b/i.test(type)) return text === "" ? undefined : text;
      let parsed: unknown;
      try {
        parsed = isJson ? JSON.parse(text) : undefined;
      } catch (error) {
        // Half an answer is none.
        throw new ConnectionError({
          status: response.status,
          code: "connection_failed",
          detail: "The answer broke off",
          cause: error,
        });
      }
      if (response.ok && isJson) return parsed;
      throw errorOf(response.status, parsed, response.headers, retryAfterOf(response.headers));
    } catch (error) {
      if (error instanceof TidingsError) throw error;
      if (signal?.aborted) throw signal.reason;
      if (late.signal.aborted)
        throw new TimeoutError({
          status: 0,
          code: "timeout",
          detail: `No answer within ${limit} ms`,
          cause: error,
        });
      throw new ConnectionError({
        status: 0,
        code: "connection_failed",
        detail: `${this.baseUrl} cannot be reached: ${reasonOf(error)}`,
        cause: error,
      });
    } finally {
      clearTimeout(limited);
      signal?.removeEventListener("abort", cancel);
    }
  }
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error && error.cause.message ? error.cause.message : error.message;
}
