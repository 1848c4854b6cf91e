import { isDeepStrictEqual } from "node:util";
import { outdated } from "../access/revision.ts";
import { addressTokens } from "../audit/address-token.ts";
import { changes } from "../audit/changes.ts";
import { recordAudit } from "../audit/record-audit.ts";
import { normalizeAddress } from "../kernel/address.ts";
import type { Channel } from "../kernel/channel.ts";
import type { Ctx } from "../kernel/ctx.ts";
import { inTenant } from "../kernel/db.ts";
import type { Tx } from "../kernel/db.ts";
import { DomainError, notFound } from "../kernel/errors.ts";
import { newId } from "../kernel/ids.ts";
import { maySomewhere } from "../operations/authorize.ts";
import { accessContacts } from "./contact-access.ts";
import { auditFacts } from "./contact-facts.ts";
import { presentContact } from "./present-contact.ts";
import {
  insertContacts,
  lockContacts,
  replaceAddresses,
  selectContacts,
  selectKnownContacts,
  selectStoredContacts,
  updateContacts,
} from "./queries.ts";
import type { StoredContact } from "./queries.ts";
import { contactLimits } from "./vocabulary.ts";
import type { Contact, ContactCreate, ContactUpdate } from "./schemas.ts";

/** Adds a contact. Throws `conflict` when somebody has one of its addresses, or its external id, already. */
export async function createContact(ctx: Ctx, input: ContactCreate): Promise<Contact> {
  const { reveal } = await accessContacts(ctx, "contacts:write");
  const { addresses, ...values } = input;
  const contact = changed(
    {
      id: newId(),
      externalId: null,
      name: null,
      region: null,
      language: null,
      timeZone: null,
      attributes: {},
      addresses: [],
    },
    { ...values, addresses },
  );
  refuseUnreachable(contact, "/addresses");
  const tokenOf = await addressTokens(ctx);
  await inTenant(ctx, async (tx) => {
    await lockContacts(tx, ctx.tenantId);
    await refuseTaken(ctx, tx, contact);
    await insertContacts(tx, ctx.tenantId, [contact], ctx.now());
    await replaceAddresses(tx, ctx.tenantId, [contact], ctx.now());
    await recordAudit(ctx, tx, {
      action: "contact.created",
      targetType: "contact",
      targetId: contact.id,
      after: auditFacts(contact, tokenOf),
    });
  });
  return shown(ctx, contact.id, reveal);
}

/**
 * Changes a contact; what the input leaves out stays. Throws `revision_conflict` when the addresses that it is based on are given, and
 * somebody has changed them since.
 */
export async function updateContact(
  ctx: Ctx,
  input: { id: string; changes: ContactUpdate },
): Promise<Contact> {
  const { reveal } = await accessContacts(ctx, "contacts:write");
  const tokenOf = await addressTokens(ctx);
  await inTenant(ctx, async (tx) => {
    await lockContacts(tx, ctx.tenantId);
    const [before] = await selectStoredContacts(tx, ctx.tenantId, [input.id]);
    if (!before) throw notFound();
    const { expectedAddresses: expected } = input.changes;
    if (expected && !isDeepStrictEqual(inOrder(expected), before.addresses)) throw outdated("the addresses");
    const after = changed(before, input.changes);
    if (isDeepStrictEqual(before, after)) return;
    refuseUnreachable(after, input.changes.addresses ? "/addresses" : "/externalId");
    await refuseTaken(ctx, tx, after);
    await updateContacts(tx, ctx.tenantId, [after], ctx.now());
    if (!isDeepStrictEqual(before.addresses, after.addresses))
      await replaceAddresses(tx, ctx.tenantId, [after], ctx.now());
    await recordAudit(ctx, tx, {
      action: "contact.updated",
      targetType: "contact",
      targetId: after.id,
      ...changes(auditFacts(before, tokenOf), auditFacts(after, tokenOf)),
      data: {
        changed: (Object.keys(after) as (keyof StoredContact)[]).filter(
          (name) => !isDeepStrictEqual(before[name], after[name]),
        ),
      },
    });
  });
  return shown(ctx, input.id, reveal);
}

