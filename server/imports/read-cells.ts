import { normalizeAddress } from "../kernel/address.ts";
import type { Channel } from "../kernel/channel.ts";
import type { CellProblem, Cells } from "./kinds.ts";
import type { ImportMapping } from "./schemas.ts";

/** Whether it is a text that the database takes: JSON in a cell may have what the cell itself must not. */
export const isStorable = (value: unknown): value is string =>
  typeof value === "string" && value.isWellFormed() && !value.includes("\0");

/** How people call the channels, in small letters. */
export const channelNames = new Map<string, Channel>([
  ["sms", "sms"],
  ["text", "sms"],
  ["mobile", "sms"],
  ["email", "email"],
  ["e-mail", "email"],
  ["mail", "email"],
  ["whatsapp", "whatsapp"],
]);

/** A number as people write it: 0049 for +49, and with spaces, brackets and dashes. */
export function tidyAddress(channel: Channel, written: string): string {
  if (channel === "email") return written;
  return written.replaceAll(/[\s()./\-\u00A0\u2010-\u2015]/g, "").replace(/^00/, "+");
}

/** Why nothing can be sent to what was written. */
export function addressProblem(channel: Channel, written: string): string {
  if (channel === "email") return "This is no e-mail address.";
  if (/^\d[.,]\d+e\+?\d+$/i.test(written))
    return "A spreadsheet has rounded this number. Format the column as text and enter the number again.";
  if (written.includes("@")) return "This is an e-mail address, and the channel is another one.";
  return "Write the number with its country code, such as +4915112345678.";
}

/** Channel and address of a row of one address; what is wrong with them is added to `problems`. */
export function readRecipient(
  cells: Cells,
  constants: ImportMapping["constants"],
  problems: CellProblem[],
): { channel: Channel | undefined; address: string | null } {
  const said = cells.get("channel")?.[0]?.text ?? constants.channel;
  const channel = said === undefined ? undefined : channelNames.get(said.toLowerCase());
  if (!channel) {
    problems.push({ target: "channel", code: "invalid_channel", detail: "Write sms, email or whatsapp." });
  }
  const written = cells.get("address")?.[0]?.text;
  if (written === undefined) {
    problems.push({ target: "address", code: "missing", detail: "The address is missing." });
  }
  if (!channel || written === undefined) return { channel, address: null };
  const address = normalizeAddress(channel, tidyAddress(channel, written));
  if (address === null) {
    const detail = addressProblem(channel, written);
    problems.push({ target: "address", code: "invalid_recipient", detail });
  }
  return { channel, address };
}

export function readRegion(text: string): string | null {
  return /^[a-z]{2}$/i.test(text) ? text.toUpperCase() : null;
}

/** The language of "de", "de-AT" and "de_AT". */
export function readLanguage(text: string): string | null {
  return /^([a-z]{2})(?:[-_][a-z0-9-_]+)?$/i.exec(text)?.[1]?.toLowerCase() ?? null;
}

const dayFirst = /^(\d{1,2})\.(\d{1,2})\.(\d{4})$/;
const dayAlone = /^\d{4}-\d{2}-\d{2}$/;
const moment = /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?)\s*(Z|[+-]\d{2}:?\d{2})?$/i;

/** Of the times that are taken: some databases and programs write 9999-12-31 for no end. */
export const lastTime = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

/** ISO 8601 and 31.3.2026, without a zone in UTC, of the years 1 to 9999; nothing that could be read in two ways. */
export function readTime(text: string): Date | null {
  const german = dayFirst.exec(text);
  if (german) {
    const [, day = "", month = "", year = ""] = german;
    return onDay(`${year}-${month.padStart(2, "0")}-${day.padStart(2, "0")}`);
  }
  if (dayAlone.test(text)) return onDay(text);
  const [, day, time, zone = "Z"] = moment.exec(text) ?? [];
  if (day === undefined || time === undefined || !onDay(day)) return null;
  const written =
    zone.toUpperCase() === "Z" || zone.includes(":") ? zone : `${zone.slice(0, 3)}:${zone.slice(3)}`;
  return valid(new Date(`${day}T${time}${written.toUpperCase()}`));
}

const firstTime = Date.parse("0001-01-01T00:00:00Z");
const valid = (date: Date) => (date.getTime() >= firstTime && date.getTime() <= lastTime ? date : null);

/** Null for the 30th of February, which Date takes for the 2nd of March. */
function onDay(day: string): Date | null {
  const date = valid(new Date(`${day}T00:00:00Z`));
  return date?.toISOString().startsWith(day) ? date : null;
}
