import { createHash } from "node:crypto";

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (value !== null && typeof value === "object") {
    return Object.fromEntries(
      Object.entries(value)
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([name, member]) => [name, sorted(member)]),
    );
  }
  return value;
}

/** A JSON value as text, the same whatever the order of its members. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(sorted(value));
}

/** SHA-256 (hex) of a JSON value, the same whatever the order of its members. */
export function jsonHash(value: unknown): string {
  return createHash("sha256").update(canonicalJson(value)).digest("hex");
}
