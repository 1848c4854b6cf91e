import { afterAll, expect, test } from "vitest";
import { countryZoneLines, areaZoneLines } from "./zone-data.ts";
import { quietTime, quietUntil, windowsFor } from "./quiet-hours.ts";
import { weekdaysFromMonday } from "./vocabulary.ts";
import type { QuietRule } from "./schemas.ts";
import { isZone } from "./zone-offset.ts";
import { zonesOf } from "./zones.ts";

const rule = (fields: Partial<QuietRule> = {}): QuietRule => ({
  classes: ["marketing"],
  channels: [],
  regions: [],
  days: [...weekdaysFromMonday],
  from: "20:00",
  to: "08:00",
  ...fields,
});
const until = (rules: QuietRule[], zones: string[], at: string) =>
  quietUntil(
    rules,
    { class: "marketing", channel: "sms", region: "DE", zones },
    new Date(at),
  )?.toISOString() ?? null;

/* By hand, from published times at which clocks change. A window is a span of the clock on the wall. */
test.each([
  // Berlin, forwards on 2026-03-29 at 01:00 UTC (02:00 → 03:00): the night is an hour shorter.
  ["Europe/Berlin", "20:00", "08:00", "2026-03-28T18:59:59Z", null],
  ["Europe/Berlin", "20:00", "08:00", "2026-03-28T19:00:00Z", "2026-03-29T06:00:00.000Z"],
  ["Europe/Berlin", "20:00", "08:00", "2026-03-29T06:00:00Z", null],
  // A window that ends within the hour that is left out ends when the clocks change.
  ["Europe/Berlin", "20:00", "02:30", "2026-03-28T23:00:00Z", "2026-03-29T01:00:00.000Z"],
  // One that lies within it is not there that day.
  ["Europe/Berlin", "02:15", "02:45", "2026-03-29T01:15:00Z", null],
  // Backwards on 2026-10-25 at 01:00 UTC (03:00 → 02:00): the night is an hour longer.
  ["Europe/Berlin", "20:00", "08:00", "2026-10-24T18:00:00Z", "2026-10-25T07:00:00.000Z"],
  // A window within the hour that is repeated is there twice.
  ["Europe/Berlin", "02:15", "02:45", "2026-10-25T00:15:00Z", "2026-10-25T00:45:00.000Z"],
  ["Europe/Berlin", "02:15", "02:45", "2026-10-25T00:45:00Z", null],
  ["Europe/Berlin", "02:15", "02:45", "2026-10-25T01:15:00Z", "2026-10-25T01:45:00.000Z"],
  // One that ends in it: first at the end, then again until the change is undone.
  ["Europe/Berlin", "20:00", "02:30", "2026-10-24T22:00:00Z", "2026-10-25T00:30:00.000Z"],
  ["Europe/Berlin", "20:00", "02:30", "2026-10-25T01:00:00Z", "2026-10-25T01:30:00.000Z"],
  // New York, forwards on 2026-03-08 at 07:00 UTC, backwards on 2026-11-01 at 06:00 UTC.
  ["America/New_York", "21:00", "08:00", "2026-03-08T02:00:00Z", "2026-03-08T12:00:00.000Z"],
  ["America/New_York", "21:00", "08:00", "2026-11-01T01:00:00Z", "2026-11-01T13:00:00.000Z"],
  ["America/New_York", "21:00", "08:00", "2026-11-01T13:00:00Z", null],
  // Lord Howe moves by half an hour: forwards on 2026-10-03 at 15:30 UTC, backwards on 2026-04-04 at 15:00 UTC.
  ["Australia/Lord_Howe", "20:00", "08:00", "2026-10-03T10:00:00Z", "2026-10-03T21:00:00.000Z"],
  ["Australia/Lord_Howe", "20:00", "08:00", "2026-04-04T10:00:00Z", "2026-04-04T21:30:00.000Z"],
  ["Australia/Lord_Howe", "20:00", "02:15", "2026-10-03T15:00:00Z", "2026-10-03T15:30:00.000Z"],
  // Casablanca is an hour behind itself during Ramadan: backwards on 2026-02-15 at 02:00 UTC, forwards on 2026-03-22 at 02:00 UTC.
  ["Africa/Casablanca", "20:00", "08:00", "2026-02-14T20:00:00Z", "2026-02-15T08:00:00.000Z"],
  ["Africa/Casablanca", "20:00", "08:00", "2026-03-21T20:00:00Z", "2026-03-22T07:00:00.000Z"],
])("%s, quiet %s to %s, at %s: until %s", (zone, from, to, at, expected) => {
  expect(until([rule({ from, to })], [zone], at)).toBe(expected);
});

