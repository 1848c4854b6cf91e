/** What a command_status (SMPP 3.4 §5.1.3) means for a message, and for a bind. */
import smpp from "smpp";
import type { SendOutcome } from "../adapter.ts";
import { errorTable } from "../error-table.ts";
import type { LeftOut } from "../error-table.ts";
import type { KnownFailure } from "../http-call.ts";
import { failureOf } from "../known-failures.ts";
import type { BindRole } from "./schemas.ts";

const names = new Map(Object.entries(smpp.errors).map(([name, value]) => [value, name]));

const rejected = (detail: string): KnownFailure => ({ retry: "failover", code: "provider_rejected", detail });
const sender: KnownFailure = {
  retry: "failover",
  code: "sender_rejected",
  detail: "The provider does not accept this sender",
};
const busy: KnownFailure = {
  retry: "later",
  code: "provider_rate_limited",
  detail: "The provider takes no more messages for now",
};
const troubled: KnownFailure = {
  retry: "later",
  code: "provider_deferred",
  detail: "The provider has a problem of its own and asks to try again later",
};
const credentials: KnownFailure = {
  retry: "failover",
  code: "provider_credentials",
  detail: "The provider does not accept the connection's system ID, password or system type",
};
const tooLong: KnownFailure = {
  retry: "never",
  code: "invalid_message",
  detail: "The provider says that the message is too long",
};
const recipient: KnownFailure = {
  retry: "never",
  code: "invalid_recipient",
  detail: "The provider does not accept the recipient's number",
};

const unserved = rejected("The provider does not let this account use the service that the message asks for");
const field = rejected("The provider does not accept a field of the message");

/** Of SMPP 3.4 §5.1.3 and, from 0x100, 5.0 §4.7.6. */
export const smppErrors = errorTable([
  [tooLong, [0x01]],
  [field, [0x02, 0x03, 0x06, 0x07, 0x43, 0xc0, 0xc1, 0xc2, 0xc3, 0xc4, 0x104]],
  [{ ...troubled, detail: "The provider says that the session may not send at the moment" }, [0x04]],
  [troubled, [0x08, 0x64, 0x102]],
  [sender, [0x0a, 0x48, 0x49, 0x105]],
  [recipient, [0x0b, 0x106]],
  [credentials, [0x0d, 0x0e, 0x0f, 0x53]],
  [busy, [0x14, 0x58]],
  [rejected("The provider does not know the connection's service type"), [0x15]],
  [rejected("The provider could not take the message and does not say why"), [0x45, 0x65, 0x66, 0xfe, 0xff]],
  [rejected("The provider wants another type of number (TON) for recipients"), [0x50]],
  [rejected("The provider wants another numbering plan (NPI) for recipients"), [0x51]],
  [rejected("The provider does not accept the message's validity period"), [0x61, 0x62]],
  [unserved, [0x100, 0x101, 0x103]],
]);

export const smppLeftOut: readonly LeftOut[] = [
  { codes: [0x00], why: "nothing failed" },
  { codes: [0x05], why: "an answer to a bind, which bindRefusal() judges" },
  { codes: [0x0c, 0x11, 0x13, 0x54, 0x67], why: "the query, replacement or cancellation of a message" },
  {
    codes: [0x33, 0x34, 0x40, 0x42, 0x44, 0x55, 0x63],
    why: "lists of recipients and messages that the provider keeps",
  },
  { from: 0x107, to: 0x112, why: "cell broadcasts" },
];

const known = (status: number): KnownFailure | undefined => failureOf(smppErrors, status);

/** A status as it is logged and shown, e.g. "0x00000058". */
export function statusCode(status: number): string {
  return `0x${status.toString(16).padStart(8, "0")}`;
}

export function isThrottled(status: number): boolean {
  return known(status) === busy;
}

/** The outcome of a submit_sm that the provider answered with something else than ESME_ROK. */
export function refusalOf(status: number): Extract<SendOutcome, { kind: "not_sent" }> {
  const name = names.get(status);
  return {
    kind: "not_sent",
    ...(known(status) ?? rejected("The provider refuses the message")),
    ...(isThrottled(status) ? { retryAfterMs: 1_000 } : {}),
    providerCode: statusCode(status),
    ...(name === undefined ? {} : { providerMessage: name }),
  };
}

const bindProblems: Record<number, string> = {
  0x05: "This system ID has as many sessions as the provider allows",
  0x08: "The provider has a problem of its own and takes no session at the moment",
  0x0d: "The provider refuses the session; ask it whether this address and this system ID may bind",
  0x0e: "The provider does not accept the password",
  0x0f: "The provider does not know the system ID",
  0x53: "The provider does not accept the system type",
  0x58: "The provider has been asked for too many sessions; wait a while",
};

/** Why there is no session, in words, with what it means for a message that wanted one. */
export type BindProblem = {
  detail: string;
  outcome: Extract<SendOutcome, { kind: "not_sent" }>;
  /** The message centre knows the account and has no session for it left: our own may hold them all. */
  taken?: true;
};

/** ESME_RALYBND, ESME_RMSGQFUL, ESME_RTHROTTLED. */
const taken = [0x05, 0x14, 0x58];

/** ESME_RINVCMDID: what a message centre answers to a kind of session that it does not know. */
const unknownCommand = 0x03;

const otherSetting: Record<BindRole, string> = {
  transceiver: "set “Bind as” to “separate”",
  transmitter: "set “Bind as” to “transceiver”, or to “receiver” if nothing is sent over it",
  receiver: "set “Bind as” to “transceiver”, or to “transmitter” if nothing is received over it",
};

export function bindRefusal(status: number, as: BindRole): BindProblem {
  const name = names.get(status);
  const code = `${name ?? "status"} ${statusCode(status)}`;
  const problem =
    status === unknownCommand
      ? `The provider takes no session as ${as}: ${otherSetting[as]}`
      : (bindProblems[status] ?? "The provider refuses the session");
  const detail = `${problem} (${code})`;
  const outcome = refusalOf(status);
  const forCredentials = outcome.code === "provider_credentials";
  return {
    detail,
    ...(taken.includes(status) ? { taken: true as const } : {}),
    outcome: forCredentials
      ? { ...outcome, detail }
      : { ...outcome, retry: "later", code: "provider_unavailable", detail },
  };
}
