import type { NotificationClass } from "../tenancy/schemas.ts";

/** How a class of notification is worked on (DECISIONS §1, §4). */
export interface ClassPolicy {
  /** Which runner carries it: one-time codes have theirs, so that no campaign delays them. */
  task: "deliver_otp" | "deliver_transactional" | "deliver_bulk";
  /** Lower runs first. */
  priority: number;
  /** Default time-to-live in ms, from the scheduled or accepted time. */
  timeToLive: number;
  /** First delay and longest delay between attempts, ms. */
  backoff: { first: number; longest: number };
  /** How long to wait for a receipt after an unknown outcome, ms. */
  receiptWait: number;
  /** How often to try again after an unknown outcome without a receipt. */
  unknownRetries: 0 | 1;
}

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;

export const classPolicies: Record<NotificationClass, ClassPolicy> = {
  authentication: {
    task: "deliver_otp",
    priority: -10,
    timeToLive: 10 * minute,
    backoff: { first: second, longest: 15 * second },
    receiptWait: 20 * second,
    unknownRetries: 1,
  },
  transactional: {
    task: "deliver_transactional",
    priority: 0,
    timeToLive: 24 * hour,
    backoff: { first: 2 * second, longest: 10 * minute },
    receiptWait: 2 * minute,
    unknownRetries: 1,
  },
  service: {
    task: "deliver_transactional",
    priority: 0,
    timeToLive: 48 * hour,
    backoff: { first: 2 * second, longest: 10 * minute },
    receiptWait: 5 * minute,
    unknownRetries: 0,
  },
  marketing: {
    task: "deliver_bulk",
    priority: 10,
    timeToLive: 24 * hour,
    backoff: { first: 5 * second, longest: 15 * minute },
    receiptWait: 10 * minute,
    unknownRetries: 0,
  },
};

/** In the sandbox a developer waits for the outcome: the same steps, sooner. */
export const sandboxReceiptWait = 5 * second;

/** How long a sent message waits for its receipt before it is undetermined, unless its provider says otherwise, ms. */
export const receiptWindow = 72 * hour;
