/** One-time codes: quick, short-lived, safe to ask for twice, and by e-mail where the number does not work. */
import assert from "node:assert/strict";
import { randomInt } from "node:crypto";
import { Tidings } from "tidings";

const tidings = new Tidings();
const run = String(Date.now());
const phone = (ending: string) => `+4915119${String(randomInt(10, 100))}${ending}`;

/** The codes that can still be used, by attempt to sign in. */
const codes = new Map<string, { code: string; expiresAt: Date }>();

/** Sends the code of an attempt. Asked for again, on a double click say, it is the same code and no second message. */
async function sendCode(
  attempt: string,
  channel: "sms" | "email",
  recipient: string,
  seconds = 300,
): Promise<string> {
  let kept = codes.get(attempt);
  if (!kept) {
    const code = String(randomInt(0, 1_000_000)).padStart(6, "0");
    kept = { code, expiresAt: new Date(Date.now() + seconds * 1_000) };
    codes.set(attempt, kept);
  }
  const { notifications } = await tidings.send({
    transactionId: `${attempt}-${channel}`,
    application: "webshop",
    region: "DE",
    language: "en",
    notificationType: "authentication",
    notificationSubtype: "one_time_passcode",
    recipients: [{ channel, recipient }],
    templateVariables: [{ code: kept.code, minutes: Math.ceil(seconds / 60) }],
    // A code that can't be used any more is not sent either.
    expiresAt: kept.expiresAt.toISOString(),
  });
  const [message] = notifications;
  assert(message, "The code was not accepted");
  return message.notificationId;
}

/** Whether a code is right and in time. It counts once. */
function verify(attempt: string, typed: string): boolean {
  const kept = codes.get(attempt);
  if (kept?.code !== typed || kept.expiresAt < new Date()) return false;
  return codes.delete(attempt);
}

// 1. The usual way. Ada has opted out of everything; codes are exempt from that.
const ada = phone("4711");
await tidings.consents.record({
  consents: [{ id: `stop-${run}`, channel: "sms", address: ada, state: "opted_out" }],
});
const first = `sign-in-${run}-1`;
const [id, same] = await Promise.all([sendCode(first, "sms", ada), sendCode(first, "sms", ada)]);
assert.equal(same, id, "A double click sent two codes");
const sent = await tidings.messages.waitFor(id);
assert.equal(sent.status, "delivered", `The code ended as ${sent.status}: ${sent.reason?.detail ?? ""}`);
const took = Date.parse(sent.sentAt ?? "") - Date.parse(sent.createdAt);
console.log(
  `Ada clicks twice, gets one code, ${String(took)} ms after she asked, although she has opted out.`,
);

const { code } = codes.get(first) ?? { code: "" };
assert(!verify(first, "none"), "A wrong code was accepted");
assert(verify(first, code), "The right code was refused");
assert(!verify(first, code), "A code could be used twice");
console.log("The code counts once.");

// 2. A number that does not exist: the same code by e-mail.
const second = `sign-in-${run}-2`;
const refused = await tidings.messages.waitFor(await sendCode(second, "sms", phone("0001")));
assert.equal(refused.failure?.code, "invalid_recipient", `The wrong number ended as ${refused.status}`);
const mailed = await tidings.messages.waitFor(await sendCode(second, "email", `ben+${run}@example.com`));
assert.equal(mailed.status, "delivered", `The mail ended as ${mailed.status}`);
console.log(`Ben's number does not exist (${refused.failure.code}), so his code comes by e-mail.`);

// 3. A provider that asks to wait for longer than the code can be used: it is not sent late.
const late = await tidings.messages.waitFor(await sendCode(`sign-in-${run}-3`, "sms", phone("0003"), 2));
assert.equal(late.status, "expired", `The late code ended as ${late.status}`);
console.log("Carla's code would come too late, so it is not sent at all.");
