import type { Agent, Dispatcher } from "undici";
import type { OutboundError } from "./outbound-error.ts";
import { Exchange } from "./outbound-exchange.ts";
import type { ExchangeRequest } from "./outbound-exchange.ts";

export type OutboundStreamRequest = ExchangeRequest & {
  /** Time without a byte, from the request's end on, ms; default 30,000. A slow reader does not count. */
  idleTimeoutMs?: number;
  /** Bytes of the answer that are accepted; reading on throws `body_too_large`. Default 8 MiB. */
  maxBodyBytes?: number;
};

export type OutboundStream = {
  status: number;
  /** Lower-case names; repeated headers are joined with ", ". */
  headers: Record<string, string>;
  /**
   * The body in chunks as they arrive, never decompressed. Reading throws OutboundError when the call ends early;
   * cancelling it closes the connection. Must be read or cancelled.
   */
  body: ReadableStream<Uint8Array>;
};

const DEFAULT_TIMEOUT_MS = 120_000;
const DEFAULT_IDLE_TIMEOUT_MS = 30_000;
const DEFAULT_MAX_BODY_BYTES = 8 * 1_048_576;
/** Bytes that may wait for the reader before the connection is paused. */
const HIGH_WATER_BYTES = 65_536;

/** A call whose answer is streamed. */
export class StreamedExchange extends Exchange<OutboundStreamRequest> {
  /** Resolves when the call is over, however it ended. */
  readonly finished: Promise<void>;
  private readonly idleTimeoutMs: number;
  private readonly maxBodyBytes: number;
  private size = 0;
  private idleTimer: NodeJS.Timeout | undefined;
  private reader: ReadableStreamDefaultController<Uint8Array> | undefined;
  private answerWith!: (answer: OutboundStream) => void;
  private failWith!: (error: OutboundError) => void;
  private finish!: () => void;

  constructor(request: OutboundStreamRequest, userAgent: string) {
    super(request, userAgent);
    this.idleTimeoutMs = request.idleTimeoutMs ?? DEFAULT_IDLE_TIMEOUT_MS;
    this.maxBodyBytes = request.maxBodyBytes ?? DEFAULT_MAX_BODY_BYTES;
    this.finished = new Promise((done) => {
      this.finish = done;
    });
  }

  run(agent: Agent): Promise<OutboundStream> {
    return new Promise((done, fail) => {
      this.answerWith = done;
      this.failWith = fail;
      this.start(agent, DEFAULT_TIMEOUT_MS);
    });
  }

  protected override onSent(): void {
    this.expectMore();
  }

  protected override onHead(controller: Dispatcher.DispatchController): void {
    this.expectMore();
    const body = new ReadableStream<Uint8Array>(
      {
        start: (reader) => {
          this.reader = reader;
        },
        pull: () => {
          if (this.settled || !controller.paused) return;
          controller.resume();
          this.expectMore();
        },
        cancel: (reason) => this.fail("aborted", "The rest of the answer is not wanted", reason),
      },
      { highWaterMark: HIGH_WATER_BYTES, size: (chunk) => chunk.byteLength },
    );
    this.answerWith({ status: this.status, headers: this.responseHeaders, body });
  }

  protected override onChunk(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.size += chunk.length;
    if (this.size > this.maxBodyBytes) {
      this.fail("body_too_large", `The answer is longer than ${this.maxBodyBytes} bytes`);
      return;
    }
    this.reader?.enqueue(chunk);
    if ((this.reader?.desiredSize ?? 0) > 0) {
      this.expectMore();
    } else {
      clearTimeout(this.idleTimer);
      controller.pause();
    }
  }

  protected override onEnd(): void {
    this.cleanUp();
    this.reader?.close();
  }

  protected override onFailure(error: OutboundError): void {
    this.failWith(error);
    try {
      this.reader?.error(error);
    } catch {
      // It was cancelled by its reader.
    }
  }

  protected override cleanUp(): void {
    super.cleanUp();
    clearTimeout(this.idleTimer);
    this.finish();
  }

  private expectMore(): void {
    clearTimeout(this.idleTimer);
    this.idleTimer = setTimeout(
      () => this.fail("timeout", `Nothing came for ${this.idleTimeoutMs} ms`),
      this.idleTimeoutMs,
    );
  }
}
