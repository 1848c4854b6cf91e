import type { Contact } from "../../server/contacts/schemas.ts";

/** What a contact is called in lists: its name, else what else is known. */
export function titleOf({ name, externalId, addresses }: Contact): string {
  return name ?? externalId ?? addresses[0]?.address ?? "No name";
}
