/**
 * Shared by tests of e-mail adapters: a message with everything in it, and a client that reaches servers on loopback.
 */
import type { OutboundMessage } from "../adapters/adapter.ts";
import { createOutboundClient } from "../kernel/outbound-http.ts";
import type { OutboundClient } from "../kernel/outbound-http.ts";
import { TEST_AUTHORITY } from "./tls-fixture.ts";

export const EMAIL_NOTIFICATION_ID = "0198c7a0-0000-7000-8000-000000000001";

/** Text, HTML and a reply-to; `more` replaces members. */
export function emailMessage(more: Partial<OutboundMessage> = {}): OutboundMessage {
  return {
    tenantId: "0198c7a0-0000-7000-8000-00000000000a",
    notificationId: EMAIL_NOTIFICATION_ID,
    attempt: 2,
    channel: "email",
    to: "ada@example.com",
    senderId: "Shop Zürich <shop@example.org>",
    replyTo: "help@example.org",
    subject: "Grüße 👋",
    text: "Hallo Welt",
    html: "<p>Hallo <b>Welt</b></p>",
    idempotencyKey: "0198c7a0-0000-7000-8000-0000000000ff",
    callbackUrl: "https://tidings.example/api/callbacks/c1",
    ...more,
  };
}

/** The headers of marketing mail (RFC 8058). */
export const UNSUBSCRIBE_HEADERS = {
  "List-Unsubscribe": "<https://tidings.example/u/1>",
  "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
};

export const PDF = {
  filename: "rechnung.pdf",
  contentType: "application/pdf",
  content: Buffer.from("%PDF-1.7 test"),
};

/** Reaches loopback, trusts the test authority, and resolves every name there. */
export function loopbackClient(): OutboundClient {
  return createOutboundClient({
    allow: ["127.0.0.0/8"],
    userAgent: "test/1.0",
    ca: TEST_AUTHORITY,
    resolver: () => Promise.resolve(["127.0.0.1"]),
  });
}
