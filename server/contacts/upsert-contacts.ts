import { setImmediate } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import { addressHint, normalizeAddress } from "../kernel/address.ts";
import type { Channel } from "../kernel/channel.ts";
import type { Ctx } from "../kernel/ctx.ts";
import type { Tx } from "../kernel/db.ts";
import { newId } from "../kernel/ids.ts";
import {
  analyzeNewContacts,
  insertContacts,
  insertMembers,
  lockContacts,
  replaceAddresses,
  selectKnownContacts,
  selectMembersAmong,
  selectStaticGroups,
  updateContacts,
} from "./queries.ts";
import type { StoredContact } from "./queries.ts";
import { contactRowSchema } from "./schemas.ts";
import { contactLimits } from "./vocabulary.ts";
import type { ContactRow } from "./schemas.ts";

export type { ContactRow };

/** What became of a row. */
export type RowResult =
  | { status: "created" | "updated" | "unchanged"; contactId: string }
  | {
      status: "error";
      /** Where in the row, e.g. "region", "addresses.0.address", "attributes.plan"; empty: the row as a whole. */
      field: string;
      code: RowErrorCode;
      /** What to change. */
      detail: string;
    };
export type RowErrorCode =
  | "invalid"
  | "invalid_recipient"
  | "nothing_to_recognise"
  | "several_contacts"
  | "other_external_id"
  | "too_many_addresses"
  | "too_many_attributes"
  | "unknown_group";

class RowError extends Error {
  readonly result: RowResult;
  constructor(field: string, code: RowErrorCode, detail: string) {
    super(detail);
    this.result = { status: "error", field, code, detail };
  }
}

interface Address {
  channel: Channel;
  address: string;
}

type Parsed = Omit<ReturnType<typeof contactRowSchema.parse>, "addresses"> & { addresses: Address[] };

interface Working {
  contact: StoredContact;
  /** As it was stored; null: it is new. */
  before: StoredContact | null;
}

/** More of them may follow. */
const manyRows = 100;

const keyOf = ({ channel, address }: Address) => `${channel} ${address}`;

/**
 * Creates or changes up to 1,000 contacts in a handful of statements, in the caller's transaction; a row that cannot be taken has an
 * error and does not keep the others from it. A row is about the contact with its external id, else about the one that has any of its
 * addresses, else about a new one. What it leaves out stays; its addresses come before those that the contact has. Rows about the same
 * contact are merged in their order. With `dry`, only says what would come of them. The caller authorises and audits.
 */
export async function upsertContacts(
  tx: Tx,
  ctx: Pick<Ctx, "tenantId" | "now">,
  rows: readonly ContactRow[],
  options: { dry?: boolean } = {},
): Promise<RowResult[]> {
  if (rows.length > contactLimits.items) throw new Error("too many rows");
  const parsed: (Parsed | RowResult)[] = [];
  for (const row of rows) {
    parsed.push(attempt(() => parseRow(row)));
    // A thousand rows take tens of milliseconds: others have their turn.
    if (parsed.length % 100 === 0) await setImmediate();
  }
  const valid = parsed.flatMap((row) => ("status" in row ? [] : [row]));
  if (valid.length === 0) return parsed.flatMap((row) => ("status" in row ? [row] : []));
  const { tenantId } = ctx;
  if (!options.dry) await lockContacts(tx, tenantId);
  const groups = new Set(
    await selectStaticGroups(tx, tenantId, [...new Set(valid.flatMap((row) => row.groupIds ?? []))]),
  );
  const stored = await selectKnownContacts(tx, tenantId, {
    externalIds: valid.flatMap(({ externalId }) => externalId ?? []),
    addresses: valid.flatMap((row) => row.addresses),
  });
  const book = new Book(stored);
  const members: { groupId: string; contactId: string }[] = [];
  const results = parsed.map((row) => {
    if ("status" in row) return row;
    return attempt((): RowResult => {
      if (row.groupIds?.some((id) => !groups.has(id)))
        throw new RowError("groupIds", "unknown_group", "This group doesn't exist.");
      const result = book.apply(row);
      for (const groupId of row.groupIds ?? []) members.push({ groupId, contactId: result.contactId });
      return result;
    });
  });
  const joining = (joined: ReadonlySet<string>) =>
    results.map((result, index) =>
      result.status === "unchanged" && rows[index]?.groupIds?.length && joined.has(result.contactId)
        ? { ...result, status: "updated" as const }
        : result,
    );
  if (options.dry) {
    const known = new Set(
      (await selectMembersAmong(tx, tenantId, members)).map(({ groupId, contactId }) => groupId + contactId),
    );
    return joining(
      new Set(
        members.flatMap(({ groupId, contactId }) => (known.has(groupId + contactId) ? [] : [contactId])),
      ),
    );
  }
  const now = ctx.now();
  const touched = book.changed();
  await insertContacts(
    tx,
    tenantId,
    touched.flatMap(({ before, contact }) => (before ? [] : [contact])),
    now,
  );
  await updateContacts(
    tx,
    tenantId,
    touched.flatMap(({ before, contact }) => (before ? [contact] : [])),
    now,
  );
  await replaceAddresses(
    tx,
    tenantId,
    touched.flatMap(({ before, contact }) =>
      isDeepStrictEqual(before?.addresses ?? [], contact.addresses) ? [] : [contact],
    ),
    now,
  );
  const joined = new Set((await insertMembers(tx, tenantId, members, now)).map(({ contactId }) => contactId));
  if (rows.length >= manyRows) await analyzeNewContacts(tx);
  return joining(joined);
}

