/** Support triggers: what a customer writes opens a ticket, and the customer is told so. By a webhook that is verified. */
import assert from "node:assert/strict";
import { randomInt } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { ConflictError, PermissionDeniedError, Tidings, type TidingsEvent, type WebhookEvent } from "tidings";

const tidings = new Tidings();
const order = `T-${String(Date.now())}`;
const customer = `+4915118${String(randomInt(10, 100))}${String(randomInt(1_000, 10_000))}`;

try {
  await tidings.templates.create({
    application: "webshop",
    name: "ticket-acknowledgement",
    notificationType: "support",
    notificationSubtype: "acknowledgement",
    channel: "whatsapp",
    language: "en",
    body: "We have your message. Your ticket is {{ ticket }}; a colleague answers within a day.",
    variables: [{ name: "ticket", example: "TICKET-1", maxLength: 60 }],
  });
} catch (error) {
  if (!(error instanceof ConflictError && error.code === "template_exists")) throw error;
}

/** Ticket → the acknowledgement. A real one is in the help desk. */
const tickets = new Map<string, string>();

/** What is done with an event, however it came. It may come twice: the ticket is the message's. */
async function handle(event: TidingsEvent | WebhookEvent): Promise<void> {
  if (event.event !== "message.received" || event.data.from !== customer) return;
  const ticket = `TICKET-${event.data.messageId}`;
  console.log(`“${event.data.text ?? ""}” becomes ${ticket}.`);
  const { notificationId } = await tidings.messages.create(
    { application: "webshop", template: "ticket-acknowledgement", channel: "whatsapp", to: customer, variables: { ticket } },
    { idempotencyKey: ticket },
  );
  tickets.set(ticket, notificationId);
}
