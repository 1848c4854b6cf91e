import { quarterHour } from "./wall-clock.ts";

/** How a zone's clocks stood in quarters of an hour; no change of clocks lies within one. */
interface Clock {
  format: Intl.DateTimeFormat;
  offsets: Map<number, number>;
}

/** Zones that exist and those that do not (null). What contacts bring is bounded by mostZones. */
const clocks = new Map<string, Clock | null>();
const mostZones = 1_000;
/** Quarters remembered of a zone: three weeks. */
const mostQuarters = 2_016;

function clockOf(zone: string): Clock | null {
  const known = clocks.get(zone);
  if (known !== undefined) return known;
  if (clocks.size >= mostZones) clocks.clear();
  let clock: Clock | null = null;
  try {
    const format = new Intl.DateTimeFormat("en-US", {
      timeZone: zone,
      hourCycle: "h23",
      year: "numeric",
      month: "numeric",
      day: "numeric",
      hour: "numeric",
      minute: "numeric",
    });
    clock = { format, offsets: new Map() };
  } catch {
    // No such zone.
  }
  clocks.set(zone, clock);
  return clock;
}

/** Whether the name of a time zone is one. */
export function isZone(zone: string): boolean {
  return clockOf(zone) !== null;
}

/** How far a zone's clocks are ahead of UTC at an instant, ms. */
export function zoneOffset(zone: string, at: number): number {
  const clock = clockOf(zone);
  if (!clock) throw new RangeError(`no time zone ${zone.slice(0, 64)}`);
  const quarter = Math.floor(at / quarterHour);
  let offset = clock.offsets.get(quarter);
  if (offset === undefined) {
    offset = readOffset(clock.format, quarter * quarterHour);
    if (clock.offsets.size >= mostQuarters) clock.offsets.clear();
    clock.offsets.set(quarter, offset);
  }
  return offset;
}

/** `at` is a whole minute. */
function readOffset(format: Intl.DateTimeFormat, at: number): number {
  const parts: Partial<Record<Intl.DateTimeFormatPartTypes, number>> = {};
  for (const { type, value } of format.formatToParts(at)) parts[type] = Number(value);
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0 } = parts;
  return Date.UTC(year, month - 1, day, hour, minute) - at;
}
