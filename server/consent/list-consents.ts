import { addressHint, maskAddress, normalizeAddress, readAddress, shownAddress } from "../kernel/address.ts";
import { channels } from "../kernel/channel.ts";
import type { Channel } from "../kernel/channel.ts";
import type { Ctx } from "../kernel/ctx.ts";
import { decodeTimeCursor, encodeTimeCursor } from "../kernel/cursor.ts";
import { erasedText } from "../kernel/erased.ts";
import { DomainError } from "../kernel/errors.ts";
import { authorize, authorizeAddressSearch, may } from "../operations/authorize.ts";
import { notificationClassSchema } from "../tenancy/schemas.ts";
import { addressToken, consentKey, isToken } from "./address-token.ts";
import { mostOpen, presentConfirmation } from "./ask-confirmation.ts";
import { selectOpen } from "./confirmation-queries.ts";
import { consentPolicy, isAllowed } from "./consent-policy.ts";
import { ledgerOf } from "./ledger-place.ts";
import { selectEntries, selectNamedRegions } from "./queries.ts";
import type { EntryRow } from "./queries.ts";
import type { Confirmation, ConsentEntry, ConsentListQuery, ConsentStanding } from "./schemas.ts";
import { standingOf } from "./standing.ts";

/** Of one address, that its standing is told for one by one; the ledger may name more. */
const mostRegions = 20;

interface Page {
  data: ConsentEntry[];
  nextCursor: string | null;
}

/**
 * How an address stands by channel, class and region, and the history behind it. Throws `permission_denied` for somebody who may see
 * no address.
 */
export async function getConsents(
  ctx: Ctx,
  input: {
    environmentId: string;
    address: string;
    channel?: Channel | undefined;
    limit: number;
    cursor?: string | undefined;
  },
): Promise<{
  address: string;
  standing: ConsentStanding[];
  confirmations: Confirmation[];
  history: Page;
}> {
  const { sandbox, catalogue } = await ledgerOf(ctx, "consent:read", input.environmentId);
  authorizeAddressSearch(ctx, input.environmentId);
  const { settings } = catalogue.tenant;
  const typed = readAddress(input.address) ?? input.address;
  const wanted = channels
    .filter((channel) => input.channel === undefined || channel === input.channel)
    .flatMap((channel) => {
      const address = normalizeAddress(channel, typed);
      return address === null ? [] : [{ channel, address }];
    });
  const [first] = wanted;
  if (!first) {
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
  const key = await consentKey(ctx);
  const places = wanted.map((place) => ({
    ...place,
    names: key ? [place.address, addressToken(key, place.channel, place.address)] : [place.address],
  }));
  const filter = { sandbox, places };
  const [regions, open, rows] = await Promise.all([
    selectNamedRegions(ctx, filter, mostRegions),
    selectOpen(ctx, { sandbox, places: wanted, now: ctx.now(), limit: mostOpen }),
    selectEntries(ctx, { ...filter, before: decodeTimeCursor(input.cursor), limit: input.limit + 1 }),
  ]);
  const asked = places.flatMap(({ channel, names }) =>
    notificationClassSchema.options.flatMap((of) =>
      [null, ...regions].map((region) => ({ channel, names, class: of, region })),
    ),
  );
  const found = await standingOf(
    ctx,
    asked.map(({ channel, names: [plain = "", token = plain], class: of, region }) => ({
      sandbox,
      channel,
      addresses: [plain, token] as const,
      region,
      class: of,
    })),
  );
  const reveal = may(ctx, "content:reveal", { environmentId: input.environmentId });
  return {
    address: reveal ? shownAddress(first.address) : maskAddress(first.address),
    standing: places.map(({ channel }) => {
      const own = asked.flatMap((one, index) => {
        const standing = found[index];
        return one.channel === channel && standing ? [{ ...one, ...standing }] : [];
      });
      const suppressed = own.some((one) => one.suppressed);
      return {
        channel,
        suppressed,
        states: own.map(({ class: of, region, consent }) => {
          const policy = consentPolicy(settings, { class: of, channel, region: region ?? "" });
          return {
            class: of,
            region,
            state: consent,
            policy,
            allowed: !suppressed && isAllowed(policy, consent),
          };
        }),
      };
    }),
    confirmations: open.map((row) => presentConfirmation(row, reveal)),
    history: pageOfRows(rows, input.limit, reveal),
  };
}

/** The ledger, newest first. Needs consent:read for the whole organisation: it names addresses of every team. */
export async function listConsents(ctx: Ctx, input: ConsentListQuery): Promise<Page> {
  const { sandbox } = await ledgerOf(ctx, "consent:read", input.environmentId);
  authorize(ctx, "consent:read", { environmentId: input.environmentId });
  const { channel, state, source, limit } = input;
  const rows = await selectEntries(ctx, {
    sandbox,
    channel,
    state,
    source,
    before: decodeTimeCursor(input.cursor),
    limit: limit + 1,
  });
  return pageOfRows(rows, limit, may(ctx, "content:reveal", { environmentId: input.environmentId }));
}

function pageOfRows(rows: readonly EntryRow[], limit: number, reveal: boolean): Page {
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  return {
    data: page.map((row) => presentEntry(row, reveal)),
    nextCursor: rows.length > limit && last ? encodeTimeCursor(last.at, last.id) : null,
  };
}

/** An entry for somebody who may see addresses, or may not. */
export function presentEntry({ address, evidence, at, ...entry }: EntryRow, reveal: boolean): ConsentEntry {
  return {
    ...entry,
    address: isToken(address) ? erasedText : reveal ? shownAddress(address) : maskAddress(address),
    evidence: reveal ? textsOf(evidence) : null,
    at: at.toISOString(),
  };
}

function textsOf(evidence: unknown): Record<string, string> {
  return Object.fromEntries(
    Object.entries(evidence ?? {}).map(([name, value]) => [
      name,
      typeof value === "string" ? value : JSON.stringify(value),
    ]),
  );
}
