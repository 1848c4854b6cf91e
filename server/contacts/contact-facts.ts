import type { StoredContact } from "./queries.ts";

/**
 * What the audit trail says of a contact. The trail outlives the contact: names, external ids and values of attributes are not in it,
 * and addresses as tokens only.
 */
export function auditFacts(contact: StoredContact, tokenOf: (address: string) => string | null) {
  return {
    named: contact.name !== null,
    externalId: contact.externalId !== null,
    region: contact.region,
    language: contact.language,
    timeZone: contact.timeZone,
    attributes: Object.keys(contact.attributes).sort(),
    addresses: contact.addresses.map(({ channel, address }) => ({ channel, address: tokenOf(address) })),
  };
}
