import { scimError } from "./scim-error.ts";

/*
 * What directories send, read leniently where they differ: names of attributes in any case, booleans as texts, attributes that are
 * not kept here left out (RFC 7644 §3.3).
 */

export type ScimObject = ReadonlyMap<string, unknown>;

/** The members of an object by their names in lower case, without the core schema's prefix; of a repeated one the first. */
export function membersOf(value: unknown, what: string): ScimObject {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw scimError("invalidSyntax", `${what} has to be an object.`);
  }
  const members = new Map<string, unknown>();
  for (const [name, member] of Object.entries(value)) {
    const key = shortName(name);
    if (!members.has(key)) members.set(key, member);
  }
  return members;
}

const corePrefix = /^urn:ietf:params:scim:schemas:core:2\.0:(?:user|group):/;

/** An attribute's name as it is compared. */
export function shortName(name: string): string {
  return name.toLowerCase().replace(corePrefix, "");
}

/** A text, or null when it is not there or empty. */
export function textOf(value: unknown, name: string, max: number): string | null {
  if (value === undefined || value === null) return null;
  if (typeof value !== "string") throw scimError("invalidValue", `${name} has to be a text.`);
  const text = value.trim();
  if (text === "") return null;
  if (text.length > max) throw scimError("invalidValue", `${name} may have ${String(max)} characters.`);
  if (/\p{Cc}/u.test(text)) throw scimError("invalidValue", `${name} holds control characters.`);
  return text;
}

/** A boolean; Entra writes it as "True" and "False". */
export function booleanOf(value: unknown, name: string): boolean {
  if (typeof value === "boolean") return value;
  const text = typeof value === "string" ? value.trim().toLowerCase() : "";
  if (text === "true") return true;
  if (text === "false") return false;
  throw scimError("invalidValue", `${name} has to be true or false.`);
}

/** A list, one thing counting as a list of it. */
export function listOf(value: unknown, name: string, max: number): unknown[] {
  const list: unknown[] = value === undefined || value === null ? [] : Array.isArray(value) ? value : [value];
  if (list.length > max)
    throw scimError("tooMany", `${name} may have ${String(max)} entries in one request.`);
  return list;
}
