"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { parseAsBoolean, parseAsString, parseAsStringLiteral, useQueryStates } from "nuqs";
import { lackable } from "../../server/costs/vocabulary.ts";
import type { CostReport, Dimension } from "../../server/insights/schemas.ts";
import { usePortal } from "../portal/portal-context.tsx";
import { useStartOf } from "../portal/use-drawn-at.ts";
import { askedFilter, filterParsers } from "../reports/report-filters.tsx";
import { useTRPC } from "../trpc/client.tsx";
import { boundsOf } from "./cost-period.ts";

/** The page's whole state, in its address. */
export const chargeParsers = {
  /** Exact bounds, from a figure; this month without. */
  from: parseAsString,
  to: parseAsString,
  everywhere: parseAsBoolean.withDefault(false),
  currency: parseAsString,
  without: parseAsStringLiteral(lackable),
  cursor: parseAsString,
  ...filterParsers,
};

const isInstant = (text: string | null): text is string => text !== null && Number.isFinite(Date.parse(text));

/** The charges behind a figure of the cost report, and what the report says they come to. */
export function useCharges() {
  const { environment, unit } = usePortal();
  const trpc = useTRPC();
  const [view, setView] = useQueryStates(chargeParsers, { history: "push" });
  const month = boundsOf("month", new Date(useStartOf(86_400_000)));
  const bounds =
    isInstant(view.from) && isInstant(view.to)
      ? { from: new Date(view.from).toISOString(), to: new Date(view.to).toISOString() }
      : { from: month.from.toISOString(), to: month.to.toISOString() };
  const common = {
    ...bounds,
    environmentId: view.everywhere ? undefined : environment.id,
    unitId: unit?.id,
    currency: view.currency ?? undefined,
    ...askedFilter(view),
  };
  const entries = useQuery(
    trpc.costs.entries.queryOptions(
      { ...common, without: view.without ?? undefined, cursor: view.cursor ?? undefined },
      { placeholderData: keepPreviousData },
    ),
  );
  // By what has ids or none, so that the answer has names, and the sums of those that have none.
  const groupBy: Dimension[] = [
    ...(["provider", "template"] as const).filter((name) => view[name] !== null),
    ...(view.without ? [view.without] : []),
  ];
  const report = useQuery(
    trpc.insights.costs.queryOptions({
      ...common,
      ...(groupBy.length > 0 ? { groupBy: groupBy.slice(0, 3), limit: 500 } : {}),
    }),
  ).data;
  return {
    view,
    setView,
    bounds,
    entries,
    names: report?.groups[0]?.key,
    sums: sumsOf(report, view.without),
  };
}

/** What the report says that the listed charges come to. */
function sumsOf(report: CostReport | undefined, without: (typeof lackable)[number] | null) {
  if (!report) return undefined;
  if (!without) return report.totals;
  return report.groups.find(({ key }) => key[without]?.value === null)?.costs ?? [];
}
