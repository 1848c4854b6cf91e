/**
 * A provider as sending sees it. Everything that an adapter returns passes through boundedAdapter first, so an adapter need
 * not limit numbers and texts. An adapter speaks one provider's protocol and nothing else: no
 * database, no retries, no policy. It says what happened; the state machine decides what follows.
 */
import type { z } from "zod";
import type { Channel } from "../kernel/channel.ts";
import type { Logger } from "../kernel/log.ts";
import type { FailureCode } from "../kernel/message-failures.ts";
import type { OutboundClient, OutboundResponse } from "../kernel/outbound-http.ts";
import type { AdapterName } from "./schemas.ts";

export type { FailureCode } from "../kernel/message-failures.ts";
export type { AdapterName } from "./schemas.ts";

export type Attachment = { filename: string; contentType: string; content: Buffer };

/** One message to one recipient, rendered. */
export type OutboundMessage = {
  tenantId: string;
  notificationId: string;
  /** 1 for the first try of this notification, over all providers. */
  attempt: number;
  channel: Channel;
  /** E.164 number, an e-mail address, or on WhatsApp a business-scoped user id. */
  to: string;
  /** SMS and WhatsApp: the sender's number or name. E-mail: `address` or `Name <address>`. */
  senderId?: string;
  subject?: string;
  text?: string;
  /** SMS: how the text is to be encoded; the adapter chooses without it. */
  encoding?: "auto" | "GSM-7" | "UCS-2";
  html?: string;
  replyTo?: string;
  /** Extra e-mail header fields, such as List-Unsubscribe. */
  headers?: Record<string, string>;
  attachments?: Attachment[];
  /** An approved template at the provider and its variables; without it `text` is sent as a session message. */
  whatsapp?: { template: string; language?: string; variables: Record<string, string> };
  /** To the simulator, of a session message on WhatsApp: whether the recipient has written within 24 hours. */
  windowOpen?: boolean;
  /** WhatsApp: what stands around the text. */
  header?: { type: "text" | "image" | "video" | "document"; value: string };
  footer?: string;
  buttons?: { type: "quick_reply" | "url" | "phone"; text: string; value?: string }[];
  /** When the message is no longer useful; providers that can are asked not to deliver it later. */
  expiresAt?: Date;
  /**
   * The same for every try of the same notification through the same connection, at most 50 characters: begins with the
   * notification's id, and is another one through another connection, which may be to the same account.
   */
  idempotencyKey: string;
  /** The connection's public callback route; adapters add the notification to it. */
  callbackUrl: string;
};

export type Price = {
  /** Decimal string, never negative. */
  amount: string;
  /** ISO 4217. */
  currency: string;
};

/**
 * `not_sent`: the provider certainly has no such message. `retry` says what could help:
 *   `later` the same connection after a while (`retryAfterMs` when the provider said how long),
 *   `failover` another connection, `never` nothing: the recipient or the content is refused. Whether the same connection
 *   may be asked again after a `failover` depends on the code: see isFinalForConnection() in kernel/message-failures.ts.
 * `unknown`: the provider may have it (timeout, reset or 5xx after the request was written).
 *
 * `code` says why, in the product's terms. `unasked`: the provider was not called, so the outcome says nothing about whether it works.
 *
 * `cause` is the same for all messages that one event has failed, such as the end of the session that they shared: the
 * connection's health counts the event, not the messages. Without it, each outcome is an event of its own.
 */
export type SendOutcome =
  | {
      kind: "sent";
      providerMessageId: string | null;
      /** True when no receipt will follow. */
      final: boolean;
      segments?: number;
      price?: Price;
    }
  | {
      kind: "not_sent";
      retry: "later" | "failover" | "never";
      retryAfterMs?: number;
      code: FailureCode;
      detail: string;
      providerCode?: string;
      providerMessage?: string;
      cause?: string;
      unasked?: true;
      /** E-mail: the server says that the address will never work. What a hard bounce leads to follows. */
      hardBounce?: true;
    }
  | {
      kind: "unknown";
      code: FailureCode;
      detail: string;
      providerCode?: string;
      providerMessage?: string;
      cause?: string;
    };

