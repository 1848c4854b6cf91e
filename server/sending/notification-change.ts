import type { ConsentPolicy } from "../consent/consent-policy.ts";
import type { FailureCode } from "../kernel/message-failures.ts";
import type { LinkProblem } from "../links/short-links.ts";
import type { FrequencyCap } from "../recipient-limits/message-limits.ts";
import type { RecordedDecision } from "./recorded-decision.ts";
import type { NotificationSignal, NotificationStatus } from "./notification-state.ts";

/** A job to be added with a change; `runAt` in ISO 8601. */
export interface Job {
  task: string;
  payload: Record<string, unknown>;
  runAt?: string;
  priority?: number;
}

export interface MessageReason {
  code: FailureCode;
  detail: string;
}

export interface MessageFailure extends MessageReason {
  providerCode?: string;
  providerMessage?: string;
}

/** What an attempt has cost. */
export interface AttemptPrice {
  /** Decimal string. */
  amount: string;
  currency: string;
  source: "reported" | "estimated";
  /** WhatsApp: the category that the message counts as in its month; left out where nothing depends on that. */
  countedAs?: string | undefined;
}

/**
 * An attempt begins: the message is taken by a process, unless it is taken or done already, or its recipient has said no by then, is
 * suppressed or has had as many as they get.
 */
export interface ClaimChange {
  kind: "claim";
  worker: string;
  policy: ConsentPolicy;
  /** What stays of the address when it is erased. */
  token?: string;
  /** How many its recipient gets, where that is limited. */
  cap?: FrequencyCap;
  /** Of which class consent is asked, where it is not the message's. */
  consentClass?: string;
  connectionId: string;
  /** The connection's name. */
  provider: string;
  /** The sender, where recipients can reply to it. */
  from?: string;
  segments?: number | null;
  /** Why it goes this way; stays with the attempt. */
  decision?: RecordedDecision;
  /** What went wrong on the way without stopping the message. */
  problem?: LinkProblem | null;
  jobs?: Job[];
}

/** The outcome of the open attempt, and what follows from it. */
export type OutcomeChange = {
  kind: "outcome";
  attempt: number;
  /** The connection's name, where it is known. */
  provider?: string;
} & (SentOutcome | FailedOutcome);

export interface SentOutcome {
  outcome: "sent";
  /** No receipt will follow. */
  final: boolean;
  /** Until when a receipt is waited for. */
  dueAt?: Date;
  providerMessageId?: string | null;
  segments?: number;
  price?: AttemptPrice;
  jobs?: Job[];
}

export interface FailedOutcome {
  outcome: "not_sent" | "unknown";
  failure: MessageFailure;
  /** It ends, or is due again for a job of `task`. */
  next:
    | { to: "failed" }
    | { to: "undetermined"; reason: MessageReason | undefined }
    | { dueAt: Date; task: string };
}

/** The message gets another status, if the state machine allows it. */
export interface TransitionChange {
  kind: "transition";
  to: Exclude<NotificationStatus, "pending_approval" | "scheduled" | "queued" | "sending">;
  at?: Date;
  reason?: MessageReason;
  failure?: MessageFailure;
  /** Why it goes nowhere; stays with the event. */
  decision?: RecordedDecision;
  /** Who reports it; left out: the product itself. */
  source?: "receipt";
  providerMessageId?: string;
  segments?: number;
  price?: ReceiptPrice;
  dueAt?: Date;
}

/** An action of the recipient, or a report of the provider, that leaves the status as it is. */
export interface SignalChange {
  kind: "signal";
  signal: NotificationSignal;
  at?: Date;
  source?: "receipt";
  /** Of a bounce: whether the address will take nothing later either. */
  permanent?: boolean;
}

/** `attempt`: the one that the price is for; left out: the newest. */
export type ReceiptPrice = AttemptPrice & { attempt?: number };

/** Only a price becomes known. */
export interface PriceChange {
  kind: "price";
  at?: Date;
  price: ReceiptPrice;
  providerMessageId?: string;
}

/** A person approved it: it is sent at `dueAt` by a job of `task`. */
export interface ReleaseChange {
  kind: "release";
  to: "queued" | "scheduled";
  dueAt: Date;
  task: string;
}

/** Reschedules the message, for a job of `task`. */
export interface RescheduleChange {
  kind: "reschedule";
  dueAt: Date;
  task: string;
  /** Why it waits, where readers are to be told. */
  reason?: MessageReason;
}

/** All changes of a message. */
export type Change =
  | ClaimChange
  | OutcomeChange
  | TransitionChange
  | SignalChange
  | PriceChange
  | ReleaseChange
  | RescheduleChange;

/** Which message, and whose. */
export interface NotificationTarget {
  tenantId: string;
  id: string;
}

export type NotificationChange = NotificationTarget & Change;

/** A change in the form that advance_notifications() takes; members that are undefined are left out of the JSON. */
export function changeJson({ tenantId, id, ...change }: NotificationChange): Record<string, unknown> {
  return { tenantId, id, ...fieldsOf(change) };
}

function fieldsOf(change: Change): Record<string, unknown> {
  switch (change.kind) {
    case "claim": {
      const { kind: _, provider, from, problem, ...fields } = change;
      return {
        ...fields,
        claim: true,
        to: "sending",
        provider,
        data: { provider, from, problem: problem ?? undefined },
      };
    }
    case "outcome": {
      const { attempt, provider } = change;
      const { kind: _, provider: _provider, ...fields } = change;
      if (fields.outcome === "sent") return { ...fields, to: "sent", data: { attempt, provider } };
      const { next, outcome, failure } = fields;
      return {
        attempt,
        outcome,
        ...failure,
        failure,
        ...next,
        data: { attempt, provider, failure, reason: "reason" in next ? next.reason : undefined },
      };
    }
    case "transition": {
      const { kind: _, source, price, decision, ...fields } = change;
      const { reason, failure } = fields;
      return { ...fields, ...priceFields(price), data: { source, reason, failure, decision } };
    }
    case "signal": {
      const { signal, at, source, permanent } = change;
      return { to: signal, at, data: { source, permanent } };
    }
    case "price": {
      const { at, price, providerMessageId } = change;
      return { at, providerMessageId, ...priceFields(price) };
    }
    case "release":
      return { to: change.to, dueAt: change.dueAt, task: change.task };
    case "reschedule":
      return { dueAt: change.dueAt, task: change.task, reason: change.reason };
  }
}

function priceFields(price: ReceiptPrice | undefined): Record<string, unknown> {
  if (!price) return {};
  const { attempt: priceAttempt, ...rest } = price;
  return { price: rest, priceAttempt };
}
