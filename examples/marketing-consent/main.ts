/** Consent-based marketing: double opt-in by e-mail, an offer afterwards, and a one-click unsubscribe that counts. Real mails in the mailbox. */
import assert from "node:assert/strict";
import { setTimeout as pause } from "node:timers/promises";
import { Tidings } from "tidings";

const { TIDINGS_PRODUCTION_KEY, TIDINGS_MAILBOX } = process.env;
assert(TIDINGS_PRODUCTION_KEY && TIDINGS_MAILBOX, "Set TIDINGS_PRODUCTION_KEY and TIDINGS_MAILBOX");
const tidings = new Tidings({ apiKey: TIDINGS_PRODUCTION_KEY });
const run = String(Date.now());
const address = `ada.newsletter+${run}@example.com`;

interface Mail {
  id: string;
  to: string[];
  subject: string;
  text: string | null;
  headers: { name: string; value: string }[];
}

/** The newest mail that the recipient has and that is not one of these. */
async function nextMail(seen: readonly Mail[]): Promise<Mail> {
  const deadline = Date.now() + 30_000;
  while (Date.now() < deadline) {
    await pause(250);
    const mails = (await (await fetch(String(TIDINGS_MAILBOX))).json()) as Mail[];
    const mail = mails.find(({ id, to }) => to.includes(address) && seen.every((other) => other.id !== id));
    if (mail) return (await (await fetch(`${String(TIDINGS_MAILBOX)}/${mail.id}`)).json()) as Mail;
  }
  throw new Error(`No mail came for ${address} within 30 seconds`);
}

/** Sends an offer, and answers with the message once it is with the mail server or refused. */
async function offer(name: string) {
  const { notifications } = await tidings.send({
    transactionId: `newsletter-${run}-${name}`,
    application: "webshop",
    region: "DE",
    language: "en",
    notificationType: "marketing",
    notificationSubtype: "promotion",
    recipients: [{ channel: "email", recipient: address }],
    templateVariables: [
      { customerName: "Ada", offer: "20 % off hoses", shopUrl: "https://shop.example/garden" },
    ],
  });
  return tidings.messages.waitFor(notifications[0]?.notificationId ?? "", { until: "sent" });
}

// 1. Somebody types an address into a form. That alone is no consent.
const { id } = await tidings.consents.askConfirmation({
  id: `signup-${run}`,
  application: "webshop",
  channel: "email",
  address,
  region: "DE",
  language: "en",
  evidence: { form: "newsletter", version: "7", address: "203.0.113.7" },
});
assert.equal((await tidings.consents.getConfirmation(id)).state, "pending");
const early = await offer("early");
assert.equal(
  early.reason?.code,
  "consent_denied",
  `An offer before the confirmation ended as ${early.status}`,
);
console.log("Signed up: the confirmation is pending, and an offer is refused.");

// 2. The mail has a link to a page with a button. This program presses it, as its reader would.
const question = await nextMail([]);
const link = /https?:\/\/\S+\/confirm\/[\w-]+/.exec(question.text ?? "")?.[0];
assert(link, `“${question.subject}” has no link to confirm: ${question.text ?? ""}`);
await fetch(link);
assert.equal((await tidings.consents.getConfirmation(id)).state, "pending", "A look at the page confirmed");
const pressed = await fetch(link, { method: "POST", body: new URLSearchParams({ form: "confirmation" }) });
assert.equal(pressed.status, 200, `The button answers with ${String(pressed.status)}`);
assert.equal((await tidings.consents.getConfirmation(id)).state, "confirmed");
const { history } = await tidings.consents.get({ address });
const [entry] = history.data;
assert.equal(entry?.source, "double_opt_in");
console.log(`“${question.subject}”: confirmed. The ledger has as evidence:`, entry.evidence);

// 3. Now the offer goes out, with an unsubscribe button in the mail program.
const sent = await offer("first");
assert(
  ["sent", "delivered"].includes(sent.status),
  `The offer ended as ${sent.status}: ${sent.reason?.detail ?? ""}`,
);
const mail = await nextMail([question]);
const header = mail.headers.find(({ name }) => name.toLowerCase() === "list-unsubscribe")?.value;
const unsubscribe = /<(https?:[^>]+)>/.exec(header ?? "")?.[1];
assert(unsubscribe, `“${mail.subject}” cannot be unsubscribed from with one click`);
console.log(`“${mail.subject}” is in the mailbox.`);

// 4. One click (RFC 8058), and no offer goes to this address any more.
const clicked = await fetch(unsubscribe, {
  method: "POST",
  body: new URLSearchParams({ "List-Unsubscribe": "One-Click" }),
});
assert(clicked.ok, `The unsubscribe link answers with ${String(clicked.status)}`);
const refused = await offer("second");
assert.equal(refused.reason?.code, "consent_denied", `An offer after the opt-out ended as ${refused.status}`);
console.log("Unsubscribed with one click: the next offer is refused.");