/** What a provider reports later about a message. `status` and `event` may both be there (bounce = failed + bounced). */
export type Receipt = {
  providerMessageId?: string;
  /** Which of a shared channel's accounts this is about, when the provider says so (Meta: the phone number's id). */
  account?: string;
  /** From the callback URL that the adapter gave to the provider: finds messages whose answer was lost. */
  notificationId?: string;
  attempt?: number;
  status?: "sent" | "delivered" | "failed";
  event?: "read" | "clicked" | "bounced" | "complained" | "opted_out";
  /** True for a bounce that says the address will never work. */
  permanent?: boolean;
  at?: Date;
  code?: FailureCode;
  detail?: string;
  providerCode?: string;
  providerMessage?: string;
  price?: Price;
  /** WhatsApp: the category that the provider charges for, in its word, e.g. "utility". */
  category?: string;
  /** WhatsApp: the provider says that it charges nothing for the message. */
  free?: true;
  segments?: number;
  /** Numbers and user ids by which the provider knows the recipient. */
  sameAs?: string[];
};

/** What a provider reports by itself, in a callback or over a session. */
export type ProviderEvents = {
  receipts: Receipt[];
  inbound: InboundMessage[];
  /** Names of one person each, without a message. */
  people?: SamePerson[];
  /** What was decided about templates. */
  templates?: TemplateDecision[];
};

/** A person's names on WhatsApp: numbers and user ids. */
export type SamePerson = { account?: string; sameAs: string[] };

/** The category that a WhatsApp template has or will have. */
export type TemplateDecision = {
  template: string;
  language: string;
  category: TemplateCategory;
  /** When it was announced for later. */
  effectiveAt?: Date;
};
export const templateCategories = ["marketing", "utility", "authentication"] as const;
export type TemplateCategory = (typeof templateCategories)[number];

/** A message that a recipient sent to one of our senders. */
export type InboundMessage = {
  /** The provider's id; a repeated message has the same one. */
  providerMessageId: string;
  /** As in Receipt. */
  account?: string;
  channel: Channel;
  /** E.164 with "+", whatever the provider writes; on WhatsApp the user id of those who do not show their number. */
  from: string;
  /** What else the provider calls them: their user ids, or their number. */
  sameAs?: string[];
  /** The sender of ours that it came to: E.164 with "+", a short code or a name. */
  to: string;
  /** Empty for a message of another kind, such as a picture; `kind` then says which. */
  text: string;
  /** What it is when it is not a text, in the provider's word, e.g. "image". Content is not fetched. */
  kind?: string;
  /** When the provider took it. */
  at?: Date;
  /** The provider's id of the message of ours that this one quotes or answers. */
  repliesTo?: string;
  /** What the provider itself already did about a keyword. */
  optOut?: "stop" | "start" | "help";
  /** A tapped quick-reply button. */
  button?: { payload: string; text: string };
  /**
   * It is one of several parts of a message; numbers begin with 1, and the reference is the same in all. `providerMessageId` is
   * then the part's own, and not kept.
   */
  part?: { reference: number; total: number; number: number };
};

export type CallbackRequest = {
  method: string;
  /** The full public URL with its query, exactly as the provider was given it. */
  url: string;
  /** Lower-case names. */
  headers: Record<string, string | undefined>;
  rawBody: Buffer;
};

export type CallbackResult =
  | { authentic: false }
  | {
      authentic: true;
      receipts: Receipt[];
      inbound: InboundMessage[];
      people?: SamePerson[];
      templates?: TemplateDecision[];
      /** What to answer; 204 without it. */
      response?: { status: number; contentType: string; body: string };
    };

/** A connection as an adapter sees it; credentials in the clear, values as the schemas parsed them. */
export type Connection<Credentials = unknown, Settings = unknown> = {
  id: string;
  credentials: Credentials;
  settings: Settings;
  /** The operator's channel that it uses, to whose address the provider may report. */
  channelId?: string;
  /** Of an operator's channel: the connections that use it. */
  sharedBy?: readonly string[];
};

export type AdapterDeps = {
  http: OutboundClient;
  signal?: AbortSignal;
  /** The attempt's clock, ms; each adapter has a sensible default. */
  timeoutMs?: number;
};

