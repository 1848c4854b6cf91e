/** E-mail through any SMTP server, with pooled connections. 250 is final, unless the message comes back. */
import { createHash, createPrivateKey } from "node:crypto";
import { isIP } from "node:net";
import { Readable } from "node:stream";
import { LRUCache } from "lru-cache";
import SMTPConnection from "nodemailer/lib/smtp-connection";
import SMTPPool from "nodemailer/lib/smtp-pool";
import { needsUtf8 } from "../../kernel/address.ts";
import type { OutboundClient } from "../../kernel/outbound-http.ts";
import type { Adapter, AdapterDeps, Connection, SendOutcome } from "../adapter.ts";
import { composeEmail } from "../email-message.ts";
import type { ComposedEmail, DkimKey } from "../email-message.ts";
import { bounceAddress } from "./bounce-address.ts";
import { parseBounce } from "./bounce-callback.ts";
import { smtpCredentialsSchema, smtpSettingsSchema } from "./schemas.ts";
import type { SmtpCredentials, SmtpSettings } from "./schemas.ts";
import { smtpOutcome } from "./smtp-outcome.ts";

type SmtpConnection = Connection<SmtpCredentials, SmtpSettings>;
type PooledMail = Parameters<SMTPPool["send"]>[0];

const TIMEOUT_MS = 60_000;
const CONNECT_TIMEOUT_MS = 10_000;
const IDLE_MS = 60_000;
const MAX_POOLS = 256;
/** An unused pool is closed, and its credentials are dropped with it. */
const POOL_IDLE_MS = 10 * 60_000;
const MESSAGES_PER_CONNECTION = 1_000;

export const smtpAdapter = createSmtpAdapter();

/** Own pools per adapter; the service uses the one above. */
export function createSmtpAdapter(): Adapter<SmtpCredentials, SmtpSettings> {
  const pools = createPools();
  return {
    name: "smtp",
    label: "SMTP server",
    channels: ["email"],
    inbound: [],
    price: "none",
    regionOf: () => null,
    credentialsSchema: smtpCredentialsSchema,
    settingsSchema: smtpSettingsSchema,
    hasReceipts: () => false,
    supportsIdempotency: false,
    carriesUtf8Addresses: true,
    // One is under way over each connection, and one waits for it.
    mostAtOnce: ({ maxConnections }) => 2 * maxConnections,
    callbackCredentials: ["bounceSecret"],
    callbackSetup:
      "Only to count bounces: have the mail server of the bounce domain post what comes back there to {url}, with the bounce secret.",
    callbackBytes: 1_024 * 1_024,
    refusedCredentials: ({ bounceSecret, dkimPrivateKey }, { bounceDomain, dkim }) => [
      ...(bounceDomain !== undefined && bounceSecret === undefined
        ? [{ credential: "bounceSecret", detail: "Needed with a bounce domain" }]
        : []),
      ...(dkim !== undefined && dkimPrivateKey === undefined
        ? [
            {
              credential: "dkimPrivateKey",
              detail: "Needed with a DKIM domain: nothing is signed without it",
            },
          ]
        : []),
      ...(dkimPrivateKey !== undefined && !isDkimKey(dkimPrivateKey)
        ? [
            {
              credential: "dkimPrivateKey",
              code: "custom",
              detail: "Not an RSA private key that can be read",
            },
          ]
        : []),
    ],
    parseCallback: parseBounce,

    async send(connection, message, deps) {
      const email = await composeEmail(message, dkimOf(connection));
      if (!("raw" in email)) return { kind: "not_sent", ...email };
      const { bounceDomain } = connection.settings;
      // Who uses an operator's channel cannot be seen in a bounce that comes to the channel.
      const signedFor = connection.channelId ?? connection.id;
      const returnPath =
        bounceDomain === undefined ? email.from : bounceAddress(signedFor, message, bounceDomain);
      const signal = deadline(deps, TIMEOUT_MS);
      const { pool, offersUtf8 } = pools.of(connection, deps.http);
      if (needsUtf8(email.to)) {
        try {
          if (!(await offersUtf8(signal))) return noUtf8;
        } catch (error) {
          return smtpOutcome(error, false);
        }
      }
      return deliver(pool, { ...email, from: returnPath }, signal);
    },

    async test(connection, deps) {
      const signal = deadline(deps, CONNECT_TIMEOUT_MS * 2);
      const pool = openPool(connection, deps.http);
      try {
        await Promise.race([pool.verify(), rejectOn(signal)]);
        return { ok: true };
      } catch (error) {
        const outcome = smtpOutcome(error, false);
        const detail = outcome.kind === "not_sent" ? outcome.detail : "The mail server does not answer";
        const cause = error instanceof Error ? error.message : "";
        const problem = detail === cause ? detail : `${detail} (${cause.slice(0, 300)})`;
        // It answered, and asks to come again later: with 421 also because of the sessions that the pool has open.
        const asksToWait =
          outcome.kind === "not_sent" &&
          (outcome.code === "provider_deferred" || outcome.providerCode === "421");
        return { ok: false, problem, ...(asksToWait ? { reachable: true } : {}) };
      } finally {
        pool.close({ force: true });
      }
    },

    close: () => {
      pools.close();
      return Promise.resolve();
    },
  };
}

