import type { NotificationClass } from "../tenancy/schemas.ts";

/** How notifications of a class are handled. */
export interface ClassPolicy {
  /** Which runner carries them: one-time codes have their own, so that no campaign delays them. */
  lane: "otp" | "transactional" | "bulk";
  /** Default time-to-live in ms, from the scheduled or accepted time. */
  timeToLive: number;
  /** First delay and longest delay between attempts, ms. */
  backoff: { first: number; longest: number };
  /** The longest that one call to a provider may take, ms. */
  attemptTimeout: number;
  /** How long a message stays with a connection that asks it to wait before the next one is asked, ms. */
  providerPatience: number;
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
    lane: "otp",
    timeToLive: 10 * minute,
    backoff: { first: second, longest: 15 * second },
    attemptTimeout: 6 * second,
    providerPatience: 0,
    receiptWait: 20 * second,
    unknownRetries: 1,
  },
  transactional: {
    lane: "transactional",
    timeToLive: 24 * hour,
    backoff: { first: 2 * second, longest: 10 * minute },
    attemptTimeout: 10 * second,
    providerPatience: 15 * second,
    receiptWait: 2 * minute,
    unknownRetries: 1,
  },
  service: {
    lane: "transactional",
    timeToLive: 48 * hour,
    backoff: { first: 2 * second, longest: 10 * minute },
    attemptTimeout: 15 * second,
    providerPatience: minute,
    receiptWait: 5 * minute,
    unknownRetries: 0,
  },
  marketing: {
    lane: "bulk",
    timeToLive: 24 * hour,
    backoff: { first: 5 * second, longest: 15 * minute },
    attemptTimeout: 15 * second,
    providerPatience: 5 * minute,
    receiptWait: 10 * minute,
    unknownRetries: 0,
  },
};

/** The shortest time for an attempt, ms: with less left to live none is begun, because it could only end in doubt. */
export const shortestAttempt = second;

/**
 * How long after its beginning an attempt counts as lost, whatever its process says, ms: a call to a provider takes 15
 * s at most. advance_notifications() makes a claimed message due again after the same time.
 */
export const attemptLostAfter = 60 * second;

/**
 * How often to try again after an unknown outcome if the provider recognises repetitions, so that nobody gets it twice.
 */
export const recognisedRetries = 3;

/** The same for the sandbox, where a developer waits for the outcome, ms. */
export const sandboxReceiptWait = 5 * second;

/** How long a sent message waits for its receipt before it is undetermined, unless its provider says otherwise, ms. */
export const receiptWindow = 72 * hour;
