/** One session with a message centre: dialled, bound, kept alive, unbound. The pool decides what is sent over it. */
import { isIP } from "node:net";
import type { Socket } from "node:net";
import { connect as connectTls } from "node:tls";
import { gauge } from "../../kernel/metrics.ts";
import { OutboundError } from "../../kernel/outbound-http.ts";
import type { OutboundClient } from "../../kernel/outbound-http.ts";
import type { Connection } from "../adapter.ts";
import { transportOutcome } from "../transport-outcome.ts";
import type { BindRole, SmppCredentials, SmppSettings } from "./schemas.ts";
import { command, encodePdu, firstString, PduReader, responseBit } from "./smpp-pdu.ts";
import type { IncomingPdu } from "./smpp-pdu.ts";
import { bindRefusal } from "./smpp-status.ts";
import type { BindProblem } from "./smpp-status.ts";

export type SmppConnection = Connection<SmppCredentials, SmppSettings>;

const connectTimeoutMs = 10_000;
const longestLinkTimeoutMs = 10_000;
const unbindTimeoutMs = 3_000;
/** How long what was written last may take to go out when a session ends, ms. */
const lastWordsMs = 3_000;
/** How long an answer that is late is still read, ms. */
const lateMs = 300_000;
const maxSequence = 0x7fff_ffff;

/** The outcome of a request that was written: its answer, none in time, or none because the session ended. */
export type Answer =
  | { kind: "answer"; status: number; body: Buffer }
  | { kind: "timeout" }
  /** `session`: the same for all that ended with it. */
  | { kind: "lost"; session: string };

type Pending = {
  settle: (answer: Answer) => void;
  timer: NodeJS.Timeout;
  /** For an answer after its time. */
  onLate?: (answer: Extract<Answer, { kind: "answer" }>) => void;
};

export type BindEvents = {
  /** A deliver_sm; `answer` with its command_status. False when the session has ended meanwhile. */
  onDelivery: (body: Buffer, answer: (status: number) => boolean) => void;
  /** Something can be written again. */
  onRoom: () => void;
  /** The session is over, once. */
  onEnd: (reason: string) => void;
};

/** There is no session. */
export class BindError extends Error {
  readonly problem: BindProblem;

  constructor(problem: BindProblem) {
    super(problem.detail);
    this.name = "BindError";
    this.problem = problem;
  }
}

const bound = gauge("tidings_smpp_sessions_bound", "SMPP sessions that are bound");
const inFlight = gauge(
  "tidings_smpp_pdus_in_flight",
  "SMPP messages that wait for the message centre's answer",
);

let sessions = 0;

export class Bind {
  /** Unique within this process. */
  readonly name = `session ${String(++sessions)}`;
  /** Messages that wait for an answer. */
  messages = 0;
  /** What the message centre calls itself. */
  peer = "";
  private readonly socket: Socket;
  private readonly settings: SmppSettings;
  private readonly events: BindEvents;
  private readonly reader = new PduReader();
  private readonly pending = new Map<number, Pending>();
  private sequence = 0;
  private state: "opening" | "bound" | "unbinding" | "ended" = "opening";
  private linkTimer: NodeJS.Timeout | undefined;
  private checking = false;

  private constructor(socket: Socket, settings: SmppSettings, events: BindEvents) {
    this.socket = socket;
    this.settings = settings;
    this.events = events;
    socket.on("data", (chunk: Buffer) => this.read(chunk));
    socket.on("drain", () => {
      socket.resume();
      events.onRoom();
    });
    socket.on("error", () => this.end("The connection broke"));
    socket.on("close", () => this.end("The message centre closed the connection"));
  }

