import type { Dimension, GroupKey } from "../../server/insights/schemas.ts";
import { groupFilter } from "./message-links.ts";
import { filterNames } from "./report-filters.tsx";
import type { ReportFilters } from "./report-filters.tsx";

/**
 * The parameters of a link to the charges that a figure of the cost report is the sum of. A cost is counted when its try was made, a message
 * when it was accepted: so the figure leads to charges, and each of these to its message. Null: the figure is of a group that is gone.
 */
export function chargesBehind(
  { everywhere, ...filters }: ReportFilters & { everywhere: boolean },
  period: { from: string; to: string },
  of: { currency?: string | undefined; group?: { by: Dimension; key: GroupKey } } = {},
): Record<string, string> | null {
  const values: Record<string, string> = { from: period.from, to: period.to };
  // An environment that is named is the one that is meant.
  if (everywhere && of.group?.by !== "environment") values.everywhere = "true";
  if (of.currency !== undefined) values.currency = of.currency;
  for (const name of filterNames) {
    const value = filters[name];
    if (value !== null) values[name] = value;
  }
  const own = of.group ? groupFilter(of.group.by, of.group.key, (name) => name) : {};
  return own && { ...values, ...own };
}
