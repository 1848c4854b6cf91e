/**
 * A message centre on loopback, made of the `smpp` package's own server: for tests, and (bench/emulators/smsc.ts) for
 * load tests. It can be slow, full and rude.
 */
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import smpp from "smpp";
import type { Pdu, Session } from "smpp";

/** A received submit_sm. */
export type SmscMessage = {
  id: string;
  source: string;
  sourceTon: number;
  sourceNpi: number;
  destination: string;
  destinationTon: number;
  dataCoding: number;
  esmClass: number;
  /** The elements of its user data header. */
  udh: Buffer[];
  text: string;
  registeredDelivery: number;
  at: number;
};

/** What happens to a submit_sm. `status`: refused; `hang`: no answer; `reset`: the connection breaks without an answer. */
export type SmscMode =
  | { kind: "ok"; id?: string }
  | { kind: "status"; status: number }
  | { kind: "hang" }
  | { kind: "reset" }
  | { kind: "garbage" };

const bindKinds = ["transceiver", "transmitter", "receiver"] as const;
type BindKind = (typeof bindKinds)[number];

export type FakeSmsc = Awaited<ReturnType<typeof startFakeSmsc>>;

export async function startFakeSmsc(
  options: {
    port?: number;
    tls?: { key: string; cert: string };
    account?: { systemId: string; password: string };
    latencyMs?: number;
    /** Sends a receipt of this state for each message, right after the answer. */
    receipts?: string;
    /** Instead of storing them. */
    onMessage?: (message: SmscMessage) => void;
  } = {},
) {
  const account = options.account ?? { systemId: "tidings", password: "secret" };
  const bound = new Map<Session, BindKind>();
  const open = new Set<Session>();
  const messages: SmscMessage[] = [];
  const links = {
    bindStatus: 0,
    /** The kinds of sessions that it takes; others are answered with ESME_RINVCMDID. */
    takes: ["transceiver", "transmitter", "receiver"],
    /** The most sessions of an account at once. */
    mostSessions: Infinity,
    answersLinks: true,
    binds: 0,
    unbinds: 0,
    /** enquire_link by the kind of the session. */
    checks: { transceiver: 0, transmitter: 0, receiver: 0 },
  };
  let mode: SmscMode | ((message: SmscMessage) => SmscMode) = { kind: "ok" };
  let counter = 0;

  const answerSubmit = (session: Session, pdu: Pdu, message: SmscMessage, what: SmscMode): void => {
    switch (what.kind) {
      case "hang":
        return;
      case "reset":
        session.socket.resetAndDestroy();
        return;
      case "garbage":
        session.socket.write("HTTP/1.1 400 Bad Request\r\n\r\n");
        return;
      case "status":
        session.send(pdu.response({ command_status: what.status }));
        return;
      case "ok":
        session.send(pdu.response({ message_id: message.id }));
        if (options.receipts)
          void sendReceipt(
            message.id,
            options.receipts,
            bound.get(session) === "transceiver" ? { session } : {},
          ).catch(() => undefined);
    }
  };

  const takeSubmit = (session: Session, pdu: Pdu): void => {
    const short = pdu.short_message as { message?: string | Buffer; udh?: Buffer[] };
    counter++;
    const message: SmscMessage = {
      id: `m${String(counter)}`,
      source: String(pdu.source_addr),
      sourceTon: Number(pdu.source_addr_ton),
      sourceNpi: Number(pdu.source_addr_npi),
      destination: String(pdu.destination_addr),
      destinationTon: Number(pdu.dest_addr_ton),
      dataCoding: Number(pdu.data_coding),
      esmClass: Number(pdu.esm_class),
      udh: short.udh ?? [],
      text: String(short.message ?? ""),
      registeredDelivery: Number(pdu.registered_delivery),
      at: Date.now(),
    };
    const what = typeof mode === "function" ? mode(message) : mode;
    if (what.kind === "ok" && what.id !== undefined) message.id = what.id;
    if (what.kind !== "status") {
      if (options.onMessage) options.onMessage(message);
      else messages.push(message);
    }
    const answer = (): void => answerSubmit(session, pdu, message, what);
    if (options.latencyMs) setTimeout(answer, options.latencyMs);
    else answer();
  };

  const takeBind = (session: Session, pdu: Pdu, kind: BindKind): void => {
    links.binds++;
    const known = pdu.system_id === account.systemId && pdu.password === account.password;
    const refused = links.takes.includes(kind)
      ? known
        ? bound.size < links.mostSessions
          ? 0
          : 0x05
        : 0x0e
      : 0x03;
    const status = links.bindStatus || refused;
    session.send(pdu.response(status === 0 ? { system_id: "fake-smsc" } : { command_status: status }));
    if (status === 0) bound.set(session, kind);
  };

  const server = smpp.createServer({ ...options.tls }, (session) => {
    open.add(session);
    session.setMaxListeners(0);
    session.on("error", () => session.destroy());
    session.on("close", () => {
      open.delete(session);
      bound.delete(session);
    });
    for (const kind of bindKinds) session.on(`bind_${kind}`, (pdu: Pdu) => takeBind(session, pdu, kind));
    session.on("submit_sm", (pdu: Pdu) => {
      // ESME_RINVBNDSTS: a receiver sends nothing.
      if (bound.get(session) === "receiver") session.send(pdu.response({ command_status: 0x04 }));
      else takeSubmit(session, pdu);
    });
    session.on("enquire_link", (pdu: Pdu) => {
      links.checks[bound.get(session) ?? "transceiver"]++;
      if (links.answersLinks) session.send(pdu.response());
    });
    session.on("unbind", (pdu: Pdu) => {
      links.unbinds++;
      session.send(pdu.response());
      session.close();
    });
  });
  server.listen(options.port ?? 0, "127.0.0.1");
  await once(server, "listening");

  /** The sessions that it may deliver over. */
  const receiving = (): Session[] =>
    [...bound].flatMap(([session, kind]) => (kind === "transmitter" ? [] : [session]));

  /** Sends a deliver_sm over a session; resolves with the status that it was acknowledged with. */
  const deliver = (fields: Record<string, unknown>, session = receiving()[0]): Promise<number> =>
    new Promise((resolve, reject) => {
      if (!session) {
        reject(new Error("nobody is bound"));
        return;
      }
      const lost = (): void => reject(new Error("the session ended without an acknowledgement"));
      session.once("close", lost);
      session.deliver_sm(fields, (answer) => {
        session.off("close", lost);
        resolve(answer.command_status);
      });
    });

  const sendReceipt = (
    id: string,
    state: string,
    more: { error?: string; session?: Session; fields?: Record<string, unknown> } = {},
  ): Promise<number> =>
    deliver(
      {
        source_addr: "4915112345678",
        destination_addr: "Shop",
        esm_class: 0x04,
        data_coding: 0,
        short_message: `id:${id} sub:001 dlvrd:001 submit date:2611221200 done date:2611221201 stat:${state} err:${more.error ?? "000"} text:Hello`,
        ...more.fields,
      },
      more.session,
    );

  return {
    port: (server.address() as AddressInfo).port,
    messages,
    bound: () => bound.size,
    sessions: (kind?: BindKind) =>
      [...bound].flatMap(([session, its]) => (kind === undefined || its === kind ? [session] : [])),
    links,
    deliver,
    sendReceipt,
    setMode: (next: typeof mode) => {
      mode = next;
    },
    /** Breaks all connections. */
    drop: () => {
      for (const session of open) session.socket.resetAndDestroy();
    },
    /** Ends all sessions as the protocol requires. */
    unbind: () => {
      for (const session of bound.keys()) session.unbind(() => session.close());
    },
    close: async () => {
      for (const session of open) session.destroy();
      server.close();
      await once(server, "close");
    },
  };
}
