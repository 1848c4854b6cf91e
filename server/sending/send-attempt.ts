import type { OutboundMessage, SendOutcome } from "../adapters/adapter.ts";
import type { ProviderConnection } from "../connections/load-connection.ts";
import { unsubscribeHeaders } from "../consent/unsubscribe-token.ts";
import type { Logger } from "../kernel/log.ts";
import type { OutboundClient } from "../kernel/outbound-http.ts";
import type { Delivery } from "./queries.ts";
import type { RenderedMessage } from "./render-message.ts";

/** A rendered message as the adapter takes it. `publicUrl`: base URL of the public callback route
 * and of the link by which a recipient of marketing unsubscribes. */
export function outboundMessage(
  delivery: Pick<
    Delivery,
    "tenantId" | "id" | "channel" | "recipient" | "expiresAt" | "class" | "sandbox" | "language"
  >,
  attempt: number,
  connection: Pick<ProviderConnection, "id">,
  rendered: Pick<RenderedMessage, "outbound">,
  publicUrl: string,
): OutboundMessage {
  const { tenantId, sandbox, recipient: address, class: of, language } = delivery;
  return {
    ...rendered.outbound,
    ...(delivery.channel === "email" && of === "marketing"
      ? { headers: unsubscribeHeaders(publicUrl, { tenantId, sandbox, address, class: of, language }) }
      : {}),
    tenantId,
    notificationId: delivery.id,
    attempt,
    channel: delivery.channel,
    to: address,
    idempotencyKey: `${delivery.id}.${connection.id.slice(-8)}`,
    expiresAt: delivery.expiresAt,
    callbackUrl: `${publicUrl}/api/callbacks/${connection.id}`,
  };
}

/** Calls the provider; `timeoutMs` is the longest that it may take. Never rejects. */
export async function callProvider(
  { adapter, connection }: Pick<ProviderConnection, "adapter" | "connection">,
  message: OutboundMessage,
  { http, log, timeoutMs }: { http: OutboundClient; log: Logger; timeoutMs: number },
): Promise<SendOutcome> {
  try {
    return await adapter.send(connection, message, { http, timeoutMs });
  } catch (error) {
    // An adapter never rejects for what the provider does. What it did before it broke is not known.
    log.error(
      { err: error, adapter: adapter.name, notificationId: message.notificationId },
      "an adapter failed",
    );
    return { kind: "unknown", code: "internal_error", detail: "The adapter failed while sending." };
  }
}
