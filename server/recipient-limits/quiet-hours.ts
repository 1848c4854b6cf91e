import { isFor } from "./vocabulary.ts";
import type { MessagePlace, QuietRule, Weekday } from "./schemas.ts";
import { day, quarterHour, timeOfDay } from "./wall-clock.ts";
import { zoneOffset } from "./zone-offset.ts";

/** A rule as it is computed with. */
export interface Window {
  /** Ms of the day, by the clock on the wall. */
  from: number;
  to: number;
  /** The days on which it begins, from Sunday. */
  days: readonly boolean[];
}

/** Until when nothing may be sent, and the window and the zone that end last. */
export interface QuietTime {
  until: number;
  zone: string;
  /** There is no moment in the next days at which the windows of all zones leave room. */
  always: boolean;
}

/** From Sunday, as 1970-01-01 was a Thursday. */
export const weekdays: readonly Weekday[] = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"];
const firstWeekday = 4;

/** Rules repeat every week; clocks that change do not make room for more than a day. */
const horizon = 9 * day;

/** The windows that are for a message. */
export function windowsFor(rules: readonly QuietRule[], message: MessagePlace): Window[] {
  return rules
    .filter((rule) => isFor(rule, message))
    .map((rule) => ({
      from: timeOfDay(rule.from),
      to: timeOfDay(rule.to),
      days: weekdays.map((weekday) => rule.days.includes(weekday)),
    }));
}

/**
 * Whether an instant is inside a window in any of the zones, and the first instant at which it is not in any of them. A window is a
 * span of the clock on the wall: an hour that a change of clocks skips is left out of it, an hour that is repeated belongs to it twice.
 */
export function quietTime(
  windows: readonly Window[],
  zones: readonly string[],
  at: number,
): QuietTime | null {
  const pairs = zones.flatMap((zone) => windows.map((window) => ({ zone, window })));
  let until = at;
  let last: string | null = null;
  let always = false;
  // Around until a whole round finds nothing in the way.
  for (let index = 0, free = 0; free < pairs.length; index++) {
    const pair = pairs[index % pairs.length];
    const end = pair ? endOf(pair.window, pair.zone, until) : null;
    if (!pair || end === null) {
      free++;
      continue;
    }
    until = end;
    last = pair.zone;
    free = 0;
    always = until - at > horizon;
    if (always) break;
  }
  return last === null ? null : { until, zone: last, always };
}

/** The same for a message: the end of the quiet hours that an instant is in; null: it may be sent. */
export function quietUntil(
  rules: readonly QuietRule[],
  message: MessagePlace & { zones: readonly string[] },
  instant: Date,
): Date | null {
  const quiet = quietTime(windowsFor(rules, message), message.zones, instant.getTime());
  return quiet && new Date(quiet.until);
}

/** How far it is inside a window to its end, or to a change of clocks on the way; null: it is outside. */
function endOf({ from, to, days }: Window, zone: string, at: number): number | null {
  const offset = zoneOffset(zone, at);
  const wall = at + offset;
  const date = Math.floor(wall / day);
  const time = wall - date * day;
  const beginsOn = (on: number) => days[(((on + firstWeekday) % 7) + 7) % 7] === true;
  let left: number;
  if (from < to) {
    if (time < from || time >= to || !beginsOn(date)) return null;
    left = to - time;
  } else if (time >= from && beginsOn(date)) {
    left = day - time + to;
  } else if (time < to && beginsOn(date - 1)) {
    left = to - time;
  } else {
    return null;
  }
  return zoneOffset(zone, at + left) === offset ? at + left : changeOfClocks(zone, at, at + left, offset);
}

/** When between two instants the clocks change, which showed `offset` at the first. */
function changeOfClocks(zone: string, from: number, to: number, offset: number): number {
  let before = Math.floor(from / quarterHour);
  let after = Math.ceil(to / quarterHour);
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2);
    if (zoneOffset(zone, middle * quarterHour) === offset) before = middle;
    else after = middle;
  }
  return after * quarterHour;
}
