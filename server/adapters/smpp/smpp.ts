/**
 * SMS through a message centre that speaks SMPP 3.4. Sessions are kept open and shared by all in the process that
 * send over the connection; receipts and messages from recipients come over the same sessions, or over receivers of their own.
 */
import { createHash } from "node:crypto";
import type { OutboundClient } from "../../kernel/outbound-http.ts";
import type { Adapter, OutboundMessage, SendOutcome } from "../adapter.ts";
import { notTried } from "../http-call.ts";
import { bindRoles, smppCredentialsSchema, smppSettingsSchema } from "./schemas.ts";
import type { SmppCredentials, SmppSettings } from "./schemas.ts";
import { destinationAddress, sourceAddress } from "./smpp-address.ts";
import { Bind, BindError } from "./smpp-bind.ts";
import type { SmppConnection } from "./smpp-bind.ts";
import { firstString } from "./smpp-pdu.ts";
import { SmppPool } from "./smpp-pool.ts";
import { answeredId } from "./smpp-receipt.ts";
import { sendParts } from "./smpp-send.ts";
import type { Sendable } from "./smpp-send.ts";
import { encodeText } from "./smpp-text.ts";

const timeoutMs = 15_000;

export const smppAdapter = createSmppAdapter();

/** Each adapter has its own sessions; the service uses the one above. */
export function createSmppAdapter(): Adapter<SmppCredentials, SmppSettings> {
  const pools = new Map<string, SmppPool>();

  // One pool per configuration, so that changed credentials open new sessions while the old ones finish.
  const poolOf = (connection: SmppConnection, http: OutboundClient): SmppPool => {
    const key = poolKey(connection);
    let pool = pools.get(key);
    if (!pool) {
      pool = new SmppPool(connection, http, () => void letGo(connection));
      pools.set(key, pool);
    }
    return pool;
  };
  const letGo = async (connection: SmppConnection): Promise<void> => {
    const key = poolKey(connection);
    const pool = pools.get(key);
    pools.delete(key);
    await pool?.close();
  };

  return {
    name: "smpp",
    label: "SMPP",
    channels: ["sms"],
    inbound: ["sms"],
    price: "none",
    regionOf: () => null,
    credentialsSchema: smppCredentialsSchema,
    settingsSchema: smppSettingsSchema,
    hasReceipts: (_channel, settings) => settings?.bindAs !== "transmitter",
    supportsIdempotency: false,

    async send(connection, message, deps) {
      if (connection.settings.bindAs === "receiver") {
        return notTried(
          "failover",
          "provider_rejected",
          "The connection is bound as receiver and sends nothing",
        );
      }
      const sendable = compose(message, connection.settings);
      if ("kind" in sendable) return sendable;
      return sendParts(poolOf(connection, deps.http), sendable, {
        timeoutMs: deps.timeoutMs ?? timeoutMs,
        idOf: (body) => answeredId(firstString(body), connection.settings),
        final: connection.settings.bindAs === "transmitter",
      });
    },

    async test(connection, deps) {
      const roles = bindRoles(connection.settings);
      const events = { onDelivery: answerNothing, onRoom: () => undefined, onEnd: () => undefined };
      const { http, signal } = deps;
      let peer = "";
      for (const as of roles) {
        try {
          const bind = await Bind.open(connection, http, events, { as, signal });
          await bind.close();
          peer ||= bind.peer;
        } catch (error) {
          if (!(error instanceof BindError)) throw error;
          const { detail, taken } = error.problem;
          const problem = roles.length > 1 ? `As ${as}: ${detail}` : detail;
          return { ok: false, problem, ...(taken ? { reachable: true } : {}) };
        }
      }
      return { ok: true, facts: peer === "" ? [] : [{ label: "Message centre", value: peer }] };
    },
    listen(connection, deps) {
      poolOf(connection, deps.http).listen(deps);
      return { close: () => letGo(connection) };
    },

    close: async () => {
      const open = [...pools.values()];
      pools.clear();
      await Promise.all(open.map((pool) => pool.close()));
    },
  };
}

function poolKey({ id, credentials, settings }: SmppConnection): string {
  return createHash("sha256")
    .update(JSON.stringify([id, credentials, settings]))
    .digest("base64");
}

/** A test's session stores nothing: what comes over it is to be repeated (ESME_RX_T_APPN). */
function answerNothing(_body: Buffer, answer: (status: number) => boolean): void {
  answer(0x64);
}

function compose(message: OutboundMessage, settings: SmppSettings): Sendable | SendOutcome {
  const destination = destinationAddress(message.to, settings);
  if (!destination) return notTried("never", "invalid_recipient", "The recipient is not a phone number");
  const source = sourceAddress(message.senderId ?? "", settings);
  if (!source) {
    return notTried(
      "failover",
      "sender_rejected",
      "The sender must be a number, a short code or a name of at most 11 ASCII characters",
    );
  }
  const text = message.text ?? "";
  if (text === "") return notTried("never", "invalid_message", "The message has no text");
  const encoded = encodeText(text, message.encoding);
  if (!encoded) return notTried("never", "invalid_message", "The message is longer than 255 parts");
  return {
    ...encoded,
    notificationId: message.notificationId,
    attempt: message.attempt,
    fields: {
      service_type: settings.serviceType ?? "",
      source_addr_ton: source.ton,
      source_addr_npi: source.npi,
      source_addr: source.address,
      dest_addr_ton: destination.ton,
      dest_addr_npi: destination.npi,
      destination_addr: destination.address,
      validity_period: validityPeriod(message.expiresAt, settings),
      registered_delivery: settings.bindAs === "transmitter" ? 0 : 1,
      data_coding: encoded.dataCoding,
    },
  };
}

/** §7.1.1: absolute in UTC (`YYMMDDhhmmsst00+`), or relative (`YYMMDDhhmmss000R`). */
function validityPeriod(expiresAt: Date | undefined, { validityPeriod }: SmppSettings): string {
  if (!expiresAt || validityPeriod === "none") return "";
  if (validityPeriod === "absolute") {
    return `${expiresAt.toISOString().replace(/[-:T]/g, "").slice(2, 14)}000+`;
  }
  const seconds = Math.max(1, Math.round((expiresAt.getTime() - Date.now()) / 1_000));
  const two = (value: number): string => String(Math.floor(value)).padStart(2, "0");
  const days = Math.min(99, Math.floor(seconds / 86_400));
  return `0000${two(days)}${two((seconds / 3_600) % 24)}${two((seconds / 60) % 60)}${two(seconds % 60)}000R`;
}
