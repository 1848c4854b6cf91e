/** Readers of JSON from outside: any value in, the wanted shape or nothing out. They never throw. */
import { trimTrailing } from "../kernel/trim-trailing.ts";
import type { Price } from "./adapter.ts";

export type JsonObject = Record<string, unknown>;

const NOTHING: JsonObject = Object.freeze({});

/** The value when it is an object, otherwise one without properties. */
export function objectOf(value: unknown): JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? (value as JsonObject)
    : NOTHING;
}

/** The objects of an array, at most `max` of them. */
export function objectsOf(value: unknown, max: number): JsonObject[] {
  if (!Array.isArray(value)) return [];
  const found: JsonObject[] = [];
  for (const item of value as unknown[]) {
    if (found.length === max) break;
    const object = objectOf(item);
    if (object !== NOTHING) found.push(object);
  }
  return found;
}

/** A text that is not empty, cut to `max` characters, without what Postgres stores in no text: NUL and halves of characters. */
export function textOf(value: unknown, max = 512): string | undefined {
  if (typeof value !== "string") return undefined;
  return value.slice(0, max).replaceAll("\0", "").toWellFormed() || undefined;
}

/**
 * A moment of this century: ISO 8601 text, with or without a colon in its offset, UTC without one; or seconds since 1970 as
 * digits or a number.
 */
export function momentOf(value: unknown): Date | undefined {
  if (typeof value === "number" || (typeof value === "string" && /^\d{1,12}$/.test(value))) {
    return validDate(new Date(Number(value) * 1_000));
  }
  if (typeof value !== "string" || !/^\d{4}-\d\d-\d\dT/.test(value) || value.length > 40) return undefined;
  const iso = value.replace(/([+-]\d\d)(\d\d)$/, "$1:$2");
  return validDate(new Date(/(Z|[+-]\d\d:\d\d)$/i.test(iso) ? iso : `${iso}Z`));
}

/** Postgres knows fewer years than JavaScript: one that it refuses would take all that came with it down. */
function validDate(date: Date): Date | undefined {
  const year = date.getUTCFullYear();
  return year >= 2000 && year < 2100 ? date : undefined;
}

/** A price out of an amount (decimal text or number) and a currency; nothing for what is not both. */
export function priceOf(amount: unknown, currency: unknown): Price | undefined {
  const text = typeof amount === "number" ? plainNumber(amount) : amount;
  if (typeof text !== "string" || typeof currency !== "string") return undefined;
  return /^\d{1,9}(\.\d{1,12})?$/.test(text) && /^[A-Za-z]{3}$/.test(currency)
    ? { amount: text, currency: currency.toUpperCase() }
    : undefined;
}

/** Without an exponent: 1e-7 is "0.0000001". */
function plainNumber(value: number): string {
  return String(value).includes("e")
    ? trimTrailing(trimTrailing(value.toFixed(12), "0"), ".")
    : String(value);
}
