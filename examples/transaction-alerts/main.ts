/** Transaction alerts: large payments only, by SMS, and by e-mail when the SMS does not arrive. */
import assert from "node:assert/strict";
import { randomInt } from "node:crypto";
import { ConflictError, Tidings } from "tidings";

const tidings = new Tidings();
const run = String(Date.now());
const threshold = 500;

interface Payment {
  id: string;
  amount: number;
  merchant: string;
  /** Milliseconds since 1970. */
  at: number;
  customer: { phone: string; email: string };
}

const texts = {
  sms: { body: "{{ amount }} EUR paid at {{ merchant }}. Not you? Call +49 30 23125000." },
  email: {
    subject: "{{ amount }} EUR paid at {{ merchant }}",
    body: "<p>{{ amount }} EUR were paid at {{ merchant }}. If it was not you, call +49 30 23125000.</p>",
  },
};
for (const channel of ["sms", "email"] as const) {
  try {
    await tidings.templates.create({
      application: "webshop",
      name: "transaction-alert",
      notificationType: "payment",
      notificationSubtype: "transaction_alert",
      channel,
      language: "en",
      variables: [
        { name: "amount", example: "1250.00", maxLength: 20 },
        { name: "merchant", example: "Garden Center", maxLength: 60 },
      ],
      ...texts[channel],
    });
  } catch (error) {
    if (!(error instanceof ConflictError && error.code === "template_exists")) throw error;
  }
}

/** One alert of a payment on one channel, however often the payment is processed. */
async function send(payment: Payment, channel: "sms" | "email"): Promise<string> {
  const { notifications } = await tidings.send({
    transactionId: `${payment.id}-${channel}`,
    application: "webshop",
    region: "DE",
    language: "en",
    notificationType: "payment",
    notificationSubtype: "transaction_alert",
    recipients: [{ channel, recipient: channel === "sms" ? payment.customer.phone : payment.customer.email }],
    templateVariables: [{ amount: payment.amount.toFixed(2), merchant: payment.merchant }],
    metadata: { payment: payment.id },
    // After an hour nobody is helped by it.
    expiresAt: new Date(payment.at + 3_600_000).toISOString(),
  });
  const [message] = notifications;
  assert(message, "The alert was not accepted");
  return message.notificationId;
}

/** Alerts about a payment where it is large, and answers how the customer was reached. */
async function alert(payment: Payment): Promise<string> {
  if (payment.amount < threshold) return "no alert";
  const sms = await tidings.messages.waitFor(await send(payment, "sms"));
  if (sms.status === "delivered") return "sms";
  console.log(`  The SMS did not arrive: ${sms.failure?.code ?? sms.status}`);
  const email = await tidings.messages.waitFor(await send(payment, "email"));
  assert.equal(email.metadata.payment, payment.id, "The metadata did not come back");
  return email.status === "delivered" ? "email" : "not reached";
}

const ada = {
  phone: `+4915120${String(randomInt(10, 100))}5${String(randomInt(100, 1_000))}`,
  email: `ada+${run}@example.com`,
};
// Numbers that end in 0004 are out of reach in the sandbox.
const ben = { phone: `+4915120${String(randomInt(10, 100))}0004`, email: `ben+${run}@example.com` };
const merchant = "Garden Center";
const at = Date.now();
const payments: [Payment, expected: string][] = [
  [{ id: `P-${run}-1`, amount: 39.9, merchant, at, customer: ada }, "no alert"],
  [{ id: `P-${run}-2`, amount: 1_250, merchant, at, customer: ada }, "sms"],
  [{ id: `P-${run}-3`, amount: 780, merchant, at, customer: ben }, "email"],
];
for (const [payment, expected] of payments) {
  const reached = await alert(payment);
  console.log(`${payment.id}, ${payment.amount.toFixed(2)} EUR: ${reached}`);
  assert.equal(reached, expected);
}

// The queue hands the last payment out again: same ids, same messages.
const [last] = payments.at(-1) ?? [];
assert(last);
await alert(last);
const mails = await tidings.messages.list({ transactionId: `${last.id}-email` }).toArray();
assert.equal(mails.length, 1, "A payment that was processed twice alerted twice");
console.log("Processed a second time, the last payment alerts nobody again.");