/**
 * `facts`: what the provider says about the account, e.g. { label: "Balance", value: "12.30 EUR" }. No secrets.
 * `problem` says what is wrong and what to change. `reachable`: the provider answered, and what is wrong may not matter for
 * sending, such as a permission that only the test needs; people are shown it, but the connection stays healthy. `unasked`: the
 * configuration itself is wrong, so the provider was not asked, and the test says nothing about whether it works.
 */
export type TestResult =
  | {
      ok: true;
      facts?: { label: string; value: string }[];
      /** What works and is likely not meant, in sentences. */
      warnings?: string[];
    }
  | { ok: false; problem: string; reachable?: true; unasked?: true };

/** What an answer of the provider to a message would mean, and what a person should look at twice, in sentences. */
export type AnswerJudgement = { outcome: SendOutcome; warnings: string[] };

/**
 * When a message's price becomes known: `none` never, `rate_card` the provider names the category but no amount,
 * `answer` with the answer to the send, `receipt` with a receipt, `later` when asked for (listPrices).
 */
export type PriceSource = "none" | "rate_card" | "answer" | "receipt" | "later";

/** A message's final price, as the provider books it. */
export type BookedPrice = { providerMessageId: string; price: Price };

/** Messages that were sent in this time; `cursor` is what the page before gave. */
export type PriceQuery = { since: Date; until: Date; cursor?: string };

export type PricePage = {
  prices: BookedPrice[];
  /** There is more. */
  cursor?: string;
};

/** For what a provider reports over a session that stays open (SMPP): recorded before it is acknowledged. */
export type ListenerDeps = {
  http: OutboundClient;
  log: Logger;
  /**
   * Resolves when the events are stored. `unmatched` receipts are about messages that are not known (yet): the answer to
   * their own submission may still be under way. Rejects when the database cannot be reached; the provider must then
   * repeat them.
   */
  onEvents: (events: ProviderEvents) => Promise<{ unmatched: number }>;
};

/** How far a WhatsApp template is in its approval. */
export const approvalStatuses = ["unsubmitted", "pending", "approved", "rejected", "paused"] as const;
export type ApprovalStatus = (typeof approvalStatuses)[number];

export type TemplateApproval =
  | {
      status: ApprovalStatus;
      /** Why it was rejected or paused, in the provider's words. */ reason: string | null;
      /** What the provider counts it as. */
      category?: TemplateCategory;
    }
  | { problem: string };

