import { describe, expect, test } from "vitest";
import { testDatabase } from "../testing/database.ts";
import { contactFilterSchema } from "./schemas.ts";
import { filterWords } from "./vocabulary.ts";
import type { Condition, ContactFilter } from "./schemas.ts";

/* Whom a filter holds for: what the database says is what a plain reading of the filter says. */

const database = await testDatabase();

interface Facts {
  region: string | null;
  language: string | null;
  timeZone: string | null;
  attributes: Record<string, string>;
}

/** A plain reading of the rules. */
function holds({ field, name = "", op, value }: Condition, of: Facts): boolean {
  const own = (field === "attribute" ? of.attributes[name] : of[field]) ?? "";
  if (op === "is_set") return own !== "";
  if (op === "is_not_set") return own === "";
  const text = own.toLowerCase();
  if (op === "is_not") return own === "" || text !== String(value).toLowerCase();
  if (own === "") return false;
  if (op === "one_of") return (value as string[]).some((each) => each.toLowerCase() === text);
  const wanted = String(value).toLowerCase();
  if (op === "is") return text === wanted;
  if (op === "contains") return text.includes(wanted);
  if (op === "starts_with") return text.startsWith(wanted);
  if (typeof value === "number") {
    if (!/^-?\d{1,15}(\.\d{1,10})?$/.test(own)) return false;
    return op === "greater" ? Number(own) > value : Number(own) < value;
  }
  if (!/^\d{4}-\d{2}-\d{2}($|T)/.test(own)) return false;
  return op === "greater" ? own.slice(0, 10) > wanted : own.slice(0, 10) < wanted;
}

const matches = ({ all, any = [] }: ContactFilter, of: Facts) =>
  all.every((each) => holds(each, of)) && (any.length === 0 || any.some((each) => holds(each, of)));

let seed = 20_261_123;
/** The same numbers in every run. */
const random = () => {
  seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
  return seed / 2_147_483_648;
};
const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)]!;

const texts = [
  "gold",
  "GOLD",
  "Gold plan",
  "silver",
  "10",
  "9",
  "10.5",
  "-3",
  "1e5",
  "2026-01-31",
  "2026-02-01T10:00:00Z",
  "2026-1-1",
  "50%",
  "a_b",
  "it's",
  "ü",
  "",
];
const condition = (): Condition => {
  const field = pick(["region", "language", "timeZone", "attribute"] as const);
  const op = pick([
    "is",
    "is_not",
    "contains",
    "starts_with",
    "one_of",
    "is_set",
    "is_not_set",
    "greater",
    "less",
  ] as const);
  const name = field === "attribute" ? { name: pick(["plan", "age", "missing"]) } : {};
  const text = () => pick([...texts.filter((each) => each !== ""), "DE", "de", "en", "Europe", "o"]);
  if (op === "is_set" || op === "is_not_set") return { field, op, ...name };
  if (op === "one_of") return { field, op, ...name, value: [text(), text()] };
  if (op === "greater" || op === "less")
    return { field, op, ...name, value: pick([10, 9.5, -3, 0, "2026-01-31", "2026-02-01"]) };
  return { field, op, ...name, value: text() };
};

describe("a filter", () => {
  test("holds for the same contacts as a plain reading of it, over thousands of random ones", async () => {
    const cases = Array.from({ length: 5_000 }, () => {
      const filter = contactFilterSchema.parse({
        all: Array.from({ length: 1 + Math.floor(random() * 3) }, condition),
        ...(random() < 0.5 ? { any: Array.from({ length: 1 + Math.floor(random() * 3) }, condition) } : {}),
      });
      const of: Facts = {
        region: pick(["DE", "FR", null]),
        language: pick(["en", "de", null]),
        timeZone: pick(["Europe/Berlin", "UTC", null]),
        attributes: {
          ...(random() < 0.8 ? { plan: pick(texts) } : {}),
          ...(random() < 0.8 ? { age: pick(texts) } : {}),
        },
      };
      return { filter, of };
    });
    const { rows } = await database.worker.pool.query<{ matches: boolean }>(
      `SELECT contact_matches(x.filter, x.region, x.language, x.zone, x.attributes) AS matches
       FROM jsonb_to_recordset($1::jsonb) AS x(position int, filter jsonb, region text, language text, zone text, attributes jsonb)
       ORDER BY x.position`,
      [
        JSON.stringify(
          cases.map(({ filter, of: { timeZone: zone, ...of } }, position) => ({
            position,
            filter,
            zone,
            ...of,
          })),
        ),
      ],
    );
    const wrong = cases.filter(({ filter, of }, index) => matches(filter, of) !== rows[index]?.matches);
    expect(wrong.slice(0, 3)).toEqual([]);
    const held = rows.filter((row) => row.matches).length;
    expect(held).toBeGreaterThan(200);
    expect(held).toBeLessThan(4_500);
  });

  test("that cannot be read, or says nothing, holds for nobody", async () => {
    for (const filter of [
      null,
      {},
      [],
      "x",
      { all: [] },
      { all: "x" },
      { any: [] },
      { all: [{}] },
      { all: [{ field: "region", op: "drop", value: "DE" }] },
      { all: [{ field: "name", op: "is", value: "DE" }] },
      { all: [{ field: "region", op: "one_of", value: "DE" }] },
      { all: [null] },
    ]) {
      const { rows } = await database.worker.pool.query<{ matches: boolean }>(
        "SELECT contact_matches($1::jsonb, 'DE', 'en', 'UTC', '{}') AS matches",
        [JSON.stringify(filter)],
      );
      expect(rows[0]?.matches, JSON.stringify(filter)).toBe(false);
    }
  });

  test("has at most twenty conditions, each with what its operator compares with", () => {
    const ok = (filter: unknown) => contactFilterSchema.safeParse(filter).success;
    const region = { field: "region", op: "is", value: "DE" };
    expect(ok({ all: Array.from({ length: 20 }, () => region) })).toBe(true);
    expect(ok({ all: Array.from({ length: 20 }, () => region), any: [region] })).toBe(false);
    for (const bad of [
      {},
      { all: [] },
      { all: [{ ...region, name: "x" }] },
      { all: [{ field: "attribute", op: "is", value: "x" }] },
      { all: [{ field: "attribute", name: "a-b", op: "is", value: "x" }] },
      { all: [{ ...region, op: "is_set" }] },
      { all: [{ ...region, op: "one_of" }] },
      { all: [{ ...region, op: "greater" }] },
      { all: [{ ...region, op: "matches" }] },
      { all: [{ ...region, value: "x".repeat(1_001) }] },
      { all: [{ ...region, op: "one_of", value: Array.from({ length: 101 }, () => "x") }] },
    ])
      expect(ok(bad), JSON.stringify(bad).slice(0, 80)).toBe(false);
  });

  test("is said in words", () => {
    expect(
      filterWords({
        all: [
          { field: "region", op: "one_of", value: ["DE", "AT"] },
          { field: "attribute", name: "since", op: "less", value: "2026-01-31" },
        ],
        any: [
          { field: "attribute", name: "plan", op: "is", value: "gold" },
          { field: "language", op: "is_not_set" },
        ],
      }),
    ).toBe("Region is one of DE, AT and since is before 2026-01-31, and plan is gold or Language is not set");
  });
});
