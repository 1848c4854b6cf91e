/**
 * The callback URL that a provider is given for one message. It names the notification, so that a receipt
 * finds its message even when the answer with the provider's id was lost. The provider's signature
 * covers the URL.
 */
import type { CallbackRequest, OutboundMessage } from "./adapter.ts";

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

export function callbackUrlFor(
  message: Pick<OutboundMessage, "callbackUrl" | "notificationId" | "attempt">,
): string {
  const separator = message.callbackUrl.includes("?") ? "&" : "?";
  return `${message.callbackUrl}${separator}notification=${message.notificationId}&attempt=${message.attempt}`;
}

/** What callbackUrlFor wrote; nothing when it is not there or not ours. */
export function notificationOf(request: Pick<CallbackRequest, "url">): {
  notificationId?: string;
  attempt?: number;
} {
  const query = URL.parse(request.url)?.searchParams;
  const notificationId = query?.get("notification") ?? "";
  const attempt = query?.get("attempt") ?? "";
  return {
    ...(UUID.test(notificationId) ? { notificationId } : {}),
    ...(/^[1-9]\d{0,5}$/.test(attempt) ? { attempt: Number(attempt) } : {}),
  };
}