  /** Dials and binds. Throws BindError. */
  static async open(
    { credentials, settings }: SmppConnection,
    http: OutboundClient,
    events: BindEvents,
    { as, signal }: { as: BindRole; signal?: AbortSignal | undefined },
  ): Promise<Bind> {
    const bind = new Bind(await dial(settings, http, signal), settings, events);
    const giveUp = (): void => bind.end("The session is not wanted any more");
    if (signal?.aborted) giveUp();
    signal?.addEventListener("abort", giveUp, { once: true });
    const answer = await bind.request(
      `bind_${as}`,
      {
        system_id: credentials.systemId,
        password: credentials.password,
        system_type: settings.systemType ?? "",
        interface_version: 0x34,
      },
      connectTimeoutMs,
    );
    signal?.removeEventListener("abort", giveUp);
    if (answer.kind === "answer" && answer.status === 0) {
      bind.peer = firstString(answer.body);
      bind.state = "bound";
      bound.inc();
      bind.awaitTraffic();
      return bind;
    }
    bind.end("The session was not bound");
    throw new BindError(
      answer.kind === "answer"
        ? bindRefusal(answer.status, as)
        : unavailable(
            answer.kind === "timeout"
              ? `${settings.host} takes the connection, but does not answer the request for a session`
              : `${settings.host} takes the connection, but ends it when asked for a session`,
          ),
    );
  }

  get usable(): boolean {
    return this.state === "bound";
  }

  /** Messages that may be written now. */
  get room(): number {
    return this.usable && !this.socket.writableNeedDrain ? this.settings.window - this.messages : 0;
  }

  /** Writes a message; only when there is room. Never rejects. */
  async submit(
    fields: Record<string, unknown>,
    timeoutMs: number,
    onLate: Pending["onLate"],
  ): Promise<Answer> {
    this.messages++;
    inFlight.inc();
    const answer = await this.request("submit_sm", fields, timeoutMs, onLate);
    this.messages--;
    inFlight.dec();
    if (answer.kind === "timeout") void this.checkLink();
    return answer;
  }

  /** Ends the session as the protocol wants it; without an answer, all the same. */
  async close(): Promise<void> {
    if (this.state === "bound") {
      this.leaveBound("unbinding");
      await this.request("unbind", {}, unbindTimeoutMs);
    }
    this.end("The session was closed");
  }

  private request(
    name: string,
    fields: Record<string, unknown>,
    timeoutMs: number,
    onLate?: Pending["onLate"],
  ): Promise<Answer> {
    if (this.state === "ended") return Promise.resolve({ kind: "lost", session: this.name });
    this.sequence = this.sequence === maxSequence ? 1 : this.sequence + 1;
    const sequence = this.sequence;
    return new Promise((resolve) => {
      let settled = false;
      const settle = (answer: Answer): void => {
        if (settled) return;
        settled = true;
        clearTimeout(timer);
        resolve(answer);
      };
      const timer = setTimeout(() => {
        const forget = (): boolean => this.pending.delete(sequence);
        if (onLate) setTimeout(forget, lateMs).unref();
        else forget();
        settle({ kind: "timeout" });
      }, timeoutMs);
      this.pending.set(sequence, { settle, timer, ...(onLate ? { onLate } : {}) });
      this.socket.write(encodePdu(name, { ...fields, sequence_number: sequence }));
    });
  }

  private read(chunk: Buffer): void {
    if (this.state === "ended") return;
    this.linkTimer?.refresh();
    try {
      for (const pdu of this.reader.push(chunk)) this.take(pdu);
    } catch (error) {
      this.end(error instanceof Error ? error.message : "The peer does not speak SMPP");
    }
  }

  private take(pdu: IncomingPdu): void {
    if (pdu.id >= responseBit) {
      const pending = this.pending.get(pdu.sequence);
      if (!pending) return;
      this.pending.delete(pdu.sequence);
      const answer = { kind: "answer" as const, status: answerStatus(pdu), body: pdu.body };
      pending.onLate?.(answer);
      pending.settle(answer);
      return;
    }
    switch (pdu.id) {
      case command.deliverSm:
        this.events.onDelivery(pdu.body, (status) => this.answer("deliver_sm_resp", pdu, status));
        return;
      case command.enquireLink:
        this.answer("enquire_link_resp", pdu, 0);
        return;
      case command.unbind:
        this.answer("unbind_resp", pdu, 0);
        this.end("The message centre ended the session");
        return;
      case command.alertNotification:
      case command.outbind:
        return;
      default:
        this.answer("generic_nack", pdu, 0x03);
    }
  }

