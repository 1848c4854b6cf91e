import type { Ctx } from "../kernel/ctx.ts";
import { decodeCursor, encodeCursor } from "../kernel/cursor.ts";
import { accessContacts } from "./contact-access.ts";
import { presentContact } from "./present-contact.ts";
import { selectContacts, selectSameNames } from "./queries.ts";
import type { Contact } from "./schemas.ts";

/** Contacts that one page looks at, in order of name. */
const mostScanned = 20_000;
const mostPairs = 50;

/** Contacts that may be the same person: two with the same name each. A page may be empty and not the last one. */
export async function findDuplicates(
  ctx: Ctx,
  input: { cursor?: string | undefined },
): Promise<{ data: [Contact, Contact][]; nextCursor: string | null }> {
  const { reveal } = await accessContacts(ctx, "contacts:read");
  const { pairs, next } = await selectSameNames(ctx, {
    after: decodeCursor(input.cursor) ?? null,
    scanned: mostScanned,
    limit: mostPairs,
  });
  const rows = new Map((await selectContacts(ctx, [...new Set(pairs.flat())])).map((row) => [row.id, row]));
  return {
    data: pairs.flatMap(([a, b]) => {
      const [first, second] = [rows.get(a), rows.get(b)];
      return first && second
        ? [[presentContact(first, reveal), presentContact(second, reveal)] as [Contact, Contact]]
        : [];
    }),
    nextCursor: next === null ? null : encodeCursor(next),
  };
}
