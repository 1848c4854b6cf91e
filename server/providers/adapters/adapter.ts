/**
 * What sending knows of a provider. An adapter speaks one provider's protocol and nothing else: no
 * database, no retries, no policy. It says what happened; the state machine decides what follows.
 */
import type { z } from "zod";
import type { OutboundClient } from "../../kernel/outbound-http.ts";
import type { AdapterName, Channel } from "./schemas.ts";

export type { AdapterName, Channel } from "./schemas.ts";

export type Attachment = { filename: string; contentType: string; content: Buffer };

/** One message to one recipient, rendered. */
export type OutboundMessage = {
  tenantId: string;
  notificationId: string;
  /** 1 for the first try of this notification, over all providers. */
  attempt: number;
  channel: Channel;
  /** E.164 number, or an e-mail address. */
  to: string;
  /** SMS and WhatsApp: the sender's number or name. E-mail: `address` or `Name <address>`. */
  senderId?: string;
  subject?: string;
  text?: string;
  html?: string;
  replyTo?: string;
  /** Extra e-mail header fields, such as List-Unsubscribe. */
  headers?: Record<string, string>;
  attachments?: Attachment[];
  /** An approved template at the provider and its variables; without it `text` is sent as a session message. */
  whatsapp?: { template: string; language?: string; variables: Record<string, string> };
  /** The same for every try of the same notification through the same connection. */
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
 *   `failover` another connection, not this one, `never` nothing: the recipient or the content is refused.
 * `unknown`: the provider may have it (timeout, reset or 5xx after the request was written).
 *
 * `code` is one of ours: invalid_recipient, opted_out, provider_unavailable, provider_rate_limited,
 * provider_deferred, provider_credentials, provider_blocked, provider_rejected, provider_timeout,
 * sender_rejected, content_rejected, invalid_message, and those of FailureCode.
 */
export type SendOutcome =
  | {
      kind: "sent";
      providerMessageId: string | null;
      /** True when no receipt will follow. */
      final: boolean;
      providerStatus?: string;
      segments?: number;
      price?: Price;
    }
  | {
      kind: "not_sent";
      retry: "later" | "failover" | "never";
      retryAfterMs?: number;
      code: string;
      detail: string;
      providerCode?: string;
      providerMessage?: string;
    }
  | { kind: "unknown"; code: string; detail: string; providerCode?: string; providerMessage?: string };

/** What a provider tells later about a message. `status` and `event` may both be there (bounce = failed + bounced). */
export type Receipt = {
  providerMessageId?: string;
  /** From the callback URL that the adapter gave to the provider: finds messages whose answer was lost. */
  notificationId?: string;
  attempt?: number;
  status?: "sent" | "delivered" | "failed";
  event?: "read" | "clicked" | "bounced" | "complained" | "opted_out";
  /** True for a bounce that says the address will never work. */
  permanent?: boolean;
  at?: Date;
  code?: string;
  detail?: string;
  providerCode?: string;
  providerMessage?: string;
  price?: Price;
  segments?: number;
};

/** A message that a recipient sent to one of our senders. */
export type InboundMessage = {
  providerMessageId: string;
  channel: Channel;
  from: string;
  to: string;
  text: string;
  /** What the provider itself already did about a keyword. */
  optOut?: "stop" | "start" | "help";
  /** A tapped quick-reply button. */
  button?: { payload: string; text: string };
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
      /** What to answer; 204 without it. */
      response?: { status: number; contentType: string; body: string };
    };

/** A connection as an adapter sees it; credentials in the clear, values as the schemas parsed them. */
export type Connection<Credentials = unknown, Settings = unknown> = {
  id: string;
  credentials: Credentials;
  settings: Settings;
};

export type AdapterDeps = {
  http: OutboundClient;
  signal?: AbortSignal;
  /** The attempt's clock, ms; each adapter has a sensible default. */
  timeoutMs?: number;
};

export type TestResult = { ok: true } | { ok: false; problem: string };

/** How far a WhatsApp template is in its approval. */
export const approvalStatuses = ["unsubmitted", "pending", "approved", "rejected", "paused"] as const;
export type ApprovalStatus = (typeof approvalStatuses)[number];

export type TemplateApproval =
  | {
      status: ApprovalStatus;
      /** Why it was rejected or paused, in the provider's words. */ reason: string | null;
    }
  | { problem: string };

export type Adapter<Credentials = unknown, Settings = unknown> = {
  name: AdapterName;
  label: string;
  channels: readonly Channel[];
  credentialsSchema: z.ZodType<Credentials>;
  settingsSchema: z.ZodType<Settings>;
  hasReceipts: (channel: Channel) => boolean;
  /** True when a repeated `idempotencyKey` is recognised, so that an unknown outcome may be tried again. */
  supportsIdempotency: boolean;
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
  /** Absent when the provider has no callbacks. Never throws, whatever the bytes are. */
  parseCallback?: (connection: Connection<Credentials, Settings>, request: CallbackRequest) => CallbackResult;
  /** Asks for a message's present state and price; null when the provider does not know it (yet). */
  fetchMessage?: (
    connection: Connection<Credentials, Settings>,
    providerMessageId: string,
    deps: AdapterDeps,
  ) => Promise<Receipt | null>;
  /**
   * Asks how far a WhatsApp template is in its approval; null when the provider knows no such template, a problem when it
   * did not answer. Absent when the provider cannot tell: somebody has to look there. Never rejects for anything the
   * provider or the network does.
   */
  fetchTemplateApproval?: (
    connection: Connection<Credentials, Settings>,
    template: {
      template: string;
      language: string | null;
      /** What is known of it so far. */ known: ApprovalStatus | null;
    },
    deps: AdapterDeps,
  ) => Promise<TemplateApproval | null>;
  /** Ends pooled connections; messages in flight are finished first. */
  close?: () => Promise<void>;
};
