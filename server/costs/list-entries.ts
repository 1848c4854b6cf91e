import { tenantConnections } from "../connections/load-connection.ts";
import { decodeTimeCursor, encodeTimeCursor } from "../kernel/cursor.ts";
import type { Ctx } from "../kernel/ctx.ts";
import { refuseUnreported } from "../kernel/report-period.ts";
import { visibleScopes } from "../operations/authorize.ts";
import { getCatalogue } from "../tenancy/catalogue.ts";
import { selectListedEntries, selectPlaceAhead } from "./queries.ts";
import type { EntryPlace, ListedEntryRow } from "./queries.ts";
import type { EntryListInput, ListedEntry } from "./schemas.ts";

/** What a filter passes over in one go, and how often one call goes on to find a page. */
const lookedAt = 5_000;
const goes = 4;

/**
 * A page of the entries behind a figure of the cost report, newest first: those of messages that the caller may see costs of, in the hour
 * and under the dimensions that reports count them. One call looks at no more than 20,000 entries; a page with fewer than `limit`, even
 * none, has a `nextCursor` when there are more to look at. Throws `invalid_request` for periods that no report has.
 */
export async function listEntries(
  ctx: Ctx,
  input: EntryListInput,
): Promise<{ data: ListedEntry[]; nextCursor: string | null }> {
  const { application, provider, template, limit, cursor, ...rest } = input;
  const [from, to] = [new Date(input.from), new Date(input.to)];
  refuseUnreported(from, to);
  let before = decodeTimeCursor(cursor);
  const [catalogue, connections] = await Promise.all([getCatalogue(ctx), tenantConnections(ctx)]);
  const applicationId = catalogue.applications.find((each) => each.name === application)?.id;
  if (application !== undefined && applicationId === undefined) return { data: [], nextCursor: null };
  const filter = { ...rest, from, to, applicationId, connectionId: provider, templateId: template };
  const scopes = visibleScopes(ctx, "costs:read");

  const found: ListedEntryRow[] = [];
  let backTo: EntryPlace | null = null;
  for (let go = 0; go < goes && found.length <= limit; go++) {
    backTo = await selectPlaceAhead(ctx, filter, { before, ahead: lookedAt });
    found.push(
      ...(await selectListedEntries(ctx, scopes, filter, {
        before,
        backTo,
        limit: limit + 1 - found.length,
      })),
    );
    if (backTo === null) break;
    before = backTo;
  }
  const page = found.slice(0, limit);
  const next = found.length > limit ? page.at(-1) : backTo;
  return {
    nextCursor: next ? encodeTimeCursor(next.at, next.id) : null,
    data: page.map(({ environmentId, applicationId: of, connectionId, at, ...entry }) => ({
      ...entry,
      at: at.toISOString(),
      environment: catalogue.environments.find(({ id }) => id === environmentId)?.slug ?? null,
      application: catalogue.applications.find(({ id }) => id === of)?.title ?? null,
      provider: connectionId === null ? null : (connections.get(connectionId)?.name ?? "Removed connection"),
    })),
  };
}
