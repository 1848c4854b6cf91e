/**
 * Opens connections to checked addresses: as undici's connector, and as plain sockets for other protocols. The checked
 * address is the one that is dialled.
 */
import { connect as connectTcp, isIP } from "node:net";
import type { LookupFunction, Socket } from "node:net";
import { buildConnector } from "undici";
import type { AddressGuard, CheckedAddress } from "./outbound-address.ts";
import { errorCode, OutboundError } from "./outbound-error.ts";
import type { OutboundPhase } from "./outbound-error.ts";

export type DialTarget = {
  host: string;
  port: number;
  /** Name resolution and TCP handshake together. */
  timeoutMs?: number;
  signal?: AbortSignal;
  /** Dial operator-allowed ranges only. */
  requireAllowed?: boolean;
};

export type Dialer = {
  connector: buildConnector.connector;
  dial: (target: DialTarget & { timeoutMs: number }) => Promise<Socket>;
};

/** @param connectTimeoutMs upper bound of one connection attempt of `connector`. */
export function createDialer(
  guard: AddressGuard,
  connectTimeoutMs: number,
  ca: string[] | undefined,
): Dialer {
  const resolve: Resolve = async (host, port, requireAllowed) => {
    let addresses: CheckedAddress[];
    try {
      addresses = await guard.resolve(host, port);
    } catch (error) {
      throw new OutboundError("dns", "dns_failed", `The name ${host} cannot be resolved`, false, error);
    }
    if (addresses.length === 0) {
      throw new OutboundError("blocked", "blocked", `${host} is not on a public address`, false);
    }
    if (!requireAllowed) return addresses;
    const allowed = addresses.filter((entry) => entry.allowed);
    if (allowed.length > 0) return allowed;
    throw new OutboundError("blocked", "blocked", `${host} may only be reached over TLS`, false);
  };

  return {
    connector: guardedConnector(resolve, connectTimeoutMs, ca),
    dial: async ({ host, port, timeoutMs, signal: given, requireAllowed }) => {
      const deadline = AbortSignal.timeout(timeoutMs);
      const signal = given ? AbortSignal.any([given, deadline]) : deadline;
      const addresses = await abortable(resolve(host, port, requireAllowed === true), signal, "dns");
      return dialChecked(host, port, addresses, signal);
    },
  };
}

type Resolve = (host: string, port: number, requireAllowed: boolean) => Promise<CheckedAddress[]>;

/** undici's connector with our own name resolution in front: literals and DNS answers alike are checked. */
function guardedConnector(
  resolve: Resolve,
  timeout: number,
  ca: string[] | undefined,
): buildConnector.connector {
  // net.connect asks for addresses while connect() runs, so that the one connector, which keeps the TLS sessions, can
  // be given the addresses of the current call. Any later lookup finds none.
  let checked: CheckedAddress[] = [];
  const lookup: LookupFunction = (hostname, options, callback) =>
    lookupOf(checked)(hostname, options, callback);
  const tls = ca === undefined ? {} : { ca };
  const connect = buildConnector({ allowH2: false, timeout, lookup, ...tls });

  return (target, callback) => {
    const secure = target.protocol === "https:";
    const port = Number(target.port) || (secure ? 443 : 80);
    abortable(resolve(target.hostname, port, !secure), AbortSignal.timeout(timeout), "dns").then(
      (addresses) => {
        let tcpConnected = false;
        checked = addresses;
        // undici types the connector without its result; at run time it returns the socket.
        const open = connect as unknown as (...given: Parameters<typeof connect>) => Socket;
        const socket = open(target, (error, connected) => {
          if (error) callback(connectFailure(error, secure && tcpConnected, target.hostname), null);
          else callback(null, connected);
        });
        checked = [];
        socket.once("connect", () => {
          tcpConnected = true;
        });
      },
      (error: unknown) => callback(error as Error, null),
    );
  };
}

function connectFailure(error: Error, inTls: boolean, host: string): OutboundError {
  const timedOut = errorCode(error) === "UND_ERR_CONNECT_TIMEOUT" || errorCode(error) === "ETIMEDOUT";
  if (inTls) {
    const reason = timedOut ? "The TLS handshake took too long" : `TLS with ${host} failed: ${error.message}`;
    return new OutboundError("tls", timedOut ? "timeout" : "tls_failed", reason, false, error);
  }
  const reason = timedOut ? `${host} does not answer` : `${host} refuses the connection`;
  return new OutboundError("connect", timedOut ? "timeout" : "refused", reason, false, error);
}

/** A `lookup` that only knows the checked addresses. */
function lookupOf(addresses: CheckedAddress[]): LookupFunction {
  return (_hostname, options, callback) => {
    const [first] = addresses;
    if (!first) callback(new Error("No checked address"), "", 0);
    else if (options.all) callback(null, addresses);
    else callback(null, first.address, first.family);
  };
}

function dialChecked(
  host: string,
  port: number,
  addresses: CheckedAddress[],
  signal: AbortSignal,
): Promise<Socket> {
  return new Promise((done, fail) => {
    const literal = isIP(host) === 0 ? host : (addresses[0]?.address ?? host);
    const socket = connectTcp({ host: literal, port, lookup: lookupOf(addresses), autoSelectFamily: true });
    const giveUp = (code: string, message: string, cause?: unknown): void => {
      signal.removeEventListener("abort", onAbort);
      socket.removeAllListeners();
      socket.on("error", () => undefined);
      socket.destroy();
      fail(new OutboundError("connect", code, message, false, cause));
    };
    const onAbort = (): void => giveUp("timeout", `${host} does not answer`, signal.reason);
    if (signal.aborted) {
      onAbort();
      return;
    }
    signal.addEventListener("abort", onAbort, { once: true });
    socket.once("error", (error) => giveUp("refused", `${host} refuses the connection`, error));
    socket.once("connect", () => {
      signal.removeEventListener("abort", onAbort);
      socket.removeAllListeners("error");
      socket.setNoDelay(true);
      done(socket);
    });
  });
}

/** Rejects as soon as the signal fires; the promise's own late result is dropped. */
function abortable<T>(promise: Promise<T>, signal: AbortSignal, phase: OutboundPhase): Promise<T> {
  return new Promise((done, fail) => {
    const onAbort = (): void =>
      fail(new OutboundError(phase, "timeout", "No answer in time", false, signal.reason));
    if (signal.aborted) onAbort();
    signal.addEventListener("abort", onAbort, { once: true });
    promise.then(done, fail).finally(() => signal.removeEventListener("abort", onAbort));
  });
}
