import { booleanOf, listOf, membersOf, shortName, textOf } from "./scim-body.ts";
import type { ScimObject } from "./scim-body.ts";
import { scimError } from "./scim-error.ts";
import { parseFilter } from "./scim-filter.ts";
import { addressOf, chosenEmail, readEmail } from "./scim-user.ts";
import type { Person } from "./scim-user.ts";

/*
 * Written here because the packages for it set whatever path a caller names, `__proto__` among them, and want all members of a group
 * in memory. What is kept of a person is few attributes, so each is named.
 */

/** How much one request may ask for. */
export const patchLimits = { operations: 100, pathCharacters: 300, members: 5_000 } as const;

/** One change to one attribute. */
interface Change {
  op: "add" | "replace" | "remove";
  /** In lower case, without the core schema's prefix, e.g. "name" of name.givenName. */
  attribute: string;
  sub: string | null;
  /** What stands in brackets. */
  filter: string | null;
  value: unknown;
}

/** Reads the operations of a PATCH (RFC 7644 §3.5.2), one without a path as one for each of its members. */
function readChanges(body: unknown): Change[] {
  const members = membersOf(body, "The body");
  const operations = listOf(members.get("operations"), "Operations", patchLimits.operations);
  if (operations.length === 0) throw scimError("invalidSyntax", "Operations is missing.");
  return operations.flatMap((operation) => {
    const parts = membersOf(operation, "An operation");
    const op = readOp(parts.get("op"));
    const path = textOf(parts.get("path"), "path", patchLimits.pathCharacters);
    const value = parts.get("value");
    if (path !== null) return [{ op, value, ...readPath(path) }];
    if (op === "remove") throw scimError("noTarget", "An operation that removes needs a path.");
    return [...membersOf(value, "The value of an operation without a path")].map(([name, member]) => ({
      op,
      value: member,
      ...readPath(name),
    }));
  });
}

function readOp(value: unknown): Change["op"] {
  const op = typeof value === "string" ? value.toLowerCase() : "";
  if (op === "add" || op === "replace" || op === "remove") return op;
  throw scimError("invalidSyntax", "op has to be add, replace or remove.");
}

const plainPath = /^[a-z$][\w$-]*(?:\.[\w$-]+)?$/;

/** An attribute, one within it, or some of its values: `name.givenName`, `emails[type eq "work"].value`. */
function readPath(text: string): Pick<Change, "attribute" | "sub" | "filter"> {
  if (text.length > patchLimits.pathCharacters) throw scimError("invalidPath", "The path is too long.");
  const path = shortName(text);
  // An extension's attribute, none of which is kept here.
  if (path.startsWith("urn:")) return { attribute: path.slice(0, 100), sub: null, filter: null };
  const open = path.indexOf("[");
  if (open < 0) {
    if (!plainPath.test(path)) throw scimError("invalidPath", "The path cannot be read.");
    const [attribute = "", sub = null] = path.split(".", 2);
    return { attribute, sub, filter: null };
  }
  const close = path.lastIndexOf("]");
  const attribute = path.slice(0, open);
  const rest = path.slice(close + 1);
  if (!plainPath.test(attribute) || close < open || !/^(?:\.[\w$-]+)?$/.test(rest)) {
    throw scimError("invalidPath", "The path cannot be read.");
  }
  // As it was written: values keep their case.
  const original = text.slice(text.indexOf("[") + 1, text.lastIndexOf("]"));
  return { attribute, sub: rest === "" ? null : rest.slice(1), filter: original };
}

/** A person after the changes of a PATCH. Attributes that are not kept here change nothing. */
export function patchPerson(person: Person, body: unknown): Person {
  return readChanges(body).reduce(changePerson, person);
}

function changePerson(person: Person, change: Change): Person {
  const { attribute, sub, op } = change;
  const value = op === "remove" ? null : change.value;
  switch (attribute) {
    case "username": {
      const userName = textOf(value, "userName", 254);
      if (userName === null) throw scimError("invalidValue", "userName cannot be empty.");
      // An address that was the userName follows it, unless it is changed as well.
      const follows = person.email === person.userName.toLowerCase() ? addressOf(userName) : null;
      return { ...person, userName, email: follows ?? person.email };
    }
    case "externalid":
      return { ...person, externalId: textOf(value, "externalId", 255) };
    case "displayname":
      return { ...person, displayName: textOf(value, "displayName", 120) };
    case "active":
      if (op === "remove") throw scimError("invalidValue", "active cannot be removed.");
      return { ...person, active: booleanOf(value, "active") };
    case "name":
      return sub === null ? changeNames(person, value) : changeName(person, sub, value);
    case "emails":
      return changeEmail(person, change, value);
    default:
      return person;
  }
}

