import type { z } from "zod";
import type { Contact, contactUpdateSchema } from "../../server/contacts/schemas.ts";
import { changedFields } from "../ui/changed-fields.ts";

/** A select has no value for nothing. */
export const none = "none";
const noAddress: Contact["addresses"][number] = { channel: "email", address: "" };

type Values = Pick<Contact, "name" | "externalId" | "region" | "language" | "timeZone" | "addresses"> & {
  attributes: Record<string, string>;
};
type Changes = z.input<typeof contactUpdateSchema>;

/** A contact as its dialog has it; without one, a new one. */
export const draftOf = (contact?: Contact) => ({
  name: contact?.name ?? "",
  externalId: contact?.externalId ?? "",
  region: contact?.region ?? none,
  language: contact?.language ?? none,
  timeZone: contact?.timeZone ?? "",
  rows: contact?.addresses ?? [noAddress],
  pairs: Object.entries(contact?.attributes ?? {}).map(([name, value]) => ({ name, value })),
});
type ContactDraft = ReturnType<typeof draftOf>;

const text = (value: string) => (value.trim() === "" ? null : value.trim());
const chosen = (value: string) => (value === none ? null : value);

/** What a draft says of the contact. */
export const valuesOf = (draft: ContactDraft): Values => ({
  name: text(draft.name),
  externalId: text(draft.externalId),
  region: chosen(draft.region),
  language: chosen(draft.language),
  timeZone: text(draft.timeZone),
  addresses: draft.rows.filter(({ address }) => address.trim() !== ""),
  attributes: Object.fromEntries(
    draft.pairs.filter(({ name }) => name.trim() !== "").map(({ name, value }) => [name.trim(), value]),
  ),
});

/**
 * Only what differs from the draft as it was opened, so that what others change at the same time stays. Addresses change as a whole, so
 * those that the dialog was opened with go along.
 */
export function changesOf(opened: ContactDraft, draft: ContactDraft): Changes {
  const { attributes: before, ...was } = valuesOf(opened);
  const { attributes: after, ...is } = valuesOf(draft);
  const attributes = Object.keys({ ...before, ...after })
    .filter((name) => before[name] !== after[name])
    .map((name) => [name, Object.hasOwn(after, name) ? after[name] : null]);
  const changed = changedFields(was, is);
  return {
    ...changed,
    ...(changed.addresses && { expectedAddresses: was.addresses }),
    ...(attributes.length > 0 && { attributes: Object.fromEntries(attributes) as Changes["attributes"] }),
  };
}
