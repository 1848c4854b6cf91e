/** Promotions to a group: consent decides who gets it, a rate limits it, and STOP counts for the next one. */
import assert from "node:assert/strict";
import { setTimeout as pause } from "node:timers/promises";
import { Tidings } from "tidings";

const tidings = new Tidings();
const campaign = `garden-${String(Date.now())}`;
const group = "Garden lovers";
const people = [
  { name: "Ada", phone: "+4915117004201", agreed: true },
  { name: "Ben", phone: "+4915117004202", agreed: true },
  { name: "Carla", phone: "+4915117004203", agreed: false },
];

// A group by a filter: whoever has the attribute is in it, also those who get it later.
const known = (await tidings.contactGroups.list().toArray()).find(({ name }) => name === group);
if (!known) {
  await tidings.contactGroups.create({
    name: group,
    filter: { all: [{ field: "attribute", name: "interest", op: "is", value: "garden" }] },
  });
}
const { results } = await tidings.contacts.upsert({
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
  // As fast as the shop can serve those who come; nobody needs more here.
  const { state } = await tidings.broadcasts.update(requestId, { ratePerSecond: 50 }).catch(() => ({ state: "" }));
  for (const deadline = Date.now() + 30_000; state !== "failed" && Date.now() < deadline; await pause(250)) {
    const broadcast = await tidings.broadcasts.get(requestId);
    if (broadcast.state === "finished") return broadcast;
  }
  throw new Error("The broadcast has not ended after 30 seconds");
}

/** Who of a broadcast got what: name → status, or the reason why not. */
async function outcomes(requestId: string) {
  const messages = await tidings.messages.list({ search: requestId }).toArray();
  return messages;
}

const first = await promote(campaign, "20 % off hoses");
console.log(first.counts, first.leftOut, (await outcomes(first.id)).length);
