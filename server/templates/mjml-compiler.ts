import { Worker } from "node:worker_threads";
import { DomainError } from "../kernel/errors.ts";
import { logger } from "../kernel/log.ts";
import type { MjmlAnswer, MjmlJob } from "./mjml-worker.ts";

/** Bounds of the compiling thread. A mail of a usual size takes it 2 to 10 ms, the largest that is useful 100. */
export const compilerLimits = {
  /** Milliseconds of one compilation; then the thread is ended. */
  compileMs: 2_000,
  /** Milliseconds that a text may wait for its turn. */
  waitMs: 10_000,
  /** Texts that may wait at once. */
  waiting: 32,
  /** MiB of the thread's heap. */
  heapMb: 256,
} as const;

/** Loading the compiler takes half a second, more on a busy machine. */
const startMs = 30_000;

export type CompilerOutcome =
  | Extract<MjmlAnswer, { html: string }>
  | { failed: Extract<MjmlAnswer, { failed: string }>["failed"] | "too_slow" };

interface Waiting {
  job: MjmlJob;
  since: number;
  resolve: (outcome: CompilerOutcome) => void;
  reject: (error: Error) => void;
}

/** One thread, one text at a time; made when first needed, kept for the next text, replaced when it had to be ended. */
class Compiler {
  private thread: Worker | undefined;
  private ready = false;
  private current: Waiting | undefined;
  private readonly queue: Waiting[] = [];
  private timer: NodeJS.Timeout | undefined;
  private lastId = 0;

  compile(source: string, maxCharacters: number): Promise<CompilerOutcome> {
    if (this.queue.length >= compilerLimits.waiting) return Promise.reject(overloaded());
    return new Promise((resolve, reject) => {
      this.queue.push({
        job: { id: ++this.lastId, source, maxCharacters },
        since: Date.now(),
        resolve,
        reject,
      });
      this.next();
    });
  }

  private next(): void {
    if (this.current) return;
    if (this.queue.length === 0) {
      // An idle thread does not keep a process from ending.
      this.thread?.unref();
      return;
    }
    if (!this.thread) this.start();
    this.thread?.ref();
    if (!this.ready) return;
    const waiting = this.queue.shift();
    if (!waiting) return;
    if (Date.now() - waiting.since > compilerLimits.waitMs) {
      waiting.reject(overloaded());
      this.next();
      return;
    }
    this.current = waiting;
    this.deadline(compilerLimits.compileMs);
    this.thread?.postMessage(waiting.job);
  }

  private start(): void {
    // In this form the bundler of the web process finds the file, too.
    const thread = new Worker(new URL("./mjml-worker.ts", import.meta.url), {
      // The thread knows no secret of the process.
      env: {},
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: compilerLimits.heapMb },
    });
    this.thread = thread;
    this.ready = false;
    this.deadline(startMs);
    thread.on("message", (message: "ready" | MjmlAnswer) => {
      if (this.thread !== thread) return;
      clearTimeout(this.timer);
      if (message === "ready") this.ready = true;
      else this.settle("html" in message ? message : { failed: message.failed });
      this.next();
    });
    // Out of memory, or a fault of the compiler's.
    thread.on("error", (error: Error) => {
      if (this.thread === thread) this.lost(error);
    });
  }

  private deadline(ms: number): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      this.lost(undefined);
    }, ms);
  }

  private settle(outcome: CompilerOutcome): void {
    this.current?.resolve(outcome);
    this.current = undefined;
  }

  /** The thread is gone or must go; its text was too much for it. */
  private lost(error: Error | undefined): void {
    clearTimeout(this.timer);
    const { thread } = this;
    this.thread = undefined;
    void thread?.terminate();
    if (this.current) {
      this.settle({ failed: "too_slow" });
    } else {
      // It could not even start: whoever waits must not wait for ever.
      logger().error({ err: error }, "the MJML compiler could not be started");
      for (const waiting of this.queue.splice(0)) waiting.reject(overloaded());
    }
    this.next();
  }
}

function overloaded(): DomainError {
  return new DomainError("service_overloaded", "Too many texts are being compiled. Try again shortly.", {
    retryAfter: 2,
  });
}

const key = Symbol.for("tidings.mjml");
// On globalThis because Next loads a module once per bundle, and one thread is enough.
const shared = globalThis as typeof globalThis & { [key]?: Compiler };

/**
 * Compiles MJML in its own thread. Never takes this thread's time; resolves to HTML with what the compiler complains of,
 * or to why there is none. Throws `service_overloaded` when too many wait.
 */
export function runCompiler(source: string, maxCharacters: number): Promise<CompilerOutcome> {
  return (shared[key] ??= new Compiler()).compile(source, maxCharacters);
}
