import { DomainError } from "../kernel/errors.ts";
import { isUuid } from "../kernel/ids.ts";

/** A place in the feed: that of an event, or of a time before or after all events of it. */
export interface FeedPosition {
  /** When the event was written. */
  at: Date;
  id: string;
  sequence: number;
}

const lastId = "ffffffff-ffff-ffff-ffff-ffffffffffff";
const firstId = "00000000-0000-0000-0000-000000000000";

/** Before everything that was written at a time, or later. */
export const before = (at: Date): FeedPosition => ({ at, id: firstId, sequence: -1 });
/** After everything that was written at a time, or earlier. */
export const after = (at: Date): FeedPosition => ({ at, id: lastId, sequence: 0 });

/** Opaque to callers. */
export function encodePosition({ at, id, sequence }: FeedPosition): string {
  return Buffer.from(`${String(at.getTime())}/${id}/${String(sequence)}`).toString("base64url");
}

/** Throws `invalid_cursor` for what encodePosition did not make. */
export function decodePosition(cursor: string): FeedPosition {
  const [time = "", id = "", sequence = "", ...more] = Buffer.from(cursor, "base64url").toString().split("/");
  if (!/^\d{1,15}$/.test(time) || !isUuid(id) || !/^(?:-1|\d{1,9})$/.test(sequence) || more.length > 0)
    throw new DomainError("invalid_cursor", "Pass nextCursor of the page before, unchanged.");
  return { at: new Date(Number(time)), id, sequence: Number(sequence) };
}
