/** Delivery updates: what the carrier reports becomes messages, once each, and a reminder that moves with the arrival time. */
import assert from "node:assert/strict";
import { randomInt } from "node:crypto";
import { Tidings } from "tidings";

const tidings = new Tidings();
const order = `D-${String(Date.now())}`;
const phone = `+4915112${String(randomInt(10, 100))}${String(randomInt(1_000, 10_000))}`;
const about = { application: "webshop", region: "DE", language: "en", notificationType: "order" };

/**
 * The carrier's report, as a message on both channels. The transaction id is made of order and status: carriers report some things
 * twice, and customers are told once.
 */
async function tellStatus(status: "shipped" | "delivered"): Promise<string[]> {
  const { notifications } = await tidings.send({
    ...about,
    transactionId: `${order}-${status}`,
    notificationSubtype: "order_status",
    recipients: [
      { channel: "sms", recipient: phone },
      { channel: "email", recipient: `ada+${order}@example.com` },
    ],
    templateVariables: [
      {
        customerName: "Ada",
        orderNumber: order,
        status,
        trackingUrl: `https://shop.example/orders/${order}`,
      },
    ],
  });
  return notifications.map(({ notificationId }) => notificationId);
}

/** A reminder in the morning of the day on which the parcel comes. */
async function remind(eta: Date, version: number): Promise<string> {
  const { notifications } = await tidings.send({
    ...about,
    transactionId: `${order}-eta-${String(version)}`,
    notificationSubtype: "delivery_eta",
    recipients: [{ channel: "sms", recipient: phone }],
    templateVariables: [{ orderNumber: order, eta }],
    scheduledAt: new Date(eta.getTime() - 3 * 3_600_000).toISOString(),
  });
  const [reminder] = notifications;
  assert(reminder, "The reminder was not accepted");
  return reminder.notificationId;
}

console.log(`${order} is handed to the carrier.`);
const shipped = await tellStatus("shipped");
const again = await tellStatus("shipped");
assert.deepEqual(again, shipped, "A repeated report sent something again");
console.log("The carrier reports it twice; the customer is told once.");

const days = (count: number) => new Date(Date.now() + count * 86_400_000);
const first = await remind(days(2), 1);
console.log("A reminder is scheduled for the day of arrival.");
await tidings.messages.cancel(first);
const second = await remind(days(3), 2);
console.log("The parcel is late: the reminder is canceled and scheduled a day later.");

for (const id of shipped) {
  const message = await tidings.messages.waitFor(id);
  assert.equal(message.status, "delivered", `The ${message.channel} message ended as ${message.status}`);
  console.log(`“Shipped” by ${message.channel}: ${message.events.map(({ type }) => type).join(" → ")}`);
}
assert.equal(
  (await tidings.messages.get(first)).status,
  "canceled",
  "The first reminder is still to be sent",
);
assert.equal(
  (await tidings.messages.get(second)).status,
  "scheduled",
  "The second reminder is not scheduled",
);

// Arrived: nobody needs the reminder now.
await tidings.messages.cancel(second);
for (const id of await tellStatus("delivered")) {
  const message = await tidings.messages.waitFor(id);
  assert.equal(message.status, "delivered", `The ${message.channel} message ended as ${message.status}`);
}
console.log("The parcel has arrived, the customer knows, and no reminder is left.");
