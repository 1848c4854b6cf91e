/** Abandoned carts: a reminder only with consent, canceled when the order comes after all, and never at night. */
import assert from "node:assert/strict";
import { randomInt } from "node:crypto";
import { ConflictError, Tidings } from "tidings";

const tidings = new Tidings();
// Contacts are the same in every environment, so only a key of production reaches them.
const production = new Tidings({ apiKey: process.env.TIDINGS_PRODUCTION_KEY ?? "" });
const run = String(Date.now());
const phone = (country: string) =>
  `${country}${String(randomInt(10, 100))}${String(randomInt(1_000, 10_000))}`;
const [ada, ben, rosa] = [phone("+4915116"), phone("+4915116"), phone("+34612")];

try {
  await tidings.templates.create({
    application: "webshop",
    name: "abandoned-cart",
    notificationType: "cart",
    notificationSubtype: "abandoned",
    channel: "sms",
    language: "en",
    body: "You left {{ item }} in your cart. It is still yours: {{ cartUrl }} Reply STOP to end.",
    variables: [
      { name: "item", example: "a garden hose", maxLength: 60 },
      { name: "cartUrl", type: "url", example: "https://shop.example/cart/1", maxLength: 200 },
    ],
  });
} catch (error) {
  if (!(error instanceof ConflictError && error.code === "template_exists")) throw error;
}

/** A reminder about a cart, at most one each. */
async function remind(cart: string, recipient: string, { region = "DE", inMinutes = 0 } = {}) {
  const { notifications } = await tidings.send({
    transactionId: `cart-${cart}`,
    application: "webshop",
    region,
    language: "en",
    notificationType: "cart",
    notificationSubtype: "abandoned",
    recipients: [{ channel: "sms", recipient }],
    templateVariables: [{ item: "a garden hose", cartUrl: `https://shop.example/cart/${cart}` }],
    scheduledAt: new Date(Date.now() + inMinutes * 60_000).toISOString(),
  });
  const [message] = notifications;
  assert(message, "The request was not accepted");
  return message;
}

async function optIn(address: string) {
  const { results } = await tidings.consents.record({
    consents: [
      {
        id: `checkout-${run}-${address}`,
        channel: "sms",
        address,
        state: "opted_in",
        class: "marketing",
        evidence: { form: "checkout" },
      },
    ],
  });
  assert.equal(results[0]?.status, "recorded", "The opt-in was not recorded");
}

const refused = await tidings.messages.waitFor((await remind(`${run}-0`, ada)).notificationId);
assert.equal(refused.reason?.code, "consent_denied", "Somebody who never agreed would be reminded");
console.log("Ada has not agreed to offers: no reminder.");

await optIn(ada);
const waiting = await remind(`${run}-1`, ada, { inMinutes: 60 });
assert.equal(waiting.status, "scheduled", `The reminder is ${waiting.status}`);
console.log("Ada agrees at the checkout and leaves her cart: a reminder is scheduled in an hour.");
const { status } = await tidings.messages.cancel(waiting.notificationId);
assert.equal(status, "canceled", `The reminder is ${status}`);
console.log("Ada orders after ten minutes: the reminder is canceled.");

await optIn(ben);
const reminder = await tidings.messages.waitFor((await remind(`${run}-2`, ben)).notificationId);
assert.equal(reminder.status, "delivered", `Ben's reminder ended as ${reminder.status}`);
console.log("Ben does not order: the reminder is delivered.");

// Rosa shops in Spain, where the demo organisation sends no marketing from 21:00 to 9:00. It is night wherever she travels now.
const hour = (timeZone: string) =>
  Number(new Intl.DateTimeFormat("en-GB", { timeZone, hour: "numeric", hourCycle: "h23" }).format());
const zones = ["Europe/Madrid", "America/Los_Angeles", "Asia/Tokyo"];
const timeZone = zones.find((zone) => hour(zone) >= 22 || hour(zone) < 8);
await production.contacts.upsert({
  contacts: [
    {
      externalId: `cart-${run}`,
      region: "ES",
      timeZone: timeZone ?? null,
      addresses: [{ channel: "sms", address: rosa }],
    },
  ],
});
await optIn(rosa);
const night = await remind(`${run}-3`, rosa, { region: "ES" });
const held = await tidings.messages.waitFor(night.notificationId, {
  until: ({ final, reason }) => final || reason !== null,
});
assert.equal(
  held.reason?.code,
  "quiet_hours",
  `The reminder is ${held.status}, although it is night for Rosa. Settings → Quiet hours needs a rule for marketing in ES, 21:00 to 9:00`,
);
console.log(`It is night in ${timeZone ?? ""}: Rosa's reminder waits. ${held.reason.detail}`);
await tidings.messages.cancel(night.notificationId);
