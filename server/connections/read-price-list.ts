import { parse } from "csv-parse/sync";
import { priceKey } from "./check-connection.ts";
import { priceListEntrySchema } from "./schemas.ts";
import type { PriceListEntry, ReadPriceList } from "./schemas.ts";

const known = ["channel", "category", "country", "amount", "currency"] as const;
const maxLines = 2_000;
const maxErrors = 100;

/**
 * A price list from CSV: a header line with the columns channel, amount, currency and, optionally, country and
 * category, in any order, separated by commas, semicolons or tabs. Unreadable lines are reported with their number; the
 * list must then not be used.
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
      to: maxLines + 1,
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
  if (lines.length > maxLines) {
    return { entries: [], errors: [{ line: maxLines + 2, detail: `At most ${String(maxLines)} prices` }] };
  }
  const entries: PriceListEntry[] = [];
  const errors: ReadPriceList["errors"] = [];
  const seen = new Map<string, number>();
  for (const { record, info } of lines) {
    const given = Object.fromEntries(
      known.flatMap((name) =>
        record[name] === undefined || record[name] === "" ? [] : [[name, record[name]]],
      ),
    );
    const parsed = priceListEntrySchema.safeParse(given);
    if (!parsed.success) {
      const [issue] = parsed.error.issues;
      const name = String(issue?.path[0] ?? "line");
      errors.push({ line: info.lines, detail: `${name}: ${hints[name] ?? "not valid"}` });
      continue;
    }
    const key = priceKey(parsed.data);
    const before = seen.get(key);
    if (before !== undefined) {
      errors.push({ line: info.lines, detail: `The same messages as in line ${String(before)}` });
    } else if (parsed.data.category !== undefined && parsed.data.channel !== "whatsapp") {
      errors.push({ line: info.lines, detail: "category: only WhatsApp has categories" });
    } else {
      entries.push(parsed.data);
    }
    seen.set(key, before ?? info.lines);
  }
  return { entries, errors: errors.slice(0, maxErrors) };
}

const hints: Record<string, string> = {
  channel: "sms, email or whatsapp",
  category: "authentication, utility, marketing or service",
  country: "two capital letters such as DE, or empty for everywhere else",
  amount: "a number such as 0.0750, with a point and at most six decimals",
  currency: "three capital letters such as EUR",
};
