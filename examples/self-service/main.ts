/** Self-service on WhatsApp: a menu with buttons, answers to taps and to what customers type. */
import assert from "node:assert/strict";
import { randomInt } from "node:crypto";
import { ConflictError, Tidings, type TemplateCreate } from "tidings";

const tidings = new Tidings();
const order = `S-${String(Date.now())}`;
const customer = `+4915114${String(randomInt(10, 100))}${String(randomInt(1_000, 10_000))}`;

async function saveTemplate(template: Partial<TemplateCreate> & Pick<TemplateCreate, "name" | "body">) {
  try {
    await tidings.templates.create({
      application: "webshop",
      notificationType: "self_service",
      notificationSubtype: template.name.replace("self-service-", ""),
      channel: "whatsapp",
      language: "en",
      ...template,
    });
  } catch (error) {
    if (!(error instanceof ConflictError && error.code === "template_exists")) throw error;
  }
}

await saveTemplate({
  name: "self-service-menu",
  body: "Hello {{ customerName }}, how can we help?",
  variables: [{ name: "customerName", example: "Ada", maxLength: 80 }],
  metadata: {
    templateName: "self_service_menu",
    category: "utility",
    language: "en",
    buttons: [
      { type: "quick_reply", text: "Where is my order?", payload: "track" },
      { type: "quick_reply", text: "Talk to a person", payload: "person" },
    ],
  },
});
// Everything after the menu answers the customer, so WhatsApp takes free text.
await saveTemplate({
  name: "self-service-answer",
  body: "{{ text }}",
  variables: [{ name: "text", example: "Your order is on its way.", maxLength: 1_000 }],
});

/** What the shop answers to a tap, or to a text. */
function answerTo(said: { payload?: string; text: string }): string {
  if (said.payload === "track") return `Order ${order} is on its way and arrives tomorrow.`;
  if (said.payload === "person" || /\b(person|human|agent)\b/i.test(said.text))
    return "A colleague will answer you here within the hour.";
  return "Sorry, I only know orders. Type “person” to talk to a colleague.";
}

// From here on, so that what others wrote before is left alone. A service keeps the cursor instead: `onCursor`.
const since = new Date().toISOString();
const menu = await tidings.messages.create({
  application: "webshop",
  template: "self-service-menu",
  channel: "whatsapp",
  to: customer,
  variables: { customerName: "Ada" },
});
assert.equal(
  (await tidings.messages.waitFor(menu.notificationId)).status,
  "delivered",
  "The menu did not arrive",
);
console.log("The customer has the menu.");

// In the sandbox this program is the customer, too.
const turns = ["Where is my order?", "Let me talk to a person"];
await tidings.sandbox.simulate(menu.notificationId, { action: "tap", button: 0 });

const answers: string[] = [];
const late = AbortSignal.timeout(30_000);
const feed = tidings.events.follow({ event: ["message.received"], since, interval: 250 }, { signal: late });
for await (const event of feed) {
  if (event.event !== "message.received" || event.data.from !== customer) continue;
  const { messageId, text, button } = event.data;
  console.log(`Customer: ${text}`);
  const reply = answerTo({ text, ...(button ? { payload: button.payload } : {}) });
  const sent = await tidings.messages.create(
    {
      application: "webshop",
      template: "self-service-answer",
      channel: "whatsapp",
      to: customer,
      variables: { text: reply },
    },
    // One answer to a message, also when its event is read again after a crash.
    { idempotencyKey: messageId },
  );
  const { status, reason } = await tidings.messages.waitFor(sent.notificationId);
  assert.equal(status, "delivered", `The answer ended as ${status}: ${reason?.detail ?? ""}`);
  console.log(`Shop:     ${reply}`);
  answers.push(reply);
  const next = turns[answers.length];
  if (next === undefined) break;
  await tidings.sandbox.simulate(sent.notificationId, { action: "reply", text: next });
}
assert.match(answers[0] ?? "", /on its way/, "The tap was not understood");
assert.match(answers[1] ?? "", /colleague/, "The customer was not handed to a person");
console.log("Both turns were answered within WhatsApp's 24 hours.");
