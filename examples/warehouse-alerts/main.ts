/** Warehouse alerts: everybody on call by SMS and e-mail, one alert per shortage, and a switch for a sensor gone wild. */
import assert from "node:assert/strict";
import { setTimeout as pause } from "node:timers/promises";
import { ConflictError, Tidings } from "tidings";

const tidings = new Tidings();
// Contacts are the same in every environment, so only a key of production reaches them.
const production = new Tidings({ apiKey: process.env.TIDINGS_PRODUCTION_KEY ?? "" });
const shortage = `W-${String(Date.now())}`;
const group = "Warehouse on call";
const variables = [
  { name: "item", example: "Garden hose, 20 m", maxLength: 80 },
  { name: "left", example: "3", type: "number" as const },
];
const texts = {
  sms: { body: "Stock low: {{ item }}, {{ left }} left." },
  email: {
    subject: "Stock low: {{ item }}",
    body: "<p>Only {{ left }} of <b>{{ item }}</b> are left. Please reorder.</p>",
  },
};
const channels = ["sms", "email"] as const;

for (const channel of channels) {
  try {
    await tidings.templates.create({
      application: "webshop",
      name: "stock-alert",
      notificationType: "logistics",
      notificationSubtype: "stock_alert",
      channel,
      language: "en",
      variables,
      ...texts[channel],
    });
  } catch (error) {
    if (!(error instanceof ConflictError && error.code === "template_exists")) throw error;
  }
}

const known = (await production.contactGroups.list().toArray()).find(({ name }) => name === group);
const { id: groupId } = known ?? (await production.contactGroups.create({ name: group }));
// By external id, so that a second run updates the same people.
const { results } = await production.contacts.upsert({
  contacts: ["Ines", "Jack"].map((name, index) => ({
    externalId: `warehouse-${String(index + 1)}`,
    name,
    region: "DE",
    language: "en",
    addresses: [
      { channel: "sms" as const, address: `+491511500410${String(index + 1)}` },
      { channel: "email" as const, address: `${name.toLowerCase()}.oncall@example.com` },
    ],
    groupIds: [groupId],
  })),
});
assert(
  results.every(({ status }) => status !== "error"),
  "A contact was refused",
);

/** Tells the group. The id is the shortage's: a sensor that repeats itself alerts nobody twice. */
async function alert(transactionId: string) {
  return tidings.send({
    transactionId,
    application: "webshop",
    region: "DE",
    language: "en",
    notificationType: "logistics",
    notificationSubtype: "stock_alert",
    contactGroups: [{ group, channels: [...channels] }],
    templateVariables: [{ item: "Garden hose, 20 m", left: 3 }],
  });
}

/** The messages of an alert, once everybody in the group has theirs and none can change any more. */
async function outcomes(alerted: Awaited<ReturnType<typeof alert>>) {
  const { requestId, transactionId } = alerted;
  const deadline = Date.now() + 30_000;
  while (Date.now() < deadline) {
    await pause(250);
    if ((await tidings.broadcasts.get(requestId)).state !== "finished") continue;
    const messages = await tidings.messages.list({ transactionId }).toArray();
    if (messages.every(({ final }) => final)) return messages;
  }
  throw new Error(`The alert ${transactionId} has not ended after 30 seconds`);
}

async function templateIds(): Promise<string[]> {
  const found = await tidings.templates.list({ application: "webshop", name: "stock-alert" }).toArray();
  return found.map(({ id }) => id);
}

const sent = await alert(shortage);
assert.equal((await alert(shortage)).requestId, sent.requestId, "The same shortage alerted twice");
const delivered = await outcomes(sent);
assert.deepEqual(delivered.map(({ channel, status }) => `${channel} ${status}`).sort(), [
  "email delivered",
  "email delivered",
  "sms delivered",
  "sms delivered",
]);
console.log(
  "Two people on call have the alert by SMS and by e-mail; what the sensor repeated reached nobody.",
);

try {
  for (const id of await templateIds())
    await tidings.templates.setKillSwitch(id, { disabled: true, reason: "The sensor in aisle 4 is broken" });
  console.log("The sensor goes wild, so the alert is switched off.");
  await assert.rejects(alert(`${shortage}-wild`), { code: "unknown_template" });
  console.log("What it reports now is refused, and reaches nobody.");
} finally {
  for (const id of await templateIds()) await tidings.templates.setKillSwitch(id, { disabled: false });
}
const repaired = await outcomes(await alert(`${shortage}-repaired`));
assert.equal(repaired.filter(({ status }) => status === "delivered").length, 4, "Alerts do not go out again");
console.log("The sensor is repaired, the alert is on again, and the next one reaches everybody.");
