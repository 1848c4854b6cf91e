import { isUtf8 } from "node:buffer";
import { DomainError } from "../kernel/errors.ts";
import { diagnoseJson, shownName } from "./diagnose-json.ts";

/** How deep arrays and objects may be nested. */
export const MAX_JSON_DEPTH = 32;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

interface Shape {
  /** Colons outside strings: in valid JSON, the number of names. */
  names: number;
  /** Whether there is a \u escape: only those can write NUL or half a surrogate pair into valid UTF-8. */
  escapes: boolean;
  tooDeepAt: number;
}

/** One pass over the bytes, without allocations that grow with them. Invalid JSON gives a wrong but harmless result. */
function scan(bytes: Uint8Array): Shape {
  const end = bytes.length;
  let depth = 0;
  let names = 0;
  let escapes = false;
  for (let at = 0; at < end; at++) {
    // `at` is within the bytes.
    switch (bytes[at] ?? 0) {
      case QUOTE:
        for (at++; at < end; at++) {
          const byte = bytes[at];
          if (byte === QUOTE) break;
          // 0x75 is "u".
          if (byte === BACKSLASH && bytes[++at] === 0x75) escapes = true;
        }
        break;
      case 0x3a: // :
        names++;
        break;
      case 0x7b: // {
      case 0x5b: // [
        if (++depth > MAX_JSON_DEPTH) return { names, escapes, tooDeepAt: at };
        break;
      case 0x7d: // }
      case 0x5d: // ]
        depth--;
        break;
    }
  }
  return { names, escapes, tooDeepAt: -1 };
}

class Unstorable extends Error {}
class ForbiddenName extends Error {}

/** Counts the names in a parsed value and, if asked, checks each text. The depth was limited before. */
function countNames(value: unknown, checkTexts: boolean): number {
  if (typeof value === "string") {
    if (checkTexts && !storable(value)) throw new Unstorable();
    return 0;
  }
  if (typeof value !== "object" || value === null) return 0;
  let count = 0;
  if (Array.isArray(value)) {
    for (const item of value) count += countNames(item, checkTexts);
    return count;
  }
  for (const name of Object.keys(value)) {
    if (name === "__proto__") throw new ForbiddenName();
    if (checkTexts && !storable(name)) throw new Unstorable();
    count += 1 + countNames((value as Record<string, unknown>)[name], checkTexts);
  }
  return count;
}

function storable(text: string): boolean {
  return !text.includes("\0") && text.isWellFormed();
}

function refusal(text: string): DomainError {
  const fault = diagnoseJson(text);
  if (!fault) return new DomainError("invalid_json", "The body is not valid JSON.");
  const before = text.slice(0, fault.position);
  const line = before.split("\n").length;
  const column = fault.position - before.lastIndexOf("\n");
  const detail = `${fault.detail} Line ${line}, column ${column} (position ${fault.position}).`;
  return new DomainError(fault.kind === "encoding" ? "invalid_encoding" : "invalid_json", detail, {
    extra: { position: fault.position },
  });
}

/**
 * Parses a request body: JSON as RFC 8259 in UTF-8, without NUL or half surrogate pairs (Postgres stores neither), at
 * most 32 levels deep, no duplicate names in an object, no `__proto__`. Throws `invalid_encoding`, `depth_exceeded` or
 * `invalid_json`.
 *
 * This runs for every accepted message, so nearly all of it is native code: one scan counts colons and depth,
 * JSON.parse parses, and a walk over the result counts names. Fewer names than colons means a duplicate. Libraries that
 * find duplicates parse in JavaScript, ten times slower.
 */
export function parseJson(bytes: Uint8Array): unknown {
  if (!isUtf8(bytes)) throw new DomainError("invalid_encoding", "The body is not valid UTF-8.");
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (buffer.includes(0)) {
    throw new DomainError("invalid_encoding", `The body holds a NUL byte at offset ${buffer.indexOf(0)}.`);
  }
  const shape = scan(bytes);
  if (shape.tooDeepAt >= 0) {
    throw new DomainError(
      "depth_exceeded",
      `The JSON may be nested ${MAX_JSON_DEPTH} levels deep; byte ${shape.tooDeepAt} starts a deeper one.`,
    );
  }
  const bom = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
  const text = bom ? buffer.toString("utf8", 3) : buffer.toString("utf8");
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw refusal(text);
  }
  try {
    if (countNames(value, shape.escapes) === shape.names) return value;
  } catch (error) {
    if (error instanceof ForbiddenName) {
      throw new DomainError(
        "invalid_json",
        `The name ${shownName("__proto__")} is not allowed in an object.`,
      );
    }
    if (!(error instanceof Unstorable)) throw error;
  }
  throw refusal(text);
}