  private answer(name: string, pdu: IncomingPdu, status: number): boolean {
    if (this.state === "ended" || !this.socket.writable) return false;
    const answer = encodePdu(name, { command_status: status, sequence_number: pdu.sequence });
    // Who does not read the answers is asked for no more: they would pile up here.
    if (!this.socket.write(answer)) this.socket.pause();
    return true;
  }

  /** Asks whether the peer is still there when nothing has come from it for a while. */
  private awaitTraffic(): void {
    this.linkTimer = setTimeout(() => void this.checkLink(), this.settings.enquireLinkSeconds * 1_000);
    this.linkTimer.unref();
  }

  private async checkLink(): Promise<void> {
    if (this.checking || this.state !== "bound") return;
    this.checking = true;
    const patience = Math.min(longestLinkTimeoutMs, this.settings.enquireLinkSeconds * 1_000);
    const answer = await this.request("enquire_link", {}, patience);
    this.checking = false;
    if (answer.kind === "timeout") this.end("The message centre does not answer any more");
    else this.linkTimer?.refresh();
  }

  private leaveBound(state: "unbinding" | "ended"): void {
    if (this.state === "bound") bound.dec();
    this.state = state;
    clearTimeout(this.linkTimer);
  }

  private end(reason: string): void {
    if (this.state === "ended") return;
    this.leaveBound("ended");
    // What was written last, such as the answer to an unbind, still goes out, if the peer reads.
    this.socket.end();
    this.socket.destroySoon();
    setTimeout(() => this.socket.destroy(), lastWordsMs).unref();
    const open = [...this.pending.values()];
    this.pending.clear();
    for (const pending of open) pending.settle({ kind: "lost", session: this.name });
    this.events.onEnd(reason);
  }
}

/** A generic_nack without a status is a refusal all the same: ESME_RUNKNOWNERR. */
function answerStatus(pdu: IncomingPdu): number {
  return pdu.id === command.genericNack && pdu.status === 0 ? 0xff : pdu.status;
}

function unavailable(detail: string): BindProblem {
  return { detail, outcome: { kind: "not_sent", retry: "later", code: "provider_unavailable", detail } };
}

async function dial(settings: SmppSettings, http: OutboundClient, signal?: AbortSignal): Promise<Socket> {
  const { host, port, security } = settings;
  const target = { host, port, timeoutMs: connectTimeoutMs, requireAllowed: security === "none" };
  try {
    const socket = await http.dial({ ...target, ...(signal ? { signal } : {}) });
    return security === "none" ? socket : await secure(socket, settings, http);
  } catch (error) {
    const outcome = transportOutcome(error);
    if (outcome.kind !== "not_sent") throw error;
    throw new BindError({ detail: outcome.detail, outcome });
  }
}

function secure(socket: Socket, { host }: SmppSettings, http: OutboundClient): Promise<Socket> {
  const servername = host.replace(/\.$/, "");
  return new Promise((resolve, reject) => {
    const fail = (code: string, message: string, cause?: unknown): void => {
      clearTimeout(timer);
      tls.destroy();
      reject(new OutboundError("tls", code, message, false, cause));
    };
    const tls = connectTls({
      socket,
      minVersion: "TLSv1.2",
      ...(isIP(servername) === 0 ? { servername } : {}),
      ...(http.authorities ? { ca: http.authorities } : {}),
    });
    const timer = setTimeout(() => fail("timeout", "The TLS handshake took too long"), connectTimeoutMs);
    tls.once("error", (error: Error) =>
      fail("tls_failed", `TLS with ${host} failed: ${error.message}`, error),
    );
    tls.once("close", () => fail("tls_failed", `${host} closed the connection during the TLS handshake`));
    tls.once("secureConnect", () => {
      clearTimeout(timer);
      tls.removeAllListeners("error").removeAllListeners("close");
      resolve(tls);
    });
  });
}
