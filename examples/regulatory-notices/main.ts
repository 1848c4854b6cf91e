/** Regulatory notices: sent to everybody concerned, with a proof of each delivery, and a list of those who need a letter. */
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { ConflictError, Tidings } from "tidings";

const tidings = new Tidings();
const notice = `terms-2027-${String(Date.now())}`;
// In the sandbox the part before the @ decides: one reads it, one only gets it, and one has a mailbox that does not exist.
const customers = [`read+${notice}@example.com`, `carla+${notice}@example.com`, "bounce@example.com"];

try {
  await tidings.templates.create({
    application: "webshop",
    name: "regulatory-notice",
    notificationType: "regulatory",
    notificationSubtype: "notice",
    channel: "email",
    language: "en",
    subject: 'Our terms change on {{ date | date: "long" }}',
    body: '<h1>Our terms change</h1><p>From {{ date | date: "long" }} new terms hold: <a href="{{ termsUrl }}">read them</a>. You may object until then.</p>',
    variables: [
      { name: "date", type: "date", example: "2027-02-01T00:00:00Z" },
      { name: "termsUrl", type: "url", example: "https://shop.example/terms/2027", maxLength: 200 },
    ],
  });
} catch (error) {
  if (!(error instanceof ConflictError && error.code === "template_exists")) throw error;
}

const { requestId } = await tidings.send({
  transactionId: notice,
  application: "webshop",
  region: "DE",
  language: "en",
  notificationType: "regulatory",
  notificationSubtype: "notice",
  recipients: customers.map((recipient) => ({ channel: "email" as const, recipient })),
  templateVariables: [
    { date: new Date("2027-02-01T00:00:00Z"), termsUrl: "https://shop.example/terms/2027" },
  ],
  metadata: { notice },
});
console.log(`Notice ${notice} is sent to ${String(customers.length)} customers, in request ${requestId}.`);

/** What of the notice there is, once it is over for everybody. */
async function outcomes() {
  const deadline = Date.now() + 30_000;
  while (Date.now() < deadline) {
    await pause(250);
    const messages = await tidings.messages.list({ transactionId: notice }).toArray();
    const isRead = messages.some(({ readAt }) => readAt !== null);
    if (messages.length === customers.length && isRead && messages.every(({ final }) => final))
      return messages;
  }
  throw new Error("The notice is not over for everybody after 30 seconds");
}

const letters: string[] = [];
for (const { notificationId } of await outcomes()) {
  const { to, status, template, provider, providerMessageId, events, failure } =
    await tidings.messages.get(notificationId);
  console.log(
    `${to}: ${status}, ${template?.name ?? ""} version ${String(template?.version)}, ${provider ?? ""} ${providerMessageId ?? ""}`,
  );
  for (const { at, type } of events) console.log(`  ${at}  ${type}`);
  if (status === "delivered") {
    assert(providerMessageId, "There is no id of the provider to refer to");
    assert(
      events.some(({ type }) => type === "delivered"),
      "The delivery is not among the events",
    );
  } else {
    letters.push(`${to} (${failure?.code ?? status})`);
  }
}
assert.equal(letters.length, 1, `Not one customer needs a letter, but ${String(letters.length)}`);
console.log(`Needs a letter: ${letters.join()}`);

// The proof for the archive: a file of what was sent, to whom and when, and its hash.
let file = await tidings.exports.create({ kind: "messages", filter: { transactionId: notice } });
const deadline = Date.now() + 30_000;
while (!["finished", "failed"].includes(file.state)) {
  await pause(250);
  assert(Date.now() < deadline, "The export has not ended within 30 seconds");
  file = await tidings.exports.get(file.id);
}
assert.equal(file.state, "finished", `The export failed: ${file.problem ?? ""}`);
const csv = await tidings.exports.download(file.id);
for (const customer of customers) assert(csv.includes(customer), `${customer} is not in the export`);
const sha256 = createHash("sha256").update(csv).digest("hex");
console.log(`${file.fileName}: ${String(file.rows)} rows, SHA-256 ${sha256}`);
await tidings.exports.delete(file.id);
