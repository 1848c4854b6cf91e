import type { Ctx } from "../kernel/ctx.ts";
import { visibleScopes } from "../operations/authorize.ts";
import { getCatalogue } from "../tenancy/catalogue.ts";
import { selectEntries, selectEntryAhead } from "./queries.ts";
import type { EntryFilter, EntryRow } from "./queries.ts";

/** What a filter passes over in one go; more is the next call's. */
const lookedAt = 5_000;

type Names = (kind: "applications" | "environments" | "units", id: string | null) => string | null;

const nameOf = (one: { name: string; slug?: string } | undefined) => one?.slug ?? one?.name;

const cells: Record<string, (entry: EntryRow, names: Names) => string | number | null> = {
  at: ({ at }) => at.toISOString(),
  messageId: ({ notificationId }) => notificationId,
  environment: ({ environmentId }, names) => names("environments", environmentId),
  application: ({ applicationId }, names) => names("applications", applicationId),
  unit: ({ unitId }, names) => names("units", unitId),
  channel: ({ channel }) => channel,
  provider: ({ provider }) => provider,
  country: ({ country }) => country,
  notificationType: ({ notificationType }) => notificationType,
  notificationSubtype: ({ notificationSubtype }) => notificationSubtype,
  template: ({ template }) => template,
  kind: ({ kind }) => kind,
  attempt: ({ attempt }) => attempt,
  source: ({ source }) => source,
  amount: ({ amount }) => amount,
  currency: ({ currency }) => currency,
  segments: ({ segments }) => segments,
};

/** The columns of a file of costs. */
export const costColumns: readonly string[] = Object.keys(cells);

/** Which entries; environment and application by the names that people and systems use. */
export interface CostFilter extends Omit<EntryFilter, "applicationId"> {
  application?: string | undefined;
}

/**
 * The next entries of the ledger of costs that the caller may see, oldest first, as rows of those columns: at most `limit`, and perhaps
 * none although there are more, because one call looks at a few thousand. `after` is where the next call goes on; `end`: nothing is left.
 * Of messages that are gone the cost stays, for those who may see everybody's.
 */
export async function readCostRows(
  ctx: Ctx,
  { application, ...filter }: CostFilter,
  part: { columns: readonly string[]; after: string | null; upTo: string; limit: number },
): Promise<{ rows: string[][]; after: string | null; end: boolean }> {
  const catalogue = await getCatalogue(ctx);
  const applicationId = catalogue.applications.find((each) => each.name === application)?.id;
  if (application !== undefined && applicationId === undefined)
    return { rows: [], after: part.after, end: true };
  const ahead = await selectEntryAhead(ctx, {
    since: filter.from,
    after: part.after,
    upTo: part.upTo,
    ahead: lookedAt,
  });
  const upTo = ahead ?? part.upTo;
  const entries = await selectEntries(
    ctx,
    visibleScopes(ctx, "costs:read"),
    { ...filter, applicationId },
    { after: part.after, upTo, limit: part.limit },
  );
  const names: Names = (kind, id) =>
    id === null ? null : (nameOf(catalogue[kind].find((each) => each.id === id)) ?? id);
  const full = entries.length === part.limit;
  return {
    rows: entries.map((entry) => part.columns.map((column) => String(cells[column]?.(entry, names) ?? ""))),
    after: full ? (entries.at(-1)?.id ?? part.after) : upTo,
    end: !full && ahead === null,
  };
}
