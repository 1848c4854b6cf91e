/**
 * The sandbox's provider: decides by recipient (simulator-scenario.ts), answers as a real provider
 * would, and reports back through the real callback route (simulator-callbacks.ts). Nothing leaves.
 */
import { createHash } from "node:crypto";
import type {
  Adapter,
  ApprovalStatus,
  FailureCode,
  OutboundMessage,
  SendOutcome,
  TemplateApproval,
} from "../adapter.ts";
import { twilioFailure } from "../twilio/twilio-errors.ts";
import { simulatorCredentialsSchema, simulatorSettingsSchema } from "./schemas.ts";
import type { SimulatorCredentials, SimulatorSettings } from "./schemas.ts";
import { parseSimulatorCallback } from "./simulator-callbacks.ts";
import { scenarioOf } from "./simulator-scenario.ts";

const RETRY_AFTER_MS = 5_000;

export const simulatorAdapter: Adapter<SimulatorCredentials, SimulatorSettings> = {
  name: "simulator",
  label: "Sandbox simulator",
  channels: ["sms", "email", "whatsapp"],
  inbound: ["sms", "whatsapp"],
  price: "none",
  regionOf: () => null,
  credentialsSchema: simulatorCredentialsSchema,
  settingsSchema: simulatorSettingsSchema,
  hasReceipts: () => true,
  supportsIdempotency: false,
  carriesUtf8Addresses: true,
  // A developer who tests silence should not wait three days for it.
  receiptWindowMs: 60_000,
  send: (_connection, message) => Promise.resolve(simulate(message)),
  test: () => Promise.resolve({ ok: true }),
  parseCallback: (connection, request) => parseSimulatorCallback(connection.credentials, request),
  fetchTemplateApproval: (_connection, template) => Promise.resolve(simulatedApproval(template)),
};

/**
 * Every template is submitted the first time it is asked about and decided the next time: approved, unless its name ends in
 * `_rejected` or `_paused`.
 */
function simulatedApproval({
  template,
  known,
}: {
  template: string;
  known: ApprovalStatus | null;
}): TemplateApproval {
  if (known === null || known === "unsubmitted") return { status: "pending", reason: null };
  if (template.endsWith("_rejected")) {
    return { status: "rejected", reason: "The simulator rejects templates of this name." };
  }
  if (template.endsWith("_paused")) {
    return { status: "paused", reason: "The simulator pauses templates of this name." };
  }
  return { status: "approved", reason: null };
}

function simulate(message: OutboundMessage): SendOutcome {
  const email = message.channel === "email";
  switch (scenarioOf(message.channel, message.to)) {
    case "invalid":
      return email
        ? notSent(
            "never",
            "invalid_recipient",
            "The mail server does not know the recipient",
            "550",
            "5.1.1 User unknown",
          )
        : phoneFailure(21211, "Invalid 'To' Phone Number");
    case "opted_out":
      return phoneFailure(21610, "Attempt to send to unsubscribed recipient");
    case "timeout":
      return { kind: "unknown", code: "provider_timeout", detail: "The provider did not answer in time" };
    case "rate_limited":
      if (message.attempt > 1) return accepted(message);
      return {
        ...(email
          ? notSent(
              "later",
              "provider_rate_limited",
              "The mail server takes no more messages at the moment",
              "451",
              "4.7.1 Try again later",
            )
          : phoneFailure(20429, "Too Many Requests")),
        retryAfterMs: RETRY_AFTER_MS,
      };
    default:
      return message.windowOpen === false
        ? phoneFailure(63016, "Outside the allowed window: a free-form message needs an approved template")
        : accepted(message);
  }
}

type NotSent = Extract<SendOutcome, { kind: "not_sent" }>;

function notSent(
  retry: NotSent["retry"],
  code: FailureCode,
  detail: string,
  providerCode: string,
  providerMessage: string,
): NotSent {
  return { kind: "not_sent", retry, code, detail, providerCode, providerMessage };
}

function phoneFailure(number: number, providerMessage: string): NotSent {
  const failure = twilioFailure(number);
  if (!failure) throw new Error(`No such failure: ${number}`);
  return notSent(failure.retry, failure.code, failure.detail, String(number), providerMessage);
}

/** Ids are made from the attempt, so that repeating a call gives the same one. */
function accepted(message: OutboundMessage): SendOutcome {
  const digest = createHash("sha256")
    .update(`${message.idempotencyKey}/${message.attempt}`)
    .digest("hex")
    .slice(0, 32);
  const prefix = message.channel === "email" ? "sim-" : "SM";
  return { kind: "sent", providerMessageId: `${prefix}${digest}`, final: false };
}
