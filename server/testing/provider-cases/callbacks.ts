/** What a provider's row in the table of callbacks holds. */
import type {
  Adapter,
  CallbackRequest,
  Connection,
  InboundMessage,
  Receipt,
} from "../../adapters/adapter.ts";
import type { OutboundClient } from "../../kernel/outbound-http.ts";
import { PROVIDER_ADDRESS } from "./answers.ts";

type Forgery = (genuine: CallbackRequest) => CallbackRequest | Promise<CallbackRequest>;

export type ReceiptRow = [what: string, payload: unknown, receipt: Partial<Receipt>];

export type CallbackCases = {
  adapter: Adapter;
  connection: Connection;
  /** For a protocol that asks the provider in order to believe a callback. */
  http?: OutboundClient;
  /** A callback as the provider makes it, with these bytes or the payload written in its format. */
  request: (payload: unknown) => CallbackRequest | Promise<CallbackRequest>;
  /** A callback that is good. */
  genuine: unknown;
  /** What makes it somebody else's. */
  forgeries: Record<string, Forgery>;
  /** What all receipts below say. */
  receipt: Partial<Receipt>;
  receipts: ReceiptRow[];
  /** What all messages below say. */
  inbound?: Partial<InboundMessage>;
  messages?: [what: string, payload: unknown, message: Partial<InboundMessage>][];
  /** What says nothing about a message. */
  ignored: Record<string, unknown>;
  /** Several in one callback, in their order. */
  together?: { payload: unknown; receipts: Partial<Receipt>[]; inbound?: Partial<InboundMessage>[] };
  /** More than a callback may hold, and how many of them are read. */
  many?: [payload: unknown, read: number];
  /** Payloads that the provider's contract has, by their name there. */
  described: [name: string, payload: unknown][];
};

const changed = (more: (from: CallbackRequest) => Partial<CallbackRequest>): Forgery => {
  return (from) => ({ ...from, ...more(from) });
};
export const headers = (more: Record<string, string | undefined>): Forgery =>
  changed((from) => ({ headers: { ...from.headers, ...more } }));

/** Of providers that sign the body. */
export const SIGNED_BODY: Record<string, Forgery> = {
  "another body": changed(({ rawBody }) => ({ rawBody: Buffer.concat([rawBody, Buffer.from(" ")]) })),
  "another method": changed(() => ({ method: "PUT" })),
  "no headers": changed(() => ({ headers: {} })),
};

export const bytesOf = (payload: unknown): Buffer =>
  Buffer.isBuffer(payload) ? payload : Buffer.from(JSON.stringify(payload));

export const post = (
  rawBody: Buffer,
  more: CallbackRequest["headers"],
  url = PROVIDER_ADDRESS,
): CallbackRequest => ({
  method: "POST",
  url,
  headers: more,
  rawBody,
});
