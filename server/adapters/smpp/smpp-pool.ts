/** The sessions of one connection, shared by all in the process that send over it. */
import { setTimeout as pause } from "node:timers/promises";
import type { OutboundClient } from "../../kernel/outbound-http.ts";
import type { ListenerDeps } from "../adapter.ts";
import { Bind, BindError } from "./smpp-bind.ts";
import type { Answer, SmppConnection } from "./smpp-bind.ts";
import { SmppIncoming } from "./smpp-incoming.ts";
import type { BindProblem } from "./smpp-status.ts";

/** Without a listener, sessions are kept this long for the next message. */
const idleMs = 60_000;
const firstBackoffMs = 500;
const longestBackoffMs = 60_000;
/** A session that ends sooner counts as a failure to open one: the pause before the next grows. */
const settledMs = 10_000;
/** ESME_RX_T_APPN: what was delivered could not be stored, and is to be repeated. */
const tellAgain = 0x64;

export type Submitted = Answer | { kind: "not_written"; problem: BindProblem };

type Waiting = { start: (bind: Bind) => void; giveUp: (problem: BindProblem) => void };
type OnLate = (answer: Extract<Answer, { kind: "answer" }>) => void;

export class SmppPool {
  /** The 8-bit reference of the next concatenated message. */
  private reference = Math.floor(Math.random() * 256);
  private readonly connection: SmppConnection;
  private readonly http: OutboundClient;
  private readonly onIdle: () => void;
  private readonly binds = new Set<Bind>();
  private readonly waiting: Waiting[] = [];
  private listener: ListenerDeps | undefined;
  readonly incoming: SmppIncoming;
  private opening = 0;
  private failures = 0;
  /** Why the newest attempt at a session failed; empty while sessions can be had. */
  private problem: BindProblem | undefined;
  private retryTimer: NodeJS.Timeout | undefined;
  private idleTimer: NodeJS.Timeout | undefined;
  private readonly ending = new AbortController();
  private busy = 0;

  /** @param onIdle called when the pool has not been used for a while; it should then be closed. */
  constructor(connection: SmppConnection, http: OutboundClient, onIdle: () => void) {
    this.connection = connection;
    this.http = http;
    this.onIdle = onIdle;
    this.incoming = new SmppIncoming(connection.settings);
  }

  nextReference(): number {
    this.reference = (this.reference + 1) % 256;
    return this.reference;
  }

  /** Keeps the sessions open, now and after an outage, and passes on what comes in over them. */
  listen(listener: ListenerDeps): void {
    this.listener = listener;
    this.incoming.listen(listener);
    clearTimeout(this.idleTimer);
    this.maintain();
  }

  /**
   * Sends one message over the session with most room. Waits for a session or for room in a window until `timeoutMs` are
   * over, but not while sessions cannot be had. Never rejects.
   */
  async submit(fields: Record<string, unknown>, timeoutMs: number, onLate: OnLate): Promise<Submitted> {
    const until = performance.now() + timeoutMs;
    const write = (bind: Bind): Promise<Answer> =>
      bind.submit(fields, Math.max(1, until - performance.now()), onLate);
    this.busy++;
    try {
      // First come, first served: who came before still waits.
      const bind = this.waiting.length > 0 ? undefined : this.roomiest();
      return await (bind ? write(bind) : this.awaitRoom(write, timeoutMs));
    } finally {
      this.busy--;
      if (!this.listener && this.busy === 0) this.awaitIdleness();
      this.serve();
    }
  }

  /** Finishes what is under way, then unbinds. */
  async close(): Promise<void> {
    this.ending.abort();
    clearTimeout(this.retryTimer);
    clearTimeout(this.idleTimer);
    while (this.busy > 0 && this.binds.size > 0) await pause(20);
    for (const waiting of [...this.waiting]) waiting.giveUp(closed);
    await this.incoming.close();
    await Promise.all([...this.binds].map((bind) => bind.close()));
  }

  private roomiest(): Bind | undefined {
    let best: Bind | undefined;
    for (const bind of this.binds) if (bind.room > (best?.room ?? 0)) best = bind;
    return best;
  }

