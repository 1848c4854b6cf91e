import {
  addressHint,
  maskAddress,
  addressForms,
  normalizeAddress,
  numberBeginning,
  shownAddress,
} from "../kernel/address.ts";
import { channels } from "../kernel/channel.ts";
import type { Ctx } from "../kernel/ctx.ts";
import { decodeTimeCursor, encodeTimeCursor } from "../kernel/cursor.ts";
import { erasedText } from "../kernel/erased.ts";
import { DomainError } from "../kernel/errors.ts";
import { isUuid } from "../kernel/ids.ts";
import { defaultRegions, getCatalogue } from "../tenancy/catalogue.ts";
import { authorize, authorizeAddressSearch, may } from "../operations/authorize.ts";
import { addressToken, consentKey, isToken } from "./address-token.ts";
import { ledgerOf } from "./ledger-place.ts";
import { selectSuppressions, selectSuppressionsFrom, selectSuppressionsOf } from "./suppression-queries.ts";
import type { SuppressionRow } from "./suppression-queries.ts";
import type { SuppressedAddress, SuppressionListQuery } from "./schemas.ts";

/** What a WhatsApp user id begins with, such as US.1349: unlike in e-mail addresses, case matters in them. */
const userIdStart = /^[A-Z]{2}\.[A-Za-z0-9.]*$/;

interface Page {
  data: SuppressedAddress[];
  nextCursor: string | null;
}

/**
 * Suppressions that hold: of one address, or the list, newest first; or, for those who may see addresses, of addresses that begin
 * so, by address. The list names addresses of every team and needs consent:read for the whole organisation. Throws
 * `permission_denied` for an address, of somebody who may see none.
 */
export async function listSuppressions(ctx: Ctx, input: SuppressionListQuery): Promise<Page> {
  const { environmentId, channel, reason, limit, cursor } = input;
  const { sandbox } = await ledgerOf(ctx, "consent:read", environmentId);
  const reveal = may(ctx, "content:reveal", { environmentId });
  if (input.address !== undefined) {
    authorizeAddressSearch(ctx, environmentId);
    const rows = await selectSuppressionsOf(ctx, {
      sandbox,
      reason,
      places: await placesOf(ctx, input.address, channel),
    });
    return { data: rows.map((row) => presentSuppression(row, reveal)), nextCursor: null };
  }
  if (!may(ctx, "consent:read", { environmentId })) {
    throw new DomainError(
      "permission_denied",
      "The list needs consent:read in the whole organisation; with address, a role in one team is enough.",
    );
  }
  const filter = { sandbox, channel, reason, limit: limit + 1 };
  if (input.prefix === undefined) {
    const rows = await selectSuppressions(ctx, { ...filter, before: decodeTimeCursor(cursor) });
    return pageOf(rows, limit, reveal, ({ createdAt, id }) => encodeTimeCursor(createdAt, id));
  }
  // Letter by letter, a search by what an address begins with would tell the whole of it.
  authorize(ctx, "content:reveal", { environmentId });
  const prefix = beginningOf(input.prefix, defaultRegions(await getCatalogue(ctx)));
  const rows = await selectSuppressionsFrom(ctx, { ...filter, prefix, after: decodeAddressCursor(cursor) });
  return pageOf(rows, limit, reveal, encodeAddressCursor);
}

/** As addresses are stored: numbers without gaps, e-mail in small letters. */
function beginningOf(typed: string, regions: readonly string[]): string {
  const number = numberBeginning(typed, regions);
  if (number !== null) return number;
  return userIdStart.test(typed) ? typed : typed.toLowerCase();
}

async function placesOf(
  ctx: Ctx,
  text: string,
  channel: string | undefined,
): Promise<{ channel: string; names: string[] }[]> {
  const key = await consentKey(ctx);
  const forms = addressForms(text, defaultRegions(await getCatalogue(ctx)));
  const places = channels
    .filter((each) => channel === undefined || each === channel)
    .flatMap((each) => {
      const addresses = forms.flatMap((form) => normalizeAddress(each, form) ?? []);
      if (addresses.length === 0) return [];
      const tokens = key ? addresses.map((address) => addressToken(key, each, address)) : [];
      return [{ channel: each, names: [...addresses, ...tokens] }];
    });
  if (places.length === 0) {
    throw new DomainError("invalid_request", "Not a valid address.", {
      errors: [
        {
          pointer: "/address",
          code: "invalid_recipient",
          detail: addressHint(),
        },
      ],
    });
  }
  return places;
}

function pageOf(
  rows: readonly SuppressionRow[],
  limit: number,
  reveal: boolean,
  cursorOf: (last: SuppressionRow) => string,
): Page {
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  return {
    data: page.map((row) => presentSuppression(row, reveal)),
    nextCursor: rows.length > limit && last ? cursorOf(last) : null,
  };
}

export function presentSuppression(
  { address, note, createdAt, expiresAt, ...row }: SuppressionRow,
  reveal: boolean,
): SuppressedAddress {
  return {
    ...row,
    address: isToken(address) ? erasedText : reveal ? shownAddress(address) : maskAddress(address),
    note: reveal ? note : null,
    createdAt: createdAt.toISOString(),
    expiresAt: expiresAt?.toISOString() ?? null,
  };
}

/** Only for those who may see the address in it. */
function encodeAddressCursor({ address, id }: SuppressionRow): string {
  return Buffer.from(`${id}/${address}`).toString("base64url");
}

function decodeAddressCursor(cursor: string | undefined): { address: string; id: string } | undefined {
  if (cursor === undefined) return undefined;
  const text = Buffer.from(cursor, "base64url").toString();
  const [id, address] = [text.slice(0, 36), text.slice(37)];
  if (!isUuid(id) || text[36] !== "/" || /\p{Cc}/u.test(address)) {
    throw new DomainError("invalid_cursor", "Pass nextCursor of the page before, unchanged.");
  }
  return { address, id };
}
