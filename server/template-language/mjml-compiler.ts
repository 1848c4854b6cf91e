import { Worker } from "node:worker_threads";
import { DomainError } from "../kernel/errors.ts";
import { BusyError, JobThread, TooSlowError } from "../kernel/job-thread.ts";
import type { MjmlAnswer, MjmlJob } from "./mjml-worker.ts";

/** Limits of the compiling thread. A mail of a usual size takes it 2 to 10 ms, the largest useful one 100. */
export const compilerLimits = {
  /** Milliseconds of processor time, and on the clock, of one compilation; then the thread is terminated. */
  compileMs: 1_000,
  clockMs: 6_000,
  /** Milliseconds that a text may wait for its turn. */
  waitMs: 20_000,
  /** Texts that may wait at once. */
  waiting: 32,
  /** MiB of the thread's heap. */
  heapMb: 256,
} as const;

export type CompilerOutcome = MjmlAnswer | { failed: "too_slow" };

function startCompiler(): JobThread {
  return new JobThread({
    name: "MJML",
    spawn: () =>
      // In this form the bundler of the web process finds the file, too.
      new Worker(new URL("./mjml-worker.ts", import.meta.url), {
        // The thread gets none of the process's secrets.
        env: {},
        execArgv: [],
        resourceLimits: { maxOldGenerationSizeMb: compilerLimits.heapMb },
      }),
    allowance: { atOnce: 8 * compilerLimits.compileMs, perSecond: 600 },
    waiting: { all: compilerLimits.waiting, each: compilerLimits.waiting / 2 },
    waitMs: compilerLimits.waitMs,
    idleMs: 60_000,
  });
}

const key = Symbol.for("tidings.mjml");
// On globalThis because Next loads a module once per bundle, and one thread is enough.
const shared = globalThis as typeof globalThis & { [key]?: JobThread };

/**
 * Compiles a tenant's MJML in its own thread. Never blocks this thread; resolves with HTML and the compiler's warnings,
 * or with why there is none. Throws `service_overloaded` when too many wait.
 */
export async function runCompiler(
  tenantId: string,
  source: string,
  maxCharacters: number,
): Promise<CompilerOutcome> {
  const job: MjmlJob = { source, maxCharacters };
  try {
    const answer = await (shared[key] ??= startCompiler()).run(tenantId, job, {
      cpuMs: compilerLimits.compileMs,
      wallMs: compilerLimits.clockMs,
    });
    return answer as MjmlAnswer;
  } catch (error) {
    if (error instanceof TooSlowError) return { failed: "too_slow" };
    if (!(error instanceof BusyError)) throw error;
    throw new DomainError("service_overloaded", "Too many texts are being compiled. Try again shortly.", {
      retryAfter: Math.max(1, Math.ceil((error.retryAt - Date.now()) / 1_000)),
    });
  }
}
