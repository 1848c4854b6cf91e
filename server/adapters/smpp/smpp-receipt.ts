/** Delivery receipts: optional parameters where the message centre sends them, otherwise the text of SMPP 3.4 appendix B. */
import type { FailureCode, Receipt } from "../adapter.ts";
import { providerText } from "../provider-text.ts";
import type { SmppSettings } from "./schemas.ts";
import { optional, optionalNumber, optionalString } from "./smpp-pdu.ts";
import type { Delivery } from "./smpp-pdu.ts";

/** §5.2.12: what the message centre itself says, never a text that only looks like a receipt: anybody could send one. */
export function isReceipt({ esmClass, options }: Delivery): boolean {
  const type = esmClass & 0x3c;
  return type === 0x04 || type === 0x20 || (type === 0 && options.has(optional.receiptedMessageId));
}

/** §5.2.28 and the words of appendix B. UNKNOWN says nothing. */
const stateNames = [
  "",
  "ENROUTE",
  "DELIVRD",
  "EXPIRED",
  "DELETED",
  "UNDELIV",
  "ACCEPTD",
  "UNKNOWN",
  "REJECTD",
];
const failures: Record<string, { code: FailureCode; detail: string }> = {
  EXPIRED: { code: "expired", detail: "The recipient could not be reached before the message expired." },
  DELETED: { code: "provider_failed", detail: "The message was deleted at the provider." },
  UNDELIV: { code: "undeliverable", detail: "The message could not be delivered to the recipient." },
  REJECTD: { code: "provider_rejected", detail: "The network refused the message." },
};

/** Null for a receipt that names no message. */
export function readReceipt(delivery: Delivery, settings: SmppSettings): Receipt | null {
  const { options, shortMessage } = delivery;
  const text = (options.get(optional.messagePayload) ?? shortMessage).toString("latin1");
  const named = (pattern: RegExp): string | undefined => pattern.exec(text)?.[1];
  const id = optionalString(options.get(optional.receiptedMessageId)) ?? named(/\bid:\s*([^\s]+)/i);
  if (!id) return null;
  const state =
    stateNames[optionalNumber(options.get(optional.messageState)) ?? 0] || named(/\bstat:\s*([A-Za-z]+)/i);
  const error = named(/\berr:\s*([0-9A-Za-z]+)/i) ?? networkError(options.get(optional.networkErrorCode));
  const word = (state ?? "").toUpperCase().slice(0, 7);
  const failure = failures[word];
  const said = { providerCode: providerText(error ?? word), providerMessage: word };
  // The receipt's date names no time zone: the time at which it came is the better one.
  return {
    providerMessageId: receiptId(id, settings),
    ...(word === "DELIVRD" ? { status: "delivered" as const } : {}),
    ...(word === "ENROUTE" || word === "ACCEPTD" ? { status: "sent" as const } : {}),
    ...(failure ? { status: "failed" as const, ...failure, ...said } : {}),
  };
}

/** §5.3.2.31: the network, then a code of two octets. */
function networkError(value: Buffer | undefined): string | undefined {
  return value?.length === 3 ? String(value.readUInt16BE(1)) : undefined;
}

/** Longer than the specification's 65 octets, and as much as is kept of any id. */
const maxIdLength = 255;

/** The id of an answer as receipts will name it. */
export function answeredId(answered: string, { receiptIds }: SmppSettings): string {
  const id = answered.slice(0, maxIdLength);
  if (receiptIds === "submit_hex") return decimalOfHex(id);
  return receiptIds === "submit_decimal" ? plainDecimal(id) : id;
}

function receiptId(told: string, { receiptIds }: SmppSettings): string {
  const id = told.slice(0, maxIdLength);
  if (receiptIds === "submit_decimal") return decimalOfHex(id);
  return receiptIds === "submit_hex" ? plainDecimal(id) : id;
}

const decimalOfHex = (id: string): string =>
  /^[0-9a-f]{1,64}$/i.test(id) ? BigInt(`0x${id}`).toString() : id;
const plainDecimal = (id: string): string => (/^\d{1,64}$/.test(id) ? BigInt(id).toString() : id);
