import type { Channel } from "../kernel/channel.ts";
import type { Ctx } from "../kernel/ctx.ts";
import {
  selectGroupKind,
  selectGroups,
  selectGroupsNamed,
  selectMatchPage,
  selectMemberPage,
  selectRecipients,
} from "./queries.ts";
import type { Queryable } from "./queries.ts";

export type { Queryable };

export interface GroupFacts {
  id: string;
  name: string;
  kind: "static" | "filter";
  /** How many contacts it had when they were last counted; null: they were not yet. */
  size: number | null;
}

/** Those to choose from at a time; the others are found by a part of their name. */
const shown = 50;

/** Groups of the tenant by name, the first of those that are called so, for choosing some to send to. The caller has authorised. */
export async function findGroups(
  ctx: Ctx,
  { search }: { search?: string | undefined },
): Promise<{ groups: GroupFacts[]; more: boolean }> {
  const rows = await selectGroups(ctx, { search: search ?? null, limit: shown + 1 });
  return { groups: rows.slice(0, shown), more: rows.length > shown };
}

/** The tenant's groups with these names; unknown ones are missing. The caller has authorised. */
export function readGroups(ctx: Ctx, names: readonly string[]): Promise<GroupFacts[]> {
  return selectGroupsNamed(ctx, [...new Set(names.map((name) => name.trim()))]);
}

/**
 * Contacts of a group by id, ascending, from behind `after`. Of a group that is a filter, at most `limit` contacts of the organisation
 * are looked at: a page may be empty and not the last one. `next` null: the end, or the group is gone.
 */
export async function groupPage(
  db: Queryable,
  of: { tenantId: string; groupId: string; after: string | null; limit: number },
): Promise<{ contactIds: string[]; next: string | null }> {
  const group = await selectGroupKind(db, of.tenantId, of.groupId);
  if (!group) return { contactIds: [], next: null };
  const page =
    group.kind === "static"
      ? (await selectMemberPage(db, of)).map((id) => ({ id, matches: true }))
      : await selectMatchPage(db, { ...of, filter: group.filter });
  return {
    contactIds: page.flatMap(({ id, matches }) => (matches ? [id] : [])),
    next: page.length < of.limit ? null : (page.at(-1)?.id ?? null),
  };
}

export interface ContactRecipient {
  contactId: string;
  externalId: string | null;
  name: string | null;
  region: string | null;
  language: string | null;
  timeZone: string | null;
  attributes: Record<string, string>;
  /** Of each channel the address that is written to. */
  addresses: { channel: Channel; address: string }[];
}

/** What sending needs of contacts, by id; those that are gone are missing. One statement. */
export function readRecipients(
  db: Queryable,
  tenantId: string,
  contactIds: readonly string[],
): Promise<ContactRecipient[]> {
  return selectRecipients(db, tenantId, contactIds);
}