const noUtf8: SendOutcome = {
  kind: "not_sent",
  retry: "failover",
  code: "invalid_recipient",
  detail:
    "The address has letters beyond ASCII before the @, and the mail server does not offer SMTPUTF8, which that needs",
};

const allBusy: SendOutcome = {
  kind: "not_sent",
  retry: "later",
  code: "provider_unavailable",
  detail: "All connections to the mail server were busy with other messages",
  unasked: true,
};

/** Messages are signed with RSA-SHA256. */
function isDkimKey(pem: string): boolean {
  try {
    return createPrivateKey(pem).asymmetricKeyType === "rsa";
  } catch {
    return false;
  }
}

function dkimOf({ credentials, settings }: SmtpConnection): DkimKey | undefined {
  return settings.dkim && credentials.dkimPrivateKey
    ? { ...settings.dkim, privateKey: credentials.dkimPrivateKey }
    : undefined;
}

/** Hands one composed message to the pool and waits for the server's word. */
function deliver(pool: SMTPPool, email: ComposedEmail, signal: AbortSignal): Promise<SendOutcome> {
  let bodyBegun = false;
  /** Whether a connection has taken it up, or is being opened for it. */
  let assigned = false;
  // SMTPConnection asks for the content only after the server's 354; the first read marks the point
  // from which a lost connection leaves the outcome open.
  const createReadStream = (): Readable => {
    const repeated = bodyBegun;
    return new Readable({
      read() {
        if (repeated) return void this.destroy(new Error("The message was handed over before"));
        bodyBegun = true;
        this.push(email.raw);
        this.push(null);
      },
    });
  };
  const mail = {
    data: { signal },
    message: {
      getEnvelope: () => ({ from: email.from, to: [email.to], size: email.raw.length }),
      // The pool asks when it gives the message to a connection.
      getHeader: () => {
        assigned = true;
        return email.messageId;
      },
      messageId: () => email.messageId,
      createReadStream,
    },
  } as unknown as PooledMail;
  return new Promise((done) => {
    pool.send(mail, (error) => {
      if (error) {
        done(!assigned && signal.aborted ? allBusy : smtpOutcome(error, bodyBegun));
        return;
      }
      done({ kind: "sent", providerMessageId: email.messageId, final: true });
    });
  });
}

type Pooled = {
  pool: SMTPPool;
  /** Whether the server says that it takes addresses beyond ASCII; asked once for the pool. */
  offersUtf8: (signal: AbortSignal) => Promise<boolean>;
};
type Pools = { of: (connection: SmtpConnection, http: OutboundClient) => Pooled; close: () => void };

/**
 * One pool per configuration, so that changed credentials open new connections. The least recently used
 * goes first, and one that is not used for ten minutes; a pool that is let go finishes what it is sending.
 */
