import { LRUCache } from "lru-cache";
import { setTimeout as setTimeoutAfter } from "node:timers/promises";
import type { Worker } from "node:worker_threads";
import { logger } from "./log.ts";

/** What one job may take; then its thread is ended. */
export interface JobBudget {
  /** Milliseconds of processor time. */
  cpuMs: number;
  /** Milliseconds on the clock, what the job asks its host for not counted: a busy machine takes its time. */
  wallMs: number;
}

/** What a thread is told to do. */
export interface JobMessage {
  id: number;
  job: unknown;
}

/**
 * What a thread says: that it can work, what became of a job, or what it needs to go on with it. `cpuMs` is the processor
 * time that it has used so far.
 */
export type ThreadMessage =
  | { ready: true; cpuMs: number }
  | { id: number; answer: unknown; cpuMs: number }
  | { id: number; ask: unknown };

/** What a thread is told of what it asked for. */
export interface ThreadReply {
  id: number;
  told: unknown;
}

export interface JobThreadOptions {
  /** As log lines name it. */
  name: string;
  /** Starts the thread; it says so when it can work. */
  spawn: () => Worker;
  /** Answers what a job asks for; where it rejects, so does the job. */
  ask?: (tenantId: string, question: unknown) => Promise<unknown>;
  /** Processor time that one tenant may use: milliseconds at once, and each second. */
  allowance: { atOnce: number; perSecond: number };
  /** Jobs that may wait at once, of all tenants and of one. */
  waiting: { all: number; each: number };
  /** Milliseconds that a job may wait for its turn. */
  waitMs: number;
  /** Milliseconds after which a thread that has nothing to do is ended. */
  idleMs: number;
}

/** What a job that was ended costs its tenant beside its own time, ms: the next one waits for a new thread. */
const endedCostMs = 1_000;
/** Loading what a thread works with takes half a second, more on a busy machine. */
const startMs = 30_000;

/** A job that cannot be done now, or for which a busy machine had no time, and when to come back, ms since the epoch. */
export class BusyError extends Error {
  readonly retryAt: number;
  constructor(retryAt: number) {
    super("too many jobs for the thread");
    this.retryAt = retryAt;
  }
}

/** A job that took more than its budget, of time or of memory. */
export class TooSlowError extends Error {}

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
  /** What the thread had used before, ms. */
  cpuBefore: number;
  /** Of the budget, ms. */
  wallLeft: number;
  /** Why its host could not tell it what it asked for. */
  failure?: unknown;
}

interface Account {
  /** Milliseconds left; below zero it waits. */
  left: number;
  at: number;
  /** Where the next one who is sent away is told to stand, ms since the epoch. */
  line: number;
  /** What a job of this tenant takes by and by, ms. */
  usual: number;
}

/**
 * A thread for what must not take the time of a process that answers: one job at a time, tenants in turns, each job within
 * its budget and each tenant within its allowance. A job that needs more is ended with the thread, and the next job starts
 * another one. The thread starts with the first job and ends when there is none for a while; it keeps no process alive.
 */
export class JobThread {
  private readonly options: JobThreadOptions;
  private thread: Worker | undefined;
  private ready = false;
  private current: Running | undefined;
  /** Of each tenant, in the order of their turns. */
  private readonly queues = new Map<string, Waiting[]>();
  private waiting = 0;
  private readonly accounts = new LRUCache<string, Account>({ max: 10_000 });
  private starting: NodeJS.Timeout | undefined;
  private watch: NodeJS.Timeout | undefined;
  private idle: NodeJS.Timeout | undefined;
  private lastId = 0;
  /** What the thread had used when it was last asked, ms. */
  private cpuKnown = 0;

  constructor(options: JobThreadOptions) {
    this.options = options;
  }

  /** Resolves to what the thread answers. Throws BusyError before, TooSlowError during the job. */
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

  /** One after the other, as far apart as the allowance lets through: many who come back at once would be sent away again. */
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

  /** An idle thread does not keep a process from ending, nor its memory for ever. */
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
    // Out of memory, or a fault of what runs in it.
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
    // What it made of an answer that there was not is not its own.
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

  /** Looks after `ms` what the job has used by then. */
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
    // Asked while it works: it answers between two of its steps.
    const known = await usedBy(thread, current.wallLeft);
    if (this.current?.id !== id || this.thread !== thread) return;
    current.wallLeft -= performance.now() - since;
    if (known === null) {
      // It may have had no processor at all: that is no more the job's doing than below.
      this.lost(undefined, true);
      return;
    }
    const used = known - current.cpuBefore;
    if (used < current.budget.cpuMs && current.wallLeft > 0) {
      this.watchOver(id, Math.max(5, Math.min(current.budget.cpuMs - used, current.wallLeft)));
      return;
    }
    // What has had no processor for so long says more of the machine than of the job: it may be tried again.
    this.lost(undefined, used < current.budget.cpuMs);
  }

  private drop(): void {
    for (const timer of [this.starting, this.watch, this.idle]) clearTimeout(timer);
    const { thread } = this;
    this.thread = undefined;
    this.ready = false;
    void thread?.terminate();
  }

  /** The thread is gone or must go; its job was too much for it. */
  private lost(error: Error | undefined, starved = false): void {
    const { current } = this;
    const { name } = this.options;
    this.drop();
    this.current = undefined;
    if (current) {
      logger().warn({ err: error, tenantId: current.tenantId }, `a job was too much for the ${name} thread`);
      this.charge(current.tenantId, current.budget.cpuMs + endedCostMs);
      current.reject(starved ? new BusyError(Date.now() + 1_000) : new TooSlowError());
    } else {
      // It could not even start: whoever waits must not wait for ever.
      logger().error({ err: error }, `the ${name} thread could not be started`);
      const retryAt = Date.now() + 2_000;
      for (const waiting of [...this.queues.values()].flat()) waiting.reject(new BusyError(retryAt));
      this.queues.clear();
      this.waiting = 0;
    }
    this.next();
  }
}

/** Processor time of a thread so far, ms: all that there is when it has ended; null when it does not say so in time. */
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
