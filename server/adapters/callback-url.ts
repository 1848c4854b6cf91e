/**
 * The callback URL that a provider is given for one message. It names the notification, so that a receipt
 * finds its message even when the answer with the provider's id was lost. Either the provider's signature
 * covers the URL, or the URL carries one of ours: the caller was given it.
 */
import { createHmac } from "node:crypto";
import type { CallbackRequest, OutboundMessage } from "./adapter.ts";
import { sameText } from "../kernel/same-secret.ts";

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

export function callbackUrlFor(
  message: Pick<OutboundMessage, "callbackUrl" | "notificationId" | "attempt">,
): string {
  const separator = message.callbackUrl.includes("?") ? "&" : "?";
  return `${message.callbackUrl}${separator}notification=${message.notificationId}&attempt=${message.attempt}`;
}

/** Which message of ours a receipt is about. */
export type NotificationReference = { notificationId?: string; attempt?: number };

/** What callbackUrlFor wrote; nothing when it is not there or not ours. */
export function notificationOf(request: Pick<CallbackRequest, "url">): NotificationReference {
  const query = URL.parse(request.url)?.searchParams;
  return notificationReference(query?.get("notification"), query?.get("attempt"));
}

/**
 * The names under which a message carries its notification where callbacks have one address for all messages: custom
 * arguments, tags.
 */
export const NOTIFICATION_TAG = "tidings_notification";
export const ATTEMPT_TAG = "tidings_attempt";

/** The same out of what a provider handed back; nothing for what is not ours. */
export function notificationReference(notificationId: unknown, attempt: unknown): NotificationReference {
  return {
    ...(typeof notificationId === "string" && UUID.test(notificationId) ? { notificationId } : {}),
    ...(typeof attempt === "string" && /^[1-9]\d{0,5}$/.test(attempt) ? { attempt: Number(attempt) } : {}),
  };
}

type Named = { notificationId: string; attempt: number };

/** As callbackUrlFor, with a signature under `secret`; for providers that sign nothing themselves. */
export function signedCallbackUrlFor(
  message: Pick<OutboundMessage, "callbackUrl" | "notificationId" | "attempt">,
  secret: string,
): string {
  return `${callbackUrlFor(message)}&signature=${signatureOf(message, secret)}`;
}

/** The notification and attempt that a signed URL is about; null when the signature is missing or not ours. */
export function signedNotificationOf(request: Pick<CallbackRequest, "url">, secret: string): Named | null {
  const { notificationId, attempt } = notificationOf(request);
  if (notificationId === undefined || attempt === undefined) return null;
  const given = URL.parse(request.url)?.searchParams.get("signature") ?? "";
  const named = { notificationId, attempt };
  return sameText(given, signatureOf(named, secret)) ? named : null;
}

/** The prefix keeps it apart from whatever else is signed under the same secret. */
function signatureOf({ notificationId, attempt }: Named, secret: string): string {
  return createHmac("sha256", secret).update(`callback\n${notificationId}\n${attempt}`).digest("base64url");
}
