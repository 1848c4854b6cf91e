/** Driver coordination: a job is offered by WhatsApp to one driver after the other until one accepts it with a button. */
import assert from "node:assert/strict";
import { randomInt } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { ConflictError, Tidings, type TemplateCreate } from "tidings";

const tidings = new Tidings();
const job = `J-${String(Date.now())}`;
const phone = () => `+4915113${String(randomInt(10, 100))}${String(randomInt(1_000, 10_000))}`;
const drivers = [
  { name: "Ben", phone: phone(), button: 1 },
  { name: "Carla", phone: phone(), button: 0 },
];

/** Saves a template the first time; the sandbox has it at once. */
async function saveTemplate(template: Partial<TemplateCreate> & Pick<TemplateCreate, "name" | "body">) {
  try {
    await tidings.templates.create({
      application: "webshop",
      notificationType: "logistics",
      notificationSubtype: template.name.replace("-", "_"),
      channel: "whatsapp",
      language: "en",
      ...template,
    });
  } catch (error) {
    if (!(error instanceof ConflictError && error.code === "template_exists")) throw error;
  }
}

await saveTemplate({
  name: "driver-job",
  body: "Job {{ job }}: {{ from }} → {{ to }}. Can you take it?",
  variables: [
    { name: "job", example: "J-17", maxLength: 40 },
    { name: "from", example: "Hamburg", maxLength: 80 },
    { name: "to", example: "Lübeck", maxLength: 80 },
  ],
  metadata: {
    // The name under which WhatsApp has approved it. Without one, WhatsApp takes the text only as an answer within 24 hours.
    templateName: "driver_job",
    category: "utility",
    language: "en",
    buttons: [
      { type: "quick_reply", text: "Accept", payload: "accept" },
      { type: "quick_reply", text: "Decline", payload: "decline" },
    ],
  },
});
// An answer within WhatsApp's 24 hours, so it needs no approval.
await saveTemplate({
  name: "driver-confirmation",
  body: "Job {{ job }} is yours. Drive safely!",
  variables: [{ name: "job", example: "J-17", maxLength: 40 }],
});

/** The button that a driver tapped below an offer. */
async function answer(address: string, offer: string): Promise<string> {
  const deadline = Date.now() + 30_000;
  while (Date.now() < deadline) {
    await pause(250);
    for await (const conversation of tidings.conversations.list({ channel: "whatsapp", address })) {
      for await (const { repliesTo, button } of tidings.conversations.messages(conversation.id)) {
        if (repliesTo === offer && button) return button.payload;
      }
    }
  }
  throw new Error("The driver's answer did not arrive within 30 seconds");
}

let taken: string | undefined;
for (const driver of drivers) {
  const offer = await tidings.messages.create(
    {
      application: "webshop",
      template: "driver-job",
      channel: "whatsapp",
      to: driver.phone,
      variables: { job, from: "Hamburg", to: "Lübeck" },
      // An offer that arrives late is worth nothing.
      expiresAt: new Date(Date.now() + 10 * 60_000).toISOString(),
    },
    // One offer of a job to a driver, however often this runs.
    { idempotencyKey: `${job}-${driver.name}` },
  );
  const { status } = await tidings.messages.waitFor(offer.notificationId);
  assert.equal(status, "delivered", `The offer to ${driver.name} ended as ${status}`);
  console.log(`${job} is offered to ${driver.name}.`);

  // In the sandbox this program taps for the driver, too.
  await tidings.sandbox.simulate(offer.notificationId, { action: "tap", button: driver.button });
  const tapped = await answer(driver.phone, offer.notificationId);
  console.log(`${driver.name} taps “${tapped}”.`);
  if (tapped !== "accept") continue;

  const confirmation = await tidings.messages.create(
    {
      application: "webshop",
      template: "driver-confirmation",
      channel: "whatsapp",
      to: driver.phone,
      variables: { job },
    },
    { idempotencyKey: `${job}-confirmed` },
  );
  assert.equal(
    (await tidings.messages.waitFor(confirmation.notificationId)).status,
    "delivered",
    "The confirmation did not arrive",
  );
  taken = driver.name;
  break;
}
assert.equal(taken, "Carla", `The job should be Carla's, not ${taken ?? "nobody's"}`);
console.log(`${job} is ${taken}'s, and she has the confirmation.`);