export type Adapter<Credentials = unknown, Settings = unknown> = {
  name: AdapterName;
  label: string;
  channels: readonly Channel[];
  /** On which channels messages from recipients are read. */
  inbound: readonly Channel[];
  price: PriceSource;
  /** What is to be set up at the provider so that it calls back, in a sentence for the portal; `{url}` stands for the address. */
  callbackSetup?: string;
  /** The region in which these settings have the data processed, e.g. "US"; null when they do not say. */
  regionOf: (settings: Settings) => string | null;
  /**
   * Which of the provider's accounts these settings send through, as `Receipt.account` names it; for providers that report
   * about several to one address.
   */
  accountOf?: (settings: Settings) => string;
  /**
   * What signs the provider's callbacks, with `accountOf`: those about several accounts may come to the address of any connection
   * that has the same one.
   */
  callbackSecretOf?: (credentials: Credentials) => string;
  /**
   * The credentials that callbacks are verified with, where we or the organisation choose when they change: the replaced ones verify
   * for a day more.
   */
  callbackCredentials?: readonly (keyof Credentials & string)[];
  credentialsSchema: z.ZodType<Credentials>;
  settingsSchema: z.ZodType<Settings>;
  /**
   * Settings that say where in a call credentials are put. Whoever changes one could have them written where they can be read,
   * so a change asks for the credentials again, as a new address does.
   */
  credentialSettings?: readonly (keyof Settings & string)[];
  /**
   * What the settings may not be when they are saved, as paths and sentences, although the schema still takes them: what is
   * stored goes on working until somebody changes it. Also the place for checks that take time. `code`: `custom` without it.
   */
  refusedSettings?: (settings: Settings) => { path: string; message: string; code?: string }[];
  /**
   * What the credentials lack that these settings need, and credentials that can never work, by field; asked when a connection
   * is saved, not when it is used. `code`: `required` without it.
   */
  refusedCredentials?: (
    credentials: Credentials,
    settings: Settings,
  ) => { credential: string; detail: string; code?: string }[];
  /** Whether the provider reports the outcome of a message; without settings, whether it can. */
  hasReceipts: (channel: Channel, settings?: Settings) => boolean;
  /**
   * E-mail: whether addresses with letters beyond ASCII before the @ can be carried (RFC 6531), at least by some accounts. Others
   * are never given such a message.
   */
  carriesUtf8Addresses?: boolean;
  /** True when a repeated `idempotencyKey` is recognised, so that an unknown outcome may be tried again. */
  supportsIdempotency: boolean;
  /** The same where it depends on the settings; wins over `supportsIdempotency`. */
  recognisesRepeats?: (settings: Settings) => boolean;
  /** How many messages it makes sense to hand over at once, by the settings; more would only wait for each other. */
  mostAtOnce?: (settings: Settings) => number;
  /** How long to wait for a receipt before a sent message is `undetermined`, ms; the service's default without it. */
  receiptWindowMs?: number;
  /** Never rejects for anything the provider or the network does; a rejection is a programming error. */
  send: (
    connection: Connection<Credentials, Settings>,
    message: OutboundMessage,
    deps: AdapterDeps,
  ) => Promise<SendOutcome>;
  /** Checks address and credentials without sending anything to anybody. */
  test: (connection: Connection<Credentials, Settings>, deps: AdapterDeps) => Promise<TestResult>;
  /**
   * How an answer that somebody enters would be judged: for adapters whose settings say what answers mean. Asks nobody.
   */
  judgeAnswer?: (connection: Connection<Credentials, Settings>, answer: OutboundResponse) => AnswerJudgement;
  /** Largest callback that the provider sends; 64 KiB without it. The front door takes no more than 3 MiB from anybody. */
  callbackBytes?: number;
  /**
   * Absent when the provider has no callbacks. Never throws, whatever the bytes are. `deps.http` is for what a provider's
   * protocol needs in order to be believed, such as fetching its signing certificate.
   */
  parseCallback?: (
    connection: Connection<Credentials, Settings>,
    request: CallbackRequest,
    deps: Pick<AdapterDeps, "http">,
  ) => CallbackResult | Promise<CallbackResult>;
  /**
   * Keeps a session open over which the provider delivers receipts and messages, and over which `send` sends; absent where
   * callbacks do that. Called once for each enabled connection in each worker; reconnects by itself until closed.
   */
  listen?: (
    connection: Connection<Credentials, Settings>,
    deps: ListenerDeps,
  ) => { close: () => Promise<void> };
  /**
   * One page of the prices that the provider has booked, for connections whose price comes `later`. Rejects with
   * OutboundError when the provider cannot be asked.
   */
  listPrices?: (
    connection: Connection<Credentials, Settings>,
    query: PriceQuery,
    deps: AdapterDeps,
  ) => Promise<PricePage>;
  /**
   * Asks how far a WhatsApp template is in its approval; null when the provider knows no such template, a problem when it
   * did not answer. Absent when the provider cannot be asked: a person has to look there. Never rejects for anything the
   * provider or the network does.
   */
  fetchTemplateApproval?: (
    connection: Connection<Credentials, Settings>,
    template: {
      template: string;
      language: string | null;
      /** Its status so far. */ known: ApprovalStatus | null;
    },
    deps: AdapterDeps,
  ) => Promise<TemplateApproval | null>;
  /**
   * Asks to how many people WhatsApp messages may go within 24 hours that did not write first; null: to any number. A problem when the
   * provider does not say. Absent when it cannot be asked. Never rejects for anything the provider or the network does.
   */
  fetchMessagingLimit?: (
    connection: Connection<Credentials, Settings>,
    deps: AdapterDeps,
  ) => Promise<{ limit: number | null } | { problem: string }>;
  /** Ends pooled connections; messages in flight are finished first. */
  close?: () => Promise<void>;
};
