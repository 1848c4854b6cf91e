import { normalizeSearch, numberBeginning, readAddress } from "../kernel/address.ts";
import type { Ctx } from "../kernel/ctx.ts";
import { decodeCursor, encodeCursor } from "../kernel/cursor.ts";
import { DomainError, notFound } from "../kernel/errors.ts";
import { defaultRegions, getCatalogue } from "../tenancy/catalogue.ts";
import { accessContacts } from "./contact-access.ts";
import { presentContact } from "./present-contact.ts";
import { searchContacts, selectContactPage, selectContacts, selectGroup, selectGroupsOf } from "./queries.ts";
import type { Contact, ContactDetail, ContactListQuery } from "./schemas.ts";

/** Of one page of a group by filter, the most contacts that are looked at. */
const mostScanned = 5_000;

/**
 * Contacts, newest first; with a search, the first that match in order of name. Throws `permission_denied` for a search by an
 * address of somebody who may see none.
 */
export async function listContacts(
  ctx: Ctx,
  input: ContactListQuery,
): Promise<{ data: Contact[]; nextCursor: string | null }> {
  const { reveal } = await accessContacts(ctx, "contacts:read");
  const before = decodeCursor(input.cursor) ?? null;
  const group = input.groupId === undefined ? null : await selectGroup(ctx, input.groupId);
  if (input.groupId !== undefined && !group) throw notFound();
  const of = { group: group && { id: group.id, filter: group.filter }, limit: input.limit };
  if (input.search !== undefined) {
    if (!reveal && readAddress(input.search) !== null) {
      throw new DomainError(
        "permission_denied",
        "Searching contacts by an address needs the permission content:reveal for the whole organisation: addresses are masked without it, and the search would tell whether one occurs.",
      );
    }
    const rows = await searchContacts(ctx, {
      ...of,
      text: input.search,
      address: addressPrefix(input.search, defaultRegions(await getCatalogue(ctx))),
      revealed: reveal,
    });
    return { data: rows.map((row) => presentContact(row, reveal)), nextCursor: null };
  }
  const { rows, next } = await selectContactPage(ctx, { ...of, before, scanned: mostScanned });
  return {
    data: rows.map((row) => presentContact(row, reveal)),
    nextCursor: next === null ? null : encodeCursor(next),
  };
}

/** What an address begins with, as addresses are stored. */
function addressPrefix(search: string, regions: readonly string[]): string {
  return numberBeginning(search, regions) ?? normalizeSearch(search).toLowerCase();
}

/** One contact, with the groups that it was put into. */
export async function getContact(ctx: Ctx, input: { id: string }): Promise<ContactDetail> {
  const { reveal } = await accessContacts(ctx, "contacts:read");
  const [[row], groups] = await Promise.all([selectContacts(ctx, [input.id]), selectGroupsOf(ctx, input.id)]);
  if (!row) throw notFound();
  return { ...presentContact(row, reveal), groups };
}