function attempt<T>(work: () => T): T | RowResult {
  try {
    return work();
  } catch (error) {
    if (error instanceof RowError) return error.result;
    throw error;
  }
}

function parseRow(row: ContactRow): Parsed {
  const { data, error } = contactRowSchema.safeParse(row);
  if (!data) {
    const [issue] = error.issues;
    throw new RowError(issue?.path.join(".") ?? "", "invalid", issue?.message ?? "Not valid.");
  }
  const seen = new Set<string>();
  const addresses = data.addresses.flatMap(({ channel, address }, index) => {
    const stored = normalizeAddress(channel, address);
    if (stored === null) {
      throw new RowError(`addresses.${String(index)}.address`, "invalid_recipient", addressHint(channel));
    }
    const key = keyOf({ channel, address: stored });
    if (seen.has(key)) return [];
    seen.add(key);
    return [{ channel, address: stored }];
  });
  if (data.externalId === undefined && addresses.length === 0) {
    throw new RowError("", "nothing_to_recognise", "Enter an external ID or an address.");
  }
  return { ...data, addresses };
}

/** The contacts that rows are about, as they become. */
class Book {
  private readonly byId = new Map<string, Working>();
  private readonly byExternalId = new Map<string, Working>();
  private readonly byAddress = new Map<string, Working>();

  constructor(stored: readonly StoredContact[]) {
    for (const contact of stored) this.enter({ contact, before: contact });
  }

  private enter(working: Working): void {
    const { contact } = working;
    this.byId.set(contact.id, working);
    if (contact.externalId !== null) this.byExternalId.set(contact.externalId, working);
    for (const address of contact.addresses) this.byAddress.set(keyOf(address), working);
  }

  apply(row: Parsed): Extract<RowResult, { contactId: string }> {
    const found = new Set<Working>();
    const named = row.externalId === undefined ? undefined : this.byExternalId.get(row.externalId);
    if (named) found.add(named);
    for (const address of row.addresses) {
      const working = this.byAddress.get(keyOf(address));
      if (working) found.add(working);
    }
    if (found.size > 1) {
      throw new RowError(
        named ? "externalId" : "addresses",
        "several_contacts",
        named
          ? "The external id belongs to one contact and an address to another. Merge the two, or take the address out."
          : "The addresses belong to different contacts. Merge these, or give each a row of its own.",
      );
    }
    const [working] = found;
    if (!working) {
      const fresh = merge(blank(), row);
      this.enter({ contact: fresh, before: null });
      return { status: "created", contactId: fresh.id };
    }
    const { contact } = working;
    if (
      row.externalId !== undefined &&
      contact.externalId !== null &&
      contact.externalId !== row.externalId
    ) {
      throw new RowError(
        "externalId",
        "other_external_id",
        "An address belongs to a contact with another external id.",
      );
    }
    const next = merge(contact, row);
    if (isDeepStrictEqual(next, contact)) return { status: "unchanged", contactId: contact.id };
    working.contact = next;
    this.enter(working);
    return { status: "updated", contactId: contact.id };
  }

  /** What is to be written. */
  changed(): Working[] {
    return [...this.byId.values()].filter(({ before, contact }) => before !== contact);
  }
}

function blank(): StoredContact {
  return {
    id: newId(),
    externalId: null,
    name: null,
    region: null,
    language: null,
    timeZone: null,
    attributes: {},
    addresses: [],
  };
}

function merge(contact: StoredContact, row: Parsed): StoredContact {
  const own = new Set(row.addresses.map(keyOf));
  const addresses = [...row.addresses, ...contact.addresses.filter((address) => !own.has(keyOf(address)))];
  for (const channel of new Set(addresses.map((address) => address.channel))) {
    if (
      addresses.filter((address) => address.channel === channel).length > contactLimits.addressesPerChannel
    ) {
      throw new RowError(
        "addresses",
        "too_many_addresses",
        `A contact has at most ${String(contactLimits.addressesPerChannel)} addresses on each channel.`,
      );
    }
  }
  const attributes = Object.fromEntries(
    Object.entries({ ...contact.attributes, ...row.attributes }).filter(
      (pair): pair is [string, string] => pair[1] !== null && pair[1] !== "",
    ),
  );
  if (Object.keys(attributes).length > contactLimits.attributes) {
    throw new RowError(
      "attributes",
      "too_many_attributes",
      `A contact has at most ${String(contactLimits.attributes)} attributes.`,
    );
  }
  const given = <Value>(value: Value | undefined, before: Value) => (value === undefined ? before : value);
  return {
    id: contact.id,
    externalId: row.externalId ?? contact.externalId,
    name: given(row.name, contact.name),
    region: given(row.region, contact.region),
    language: given(row.language, contact.language),
    timeZone: given(row.timeZone, contact.timeZone),
    attributes,
    addresses: inOrder(addresses),
  };
}

/** As they are stored: channel by channel, the one that is written to first. */
function inOrder(addresses: readonly Address[]): Address[] {
  return addresses.toSorted((a, b) => (a.channel < b.channel ? -1 : a.channel > b.channel ? 1 : 0));
}
