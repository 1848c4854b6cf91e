import { describe, expect, test } from "vitest";
import { anchorAt, isNarrowed, messageParsers, type MessageValues } from "./use-message-filters.ts";

/** What the page reads from an address. */
function read(query: Record<string, string>): MessageValues {
  const values = Object.entries(messageParsers).map(([name, parser]) => {
    const parsed: unknown = (parser.parse as (text: string) => unknown)(query[name] ?? "");
    const own = query[name] === undefined ? null : parsed;
    return [name, own ?? ("defaultValue" in parser ? parser.defaultValue : null)] as const;
  });
  return Object.fromEntries(values) as MessageValues;
}

describe("the filters in the address of Messages", () => {
  test.each(["sent", "final", "simulated"])(
    "%s=false narrows the list, so that it can be cleared",
    (name) => {
      expect(isNarrowed(read({ [name]: "false" }))).toBe(true);
    },
  );

  test("each filter does, and what only says where one looks does not", () => {
    const filters = { q: "ada", status: "failed", without: "code", to: "2026-11-01T00:00:00Z" };
    for (const [name, value] of Object.entries(filters))
      expect(isNarrowed(read({ [name]: value }))).toBe(true);
    expect(isNarrowed(read({}))).toBe(false);
    expect(isNarrowed(read({ range: "30d", sort: "oldest", cursor: "x", open: "y" }))).toBe(false);
  });

  test("a range of a page that is left open moves on with the clock, by a sixtieth of it at a time", () => {
    const minute = 60_000;
    const chosen = Date.UTC(2026, 10, 20, 12);
    const after = (range: "1h" | "24h" | "all", minutes: number) =>
      (anchorAt(chosen, range, chosen + minutes * minute + 1) - chosen) / minute;
    expect([after("1h", 0), after("1h", 1), after("1h", 480)]).toEqual([0, 1, 480]);
    expect([after("24h", 23), after("24h", 24), after("24h", 480)]).toEqual([0, 24, 480]);
    expect(after("all", 480)).toBe(0);
  });

  test("a moment that cannot be read is none, so that a link that was cut off opens the page", () => {
    expect(read({ from: "2026-11-0" }).from).toBeNull();
    expect(read({ from: "2026-11-01T00:00:00.000Z" }).from).toBe("2026-11-01T00:00:00.000Z");
  });
});
