import { createHmac } from "node:crypto";
import { spelled } from "../kernel/address.ts";
import { Spellings } from "../kernel/spellings.ts";
import { signingKey } from "./signing-secret.ts";

/** The content of an event, as of the time when it happened: the same at every attempt. */
export interface EventContent {
  event: string;
  at: Date;
  application: string;
  environment: string;
  /** Of events about a notification. */
  notification: NotificationFacts | null;
  /** `data` of all other events. */
  payload: Record<string, unknown> | null;
}

export interface NotificationFacts {
  notificationId: string;
  channel: string;
  to: string;
  status: string;
  provider: string | null;
  deliveredAt: Date | null;
  sequence: number;
  transactionId: string | null;
  reason: unknown;
  failure: unknown;
  metadata: unknown;
  /** The link that was opened, of `link.clicked`. */
  url: string | null;
  /** Of `notification.bounced`: whether the address will take nothing later either; null: the provider does not say. */
  permanent: boolean | null;
}

/** What stands for an address or a text that the reader may not see. */
export const mask = "•••";

/** The facts without the address, wherever it stands: what providers and callers wrote may repeat it. */
export function maskedNotification(facts: NotificationFacts): NotificationFacts {
  const hidden = { ...facts, to: mask, url: facts.url === null ? null : mask };
  return new Spellings([spelled(facts.to)], mask).scrubJson(hidden) as NotificationFacts;
}

/** `data` of the event. */
export function eventData(content: EventContent): Record<string, unknown> {
  const { application, environment, notification } = content;
  if (!notification) return { ...content.payload, application, environment };
  return {
    notificationId: notification.notificationId,
    channel: notification.channel,
    to: notification.to,
    status: notification.status,
    provider: notification.provider,
    deliveredAt: notification.deliveredAt?.toISOString() ?? null,
    sequence: notification.sequence,
    application,
    environment,
    transactionId: notification.transactionId,
    reason: notification.reason ?? null,
    failure: notification.failure ?? null,
    metadata: notification.metadata ?? {},
    ...(notification.url === null ? {} : { url: notification.url }),
    ...(notification.permanent === null ? {} : { permanent: notification.permanent }),
  };
}

/** The body without its signature: the signed part. */
export function unsignedBody(content: EventContent): string {
  return JSON.stringify({
    event: content.event,
    timestamp: content.at.toISOString(),
    data: eventData(content),
  });
}

/**
 * The posted body: compact JSON with the members event, timestamp, data, signature in this order. The signature is
 * HMAC-SHA256 over everything before it, closed with `}`.
 */
export function signedBody(content: EventContent, secret: string): string {
  const unsigned = unsignedBody(content);
  const digest = createHmac("sha256", signingKey(secret)).update(unsigned).digest("hex");
  return `${unsigned.slice(0, -1)},"signature":"sha256=${digest}"}`;
}

type WebhookHeaders = Record<
  "content-type" | "webhook-id" | "webhook-timestamp" | "webhook-signature",
  string
> & { traceparent?: string };

/**
 * Headers of one attempt, with the signature of the Standard Webhooks specification for each valid secret.
 * @param secrets the current one first
 * @param traceparent null where nothing is traced
 */
export function webhookHeaders(
  deliveryId: string,
  at: Date,
  body: string,
  secrets: readonly string[],
  traceparent: string | null,
): WebhookHeaders {
  const timestamp = timestampOf(at);
  const signatures = secrets.map((secret) => {
    const hmac = createHmac("sha256", signingKey(secret)).update(`${deliveryId}.${timestamp}.${body}`);
    return `v1,${hmac.digest("base64")}`;
  });
  return headersOf({ deliveryId, at, signature: signatures.join(" "), traceparent });
}

/** The headers of the attempt that began `at` a time; the address and the body add those of HTTP. */
export function headersOf(attempt: {
  deliveryId: string;
  at: Date;
  signature: string;
  traceparent: string | null;
}): WebhookHeaders {
  return {
    "content-type": "application/json",
    "webhook-id": attempt.deliveryId,
    "webhook-timestamp": timestampOf(attempt.at),
    "webhook-signature": attempt.signature,
    ...(attempt.traceparent === null ? {} : { traceparent: attempt.traceparent }),
  };
}

/** Whole seconds since 1970, as the specification asks. */
const timestampOf = (at: Date) => String(Math.floor(at.getTime() / 1_000));
