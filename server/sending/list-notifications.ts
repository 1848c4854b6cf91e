import type { Ctx } from "../kernel/ctx.ts";
import { decodeCursor, toPage } from "../kernel/cursor.ts";
import { authorizeAddressSearch, maySearchAddresses, visibleScopes } from "../operations/authorize.ts";
import { defaultRegions, getCatalogue } from "../tenancy/catalogue.ts";
import type { Catalogue } from "../tenancy/catalogue.ts";
import { addressForms, readAddress } from "../kernel/address.ts";
import { DomainError } from "../kernel/errors.ts";
import { selectAddressesLike } from "./address-word-queries.ts";
import { patternsOf, prefixesOf, readSearch } from "./address-words.ts";
import { countNotifications, selectNotifications } from "./notification-queries.ts";
import type { NotificationFilter, UnpagedFilter } from "./notification-queries.ts";
import { presentSummary } from "./present-notification.ts";
import { mostCounted } from "./vocabulary.ts";
import type { NotificationSummary, Searched } from "./schemas.ts";

export type NotificationListInput = Omit<
  NotificationFilter,
  "beyond" | "applicationId" | "revealed" | "to" | "addresses"
> & {
  /** An address in any form. */
  to?: string | undefined;
  /** Name of the application. */
  application?: string | undefined;
  cursor?: string | undefined;
};

/** The most addresses whose messages one search by a part of them shows. */
const mostAddresses = 200;

/**
 * A page of the notifications that the caller may see, newest first unless `order` says otherwise; paging stays stable while new ones arrive. Throws
 * `permission_denied` for a search by address of somebody who may see none. `searched`: what a search was for.
 */
export async function listNotifications(
  ctx: Ctx,
  input: NotificationListInput,
): Promise<{ data: NotificationSummary[]; nextCursor: string | null; searched?: Searched }> {
  const { cursor, limit, order, ...filter } = input;
  const beyond = decodeCursor(cursor);
  const catalogue = await getCatalogue(ctx);
  const found = await filterOf(ctx, catalogue, filter);
  if (!found) return { data: [], nextCursor: null };
  const rows = await selectNotifications(ctx, visibleScopes(ctx, "notifications:read"), {
    ...found.filter,
    beyond,
    order,
    limit: limit + 1,
  });
  const page = toPage(rows, limit, (row) => presentSummary(ctx, catalogue, row));
  return found.searched ? { ...page, searched: found.searched } : page;
}

/**
 * How many notifications a filter leaves over of those that the caller may see, counted up to `upTo`; `more`: they are at least as
 * many. `count` null: they cannot be counted in the time that a list has.
 */
export async function countMessages(
  ctx: Ctx,
  {
    upTo = mostCounted,
    ...input
  }: Omit<NotificationListInput, "cursor" | "limit" | "order"> & { upTo?: number | undefined },
): Promise<{ count: number | null; more: boolean }> {
  const found = await filterOf(ctx, await getCatalogue(ctx), input);
  if (!found) return { count: 0, more: false };
  const scopes = visibleScopes(ctx, "notifications:read");
  const count = await countNotifications(ctx, scopes, found.filter, upTo);
  return { count, more: count === null || count === upTo || found.searched?.more === true };
}

/** Throws `permission_denied` for a filter by an address, or a search that is one, of somebody who may see none. */
export function refuseAddressSearch(
  ctx: Ctx,
  { to, search, environmentId }: Pick<NotificationListInput, "to" | "search" | "environmentId">,
): void {
  if (to !== undefined || (search !== undefined && readAddress(search) !== null))
    authorizeAddressSearch(ctx, environmentId);
}

/**
 * Throws `invalid_request` for a search by a part of an address that more addresses have than are shown: a file of their messages would
 * be without some of them. And as refuseAddressSearch.
 */
export async function refuseVagueSearch(
  ctx: Ctx,
  filter: Pick<NotificationListInput, "to" | "search" | "environmentId">,
): Promise<void> {
  refuseAddressSearch(ctx, filter);
  if (filter.search === undefined) return;
  const { searched } = await findAddresses(ctx, await getCatalogue(ctx), filter.search, filter.environmentId);
  if (!searched.more) return;
  const detail = `More than ${String(mostAddresses)} addresses have this in them: search for more of the address.`;
  throw new DomainError("invalid_request", detail, {
    errors: [{ pointer: "/filter/search", code: "too_vague", detail }],
  });
}

/**
 * A filter as statements take it, and what its search is for; undefined when there is no such application. Throws as
 * refuseAddressSearch.
 */
export async function filterOf(
  ctx: Ctx,
  catalogue: Catalogue,
  { application, to, search, ...filter }: Omit<NotificationListInput, "cursor" | "limit" | "order">,
): Promise<{ filter: UnpagedFilter; searched: Searched | undefined } | undefined> {
  refuseAddressSearch(ctx, { to, search, environmentId: filter.environmentId });
  const applicationId =
    application === undefined
      ? undefined
      : catalogue.applications.find((entry) => entry.name === application)?.id;
  if (application !== undefined && applicationId === undefined) return undefined;
  const found =
    search === undefined ? undefined : await findAddresses(ctx, catalogue, search, filter.environmentId);
  return {
    filter: {
      ...filter,
      to: to === undefined ? undefined : addressForms(to, defaultRegions(catalogue)),
      search: search?.trim(),
      addresses: found?.addresses,
      revealed: visibleScopes(ctx, "content:reveal"),
      applicationId,
    },
    searched: found?.searched,
  };
}

/**
 * The addresses that a search may mean. Of those that it names in part, only such as the caller could find whole; for somebody who sees
 * no address there, none, because a search by parts would tell the whole piece by piece.
 */
async function findAddresses(
  ctx: Ctx,
  catalogue: Catalogue,
  text: string,
  environmentId: string | undefined,
): Promise<{ addresses: string[]; searched: Searched }> {
  const { addresses, id, ...parts } = readSearch(text, defaultRegions(catalogue));
  if (!maySearchAddresses(ctx, environmentId)) {
    const searched = { addresses: [], endings: [], word: null, id, hidden: true, more: false };
    return { addresses: [], searched };
  }
  const prefixes = prefixesOf(parts);
  const environment = catalogue.environments.find((entry) => entry.id === environmentId);
  const found =
    prefixes.length === 0
      ? { addresses: [], more: false }
      : await selectAddressesLike(ctx, {
          sandbox: environment ? [environment.kind === "sandbox"] : [false, true],
          prefixes,
          patterns: patternsOf(parts),
          scopes: {
            revealed: visibleScopes(ctx, "content:reveal"),
            read: visibleScopes(ctx, "notifications:read"),
          },
          limit: mostAddresses,
        });
  return {
    addresses: [...new Set([...addresses, ...found.addresses])],
    searched: { addresses, id, ...parts, hidden: false, more: found.more },
  };
}