  private awaitRoom(write: (bind: Bind) => Promise<Answer>, timeoutMs: number): Promise<Submitted> {
    const without = (problem: BindProblem): Submitted => ({ kind: "not_written", problem });
    if (this.ending.signal.aborted) return Promise.resolve(without(closed));
    this.maintain();
    if (this.binds.size === 0 && this.opening === 0) {
      return Promise.resolve(without(this.problem ?? noSession));
    }
    return new Promise((resolve) => {
      const leave = (): void => {
        clearTimeout(timer);
        const at = this.waiting.indexOf(waiting);
        if (at >= 0) this.waiting.splice(at, 1);
      };
      const waiting: Waiting = {
        start: (bind) => {
          leave();
          resolve(write(bind));
        },
        giveUp: (problem) => {
          leave();
          resolve(without(problem));
        },
      };
      const timer = setTimeout(() => waiting.giveUp(this.binds.size > 0 ? noRoom : noSession), timeoutMs);
      this.waiting.push(waiting);
    });
  }

  /** Gives room to who waits; a message takes its place the moment it starts. */
  private serve(): void {
    for (let bind = this.roomiest(); bind && this.waiting.length > 0; bind = this.roomiest()) {
      this.waiting[0]?.start(bind);
    }
  }

  /** Opens the sessions that are missing, unless a pause after a failure is on. */
  private maintain(): void {
    const wanted = this.connection.settings.binds;
    while (
      !this.ending.signal.aborted &&
      this.retryTimer === undefined &&
      this.binds.size + this.opening < wanted
    ) {
      this.opening++;
      void this.open();
    }
  }

  private async open(): Promise<void> {
    const openedAt = performance.now();
    let ended: string | undefined;
    let bind: Bind | undefined;
    const forget = (reason: string): void => {
      ended = reason;
      if (bind && this.binds.delete(bind)) this.lost(bind, reason, performance.now() - openedAt);
    };
    const events = {
      onDelivery: (body: Buffer, answer: (status: number) => boolean) => this.deliver(body, answer),
      onRoom: () => this.serve(),
      onEnd: forget,
    };
    try {
      bind = await Bind.open(this.connection, this.http, events, this.ending.signal);
    } catch (error) {
      this.opening--;
      if (!(error instanceof BindError)) throw error;
      // All that wait for a session, until the next try at one, fail because of this one.
      this.failed(withCause(error.problem, `bind ${String(++failedBinds)}`));
      return;
    }
    this.opening--;
    this.binds.add(bind);
    if (ended !== undefined) {
      forget(ended);
      return;
    }
    if (this.ending.signal.aborted) return bind.close();
    this.problem = undefined;
    this.listener?.log.info({ connectionId: this.connection.id }, "an SMPP session is bound");
    this.serve();
  }

  private deliver(body: Buffer, answer: (status: number) => boolean): void {
    if (!this.listener) {
      answer(tellAgain);
      return;
    }
    this.incoming.take(body, answer).catch((error: unknown) => {
      this.listener?.log.error(
        { err: error, connectionId: this.connection.id },
        "a deliver_sm was not stored",
      );
      answer(tellAgain);
    });
  }

  private lost(bind: Bind, reason: string, livedMs: number): void {
    if (this.ending.signal.aborted) return;
    this.listener?.log.warn({ connectionId: this.connection.id, reason }, "an SMPP session ended");
    if (livedMs > settledMs) this.failures = 0;
    this.failed(withCause({ detail: reason, outcome: { ...noSession.outcome, detail: reason } }, bind.name));
  }

  private failed(problem: BindProblem): void {
    if (this.ending.signal.aborted) return;
    this.problem = problem;
    if (this.binds.size === 0 && this.opening === 0) {
      for (const waiting of [...this.waiting]) waiting.giveUp(problem);
    }
    if (this.retryTimer !== undefined) return;
    const backoff = Math.min(longestBackoffMs, firstBackoffMs * 2 ** Math.min(this.failures, 16));
    this.failures++;
    this.retryTimer = setTimeout(
      () => {
        this.retryTimer = undefined;
        if (this.listener) this.maintain();
      },
      // Half of it by chance: not all processes come back at the same moment.
      backoff * (0.5 + 0.5 * Math.random()),
    );
    this.retryTimer.unref();
  }

  private awaitIdleness(): void {
    clearTimeout(this.idleTimer);
    this.idleTimer = setTimeout(() => this.onIdle(), idleMs);
    this.idleTimer.unref();
  }
}

let failedBinds = 0;

function withCause(problem: BindProblem, cause: string): BindProblem {
  return { ...problem, outcome: { ...problem.outcome, cause } };
}

function unavailable(detail: string): BindProblem {
  return { detail, outcome: { kind: "not_sent", retry: "later", code: "provider_unavailable", detail } };
}

const noSession = unavailable("There is no session with the message centre at the moment");
const closed = unavailable("The connection is being closed");
const noRoom = unavailable("The message centre has not answered earlier messages; its window is full");
