/** The sessions of one kind that a connection keeps: opened, counted, and opened again after they ended. */
import type { OutboundClient } from "../../kernel/outbound-http.ts";
import type { BindRole } from "./schemas.ts";
import { Bind, BindError } from "./smpp-bind.ts";
import type { BindEvents, SmppConnection } from "./smpp-bind.ts";
import type { BindProblem } from "./smpp-status.ts";

const firstBackoffMs = 500;
const longestBackoffMs = 60_000;
/** A session that ends sooner counts as a failure to open one: the pause before the next grows. */
const settledMs = 10_000;

export interface SessionsOptions {
  connection: SmppConnection;
  http: OutboundClient;
  as: BindRole;
  events: Pick<BindEvents, "onDelivery" | "onRoom"> & {
    onBound: () => void;
    onLost: (reason: string) => void;
    /** No session can be had until the next try. */
    onNone: (problem: BindProblem) => void;
  };
  /** Whether sessions that ended are opened again although nobody asks for one. */
  kept: () => boolean;
}

export class SmppSessions {
  readonly binds = new Set<Bind>();
  private readonly options: SessionsOptions;
  private readonly ending = new AbortController();
  private opening = 0;
  private failures = 0;
  private retryTimer: NodeJS.Timeout | undefined;
  /** Why the newest attempt at a session failed; empty while sessions can be had. */
  problem: BindProblem | undefined;

  constructor(options: SessionsOptions) {
    this.options = options;
  }

  /** There is none, and none is being opened. */
  get none(): boolean {
    return this.binds.size === 0 && this.opening === 0;
  }

  roomiest(): Bind | undefined {
    let best: Bind | undefined;
    for (const bind of this.binds) if (bind.room > (best?.room ?? 0)) best = bind;
    return best;
  }

  /** Opens the sessions that are missing, unless a pause after a failure is on. */
  maintain(): void {
    const wanted = this.options.connection.settings.binds;
    while (
      !this.ending.signal.aborted &&
      this.retryTimer === undefined &&
      this.binds.size + this.opening < wanted
    ) {
      this.opening++;
      void this.open();
    }
  }

  /** Opens none any more. */
  stop(): void {
    this.ending.abort();
    clearTimeout(this.retryTimer);
  }

  async close(): Promise<void> {
    this.stop();
    await Promise.all([...this.binds].map((bind) => bind.close()));
  }

  private async open(): Promise<void> {
    const { connection, http, as, events } = this.options;
    const { signal } = this.ending;
    const openedAt = performance.now();
    let ended: string | undefined;
    let bind: Bind | undefined;
    const forget = (reason: string): void => {
      ended = reason;
      if (bind && this.binds.delete(bind)) this.lost(bind, reason, performance.now() - openedAt);
    };
    const { onDelivery, onRoom } = events;
    try {
      bind = await Bind.open(connection, http, { onDelivery, onRoom, onEnd: forget }, { as, signal });
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
    if (signal.aborted) return bind.close();
    this.problem = undefined;
    events.onBound();
  }

  private lost(bind: Bind, reason: string, livedMs: number): void {
    if (this.ending.signal.aborted) return;
    this.options.events.onLost(reason);
    if (livedMs > settledMs) this.failures = 0;
    this.failed(withCause({ detail: reason, outcome: { ...noSession.outcome, detail: reason } }, bind.name));
  }

  private failed(problem: BindProblem): void {
    if (this.ending.signal.aborted) return;
    this.problem = problem;
    if (this.none) this.options.events.onNone(problem);
    if (this.retryTimer !== undefined) return;
    const backoff = Math.min(longestBackoffMs, firstBackoffMs * 2 ** Math.min(this.failures, 16));
    this.failures++;
    this.retryTimer = setTimeout(
      () => {
        this.retryTimer = undefined;
        if (this.options.kept()) this.maintain();
      },
      // Half of it by chance: not all processes come back at the same moment.
      backoff * (0.5 + 0.5 * Math.random()),
    );
    this.retryTimer.unref();
  }
}

let failedBinds = 0;

function withCause(problem: BindProblem, cause: string): BindProblem {
  return { ...problem, outcome: { ...problem.outcome, cause } };
}

export function unavailable(detail: string): BindProblem {
  return { detail, outcome: { kind: "not_sent", retry: "later", code: "provider_unavailable", detail } };
}

export const noSession = unavailable("There is no session with the message centre at the moment");