function changeNames(person: Person, value: unknown): Person {
  if (value === null) return { ...person, givenName: null, familyName: null };
  const names: ScimObject = membersOf(value, "name");
  return [...names].reduce((changed, [name, member]) => changeName(changed, name, member), person);
}

function changeName(person: Person, name: string, value: unknown): Person {
  switch (name) {
    case "givenname":
      return { ...person, givenName: textOf(value, "name.givenName", 120) };
    case "familyname":
      return { ...person, familyName: textOf(value, "name.familyName", 120) };
    case "formatted":
      return { ...person, displayName: textOf(value, "name.formatted", 120) ?? person.displayName };
    default:
      return person;
  }
}

function changeEmail(person: Person, { op, filter, sub }: Change, value: unknown): Person {
  // Only one address is kept: the primary one, for work.
  if (filter !== null && !isKeptEmail(filter)) return person;
  if (sub !== null && sub !== "value") return person;
  if (value === null) return { ...person, email: null };
  const email =
    sub === "value" || typeof value === "string" ? readEmail(value) : chosenEmail(value, op === "add");
  // One that is added beside it, such as a private one, does not take its place.
  return op === "add" && email === null ? person : { ...person, email };
}

function isKeptEmail(text: string): boolean {
  const filter = parseFilter(text);
  if (!("compValue" in filter) || filter.op !== "eq") {
    throw scimError("invalidPath", 'In emails[…] only type eq "work" or primary eq true is understood.');
  }
  const name = filter.attrPath.toLowerCase();
  const value = String(filter.compValue).toLowerCase();
  return (name === "type" && value === "work") || (name === "primary" && value === "true");
}

/** What a PATCH does to a group, in its order. */
export type GroupChange =
  | { what: "name"; name: string }
  | { what: "externalId"; externalId: string | null }
  | { what: "add" | "remove" | "replace"; userIds: string[] };

/** Reads the changes of a PATCH of a group. Attributes that are not kept here, id and schemas among them, change nothing. */
export function readGroupChanges(body: unknown): GroupChange[] {
  return readChanges(body).flatMap((change): GroupChange[] => {
    const value = change.op === "remove" ? null : change.value;
    switch (change.attribute) {
      case "displayname":
        return [{ what: "name", name: groupName(value) }];
      case "externalid":
        return [{ what: "externalId", externalId: textOf(value, "externalId", 255) }];
      case "members":
        return [memberChange(change)];
      default:
        return [];
    }
  });
}

function memberChange({ op, filter, sub, value }: Change): GroupChange {
  if (sub !== null)
    throw scimError("invalidPath", "What is in members cannot be changed; add and remove them.");
  if (filter !== null) {
    if (op !== "remove") throw scimError("invalidPath", "With members[…] they can only be removed.");
    return { what: "remove", userIds: [memberInFilter(filter)] };
  }
  // Entra names in the value who is to be removed; without one all are.
  if (op === "remove") {
    return value === undefined || value === null
      ? { what: "replace", userIds: [] }
      : { what: "remove", userIds: readMembers(value) };
  }
  return { what: op, userIds: readMembers(value) };
}

function memberInFilter(text: string): string {
  const filter = parseFilter(text);
  if ("compValue" in filter && filter.op === "eq" && filter.attrPath.toLowerCase() === "value") {
    if (typeof filter.compValue === "string") return filter.compValue.toLowerCase();
  }
  throw scimError("invalidPath", 'In members[…] only value eq "…" is understood.');
}

/** The ids of a list of members, each once. */
export function readMembers(value: unknown): string[] {
  const ids = listOf(value, "members", patchLimits.members).map((entry) => {
    const id = textOf(
      membersOf(entry, "An entry of members").get("value"),
      "members.value",
      100,
    )?.toLowerCase();
    if (id === undefined) throw scimError("invalidValue", "An entry of members lacks its value.");
    return id;
  });
  return [...new Set(ids)];
}

/** The name of a group. */
export function groupName(value: unknown): string {
  const name = textOf(value, "displayName", 255);
  if (name === null) throw scimError("invalidValue", "displayName is missing.");
  return name;
}
