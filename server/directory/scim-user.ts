import { z } from "zod";
import { env } from "../kernel/env.ts";
import { booleanOf, listOf, membersOf, textOf } from "./scim-body.ts";
import { scimError } from "./scim-error.ts";

export const userSchemaUri = "urn:ietf:params:scim:schemas:core:2.0:User";

/** What a directory says of a person. */
export interface Person {
  userName: string;
  externalId: string | null;
  displayName: string | null;
  givenName: string | null;
  familyName: string | null;
  /** The address that was given as such, in lower case; without one the userName has to be one. */
  email: string | null;
  active: boolean;
}

export interface PersonRow extends Person {
  id: string;
  /** What the account is called. */
  name: string;
  createdAt: Date;
  updatedAt: Date;
}

const address = z.email().max(254);

/** An address in lower case; null for what is none. */
export function addressOf(text: string): string | null {
  const result = address.safeParse(text.toLowerCase());
  return result.success ? result.data : null;
}

/** The address of a person's account. Throws `invalidValue` for somebody who has none. */
export function accountAddress({ email, userName }: Pick<Person, "email" | "userName">): string {
  const found = email ?? addressOf(userName);
  if (found === null) {
    throw scimError("invalidValue", "Send an e-mail address, in emails or as the userName.");
  }
  return found;
}

/** What a person's account is called. */
export function accountName(person: Person): string {
  const parts = [person.givenName, person.familyName].filter((part) => part !== null).join(" ");
  return (person.displayName ?? (parts || person.userName)).slice(0, 120);
}

/** Reads the body of POST and PUT; what it leaves out is empty. */
export function readPerson(body: unknown, activeOtherwise = true): Person {
  const members = membersOf(body, "The body");
  const userName = textOf(members.get("username"), "userName", 254);
  if (userName === null) throw scimError("invalidValue", "userName is missing.");
  const named = members.get("name");
  const name = membersOf(named ?? {}, "name");
  const active = members.get("active");
  return {
    userName,
    externalId: textOf(members.get("externalid"), "externalId", 255),
    displayName:
      textOf(members.get("displayname"), "displayName", 120) ??
      textOf(name.get("formatted"), "name.formatted", 120),
    givenName: textOf(name.get("givenname"), "name.givenName", 120),
    familyName: textOf(name.get("familyname"), "name.familyName", 120),
    email: chosenEmail(members.get("emails")),
    active: active === undefined || active === null ? activeOtherwise : booleanOf(active, "active"),
  };
}

/**
 * The primary address of a list, else the one for work, else the first.
 * @param beside what is added to an address that is there: then one that is said to be of another kind is none of these
 */
export function chosenEmail(value: unknown, beside = false): string | null {
  const entries = listOf(value, "emails", 20).map((entry) =>
    typeof entry === "string"
      ? new Map<string, unknown>([["value", entry]])
      : membersOf(entry, "An entry of emails"),
  );
  const isPrimary = (entry: ReadonlyMap<string, unknown>) =>
    entry.get("primary") === true || String(entry.get("primary")).toLowerCase() === "true";
  const isWork = (entry: ReadonlyMap<string, unknown>) => String(entry.get("type")).toLowerCase() === "work";
  const others = beside ? entries.filter((entry) => entry.get("type") === undefined) : entries;
  const chosen = entries.find(isPrimary) ?? entries.find(isWork) ?? others[0];
  return chosen ? readEmail(chosen.get("value")) : null;
}

/** One address, in lower case. */
export function readEmail(value: unknown): string | null {
  const text = textOf(value, "emails.value", 254);
  if (text === null) return null;
  const found = addressOf(text);
  if (found === null) throw scimError("invalidValue", "emails.value is not an e-mail address.");
  return found;
}

/** A person as answers show them (RFC 7643 §4.1). */
export function showPerson(person: PersonRow) {
  return {
    schemas: [userSchemaUri],
    id: person.id,
    ...(person.externalId === null ? {} : { externalId: person.externalId }),
    userName: person.userName,
    name: {
      formatted: person.name,
      ...(person.givenName === null ? {} : { givenName: person.givenName }),
      ...(person.familyName === null ? {} : { familyName: person.familyName }),
    },
    displayName: person.displayName ?? person.name,
    active: person.active,
    emails: person.email === null ? [] : [{ value: person.email, type: "work", primary: true }],
    meta: {
      resourceType: "User",
      created: person.createdAt.toISOString(),
      lastModified: person.updatedAt.toISOString(),
      location: `${env().publicUrl}/scim/v2/Users/${person.id}`,
    },
  };
}