async function shown(ctx: Ctx, id: string, reveal: boolean): Promise<Contact> {
  const [row] = await selectContacts(ctx, [id]);
  if (!row) throw notFound();
  return presentContact(row, reveal);
}

function changed(contact: StoredContact, update: ContactUpdate): StoredContact {
  const given = <Value>(value: Value | undefined, before: Value) => (value === undefined ? before : value);
  const attributes = Object.fromEntries(
    Object.entries({ ...contact.attributes, ...update.attributes }).filter(
      (pair): pair is [string, string] => pair[1] !== null && pair[1] !== "",
    ),
  );
  if (Object.keys(attributes).length > contactLimits.attributes) {
    throw invalid("/attributes", "too_many", `At most ${String(contactLimits.attributes)} attributes`);
  }
  return {
    id: contact.id,
    externalId: given(update.externalId, contact.externalId),
    name: given(update.name, contact.name),
    region: given(update.region, contact.region),
    language: given(update.language, contact.language),
    timeZone: given(update.timeZone, contact.timeZone),
    attributes,
    addresses: update.addresses ? stored(update.addresses) : contact.addresses,
  };
}

function stored(addresses: readonly { channel: Channel; address: string }[]): StoredContact["addresses"] {
  const found = new Map<string, { channel: Channel; address: string }>();
  for (const [index, { channel, address }] of addresses.entries()) {
    const normal = normalizeAddress(channel, address);
    if (normal === null) {
      throw invalid(
        `/addresses/${String(index)}/address`,
        "invalid_recipient",
        channel === "email"
          ? "This is no e-mail address"
          : "Write the number with its country code, e.g. +4915112345678",
      );
    }
    found.set(`${channel} ${normal}`, { channel, address: normal });
  }
  const all = inOrder([...found.values()]);
  const most = contactLimits.addressesPerChannel;
  for (const [channel, of] of Map.groupBy(all, (address) => address.channel)) {
    if (of.length > most) {
      throw invalid("/addresses", "too_many", `At most ${String(most)} addresses on ${channel}`);
    }
  }
  return all;
}

/** As they are stored: channel by channel, the one that is written to first; what is no address stays as it is. */
const inOrder = (addresses: readonly { channel: Channel; address: string }[]): StoredContact["addresses"] =>
  addresses
    .map(({ channel, address }) => ({ channel, address: normalizeAddress(channel, address) ?? address }))
    .toSorted((a, b) => (a.channel < b.channel ? -1 : a.channel > b.channel ? 1 : 0));

/** A contact with neither is reached by no message and recognised by no import. */
function refuseUnreachable(contact: StoredContact, pointer: string): void {
  if (contact.addresses.length === 0 && contact.externalId === null)
    throw invalid(pointer, "missing_address", "A contact needs an address or an external ID");
}

function invalid(pointer: string, code: string, detail: string): DomainError {
  return new DomainError("invalid_request", `${detail}.`, { errors: [{ pointer, code, detail }] });
}

/** Throws `conflict` when another contact has the external id or an address; says which one to those who may see it. */
async function refuseTaken(ctx: Ctx, tx: Tx, contact: StoredContact): Promise<void> {
  const others = await selectKnownContacts(tx, ctx.tenantId, {
    externalIds: contact.externalId === null ? [] : [contact.externalId],
    addresses: contact.addresses,
  });
  const other = others.find(({ id }) => id !== contact.id);
  if (!other) return;
  const index = contact.addresses.findIndex((own) =>
    other.addresses.some(({ channel, address }) => own.channel === channel && own.address === address),
  );
  const detail =
    index < 0
      ? "Another contact has this external id."
      : "This address belongs to another contact. Merge the two, or take it from there first.";
  throw new DomainError("conflict", detail, {
    errors: [
      {
        pointer: index < 0 ? "/externalId" : `/addresses/${String(index)}/address`,
        code: "taken",
        detail,
      },
    ],
    extra: maySomewhere(ctx, "contacts:read") ? { contactId: other.id } : {},
  });
}
