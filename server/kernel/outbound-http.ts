/**
 * The one way out: every HTTP call to an address that somebody else chose (providers, webhook
 * receivers, AI services, shorteners) goes through this client.
 *
 * It dials only addresses that passed the guard (outbound-address.ts): the addresses of a name are
 * resolved, checked and dialled in one step, so a second DNS answer cannot point elsewhere. It follows
 * no redirect, reads no proxy from the environment, decodes no content encoding, and ends every call
 * within its deadline.
 */
import type { Socket } from "node:net";
import { rootCertificates } from "node:tls";
import { Agent } from "undici";
import type { Dispatcher } from "undici";
import { createAddressGuard } from "./outbound-address.ts";
import type { HostResolver } from "./outbound-address.ts";
import { createDialer } from "./outbound-dial.ts";
import type { DialTarget } from "./outbound-dial.ts";
import { errorCode, OutboundError } from "./outbound-error.ts";
import type { OutboundPhase } from "./outbound-error.ts";

export { OutboundError };

export type OutboundRequest = {
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE" | "HEAD";
  /** Absolute http(s) URL without user information. Plain http only reaches operator-allowed ranges. */
  url: string;
  headers?: Record<string, string>;
  body?: string | Buffer;
  /** Time to get a connection (DNS, TCP, TLS), ms; default 5,000. */
  connectTimeoutMs?: number;
  /** Time for the whole call including the answer's body, ms; default 15,000. */
  timeoutMs?: number;
  /** Bytes of the answer that are read; default 1 MiB. */
  maxBodyBytes?: number;
  /** A longer answer: `fail` (default) throws `body_too_large`, `truncate` returns what was read. */
  onBodyLimit?: "fail" | "truncate";
  signal?: AbortSignal;
};

export type OutboundResponse = {
  status: number;
  /** Lower-case names; repeated headers are joined with ", ". */
  headers: Record<string, string>;
  /** As it came over the wire; never decompressed. */
  body: Buffer;
  truncated: boolean;
};

export type OutboundClient = {
  /** Throws OutboundError when there is no complete answer; any status code, 3xx included, is an answer. */
  request: (request: OutboundRequest) => Promise<OutboundResponse>;
  /**
   * Opens a plain TCP connection under the same guard, for protocols other than HTTP. With
   * `requireAllowed`, only operator-allowed ranges are dialled. Throws OutboundError
   * (`blocked`, `dns`, `connect`); the caller owns the socket and its errors.
   */
  dial: (target: DialTarget) => Promise<Socket>;
  /** All trusted certificate authorities, PEM, when the operator added one; for TLS over a dialled socket. */
  authorities: string[] | undefined;
  /** Ends idle connections at once and waits for calls in flight. */
  close: () => Promise<void>;
};

export type OutboundClientOptions = {
  /**
   * CIDR ranges that may be reached although they are not public, also by plain http; one may name a
   * port ("127.0.0.1:2525").
   */
  allow: readonly string[];
  userAgent: string;
  maxConnectionsPerOrigin?: number;
  /** Upper bound of any connection attempt, ms. */
  connectTimeoutMs?: number;
  /** A certificate authority (PEM) that is trusted besides the public ones. */
  ca?: string;
  /** Replaces DNS (tests). */
  resolver?: HostResolver;
};

const DEFAULT_CONNECT_TIMEOUT_MS = 5_000;
const DEFAULT_TIMEOUT_MS = 15_000;
const DEFAULT_MAX_BODY_BYTES = 1_048_576;
const MAX_CONNECT_TIMEOUT_MS = 10_000;

