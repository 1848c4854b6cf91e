import { parse } from "csv-parse/sync";
import { overlappingPrices, priceProblems } from "./price-rows.ts";
import { mostPrices, priceListEntrySchema } from "./schemas.ts";
import type { PriceListEntry, ReadPriceList } from "./schemas.ts";

const columns: Record<string, keyof PriceListEntry> = {
  channel: "channel",
  category: "category",
  country: "country",
  amount: "amount",
  currency: "currency",
  valid_from: "validFrom",
  valid_to: "validTo",
  free_per_month: "freePerMonth",
  tiers: "tiers",
};
const maxErrors = 100;

/**
 * A price list from CSV: a header line with the columns channel, amount, currency and, optionally, country, category,
 * valid_from, valid_to, free_per_month and tiers, in any order, separated by commas, semicolons or tabs. Unreadable lines are
 * reported with their number; the list must then not be used.
 */
export function readPriceList(csv: string): ReadPriceList {
  let lines: { record: Record<string, string>; info: { lines: number } }[];
  try {
    lines = parse(csv, {
      bom: true,
      columns: (names: string[]) => names.map((name) => name.trim().toLowerCase()),
      delimiter: [",", ";", "\t"],
      info: true,
      skip_empty_lines: true,
      trim: true,
      to: mostPrices + 1,
    }) as unknown as typeof lines;
  } catch (error) {
    const line = error instanceof Error && "lines" in error ? Number(error.lines) : 1;
    return {
      entries: [],
      errors: [{ line, detail: "This line cannot be read as CSV with as many fields as the first" }],
    };
  }
  const first = lines[0]?.record;
  if (!first) return { entries: [], errors: [{ line: 1, detail: "There is no line with a price" }] };
  const missing = ["channel", "amount", "currency"].filter((name) => !(name in first));
  if (missing.length > 0) {
    return {
      entries: [],
      errors: [{ line: 1, detail: `The first line names no column ${missing.join(", ")}` }],
    };
  }
  if (lines.length > mostPrices) {
    return {
      entries: [],
      errors: [{ line: mostPrices + 2, detail: `At most ${String(mostPrices)} prices` }],
    };
  }
  const read: { line: number; entry: PriceListEntry }[] = [];
  const errors: ReadPriceList["errors"] = [];
  for (const { record, info } of lines) {
    const entry = entryOf(record);
    if (typeof entry === "string") errors.push({ line: info.lines, detail: entry });
    else read.push({ line: info.lines, entry });
  }
  const lineOf = (index: number) => read[index]?.line ?? 0;
  const repeated = new Set<number>();
  for (const { first: one, second: other, days } of overlappingPrices(read.map(({ entry }) => entry))) {
    repeated.add(other);
    const detail = `The same messages as in line ${String(lineOf(one))}, ${days}: end one the day before the other begins`;
    errors.push({ line: lineOf(other), detail });
  }
  errors.sort((a, b) => a.line - b.line);
  const entries = read.flatMap(({ entry }, index) => (repeated.has(index) ? [] : [entry]));
  return { entries, errors: errors.slice(0, maxErrors) };
}

/** The price of a line, or what is wrong with it. */
function entryOf(record: Record<string, string>): PriceListEntry | string {
  const given: Record<string, unknown> = {};
  for (const [column, member] of Object.entries(columns)) {
    const text = record[column];
    if (text === undefined || text === "") continue;
    given[member] = member === "tiers" ? tiersOf(text) : member === "freePerMonth" ? wholeNumber(text) : text;
  }
  const parsed = priceListEntrySchema.safeParse(given);
  if (!parsed.success) {
    const member = String(parsed.error.issues[0]?.path[0] ?? "line");
    const column = Object.keys(columns).find((name) => columns[name] === member) ?? member;
    return `${column}: ${hints[column] ?? "not valid"}`;
  }
  const [problem] = priceProblems(parsed.data);
  if (!problem) return parsed.data;
  const member = problem.member.split("/", 1)[0];
  const column = Object.keys(columns).find((name) => columns[name] === member) ?? "line";
  return `${column}: ${problem.detail}`;
}

/** `100000=0.0060 1000000=0.0050`: above which number of the month which price holds. */
function tiersOf(text: string): unknown {
  return text.split(/\s+/).map((word) => {
    const [above = "", amount] = word.split("=", 2);
    return { above: wholeNumber(above), amount };
  });
}

const wholeNumber = (text: string) => (/^\d{1,13}$/.test(text) ? Number(text) : text);

const hints: Record<string, string> = {
  channel: "sms, email or whatsapp",
  category: "marketing, utility, authentication, authentication_international or service",
  country: "two capital letters such as DE, or empty for everywhere else",
  amount: "a number such as 0.0750, with a point and at most six decimals",
  currency: "three capital letters such as EUR",
  valid_from: "a day such as 2026-10-01, or empty for no beginning",
  valid_to: "a day such as 2026-12-31, or empty for no end",
  free_per_month: "a whole number such as 1000, or empty",
  tiers: "up to twenty such as 100000=0.0060 1000000=0.0050, with a blank between them, or empty",
};
