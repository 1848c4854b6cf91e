import { phoneCountry } from "../kernel/address.ts";
import type { Channel } from "../kernel/channel.ts";
import { areaZoneLines, countryZoneLines } from "./zone-data.ts";
import { isZone } from "./zone-offset.ts";

const byCountry = new Map(
  countryZoneLines
    .trim()
    .split("\n")
    .map((line) => [line.slice(0, 2), line.slice(3).split(" ")] as const),
);

const byArea = new Map(
  areaZoneLines
    .trim()
    .split("\n")
    .flatMap((line) => {
      const [zones = "", areas = ""] = line.split(": ");
      return areas.split(" ").map((area) => [area, zones.split(" ")] as const);
    }),
);
const areaLengths = [...new Set([...byArea.keys()].map((area) => area.length))].sort((a, b) => b - a);
/** Of numbers of North America that belong to no area, such as toll-free ones. */
const northAmerica = [
  ...new Set([...byArea].flatMap(([area, zones]) => (area.startsWith("1") ? zones : []))),
];

const nowhere = ["UTC"];

/**
 * The time zones in which somebody may be: that of their contact, else those of their number's area or country, else those of the
 * message's region.
 */
export function zonesOf(
  message: { channel: Channel; recipient: string; region: string },
  contactZone: string | null,
): readonly string[] {
  if (contactZone !== null && isZone(contactZone)) return [contactZone];
  const region = byCountry.get(message.region) ?? nowhere;
  if (message.channel === "email") return region;
  return numberZones(message.recipient) ?? region;
}

function numberZones(address: string): readonly string[] | null {
  // WhatsApp's name of somebody without a number begins with their country.
  if (/^[A-Z]{2}\./.test(address)) return byCountry.get(address.slice(0, 2)) ?? null;
  if (!address.startsWith("+")) return null;
  if (address.startsWith("+1") || address.startsWith("+52")) {
    for (const length of areaLengths) {
      const zones = byArea.get(address.slice(1, 1 + length));
      if (zones) return zones;
    }
    if (address.startsWith("+1")) return northAmerica;
  }
  return byCountry.get(phoneCountry(address) ?? "") ?? null;
}