/** Creates the client; one per process is enough, it keeps a pool of connections per origin. */
export function createOutboundClient(options: OutboundClientOptions): OutboundClient {
  const guard = createAddressGuard(options.allow, options.resolver);
  const authorities = options.ca === undefined ? undefined : [...rootCertificates, options.ca];
  const dialer = createDialer(guard, options.connectTimeoutMs ?? MAX_CONNECT_TIMEOUT_MS, authorities);
  const agent = new Agent({
    connect: dialer.connector,
    connections: options.maxConnectionsPerOrigin ?? 256,
    pipelining: 1,
    // One call per connection: a reset or a deadline then concerns exactly one call.
    allowH2: false,
    keepAliveTimeout: 4_000,
    keepAliveMaxTimeout: 60_000,
    maxHeaderSize: 16_384,
    // Both are idle timers that a drip-feeding peer never trips; Exchange has the real deadlines.
    headersTimeout: 0,
    bodyTimeout: 0,
  });

  const inFlight = new Set<Promise<unknown>>();

  return {
    authorities,
    request: (request) => {
      const call = new Exchange(request, options.userAgent).run(agent);
      inFlight.add(call);
      const forget = (): boolean => inFlight.delete(call);
      call.then(forget, forget);
      return call;
    },
    dial: (target) => dialer.dial({ timeoutMs: DEFAULT_CONNECT_TIMEOUT_MS, ...target }),
    close: async () => {
      await Promise.allSettled(inFlight);
      // Not agent.close(): that also waits for connection attempts that nobody waits for any more.
      await agent.destroy();
    },
  };
}

/** One call from dispatch to its result; the undici handler and the promise's two ends in one object. */
class Exchange implements Dispatcher.DispatchHandler {
  private readonly request: OutboundRequest;
  private readonly userAgent: string;
  private readonly maxBodyBytes: number;
  private settled = false;
  private started = false;
  private sent = false;
  private status = 0;
  private responseHeaders: Record<string, string> = {};
  private chunks: Buffer[] = [];
  private size = 0;
  private controller: Dispatcher.DispatchController | undefined;
  private connectTimer: NodeJS.Timeout | undefined;
  private totalTimer: NodeJS.Timeout | undefined;
  private readonly onAbort = (): void =>
    this.fail("aborted", "The call was given up", this.request.signal?.reason);
  private succeedWith!: (response: OutboundResponse) => void;
  private failWith!: (error: OutboundError) => void;

  constructor(request: OutboundRequest, userAgent: string) {
    this.request = request;
    this.userAgent = userAgent;
    this.maxBodyBytes = request.maxBodyBytes ?? DEFAULT_MAX_BODY_BYTES;
  }

  run(agent: Agent): Promise<OutboundResponse> {
    return new Promise((done, fail) => {
      this.succeedWith = done;
      this.failWith = fail;
      this.start(agent);
    });
  }

  private start(agent: Agent): void {
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
    const timeoutMs = request.timeoutMs ?? DEFAULT_TIMEOUT_MS;
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
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.settled) return;
    const room = this.maxBodyBytes - this.size;
    if (chunk.length <= room) {
      this.chunks.push(chunk);
      this.size += chunk.length;
      return;
    }
    if (this.request.onBodyLimit !== "truncate") {
      this.fail("body_too_large", `The answer is longer than ${this.maxBodyBytes} bytes`);
      return;
    }
    this.chunks.push(chunk.subarray(0, room));
    this.succeed(true);
    controller.abort(new Error("The rest of the answer is not wanted"));
  }

  onResponseEnd(): void {
    if (!this.settled) this.succeed(false);
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

  private phase(): OutboundPhase {
    if (!this.started) return "connect";
    if (this.status !== 0) return "body";
    return this.sent ? "response" : "write";
  }

  private succeed(truncated: boolean): void {
    this.cleanUp();
    const [first] = this.chunks;
    const body = this.chunks.length === 1 && first ? first : Buffer.concat(this.chunks);
    this.succeedWith({ status: this.status, headers: this.responseHeaders, body, truncated });
  }

  private refuse(message: string, cause?: unknown): void {
    this.settle(new OutboundError("blocked", "invalid_request", message, false, cause));
  }

  private fail(code: string, message: string, cause?: unknown): void {
    this.settle(new OutboundError(this.phase(), code, message, this.started, cause));
  }

  private settle(error: OutboundError): void {
    if (this.settled) return;
    this.cleanUp();
    this.failWith(error);
    // Closes the connection: whatever still arrives on it belongs to nobody.
    this.controller?.abort(error);
  }

  private cleanUp(): void {
    this.settled = true;
    clearTimeout(this.connectTimer);
    clearTimeout(this.totalTimer);
    this.request.signal?.removeEventListener("abort", this.onAbort);
  }
}

function parseTarget(text: string): URL | null {
  const url = URL.parse(text);
  if (!url || (url.protocol !== "https:" && url.protocol !== "http:")) return null;
  return url.username === "" && url.password === "" ? url : null;
}
