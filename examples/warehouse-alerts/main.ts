/** Warehouse alerts: everybody on call by SMS and e-mail, one alert per shortage, and a switch for a sensor gone wild. */
import assert from "node:assert/strict";
import { setTimeout as pause } from "node:timers/promises";
import { ConflictError, Tidings } from "tidings";

const tidings = new Tidings();
const shortage = `W-${String(Date.now())}`;
const group = "Warehouse on call";
const variables = [
  { name: "item", example: "Garden hose, 20 m", maxLength: 80 },
  { name: "left", example: "3", type: "number" as const },
];
const texts = {
  sms: { body: "Stock low: {{ item }}, {{ left }} left." },
  email: { subject: "Stock low: {{ item }}", body: "<p>Only {{ left }} of <b>{{ item }}</b> are left. Please reorder.</p>" },
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

const known = (await tidings.contactGroups.list().toArray()).find(({ name }) => name === group);
const { id: groupId } = known ?? (await tidings.contactGroups.create({ name: group }));
// By external id, so that a second run updates the same people.
const { results } = await tidings.contacts.upsert({
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

async function broadcastEnd(id: string) {
  for (const deadline = Date.now() + 30_000; Date.now() < deadline; await pause(250)) {
    const broadcast = await tidings.broadcasts.get(id);
    if (["finished", "failed", "canceled"].includes(broadcast.state)) return broadcast;
  }
  throw new Error(`Broadcast ${id} has not ended after 30 seconds`);
}

async function templateIds(): Promise<string[]> {
  const found = await tidings.templates.list({ application: "webshop", name: "stock-alert" }).toArray();
  return found.map(({ id }) => id);
}

const sent = await alert(shortage);
assert.equal((await alert(shortage)).requestId, sent.requestId, "The same shortage alerted twice");
const broadcast = await broadcastEnd(sent.requestId);
assert.deepEqual(broadcast.counts, { delivered: 4 }, `Not everybody was reached: ${JSON.stringify(broadcast.counts)}`);
console.log("Two people on call have the alert by SMS and by e-mail; the sensor repeated it for nothing.");

try {
  for (const id of await templateIds())
    await tidings.templates.setKillSwitch(id, { disabled: true, reason: "The sensor in aisle 4 is broken" });
  console.log("The sensor goes wild, so the alert is switched off.");
  const muted = await broadcastEnd((await alert(`${shortage}-wild`)).requestId);
  assert.equal(muted.counts.delivered ?? 0, 0, "An alert went out although it was switched off");
  console.log(`What it sends now reaches nobody: ${JSON.stringify({ ...muted.counts, ...muted.leftOut })}`);
} finally {
  for (const id of await templateIds()) await tidings.templates.setKillSwitch(id, { disabled: false });
}
const repaired = await broadcastEnd((await alert(`${shortage}-repaired`)).requestId);
assert.equal(repaired.counts.delivered, 4, "Alerts do not go out again");
console.log("The sensor is repaired, the alert is on again, and the next one reaches everybody.");
