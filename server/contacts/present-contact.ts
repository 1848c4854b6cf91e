import { maskAddress, shownAddress } from "../kernel/address.ts";
import type { ContactRow } from "./queries.ts";
import type { Contact } from "./schemas.ts";

/** What looks like an address, in a text that is none; also as Postgres reads it. */
const looksLikeAddress = /@|^\+?\d[\d ()/.-]{5,}$/;
export const likeAddress = looksLikeAddress.source;
const masked = (text: string | null) =>
  text !== null && looksLikeAddress.test(text) ? maskAddress(text) : text;

/** A contact as callers see it. */
export function presentContact(row: ContactRow, reveal: boolean): Contact {
  const { externalId, name, attributes, addresses, createdAt, updatedAt, ...others } = row;
  return {
    ...others,
    externalId: reveal ? externalId : masked(externalId),
    name: reveal ? name : masked(name),
    attributes: reveal ? attributes : null,
    addresses: addresses.map(({ channel, address }) => ({
      channel,
      address: reveal ? shownAddress(address) : maskAddress(address),
    })),
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
  };
}
