/** Support triggers: what a customer writes opens a ticket, and the customer is told so. By a webhook that is verified. */
import assert from "node:assert/strict";
import { randomInt } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { setTimeout as pause } from "node:timers/promises";
import { ConflictError, Tidings, TidingsError, WebhookVerificationError } from "tidings";
import type { TidingsEvent, WebhookEvent } from "tidings";

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
  console.log(`“${event.data.text}” becomes ${ticket}.`);
  const { notificationId } = await tidings.messages.create(
    {
      application: "webshop",
      template: "ticket-acknowledgement",
      channel: "whatsapp",
      to: customer,
      variables: { ticket },
    },
    { idempotencyKey: ticket },
  );
  tickets.set(ticket, notificationId);
}

let secret = "";
const server = createServer((request, response) => {
  void (async () => {
    // The body as it came: parsed and written again it would have another signature.
    const body = await buffer(request);
    try {
      await handle(await tidings.webhooks.unwrap(body, request.headers, secret));
      response.writeHead(204).end();
    } catch (error) {
      // Not ours: 401. Ours, but not done: it comes again.
      response.writeHead(error instanceof WebhookVerificationError ? 401 : 500).end();
    }
  })();
});
await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
const url = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}/`;

const since = new Date().toISOString();
const endpoint = await tidings.webhooks
  .create({ url, application: "webshop", events: ["message.received"] })
  .catch((error: unknown) => {
    if (error instanceof TidingsError && error.code === "forbidden_address") return undefined;
    throw error;
  });
const stop = new AbortController();
try {
  if (endpoint) {
    secret = endpoint.secret;
    const forged = await fetch(url, { method: "POST", body: JSON.stringify({ event: "message.received" }) });
    assert.equal(forged.status, 401, "A forged webhook was taken for a real one");
    console.log("Webhooks come here; a forged one is refused.");
  } else {
    console.log(
      "This installation may not call 127.0.0.1 (OUTBOUND_ALLOW), so the same events are read from the feed.",
    );
    void readFeed(stop.signal);
  }

  const { notifications } = await tidings.send({
    transactionId: `${order}-delivered`,
    application: "webshop",
    region: "DE",
    language: "en",
    notificationType: "order",
    notificationSubtype: "order_status",
    recipients: [{ channel: "whatsapp", recipient: customer }],
    templateVariables: [{ customerName: "Ada", orderNumber: order, status: "delivered" }],
  });
  const [message] = notifications;
  assert(message);
  await tidings.messages.waitFor(message.notificationId);
  // In the sandbox this program is the customer, too.
  await tidings.sandbox.simulate(message.notificationId, { action: "reply", text: "My parcel is damaged" });

  const deadline = Date.now() + 30_000;
  while (tickets.size === 0) {
    assert(Date.now() < deadline, "The customer's message did not come within 30 seconds");
    await pause(100);
  }
  const [[ticket, id] = ["", ""]] = tickets;
  const { status } = await tidings.messages.waitFor(id);
  assert.equal(status, "delivered", `The acknowledgement of ${ticket} ended as ${status}`);
  console.log("The customer has the acknowledgement.");
} finally {
  stop.abort();
  if (endpoint) await tidings.webhooks.delete(endpoint.id);
  server.close();
}

async function readFeed(signal: AbortSignal) {
  try {
    const query = { event: ["message.received" as const], since, interval: 250 };
    for await (const event of tidings.events.follow(query, { signal })) await handle(event);
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}
