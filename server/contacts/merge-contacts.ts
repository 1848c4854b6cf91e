import { addressTokens } from "../audit/address-token.ts";
import { recordAudit } from "../audit/record-audit.ts";
import type { Ctx } from "../kernel/ctx.ts";
import { inTenant } from "../kernel/db.ts";
import { DomainError, notFound } from "../kernel/errors.ts";
import { accessContacts } from "./contact-access.ts";
import { auditFacts } from "./contact-facts.ts";
import {
  deleteContacts,
  insertMembers,
  lockContacts,
  replaceAddresses,
  selectMemberships,
  selectStoredContacts,
  updateContacts,
} from "./queries.ts";
import type { StoredContact } from "./queries.ts";
import { contactLimits } from "./vocabulary.ts";
import type { Merge } from "./schemas.ts";

/**
 * Makes one contact of two: one stays with what is chosen of both, with the addresses and the groups of both, and the other one goes.
 * The addresses of the one that stays come first.
 */
export async function mergeContacts(ctx: Ctx, input: Merge): Promise<{ id: string }> {
  await accessContacts(ctx, "contacts:write");
  const { keepId, otherId } = input;
  if (keepId === otherId) throw new DomainError("invalid_request", "Choose two different contacts.");
  const tokenOf = await addressTokens(ctx);
  await inTenant(ctx, async (tx) => {
    await lockContacts(tx, ctx.tenantId);
    const found = await selectStoredContacts(tx, ctx.tenantId, [keepId, otherId]);
    const keep = found.find(({ id }) => id === keepId);
    const other = found.find(({ id }) => id === otherId);
    if (!keep || !other) throw notFound();
    const merged = mergedOf(keep, other, input);
    const memberships = await selectMemberships(tx, ctx.tenantId, otherId);
    await deleteContacts(tx, ctx.tenantId, [otherId]);
    await updateContacts(tx, ctx.tenantId, [merged], ctx.now());
    await replaceAddresses(tx, ctx.tenantId, [merged], ctx.now());
    await insertMembers(
      tx,
      ctx.tenantId,
      memberships.map((groupId) => ({ groupId, contactId: keepId })),
      ctx.now(),
    );
    await recordAudit(ctx, tx, {
      action: "contact.merged",
      targetType: "contact",
      targetId: keepId,
      before: { kept: auditFacts(keep, tokenOf), other: auditFacts(other, tokenOf) },
      after: { kept: auditFacts(merged, tokenOf) },
      data: { otherId },
    });
  });
  return { id: keepId };
}

function mergedOf(keep: StoredContact, other: StoredContact, { take, takeAttributes }: Merge): StoredContact {
  const chosen = (name: Merge["take"][number]) =>
    take.includes(name) ? (other[name] ?? keep[name]) : (keep[name] ?? other[name]);
  const taken = takeAttributes.flatMap((name) => {
    const value = other.attributes[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  const attributes = { ...other.attributes, ...keep.attributes, ...Object.fromEntries(taken) };
  if (Object.keys(attributes).length > contactLimits.attributes) {
    throw new DomainError(
      "conflict",
      `Together they have more than ${String(contactLimits.attributes)} attributes. Take some away first.`,
    );
  }
  const addresses = [...keep.addresses, ...other.addresses].toSorted((a, b) =>
    a.channel < b.channel ? -1 : a.channel > b.channel ? 1 : 0,
  );
  for (const [channel, of] of Map.groupBy(addresses, (address) => address.channel)) {
    if (of.length > contactLimits.addressesPerChannel) {
      throw new DomainError(
        "conflict",
        `Together they have more than ${String(contactLimits.addressesPerChannel)} addresses on ${channel}. Take some away first.`,
      );
    }
  }
  return {
    id: keep.id,
    externalId: chosen("externalId"),
    name: chosen("name"),
    region: chosen("region"),
    language: chosen("language"),
    timeZone: chosen("timeZone"),
    attributes,
    addresses,
  };
}
