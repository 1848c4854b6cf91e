/** Order lifecycle: confirmed, shipped and delivered as real e-mails of production, in the customer's language, in the mailbox. */
import assert from "node:assert/strict";
import { Tidings } from "tidings";

const { TIDINGS_PRODUCTION_KEY, TIDINGS_MAILBOX } = process.env;
assert(TIDINGS_PRODUCTION_KEY && TIDINGS_MAILBOX, "Set TIDINGS_PRODUCTION_KEY and TIDINGS_MAILBOX");
const tidings = new Tidings({ apiKey: TIDINGS_PRODUCTION_KEY });
const run = String(Date.now());
const order = `L-${run}`;
const customers = [
  { name: "Ada", email: `ada+${run}@example.com`, language: "de", shipped: "unterwegs" },
  { name: "Ben", email: `ben+${run}@example.com`, language: "en", shipped: "on its way" },
];
type Status = "confirmed" | "shipped" | "delivered";

/** One step of the order. Its id is order and step, so a job that is retried mails nobody twice. */
async function tell(customer: (typeof customers)[number], status: Status): Promise<string> {
  const { notifications } = await tidings.send({
    transactionId: `${order}-${customer.name}-${status}`,
    application: "webshop",
    region: "DE",
    language: customer.language,
    notificationType: "order",
    notificationSubtype: "order_status",
    recipients: [{ channel: "email", recipient: customer.email }],
    templateVariables: [{ customerName: customer.name, orderNumber: order, status }],
    // Comes back with every webhook and event about this message.
    metadata: { order, step: status },
  });
  const [message] = notifications;
  assert(message, "The request was not accepted");
  return message.notificationId;
}

/** The subjects that somebody has in the quickstart's mailbox, oldest first. */
async function subjectsOf(address: string): Promise<string[]> {
  const response = await fetch(String(TIDINGS_MAILBOX));
  const mails = (await response.json()) as { to: string[]; subject: string }[];
  return mails
    .filter(({ to }) => to.includes(address))
    .map(({ subject }) => subject)
    .reverse();
}

for (const status of ["confirmed", "shipped", "delivered"] as const) {
  // Both at once; the next step begins when the mails of this one are on their way.
  const ids = await Promise.all(customers.map((customer) => tell(customer, status)));
  // A mail server takes a mail and says no more: for this connection “sent” is the end.
  const messages = ids.map((id) => tidings.messages.waitFor(id, { until: "sent" }));
  for (const message of await Promise.all(messages)) {
    assert(
      ["sent", "delivered"].includes(message.status),
      `“${status}” to ${message.to} ended as ${message.status}: ${message.reason?.detail ?? ""}`,
    );
    assert.equal(message.metadata.step, status, "The metadata did not come back");
  }
  console.log(`${order}: ${status}`);
}
const [ada] = customers;
assert(ada);
const repeated = await tell(ada, "confirmed");
assert.equal((await tidings.messages.get(repeated)).transactionId, `${order}-Ada-confirmed`);

for (const { name, email, shipped } of customers) {
  const subjects = await subjectsOf(email);
  assert.equal(
    subjects.length,
    3,
    `${name} has ${String(subjects.length)} mails, not 3: ${subjects.join(" | ")}`,
  );
  assert(
    subjects[1]?.includes(shipped),
    `The second mail is not about “${shipped}”: ${subjects.join(" | ")}`,
  );
  console.log(`${name} has in the mailbox: ${subjects.join(" | ")}`);
}
