import { DomainError } from "./errors.ts";
import { isUuid } from "./ids.ts";

/** Opaque to callers: the id of the last row of a page. */
export function encodeCursor(id: string): string {
  return Buffer.from(id).toString("base64url");
}

/** The id in a cursor; throws `invalid_cursor` for what encodeCursor did not make. */
export function decodeCursor(cursor: string | undefined): string | undefined {
  if (cursor === undefined) return undefined;
  const id = Buffer.from(cursor, "base64url").toString();
  if (!isUuid(id)) throw new DomainError("invalid_cursor", "Pass nextCursor of the page before, unchanged.");
  return id;
}

/** Cuts a page out of `limit + 1` rows. */
export function toPage<Row extends { id: string }, Item>(
  rows: Row[],
  limit: number,
  map: (row: Row) => Item,
): { data: Item[]; nextCursor: string | null } {
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  return { data: page.map(map), nextCursor: rows.length > limit && last ? encodeCursor(last.id) : null };
}

/** The same for lists in order of time: the time and the id of the last row of a page. */
export function encodeTimeCursor(at: Date, id: string): string {
  return Buffer.from(`${String(at.getTime())}/${id}`).toString("base64url");
}

/** Decodes encodeTimeCursor's result; throws `invalid_cursor` for anything else. */
export function decodeTimeCursor(cursor: string | undefined): { at: Date; id: string } | undefined {
  if (cursor === undefined) return undefined;
  const [time = "", id = ""] = Buffer.from(cursor, "base64url").toString().split("/");
  // Later than any id could say (idFloor) is not from here.
  if (!/^\d{1,14}$/.test(time) || !isUuid(id)) {
    throw new DomainError("invalid_cursor", "Pass nextCursor of the page before, unchanged.");
  }
  return { at: new Date(Number(time)), id };
}