test("days are those on which the quiet hours begin", () => {
  const friday = [rule({ days: ["fri"] })];
  // 2026-11-27 is a Friday.
  expect(until(friday, ["UTC"], "2026-11-27T07:00:00Z")).toBeNull();
  expect(until(friday, ["UTC"], "2026-11-27T21:00:00Z")).toBe("2026-11-28T08:00:00.000Z");
  expect(until(friday, ["UTC"], "2026-11-28T21:00:00Z")).toBeNull();
  const sunday = [rule({ days: ["sun"], from: "00:00", to: "24:00" })];
  expect(until(sunday, ["Europe/Paris"], "2026-11-29T12:00:00Z")).toBe("2026-11-29T23:00:00.000Z");
});

test("rules add up: a Sunday and the nights around it are one quiet time", () => {
  const rules = [rule(), rule({ days: ["sun"], from: "00:00", to: "24:00" })];
  expect(until(rules, ["Europe/Paris"], "2026-11-28T19:00:00Z")).toBe("2026-11-30T07:00:00.000Z");
});

test("in several zones a message may go only when it is quiet in none of them", () => {
  const zones = ["America/New_York", "America/Los_Angeles"];
  const night = [rule({ from: "21:00", to: "08:00" })];
  // 08:30 in New York, 05:30 in Los Angeles: until 08:00 there.
  expect(until(night, zones, "2026-11-23T13:30:00Z")).toBe("2026-11-23T16:00:00.000Z");
  // 21:30 in New York, 18:30 in Los Angeles: the next time that both allow.
  expect(until(night, zones, "2026-11-24T02:30:00Z")).toBe("2026-11-24T16:00:00.000Z");
});

test("windows that leave no room are found out", () => {
  const rules = [rule({ from: "08:00", to: "20:00" }), rule()];
  const quiet = quietTime(
    windowsFor(rules, { class: "marketing", channel: "sms", region: "DE" }),
    ["Europe/Berlin"],
    Date.UTC(2026, 10, 23),
  );
  expect(quiet?.always).toBe(true);
});

test("a rule is for its classes, channels and regions alone", () => {
  const one = [rule({ classes: ["marketing"], channels: ["sms"], regions: ["US"] })];
  const count = (place: Parameters<typeof windowsFor>[1]) => windowsFor(one, place).length;
  expect(count({ class: "marketing", channel: "sms", region: "US" })).toBe(1);
  expect(count({ class: "service", channel: "sms", region: "US" })).toBe(0);
  expect(count({ class: "marketing", channel: "email", region: "US" })).toBe(0);
  expect(count({ class: "marketing", channel: "sms", region: "CA" })).toBe(0);
});

/* The clock on the wall, as the platform prints it: independent of how offsets are computed and remembered. */
const clocks = new Map<string, Intl.DateTimeFormat>();
function wall(zone: string, at: number): { day: string; minute: number } {
  let clock = clocks.get(zone);
  if (!clock) {
    clock = new Intl.DateTimeFormat("en-GB", {
      timeZone: zone,
      weekday: "short",
      hour: "2-digit",
      minute: "2-digit",
      hourCycle: "h23",
    });
    clocks.set(zone, clock);
  }
  const parts = Object.fromEntries(clock.formatToParts(at).map(({ type, value }) => [type, value]));
  return {
    day: (parts.weekday ?? "").toLowerCase(),
    minute: Number(parts.hour) * 60 + Number(parts.minute),
  };
}
const minutes = (text: string) => Number(text.slice(0, 2)) * 60 + Number(text.slice(3));
const dayBefore: Record<string, string> = {
  mon: "sun",
  tue: "mon",
  wed: "tue",
  thu: "wed",
  fri: "thu",
  sat: "fri",
  sun: "sat",
};
function isInside(rules: readonly QuietRule[], zones: readonly string[], at: number): boolean {
  return zones.some((zone) => {
    const { day, minute } = wall(zone, at);
    return rules.some(({ days, from, to }) => {
      const on = (name: string) => (days as string[]).includes(name);
      const [begin, end] = [minutes(from), minutes(to)];
      if (begin < end) return on(day) && minute >= begin && minute < end;
      return (on(day) && minute >= begin) || (on(dayBefore[day] ?? "") && minute < end);
    });
  });
}

