import { LRUCache } from "lru-cache";
import { setTimeout as setTimeoutAfter } from "node:timers/promises";
import type { Worker } from "node:worker_threads";
import { logger } from "./log.ts";
import { SharedError } from "./shared-error.ts";

/** What one job may use; beyond that its thread is terminated. */
export interface JobBudget {
  /** Milliseconds of processor time. */
  cpuMs: number;
  /** Milliseconds on the clock, without the host's answers: a busy machine takes its time. */
  wallMs: number;
}

/** A job as sent to a thread. */
export interface JobMessage {
  id: number;
  job: unknown;
}

/**
 * Messages of a thread: it is ready, it answers a job, or it asks its host for something. `cpuMs` is the processor time
 * that it has used so far.
 */
export type ThreadMessage =
  | { ready: true; cpuMs: number }
  | { id: number; answer: unknown; cpuMs: number }
  | { id: number; ask: unknown };

/** The host's reply to a thread's question. */
export interface ThreadReply {
  id: number;
  told: unknown;
}

export interface JobThreadOptions {
  /** Name in log lines. */
  name: string;
  /** Starts the thread, which reports when it is ready. */
  spawn: () => Worker;
  /** Answers a job's questions; when it rejects, so does the job. */
  ask?: (tenantId: string, question: unknown) => Promise<unknown>;
  /** Processor time that one tenant may use: milliseconds at once, and each second. */
  allowance: { atOnce: number; perSecond: number };
  /** Jobs that may wait at once, of all tenants and of one. */
  waiting: { all: number; each: number };
  /** Milliseconds that a job may wait for its turn. */
  waitMs: number;
  /** Milliseconds after which an idle thread is ended. */
  idleMs: number;
}

/** What a terminated job costs its tenant besides its own time, ms: the next one waits for a new thread. */
const endedCostMs = 1_000;
/** Loading the thread's code takes half a second, more on a busy machine. */
const startMs = 30_000;

/** The job cannot be done now, or a busy machine had no time for it; `retryAt` in ms since the epoch. */
export class BusyError extends SharedError {
  static override readonly kind = "busy";
  readonly retryAt: number;
  constructor(retryAt: number) {
    super("too many jobs for the thread");
    this.retryAt = retryAt;
  }
}

/** The job used more than its budget of time or memory. */
export class TooSlowError extends SharedError {
  static override readonly kind = "too_slow";
}

interface Waiting {
  tenantId: string;
  job: unknown;
  budget: JobBudget;
  since: number;
  resolve: (answer: unknown) => void;
  reject: (error: unknown) => void;
}

interface Running extends Waiting {
  id: number;
  /** The thread's processor time before this job, ms. */
  cpuBefore: number;
  /** Of the budget, ms. */
  wallLeft: number;
  /** Why its host could not answer its question. */
  failure?: unknown;
}

interface Account {
  /** Milliseconds left; its jobs wait while it is negative. */
  left: number;
  at: number;
  /** The retry time of the next job that is refused, ms since the epoch. */
  line: number;
  /** The average cost of this tenant's jobs, ms. */
  usual: number;
}

/**
 * A thread for work that must not block a process that answers: one job at a time, tenants in turns, each job within
 * its budget and each tenant within its allowance. A job that exceeds its budget is terminated with the thread, and the
 * next job starts another one. The thread starts with the first job and ends when idle for a while; it keeps no process
 * alive.
 */
export class JobThread {
  private readonly options: JobThreadOptions;
  private thread: Worker | undefined;
  private ready = false;
  private current: Running | undefined;
  /** By tenant, in the order of their turns. */
  private readonly queues = new Map<string, Waiting[]>();
  private waiting = 0;
  private readonly accounts = new LRUCache<string, Account>({ max: 10_000 });
  private starting: NodeJS.Timeout | undefined;
  private watch: NodeJS.Timeout | undefined;
  private idle: NodeJS.Timeout | undefined;
  private lastId = 0;
  /** Processor time of the thread when it was last measured, ms. */
  private cpuKnown = 0;

