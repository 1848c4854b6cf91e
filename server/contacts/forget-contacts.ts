import type { Ctx } from "../kernel/ctx.ts";
import type { Tx } from "../kernel/db.ts";
import { countContactsOf, deleteContactsOf, lockContacts, selectContactsOf } from "./queries.ts";

/** Contacts with any of these addresses go, with all that is known of them: they are the person who is erased. Returns how many. */
export async function forgetContacts(
  tx: Tx,
  tenantId: string,
  addresses: readonly string[],
): Promise<number> {
  await lockContacts(tx, tenantId);
  return deleteContactsOf(tx, tenantId, addresses);
}

/** How many contacts have this address; one on each channel at most. The caller has authorised. */
export const holdsContacts = (ctx: Pick<Ctx, "db" | "tenantId">, address: string): Promise<number> =>
  countContactsOf(ctx, address);

/** All that is known of the contacts with this address, for the person's own copy. The caller has authorised. */
export const contactsOf = (ctx: Pick<Ctx, "db" | "tenantId">, address: string): Promise<object[]> =>
  selectContactsOf(ctx, address);
