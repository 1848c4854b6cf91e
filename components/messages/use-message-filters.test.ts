import { describe, expect, test } from "vitest";
import { isNarrowed, messageParsers, type MessageValues } from "./use-message-filters.ts";

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

  test("a moment that cannot be read is none, so that a link that was cut off opens the page", () => {
    expect(read({ from: "2026-11-0" }).from).toBeNull();
    expect(read({ from: "2026-11-01T00:00:00.000Z" }).from).toBe("2026-11-01T00:00:00.000Z");
  });
});