function createPools(): Pools {
  const clients = new WeakMap<OutboundClient, number>();
  const pools = new LRUCache<string, Pooled>({
    max: MAX_POOLS,
    ttl: POOL_IDLE_MS,
    updateAgeOnGet: true,
    ttlAutopurge: true,
    dispose: ({ pool }) => pool.close(),
  });
  let nextClient = 1;

  const clientId = (http: OutboundClient): number => {
    const known = clients.get(http) ?? nextClient++;
    clients.set(http, known);
    return known;
  };

  return {
    of: (connection, http) => {
      const { id, credentials, settings } = connection;
      const config = JSON.stringify([clientId(http), id, credentials, settings]);
      const key = createHash("sha256").update(config).digest("base64");
      const known = pools.get(key);
      if (known) return known;
      let offered: boolean | undefined;
      const pooled: Pooled = {
        pool: openPool(connection, http),
        offersUtf8: async (signal) => (offered ??= await asksUtf8(connection, http, signal)),
      };
      pools.set(key, pooled);
      return pooled;
    },
    close: () => pools.clear(),
  };
}

/** How a connection is opened and secured. */
function transportOf({ settings }: SmtpConnection, http: OutboundClient) {
  const { host, port, security } = settings;
  const servername = host.replace(/\.$/, "");
  return {
    host,
    port,
    secure: security === "tls",
    requireTLS: security === "starttls",
    ignoreTLS: security === "none",
    ...(settings.clientName === undefined ? {} : { name: settings.clientName }),
    tls: {
      minVersion: "TLSv1.2" as const,
      ...(isIP(servername) === 0 ? { servername } : {}),
      ...(http.authorities ? { ca: http.authorities } : {}),
    },
    connectionTimeout: CONNECT_TIMEOUT_MS,
    greetingTimeout: CONNECT_TIMEOUT_MS,
    socketTimeout: TIMEOUT_MS,
    maxResponseSize: 65_536,
    logger: false,
  };
}

function dial(
  { settings: { host, port, security } }: SmtpConnection,
  http: OutboundClient,
  signal?: AbortSignal,
) {
  const target = { host, port, timeoutMs: CONNECT_TIMEOUT_MS, requireAllowed: security === "none" };
  return http.dial({ ...target, ...(signal ? { signal } : {}) });
}

/** What the server says to EHLO, over a connection of its own: those of a pool do not tell. */
async function asksUtf8(
  connection: SmtpConnection,
  http: OutboundClient,
  signal: AbortSignal,
): Promise<boolean> {
  const options = { ...transportOf(connection, http), connection: await dial(connection, http, signal) };
  const probe = new SMTPConnection(options);
  try {
    await Promise.race([
      new Promise<void>((done, fail) => {
        probe.once("error", fail);
        probe.connect((error) => (error ? fail(error) : done()));
      }),
      rejectOn(signal),
    ]);
    return /^250[ -]SMTPUTF8\b/im.test(String(probe.lastServerResponse));
  } finally {
    probe.close();
  }
}

function openPool(connection: SmtpConnection, http: OutboundClient): SMTPPool {
  const { user, password } = connection.credentials;
  return new SMTPPool({
    pool: true,
    ...transportOf(connection, http),
    ...(user === undefined ? {} : { auth: { user, pass: password ?? "" } }),
    ...(user === undefined ? {} : { forceAuth: true }),
    maxConnections: connection.settings.maxConnections,
    maxMessages: MESSAGES_PER_CONNECTION,
    // nodemailer replaces a connection by itself only if it died before a byte of the message left.
    maxRequeues: 2,
    idleTimeout: IDLE_MS,
    getSocket: (_options: unknown, callback: (error: Error | null, socket?: unknown) => void) => {
      dial(connection, http).then(
        (socket) => callback(null, { connection: socket }),
        (error: unknown) => callback(error as Error),
      );
    },
  } as ConstructorParameters<typeof SMTPPool>[0]);
}

function deadline(deps: AdapterDeps, defaultMs: number): AbortSignal {
  const timeout = AbortSignal.timeout(deps.timeoutMs ?? defaultMs);
  return deps.signal ? AbortSignal.any([deps.signal, timeout]) : timeout;
}

function rejectOn(signal: AbortSignal): Promise<never> {
  return new Promise((_done, fail) => {
    const onAbort = (): void => fail(new Error("The mail server does not answer in time"));
    if (signal.aborted) onAbort();
    signal.addEventListener("abort", onAbort, { once: true });
  });
}
