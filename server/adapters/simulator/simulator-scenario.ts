import type { Channel } from "../../kernel/channel.ts";
/**
 * How the sandbox's recipients steer what happens to a message.
 *
 * Numbers (SMS, WhatsApp) by their last four digits, e-mail by the local part (`bounce@…`, `bounce+tag@…`):
 *
 * | number | e-mail       | what happens                                                                     |
 * |--------|--------------|----------------------------------------------------------------------------------|
 * | 0001   | invalid@     | refused at once, never tried again: `failed`, `invalid_recipient`                  |
 * | 0002   | timeout@     | every attempt times out and no receipt ever comes. Authentication and transactional |
 * |        |              | messages are tried a second time, marketing is not: `undetermined`                  |
 * | 0003   | ratelimit@   | the first attempt is refused with "retry in 5 s", later ones are accepted: `delivered` |
 * | 0004   |              | accepted, sent, then reported undelivered: `failed`, `recipient_unreachable`        |
 * | 0005   |              | accepted, sent, delivered after 30 s                                               |
 * | 0006   |              | refused at once because the recipient has opted out: `failed`, `opted_out`          |
 * | 0007   |              | accepted, then silence: `undetermined` after the sandbox's receipt window (60 s)    |
 * | 0008   | read@        | delivered, then read (SMS has no read receipts: only `delivered`)                   |
 * | 0009   |              | delivered, then the recipient answers "Thank you!"                                 |
 * |        | click@       | delivered, opened, then a link in it is opened: `delivered`, events `read`, `clicked` |
 * |        | bounce@      | accepted, then a hard bounce: `failed`, event `bounced`                             |
 * |        | softbounce@  | accepted, then a soft bounce (mailbox full): `failed`, event `bounced`              |
 * |        | complaint@   | delivered, then the recipient complains: `delivered`, event `complained`            |
 * | others | others       | accepted, sent, delivered                                                          |
 */

export type Scenario =
  | "invalid"
  | "timeout"
  | "rate_limited"
  | "fails_later"
  | "late"
  | "opted_out"
  | "silent"
  | "read"
  | "answers"
  | "clicks"
  | "bounce"
  | "soft_bounce"
  | "complaint"
  | "delivered";

const BY_NUMBER: Record<string, Scenario> = {
  "0001": "invalid",
  "0002": "timeout",
  "0003": "rate_limited",
  "0004": "fails_later",
  "0005": "late",
  "0006": "opted_out",
  "0007": "silent",
  "0008": "read",
  "0009": "answers",
};

const BY_LOCAL_PART: Record<string, Scenario> = {
  invalid: "invalid",
  timeout: "timeout",
  ratelimit: "rate_limited",
  read: "read",
  click: "clicks",
  bounce: "bounce",
  softbounce: "soft_bounce",
  complaint: "complaint",
};

export function scenarioOf(channel: Channel, to: string): Scenario {
  if (channel !== "email") return BY_NUMBER[to.slice(-4)] ?? "delivered";
  const localPart = to.slice(0, Math.max(0, to.lastIndexOf("@"))).toLowerCase();
  const [name = ""] = localPart.split("+");
  return (Object.hasOwn(BY_LOCAL_PART, name) ? BY_LOCAL_PART[name] : undefined) ?? "delivered";
}
