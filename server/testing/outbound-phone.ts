import type { OutboundMessage } from "../adapters/adapter.ts";

const notificationId = "0198c7a0-0000-7000-8000-000000000001";

/** An SMS as delivery hands it to an adapter, in its second attempt; what is given replaces what it has. */
export function phoneMessage(more: Partial<OutboundMessage> = {}): OutboundMessage {
  return {
    tenantId: "0198c7a0-0000-7000-8000-00000000000a",
    notificationId,
    attempt: 2,
    channel: "sms",
    to: "+4915112345678",
    senderId: "+4915199999999",
    text: "Ihr Code: 1234",
    idempotencyKey: notificationId,
    callbackUrl: "https://tidings.example/api/callbacks/c1",
    ...more,
  };
}