// eslint-disable-next-line no-restricted-syntax -- of this test alone
const asked = process.env.RUNS;
const runs = Number(asked ?? 20_000);
const figures: string[] = [];
afterAll(() => {
  if (asked !== undefined) process.stdout.write(`${figures.join("\n")}\n`);
});

test(
  `at ${String(runs)} random instants around every zone's changes of clocks nothing is sent inside quiet hours, and nothing waits longer than they last`,
  { timeout: 1_200_000 },
  () => {
    const zones = Intl.supportedValuesOf("timeZone");
    const offsetOf = (zone: string, at: number) => {
      const { day, minute } = wall(zone, at);
      const utc = wall("UTC", at);
      return (
        (minute - utc.minute + (day === utc.day ? 0 : day === dayBefore[utc.day] ? -1_440 : 1_440)) * 60_000
      );
    };
    // When clocks change, to the quarter of an hour.
    const changes = zones.flatMap((zone) => {
      const found: { zone: string; at: number }[] = [];
      const step = 14 * 86_400_000;
      for (let at = Date.UTC(2025, 0, 1); at < Date.UTC(2030, 0, 1); at += step) {
        if (offsetOf(zone, at) === offsetOf(zone, at + step)) continue;
        let [low, high] = [at, at + step];
        const before = offsetOf(zone, low);
        while (high - low > 900_000) {
          const middle = low + Math.floor((high - low) / 1_800_000) * 900_000;
          if (offsetOf(zone, middle) === before) low = middle;
          else high = middle;
        }
        found.push({ zone, at: high });
      }
      return found;
    });
    expect(changes.length).toBeGreaterThan(1_000);
    let seed = 20_261_123;
    const random = () => {
      // mulberry32
      seed = (seed + 0x6d2b79f5) | 0;
      let mixed = Math.imul(seed ^ (seed >>> 15), 1 | seed);
      mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
      return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
    };
    const pick = <Value>(values: readonly Value[]): Value =>
      values[Math.floor(random() * values.length)] as Value;
    const time = () =>
      `${String(Math.floor(random() * 24)).padStart(2, "0")}:${pick(["00", "15", "30", "45", "07"])}`;
    let waited = 0;
    let insideOf = 0;
    for (let run = 0; run < runs; run++) {
      const near = random() < 0.7 ? pick(changes) : undefined;
      const where = [near?.zone ?? pick(zones)];
      if (random() < 0.2) where.push(pick(zones));
      const at = near
        ? near.at + Math.floor((random() - 0.5) * 2 * 86_400_000)
        : Date.UTC(2025, 0, 1) + Math.floor(random() * 5 * 365 * 86_400_000);
      const rules = Array.from({ length: random() < 0.3 ? 2 : 1 }, () => {
        const [from, to] = random() < 0.5 ? ["20:00", "08:00"] : [time(), random() < 0.1 ? "24:00" : time()];
        const days =
          random() < 0.6 ? [...weekdaysFromMonday] : weekdaysFromMonday.filter(() => random() < 0.5);
        return rule({ from, to: to === from ? "24:00" : to, days: days.length > 0 ? days : ["sun"] });
      });
      const message = { class: "marketing", channel: "sms", region: "DE" } as const;
      const quiet = quietTime(windowsFor(rules, message), where, at);
      if (quiet?.always) continue;
      const sentAt = quiet?.until ?? at;
      if (isInside(rules, where, sentAt)) insideOf++;
      if (!quiet) continue;
      waited++;
      // Every moment of the wait was quiet: a sample, and the last one.
      if (!isInside(rules, where, quiet.until - 1_000)) expect.fail(`waits too long: ${String(run)}`);
      const between = at + Math.floor(random() * (quiet.until - at));
      if (!isInside(rules, where, between)) expect.fail(`waits while it could be sent: ${String(run)}`);
    }
    expect(insideOf).toBe(0);
    expect(waited).toBeGreaterThan(runs / 4);
    figures.push(
      `${String(runs)} instants, ${String(zones.length)} zones, ${String(changes.length)} changes of clocks: ${String(insideOf)} sends inside, ${String(waited)} waited`,
    );
  },
);

