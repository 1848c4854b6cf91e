import type { Agent, Dispatcher } from "undici";
import { errorCode, OutboundError } from "./outbound-error.ts";
import type { OutboundPhase } from "./outbound-error.ts";

/** Options of every outbound call, however its answer is read. */
export type ExchangeRequest = {
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE" | "HEAD";
  /** Absolute http(s) URL without user information. Plain http only reaches operator-allowed ranges. */
  url: string;
  headers?: Record<string, string>;
  body?: string | Buffer;
  /** Time to get a connection (DNS, TCP, TLS), ms; default 5,000. */
  connectTimeoutMs?: number;
  /** Time for the whole call including the answer's body, ms; default 15,000, or 120,000 when it is streamed. */
  timeoutMs?: number;
  signal?: AbortSignal;
};

export const DEFAULT_CONNECT_TIMEOUT_MS = 5_000;

/**
 * One call from dispatch to its end, with the limits and errors that all calls share. Subclasses hand over the answer.
 * The undici handler and the call's state in one object.
 */
export abstract class Exchange<Request extends ExchangeRequest> implements Dispatcher.DispatchHandler {
  protected readonly request: Request;
  protected settled = false;
  protected status = 0;
  protected responseHeaders: Record<string, string> = {};
  private readonly userAgent: string;
  private started = false;
  private sent = false;
  private controller: Dispatcher.DispatchController | undefined;
  private connectTimer: NodeJS.Timeout | undefined;
  private totalTimer: NodeJS.Timeout | undefined;
  private readonly onAbort = (): void =>
    this.fail("aborted", "The call was given up", this.request.signal?.reason);

  constructor(request: Request, userAgent: string) {
    this.request = request;
    this.userAgent = userAgent;
  }

  /** The answer's head has arrived; status and headers are set. */
  protected onHead(_controller: Dispatcher.DispatchController): void {
    // A subclass that reads the whole answer does nothing yet.
  }
  protected onSent(): void {
    // Only an idle limit starts here.
  }
  protected abstract onChunk(controller: Dispatcher.DispatchController, chunk: Buffer): void;
  protected abstract onEnd(): void;
  /** Called once, after the clean-up, for a call that failed. */
  protected abstract onFailure(error: OutboundError): void;

  protected start(agent: Agent, defaultTimeoutMs: number): void {
    const { request } = this;
    const url = parseTarget(request.url);
    if (!url) {
      this.refuse("Not an http(s) URL without user information");
      return;
    }
    if (request.signal?.aborted) {
      this.onAbort();
      return;
    }
    request.signal?.addEventListener("abort", this.onAbort, { once: true });
    const timeoutMs = request.timeoutMs ?? defaultTimeoutMs;
    this.totalTimer = setTimeout(
      () => this.fail("timeout", `No complete answer in ${timeoutMs} ms`),
      timeoutMs,
    );
    const connectMs = request.connectTimeoutMs ?? DEFAULT_CONNECT_TIMEOUT_MS;
    this.connectTimer = setTimeout(() => this.fail("timeout", `No connection in ${connectMs} ms`), connectMs);
    try {
      agent.dispatch(
        {
          origin: url.origin,
          path: url.pathname + url.search,
          method: request.method,
          headers: { "user-agent": this.userAgent, "accept-encoding": "identity", ...request.headers },
          body: request.body ?? null,
        },
        this,
      );
    } catch (error) {
      this.refuse(error instanceof Error ? error.message : "Invalid request", error);
    }
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    // Throwing takes the request out of the queue and leaves the connection to the next one.
    if (this.settled) throw new Error("The call was given up before it had a connection");
    this.controller = controller;
    this.started = true;
    clearTimeout(this.connectTimer);
  }

  onRequestSent(): void {
    this.sent = true;
    if (!this.settled) this.onSent();
  }

  onResponseStart(
    controller: Dispatcher.DispatchController,
    status: number,
    headers: Record<string, string | string[] | undefined>,
  ): void {
    if (this.settled || status < 200) return;
    this.status = status;
    for (const name in headers) {
      const value = headers[name];
      if (value !== undefined)
        this.responseHeaders[name] = typeof value === "string" ? value : value.join(", ");
    }
    this.onHead(controller);
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (!this.settled) this.onChunk(controller, chunk);
  }

  onResponseEnd(): void {
    if (!this.settled) this.onEnd();
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    if (this.settled) return;
    if (error instanceof OutboundError) {
      // Made by the connector; a fresh one, because requests that waited for it share the original.
      this.settle(new OutboundError(error.phase, error.code, error.message, false, error.cause));
      return;
    }
    const code = errorCode(error);
    if (code.startsWith("UND_ERR_INVALID_ARG")) {
      this.refuse(error.message, error);
      return;
    }
    const garbage = code.startsWith("HPE_") || code === "UND_ERR_HEADERS_OVERFLOW";
    this.fail(
      garbage ? "invalid_response" : "reset",
      garbage ? "The answer is not HTTP" : "The connection broke",
      error,
    );
  }

  protected fail(code: string, message: string, cause?: unknown): void {
    this.settle(new OutboundError(this.phase(), code, message, this.started, cause));
  }

  /** Stops the timers; nothing of this call is read any more. */
  protected cleanUp(): void {
    this.settled = true;
    clearTimeout(this.connectTimer);
    clearTimeout(this.totalTimer);
    this.request.signal?.removeEventListener("abort", this.onAbort);
  }

  private phase(): OutboundPhase {
    if (!this.started) return "connect";
    if (this.status !== 0) return "body";
    return this.sent ? "response" : "write";
  }

  private refuse(message: string, cause?: unknown): void {
    this.settle(new OutboundError("blocked", "invalid_request", message, false, cause));
  }

  private settle(error: OutboundError): void {
    if (this.settled) return;
    this.cleanUp();
    this.onFailure(error);
    // Closes the connection: whatever still arrives on it is ignored.
    this.controller?.abort(error);
  }
}

function parseTarget(text: string): URL | null {
  const url = URL.parse(text);
  if (!url || (url.protocol !== "https:" && url.protocol !== "http:")) return null;
  return url.username === "" && url.password === "" ? url : null;
}