  constructor(options: JobThreadOptions) {
    this.options = options;
  }

  /** Resolves with the thread's answer. Throws BusyError before the job, TooSlowError during it. */
  run(tenantId: string, job: unknown, budget: JobBudget): Promise<unknown> {
    const account = this.account(tenantId);
    const queue = this.queues.get(tenantId) ?? [];
    if (account.left < 0) return Promise.reject(this.sendAway(account));
    if (this.waiting >= this.options.waiting.all || queue.length >= this.options.waiting.each) {
      return Promise.reject(new BusyError(Date.now() + 1_000));
    }
    return new Promise((resolve, reject) => {
      queue.push({ tenantId, job, budget, since: performance.now(), resolve, reject });
      this.queues.set(tenantId, queue);
      this.waiting++;
      this.next();
    });
  }

  private account(tenantId: string): Account {
    const now = performance.now();
    let account = this.accounts.get(tenantId);
    if (!account) {
      account = { left: this.options.allowance.atOnce, at: now, line: 0, usual: 5 };
      this.accounts.set(tenantId, account);
    }
    account.left = Math.min(
      this.options.allowance.atOnce,
      account.left + ((now - account.at) / 1_000) * this.options.allowance.perSecond,
    );
    account.at = now;
    return account;
  }

  private charge(tenantId: string, ms: number): void {
    const account = this.account(tenantId);
    account.left -= ms;
    account.usual += (ms - account.usual) / 8;
  }

  /** Spread out as far as the allowance permits: if all came back at once, most would be refused again. */
  private sendAway(account: Account): BusyError {
    const now = Date.now();
    const perMs = this.options.allowance.perSecond / 1_000;
    account.line = Math.min(
      now + 60_000,
      Math.max(now + 50 - account.left / perMs, account.line + account.usual / perMs),
    );
    return new BusyError(Math.ceil(account.line));
  }

  private take(): Waiting | undefined {
    for (const [tenantId, queue] of this.queues) {
      this.queues.delete(tenantId);
      const first = queue.shift();
      if (queue.length > 0) this.queues.set(tenantId, queue);
      if (!first) continue;
      this.waiting--;
      return first;
    }
    return undefined;
  }

  private next(): void {
    if (this.current) return;
    clearTimeout(this.idle);
    if (this.waiting === 0) {
      this.rest();
      return;
    }
    if (!this.thread) this.start();
    this.thread?.ref();
    if (!this.ready) return;
    const waiting = this.take();
    if (!waiting) return;
    const account = this.account(waiting.tenantId);
    if (account.left < 0 || performance.now() - waiting.since > this.options.waitMs) {
      waiting.reject(account.left < 0 ? this.sendAway(account) : new BusyError(Date.now() + 1_000));
      this.next();
      return;
    }
    const id = ++this.lastId;
    this.current = { ...waiting, id, cpuBefore: this.cpuKnown, wallLeft: waiting.budget.wallMs };
    this.watchOver(id, Math.min(waiting.budget.cpuMs, waiting.budget.wallMs));
    this.thread?.postMessage({ id, job: waiting.job } satisfies JobMessage);
  }

  /** An idle thread must neither keep a process from ending nor hold its memory for ever. */
  private rest(): void {
    this.thread?.unref();
    this.idle = setTimeout(() => {
      this.drop();
    }, this.options.idleMs);
    this.idle.unref();
  }

  private start(): void {
    const thread = this.options.spawn();
    this.thread = thread;
    this.ready = false;
    this.cpuKnown = 0;
    this.starting = setTimeout(() => {
      if (this.thread === thread && !this.ready) this.lost(undefined);
    }, startMs);
    thread.on("message", (message: ThreadMessage) => {
      if (this.thread === thread) this.hear(thread, message);
    });
    // Out of memory, or an error in its code.
    thread.on("error", (error: Error) => {
      if (this.thread === thread) this.lost(error);
    });
    thread.on("exit", () => {
      if (this.thread === thread) this.lost(undefined);
    });
  }