test("every zone in the data is one, each number has the zones of its area, and without any those of the region count", () => {
  const named = `${countryZoneLines} ${areaZoneLines}`.match(/[A-Z][A-Za-z]+\/[A-Za-z_/-]+/g) ?? [];
  expect(new Set(named).size).toBeGreaterThan(250);
  expect([...new Set(named)].filter((zone) => !isZone(zone))).toEqual([]);
  const of = (recipient: string, region = "DE", contact: string | null = null) =>
    zonesOf({ channel: recipient.includes("@") ? "email" : "sms", recipient, region }, contact);
  expect(of("+12125550100")).toEqual(["America/New_York"]);
  expect(of("+18505550100")).toEqual(["America/Chicago", "America/New_York"]);
  expect(of("+18085550100")).toEqual(["Pacific/Honolulu"]);
  expect(of("+14165550100")).toEqual(["America/Toronto"]);
  // Toll-free: anywhere in North America.
  expect(of("+18005550100").length).toBeGreaterThan(8);
  expect(of("+526641234567")).toEqual(["America/Tijuana"]);
  expect(of("+4915112345678", "US")).toEqual(["Europe/Berlin"]);
  expect(of("+79161234567")).toContain("Asia/Kamchatka");
  expect(of("+61412345678")).toContain("Australia/Perth");
  expect(of("+5511987654321")).toContain("America/Noronha");
  expect(of("US.13491208655302741918")).toContain("Pacific/Honolulu");
  expect(of("ada@example.com", "FR")).toEqual(["Europe/Paris"]);
  // Shared by many countries: those of the region.
  expect(of("+88213300000", "FR")).toEqual(["Europe/Paris"]);
  // The contact's own zone outweighs all; one that does not exist does not.
  expect(of("+12125550100", "US", "Asia/Tokyo")).toEqual(["Asia/Tokyo"]);
  expect(of("+12125550100", "US", "Mars/Olympus")).toEqual(["America/New_York"]);
});

test("a message costs a look-up without rules and well below 100 µs with them", () => {
  // Of the processor, so that whatever else the machine does counts for nothing.
  const cost = (work: (index: number) => unknown) => {
    for (let index = 0; index < 2_000; index++) work(index);
    const times = Array.from({ length: 5 }, () => {
      const from = process.cpuUsage();
      for (let index = 0; index < 1_000; index++) work(index);
      const { user, system } = process.cpuUsage(from);
      return (user + system) / 1_000;
    });
    return Math.min(...times);
  };
  const now = Date.UTC(2026, 10, 23, 3);
  const number = (index: number) => `+1212${String(5_550_000 + (index % 4_000))}`;
  const everyNight = windowsFor([rule(), rule({ days: ["sun"], from: "00:00", to: "24:00" })], {
    class: "marketing",
    channel: "sms",
    region: "US",
  });
  const of = (recipient: string) => zonesOf({ channel: "sms", recipient, region: "US" }, null);
  const none = cost((index) => quietTime([], [], now + index));
  const one = cost((index) => quietTime(everyNight, of(number(index)), now + index * 1_000));
  const country = cost((index) =>
    quietTime(everyNight, of(`+7916${String(1_000_000 + index)}`), now + index * 1_000),
  );
  const anywhere = cost((index) => quietTime(everyNight, of("+18005550100"), now + index * 1_000));
  figures.push(
    `µs a message: ${[none, one, country, anywhere].map((each) => each.toFixed(2)).join(", ")} (no rules, New York, Russia, toll-free)`,
  );
  expect(none).toBeLessThan(20);
  expect(one).toBeLessThan(100);
  expect(country).toBeLessThan(100);
  expect(anywhere).toBeLessThan(200);
});
