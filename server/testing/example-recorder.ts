/*
 * Turns answers of a test's database into examples that are the same on every run: no real id, time, address of this machine or
 * secret is in them, and lists are short.
 */

/** Whether examples are to be written rather than compared. */
export const recording = process.env.RECORD_EXAMPLES === "1";

const uuid = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;
const time = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g;
const hidden: readonly (readonly [RegExp, string])[] = [
  [/whsec_[A-Za-z0-9+/=]+/g, "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"],
  [/tdg_(live|test|sbx)_[A-Za-z0-9]{20,}/g, "tdg_$1_0000000000000000"],
  [/sha256=[0-9a-f]{64}/g, `sha256=${"0123456789abcdef".repeat(4)}`],
  [/http:\/\/127\.0\.0\.1:\d+/g, "https://example.com"],
  [/127\.0\.0\.1/g, "mail.example.com"],
];
/** When the examples happen. */
const beginning = Date.parse("2026-11-25T09:00:00Z");

const mostItems = 2;
const mostText = 1_500;

export class ExampleRecorder {
  readonly #ids = new Map<string, string>();
  readonly #started = Date.now();
  readonly #here: string;

  /** @param here the address of the service that answers */
  constructor(here: string) {
    this.#here = here;
  }

  /** The id that examples have for this one. */
  name(id: string, inExamples: string): void {
    this.#ids.set(id, inExamples);
  }

  /** The example that an answer becomes. */
  plain(value: unknown): unknown {
    if (typeof value === "string") return this.#text(value);
    if (Array.isArray(value)) return value.slice(0, mostItems).map((each) => this.plain(each));
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, member]) => [this.#text(name), this.plain(member)]),
    );
  }

  #text(text: string): string {
    let plain = text
      .replace(uuid, (id) => {
        const number = String(this.#ids.size + 1).padStart(12, "0");
        const known = this.#ids.get(id) ?? `0197f4a0-5b7e-7c1a-9d3e-${number}`;
        this.#ids.set(id, known);
        return known;
      })
      .replace(time, (at) =>
        new Date(Math.round((Date.parse(at) - this.#started + beginning) / 1_000) * 1_000).toISOString(),
      );
    plain = plain.replaceAll(this.#here, "https://tidings.example.com");
    for (const [pattern, instead] of hidden) plain = plain.replace(pattern, instead);
    return plain.length > mostText ? `${plain.slice(0, mostText - 1)}…` : plain;
  }
}

/**
 * Where two JSON values differ in kind or in the members of their objects, as a pointer; undefined when they do not. Null, an
 * empty list and a list's length say nothing.
 */
export function sameShape(a: unknown, b: unknown, pointer = ""): string | undefined {
  if (a === null || b === null) return undefined;
  if (Array.isArray(a) && Array.isArray(b))
    return a.length === 0 || b.length === 0 ? undefined : sameShape(a[0], b[0], `${pointer}/0`);
  if (typeof a !== typeof b || Array.isArray(a) !== Array.isArray(b)) return pointer;
  if (typeof a !== "object") return undefined;
  const [left, right] = [a as Record<string, unknown>, b as Record<string, unknown>];
  const names = Object.keys(left).sort();
  if (names.join() !== Object.keys(right).sort().join()) return `${pointer}/{${names.join()}}`;
  for (const name of names) {
    const difference = sameShape(left[name], right[name], `${pointer}/${name}`);
    if (difference !== undefined) return difference;
  }
  return undefined;
}