  private hear(thread: Worker, message: ThreadMessage): void {
    if ("ready" in message) {
      clearTimeout(this.starting);
      this.cpuKnown = message.cpuMs;
      this.ready = true;
      this.next();
      return;
    }
    const { current } = this;
    if (current?.id !== message.id) return;
    clearTimeout(this.watch);
    if ("ask" in message) {
      void this.tell(thread, current, message.ask);
      return;
    }
    this.cpuKnown = message.cpuMs;
    this.charge(current.tenantId, Math.max(0, message.cpuMs - current.cpuBefore));
    this.current = undefined;
    // A failure of the host is not the job's own.
    if (current.failure === undefined) current.resolve(message.answer);
    else current.reject(current.failure);
    this.next();
  }

  /** While a job waits for its host it uses none of its time. */
  private async tell(thread: Worker, current: Running, question: unknown): Promise<void> {
    const told = await this.options.ask?.(current.tenantId, question).catch((error: unknown) => {
      current.failure = error ?? new Error("the host of a job failed");
      return null;
    });
    if (this.thread !== thread || this.current !== current) return;
    this.watchOver(current.id, current.budget.cpuMs);
    thread.postMessage({ id: current.id, told: told ?? null } satisfies ThreadReply);
  }

  /** Checks after `ms` how much the job has used. */
  private watchOver(id: number, ms: number): void {
    clearTimeout(this.watch);
    const before = performance.now();
    this.watch = setTimeout(() => {
      void this.look(id, before);
    }, ms);
  }

  private async look(id: number, since: number): Promise<void> {
    const { thread, current } = this;
    if (!thread || current?.id !== id) return;
    // Measured while it works: it answers between two of its steps.
    const known = await usedBy(thread, current.wallLeft);
    if (this.current?.id !== id || this.thread !== thread) return;
    current.wallLeft -= performance.now() - since;
    if (known === null) {
      // It may have had no processor at all, which is not the job's fault.
      this.lost(undefined, true);
      return;
    }
    const used = known - current.cpuBefore;
    if (used < current.budget.cpuMs && current.wallLeft > 0) {
      this.watchOver(id, Math.max(5, Math.min(current.budget.cpuMs - used, current.wallLeft)));
      return;
    }
    // So long without a processor says more about the machine than about the job: it may be tried again.
    this.lost(undefined, used < current.budget.cpuMs);
  }

  private drop(): void {
    for (const timer of [this.starting, this.watch, this.idle]) clearTimeout(timer);
    const { thread } = this;
    this.thread = undefined;
    this.ready = false;
    void thread?.terminate();
  }

  /** The thread is gone or must go; its job used too much. */
  private lost(error: Error | undefined, starved = false): void {
    const { current } = this;
    const { name } = this.options;
    this.drop();
    this.current = undefined;
    if (current) {
      logger().warn({ err: error, tenantId: current.tenantId }, `a job was too much for the ${name} thread`);
      this.charge(current.tenantId, current.budget.cpuMs + endedCostMs);
      current.reject(
        starved ? new BusyError(Date.now() + 1_000) : new TooSlowError("the job used more than its budget"),
      );
    } else {
      // It could not even start: callers must not wait for ever.
      logger().error({ err: error }, `the ${name} thread could not be started`);
      const retryAt = Date.now() + 2_000;
      for (const waiting of [...this.queues.values()].flat()) waiting.reject(new BusyError(retryAt));
      this.queues.clear();
      this.waiting = 0;
    }
    this.next();
  }
}

/** Processor time of a thread so far, ms: its total when it has ended; null when it does not answer in time. */
async function usedBy(thread: Worker, patienceMs: number): Promise<number | null> {
  const silent = new AbortController();
  try {
    return await Promise.race([
      thread.cpuUsage().then(({ user, system }) => (user + system) / 1_000),
      setTimeoutAfter(patienceMs, null, { signal: silent.signal, ref: false }),
    ]);
  } catch {
    return Infinity;
  } finally {
    silent.abort();
  }
}
