/** Promotions to a contact group: consent decides who gets them, and a STOP counts for the next one. */
import assert from "node:assert/strict";
import { setTimeout as pause } from "node:timers/promises";
import { Tidings } from "tidings";

const tidings = new Tidings();
// Contacts are the same in every environment, so only a key of production reaches them.
const production = new Tidings({ apiKey: process.env.TIDINGS_PRODUCTION_KEY ?? "" });
const campaign = `garden-${String(Date.now())}`;
const group = "Garden lovers";
const people = [
  { name: "Ada", phone: "+4915117004201", agreed: true },
  { name: "Ben", phone: "+4915117004202", agreed: true },
  { name: "Carla", phone: "+4915117004203", agreed: false },
];

// A group by a filter: whoever has the attribute is in it, also those who get it later.
const known = (await production.contactGroups.list().toArray()).find(({ name }) => name === group);
if (!known) {
  await production.contactGroups.create({
    name: group,
    filter: { all: [{ field: "attribute", name: "interest", op: "is", value: "garden" }] },
  });
}
const { results } = await production.contacts.upsert({
  contacts: people.map(({ name, phone }) => ({
    externalId: `garden-${name}`,
    name,
    region: "DE",
    language: "en",
    attributes: { interest: "garden" },
    addresses: [{ channel: "sms" as const, address: phone }],
  })),
});
assert(
  results.every(({ status }) => status !== "error"),
  "A contact was refused",
);
await tidings.consents.record({
  consents: people
    .filter(({ agreed }) => agreed)
    .map(({ name, phone }) => ({
      id: `${campaign}-${name}`,
      channel: "sms" as const,
      address: phone,
      state: "opted_in" as const,
      class: "marketing" as const,
      evidence: { form: "garden club", version: "2" },
    })),
});
console.log("Three garden lovers, of whom two have agreed to offers.");

/** Sends to the group and waits for the end. Repeated with the same id, it is the same broadcast. */
async function promote(transactionId: string, offer: string) {
  const { requestId } = await tidings.send({
    transactionId,
    application: "webshop",
    region: "DE",
    language: "en",
    notificationType: "marketing",
    notificationSubtype: "promotion",
    contactGroups: [{ group, channels: ["sms"] }],
    templateVariables: [{ offer, shopUrl: "https://shop.example/garden" }],
  });
  const deadline = Date.now() + 30_000;
  while (Date.now() < deadline) {
    await pause(250);
    if ((await tidings.broadcasts.get(requestId)).state !== "finished") continue;
    const messages = await tidings.messages.list({ transactionId }).toArray();
    if (messages.every(({ final }) => final)) return messages;
  }
  throw new Error(`The broadcast ${transactionId} has not ended after 30 seconds`);
}

/** Who got what: Ada → delivered, Carla → consent_denied. */
const byName = (messages: Awaited<ReturnType<typeof promote>>) =>
  Object.fromEntries(
    people.map(({ name, phone }) => {
      const message = messages.find(({ to }) => to === phone);
      return [name, message?.reason?.code ?? message?.status];
    }),
  );

const first = await promote(campaign, "20 % off hoses");
assert.deepEqual(byName(first), { Ada: "delivered", Ben: "delivered", Carla: "consent_denied" });
console.log("First campaign:", byName(first));

// In the sandbox this program answers for Ben: STOP.
const ben = people[1]?.phone ?? "";
const his = first.find(({ to }) => to === ben);
assert(his);
await tidings.sandbox.simulate(his.notificationId, { action: "optOut" });
const deadline = Date.now() + 30_000;
for (;;) {
  await pause(250);
  assert(Date.now() < deadline, "Ben's STOP was not recorded within 30 seconds");
  const { standing } = await tidings.consents.get({ address: ben });
  const marketing = standing
    .find(({ channel }) => channel === "sms")
    ?.states.find((state) => state.class === "marketing");
  if (marketing?.state === "opted_out") break;
}
console.log("Ben answers STOP; it is in the consent ledger, and nothing has to be done about it.");

const second = await promote(`${campaign}-last-days`, "Last days: 30 % off hoses");
assert.deepEqual(byName(second), { Ada: "delivered", Ben: "consent_denied", Carla: "consent_denied" });
console.log("Second campaign:", byName(second));
