/** One comma in front of exactly three digits, which may as well group thousands: "1,200". */
const eitherWay = /^\d+,\d{3}$/;

/** A number as it is typed, with a point before its decimals; undefined where its comma may mean something else. */
export function readNumber(typed: string): string | undefined {
  const text = typed.trim();
  // Nobody groups what begins with a single zero.
  if (eitherWay.test(text) && !text.startsWith("0,")) return undefined;
  return text.replace(",", ".");
}

/** What to write in place of a number that may mean two. */
export function numberComplaint(typed: string): string {
  const text = typed.trim();
  return `Write ${text.replace(",", "")} or ${text.replace(",", ".")}`;
}

/** Digits in groups, the last of three, however a language parts them: "1,000", "1.000", "1 000", "12,34,000". */
const grouped = /^\d{1,3}(?:[\s.,'’_]\d{2,3})*[\s.,'’_]\d{3}$/;

/** A whole number as it is typed; NaN for what is none, for the schema to refuse. */
export function readWhole(typed: string): number {
  const text = typed.trim();
  if (text === "") return Number.NaN;
  return Number(grouped.test(text) ? text.replaceAll(/\D/g, "") : text);
}
