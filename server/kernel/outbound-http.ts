/**
 * The only way out: every HTTP call to an address that somebody else chose (providers, webhook receivers, AI services,
 * shorteners) goes through this client.
 *
 * It dials only addresses that passed the guard (outbound-address.ts): the addresses of a name are resolved, checked
 * and dialled in one step, so a second DNS answer cannot point elsewhere. It follows no redirect, reads no proxy from
 * the environment, decodes no content encoding, and ends every call within its deadline.
 */
import type { Socket } from "node:net";
import { rootCertificates } from "node:tls";
import { Agent } from "undici";
import type { Dispatcher } from "undici";
import { createAddressGuard } from "./outbound-address.ts";
import type { HostResolver } from "./outbound-address.ts";
import { createDialer } from "./outbound-dial.ts";
import type { DialTarget } from "./outbound-dial.ts";
import { OutboundError } from "./outbound-error.ts";
import { DEFAULT_CONNECT_TIMEOUT_MS, Exchange } from "./outbound-exchange.ts";
import type { ExchangeRequest } from "./outbound-exchange.ts";
import { StreamedExchange } from "./outbound-stream.ts";
import type { OutboundStream, OutboundStreamRequest } from "./outbound-stream.ts";

export { OutboundError };
export type { OutboundStream, OutboundStreamRequest };

export type OutboundRequest = ExchangeRequest & {
  /** Bytes of the answer that are read; default 1 MiB. */
  maxBodyBytes?: number;
  /** A longer answer: `fail` (default) throws `body_too_large`, `truncate` returns what was read. */
  onBodyLimit?: "fail" | "truncate";
};

export type OutboundResponse = {
  status: number;
  /** Lower-case names; repeated headers are joined with ", ". */
  headers: Record<string, string>;
  /** As received; never decompressed. */
  body: Buffer;
  truncated: boolean;
};

export type OutboundClient = {
  /** Throws OutboundError when there is no complete answer; any status code, 3xx included, is an answer. */
  request: (request: OutboundRequest) => Promise<OutboundResponse>;
  /**
   * Like `request`, but resolves with the answer's head and streams its body. Throws OutboundError when there is no
   * head; later errors are thrown while reading the body.
   */
  stream: (request: OutboundStreamRequest) => Promise<OutboundStream>;
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
  const remember = (call: Promise<unknown>): void => {
    inFlight.add(call);
    const forget = (): boolean => inFlight.delete(call);
    call.then(forget, forget);
  };

  return {
    authorities,
    request: (request) => {
      const call = new BufferedExchange(request, options.userAgent).run(agent);
      remember(call);
      return call;
    },
    stream: (request) => {
      const exchange = new StreamedExchange(request, options.userAgent);
      const answer = exchange.run(agent);
      remember(exchange.finished);
      return answer;
    },
    dial: (target) => dialer.dial({ timeoutMs: DEFAULT_CONNECT_TIMEOUT_MS, ...target }),
    close: async () => {
      await Promise.allSettled(inFlight);
      // Not agent.close(): that also waits for connection attempts that nobody needs any more.
      await agent.destroy();
    },
  };
}

/** A call whose answer is buffered. */
class BufferedExchange extends Exchange<OutboundRequest> {
  private readonly maxBodyBytes: number;
  private chunks: Buffer[] = [];
  private size = 0;
  private succeedWith!: (response: OutboundResponse) => void;
  private failWith!: (error: OutboundError) => void;

  constructor(request: OutboundRequest, userAgent: string) {
    super(request, userAgent);
    this.maxBodyBytes = request.maxBodyBytes ?? DEFAULT_MAX_BODY_BYTES;
  }

  run(agent: Agent): Promise<OutboundResponse> {
    return new Promise((done, fail) => {
      this.succeedWith = done;
      this.failWith = fail;
      this.start(agent, DEFAULT_TIMEOUT_MS);
    });
  }

  protected override onChunk(controller: Dispatcher.DispatchController, chunk: Buffer): void {
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

  protected override onEnd(): void {
    this.succeed(false);
  }

  protected override onFailure(error: OutboundError): void {
    this.failWith(error);
  }

  private succeed(truncated: boolean): void {
    this.cleanUp();
    const [first] = this.chunks;
    const body = this.chunks.length === 1 && first ? first : Buffer.concat(this.chunks);
    this.succeedWith({ status: this.status, headers: this.responseHeaders, body, truncated });
  }
}
