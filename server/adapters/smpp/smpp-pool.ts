/** The sessions of one connection, shared by all in the process that send over it. */
import { setTimeout as pause } from "node:timers/promises";
import type { OutboundClient } from "../../kernel/outbound-http.ts";
import type { ListenerDeps } from "../adapter.ts";
import { bindRoles } from "./schemas.ts";
import type { Answer, Bind, SmppConnection } from "./smpp-bind.ts";
import { SmppIncoming } from "./smpp-incoming.ts";
import { noSession, SmppSessions, unavailable } from "./smpp-sessions.ts";
import type { BindProblem } from "./smpp-status.ts";

/** Without a listener, sessions are kept this long for the next message. */
const idleMs = 60_000;
/** ESME_RX_T_APPN: what was delivered could not be stored, and is to be repeated. */
const tellAgain = 0x64;

export type Submitted = Answer | { kind: "not_written"; problem: BindProblem };

type Waiting = { start: (bind: Bind) => void; giveUp: (problem: BindProblem) => void };
type OnLate = (answer: Extract<Answer, { kind: "answer" }>) => void;

export class SmppPool {
  /** The 8-bit reference of the next concatenated message. */
  private reference = Math.floor(Math.random() * 256);
  private readonly connection: SmppConnection;
  private readonly onIdle: () => void;
  /** Transmitters or transceivers; empty for a connection that only receives. */
  private readonly senders: SmppSessions | undefined;
  /** Receivers, where those are apart. */
  private readonly receivers: SmppSessions | undefined;
  private readonly waiting: Waiting[] = [];
  private listener: ListenerDeps | undefined;
  readonly incoming: SmppIncoming;
  private idleTimer: NodeJS.Timeout | undefined;
  private ending = false;
  private busy = 0;

  /** @param onIdle called when the pool has not been used for a while; it should then be closed. */
  constructor(connection: SmppConnection, http: OutboundClient, onIdle: () => void) {
    this.connection = connection;
    this.onIdle = onIdle;
    this.incoming = new SmppIncoming(connection.settings);
    const log = (level: "info" | "warn", fields: Record<string, unknown>, message: string): void =>
      this.listener?.log[level]({ connectionId: connection.id, ...fields }, message);
    for (const as of bindRoles(connection.settings)) {
      const sessions = new SmppSessions({
        connection,
        http,
        as,
        events: {
          onDelivery: (body, answer) => this.deliver(body, answer),
          onRoom: () => this.serve(),
          onBound: () => {
            log("info", { as }, "an SMPP session is bound");
            this.serve();
          },
          onLost: (reason) => log("warn", { as, reason }, "an SMPP session ended"),
          onNone: (problem) => {
            if (as === "receiver") return;
            for (const waiting of [...this.waiting]) waiting.giveUp(problem);
          },
        },
        kept: () => this.listener !== undefined,
      });
      if (as === "receiver") this.receivers = sessions;
      else this.senders = sessions;
    }
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
    for (const sessions of this.all) sessions.maintain();
  }

  private get all(): SmppSessions[] {
    return [this.senders, this.receivers].filter((sessions) => sessions !== undefined);
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
      const bind = this.waiting.length > 0 ? undefined : this.senders?.roomiest();
      return await (bind ? write(bind) : this.awaitRoom(write, timeoutMs));
    } finally {
      this.busy--;
      if (!this.listener && this.busy === 0) this.awaitIdleness();
      this.serve();
    }
  }

  /** Finishes what is under way, then unbinds. */
  async close(): Promise<void> {
    this.ending = true;
    for (const sessions of this.all) sessions.stop();
    clearTimeout(this.idleTimer);
    while (this.busy > 0 && this.senders && this.senders.binds.size > 0) await pause(20);
    for (const waiting of [...this.waiting]) waiting.giveUp(closed);
    await this.incoming.close();
    await Promise.all(this.all.map((sessions) => sessions.close()));
  }

  private awaitRoom(write: (bind: Bind) => Promise<Answer>, timeoutMs: number): Promise<Submitted> {
    const without = (problem: BindProblem): Submitted => ({ kind: "not_written", problem });
    const { senders } = this;
    if (this.ending) return Promise.resolve(without(closed));
    senders?.maintain();
    if (!senders || senders.none) return Promise.resolve(without(senders?.problem ?? noSession));
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
      const timer = setTimeout(() => waiting.giveUp(senders.binds.size > 0 ? noRoom : noSession), timeoutMs);
      this.waiting.push(waiting);
    });
  }

  /** Gives room to who waits; a message takes its place the moment it starts. */
  private serve(): void {
    const next = (): Bind | undefined => this.senders?.roomiest();
    for (let bind = next(); bind && this.waiting.length > 0; bind = next()) this.waiting[0]?.start(bind);
  }

  private deliver(body: Buffer, answer: (status: number) => boolean): void {
    if (!this.listener || this.incoming.full) {
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

  private awaitIdleness(): void {
    clearTimeout(this.idleTimer);
    this.idleTimer = setTimeout(() => this.onIdle(), idleMs);
    this.idleTimer.unref();
  }
}

const closed = unavailable("The connection is being closed");
const full = unavailable("The message centre has not answered earlier messages; its window is full");
/** Nothing was asked for this message: those before it say how the message centre is. */
const noRoom: BindProblem = { ...full, outcome: { ...full.outcome, unasked: true } };
