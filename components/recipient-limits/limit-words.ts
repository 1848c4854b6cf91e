import type { Cap, LimitedClass, QuietRule, Weekday } from "../../server/recipient-limits/schemas.ts";
import { weekdaysFromMonday } from "../../server/recipient-limits/vocabulary.ts";
import { regionName } from "../consent/consent-words.ts";
import { channelLabel } from "../messages/channel.tsx";
import { plural } from "../ui/format.ts";

export const dayWords: Record<Weekday, { short: string; plural: string }> = {
  mon: { short: "Mon", plural: "Mondays" },
  tue: { short: "Tue", plural: "Tuesdays" },
  wed: { short: "Wed", plural: "Wednesdays" },
  thu: { short: "Thu", plural: "Thursdays" },
  fri: { short: "Fri", plural: "Fridays" },
  sat: { short: "Sat", plural: "Saturdays" },
  sun: { short: "Sun", plural: "Sundays" },
};

/** As they stand in a sentence: "marketing", "service messages". */
const classInText: Record<LimitedClass, string> = {
  transactional: "transactional messages",
  service: "service messages",
  marketing: "marketing",
};

const list = new Intl.ListFormat("en", { type: "conjunction" });
const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

/** What quiet hours do, as a sentence. */
export function quietSentence(rule: QuietRule): string {
  const what = capital(list.format(rule.classes.map((of) => classInText[of])));
  const verb = rule.classes.length === 1 && rule.classes[0] === "marketing" ? "waits" : "wait";
  const how = rule.channels.length === 0 ? "" : ` by ${list.format(rule.channels.map(channelLabel))}`;
  const where = rule.regions.length === 0 ? "" : ` to ${regionsWords(rule.regions)}`;
  return `${what}${how}${where} ${verb} ${timeWords(rule)}.`;
}

/** "from 20:00 to 08:00 the next day, every day" */
export function timeWords({ from, to, days }: Pick<QuietRule, "from" | "to" | "days">): string {
  const on =
    days.length === weekdaysFromMonday.length
      ? "every day"
      : `on ${list.format(weekdaysFromMonday.filter((day) => days.includes(day)).map((day) => dayWords[day].plural))}`;
  if (from === "00:00" && to === "24:00") return `all day, ${on}`;
  const next = to <= from && to !== "00:00" ? " the next day" : "";
  return `from ${from} to ${to === "24:00" || to === "00:00" ? "midnight" : to}${next}, ${on}`;
}

/** The names of the first few. */
function regionsWords(regions: readonly string[]): string {
  const shown = regions.slice(0, 3).map(regionName);
  const more = regions.length - shown.length;
  return list.format(more > 0 ? [...shown, plural(more, "more region")] : shown);
}

/** What a cap does, as a sentence. */
export function capSentence({ class: of, channel, most, hours, over }: Cap): string {
  const kind = of === "marketing" ? "marketing message" : `${of} message`;
  const by = channel === null ? "" : ` by ${channelLabel(channel)}`;
  const then = over === "wait" ? "Further messages wait." : "Further messages are rejected.";
  return `At most ${plural(most, kind)}${by} to a recipient within ${periodWords(hours)}. ${then}`;
}

export function periodWords(hours: number): string {
  return hours % 24 === 0 ? plural(hours / 24, "day") : plural(hours, "hour");
}

/** "New York" of "America/New_York". */
export function zoneName(zone: string): string {
  return (zone.split("/").at(-1) ?? zone).replaceAll("_", " ");
}
