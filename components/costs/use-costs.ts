"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { parseAsBoolean, parseAsString, parseAsStringLiteral, useQueryStates } from "nuqs";
import { useMemo } from "react";
import type { CostReport, Dimension } from "../../server/insights/schemas.ts";
import { dimensions } from "../../server/insights/vocabulary.ts";
import { usePortal } from "../portal/portal-context.tsx";
import { useStartOf } from "../portal/use-drawn-at.ts";
import { askedFilter, filterParsers } from "../reports/report-filters.tsx";
import { useTRPC } from "../trpc/client.tsx";
import { boundsOf, readCostPeriod } from "./cost-period.ts";

const hour = 3_600_000;
const day = 24 * hour;
/** Groups that are told apart in the chart; all others are one. */
export const drawnGroups = 6;
/** Groups that the table lists. */
const mostGroups = 200;

/** The page's whole state, in its address. */
const parsers = {
  period: parseAsString.withDefault("month"),
  by: parseAsStringLiteral(dimensions).withDefault("application"),
  /** In which currency figures are shown; empty: the organisation's own, else the largest. */
  in: parseAsString,
  /** Of all environments. */
  everywhere: parseAsBoolean.withDefault(false),
  ...filterParsers,
};

/** The costs of the chosen period and of the one before it. */
export function useCosts() {
  const { environment, unit } = usePortal();
  const trpc = useTRPC();
  const [view, setView] = useQueryStates(parsers, { history: "push" });
  const at = useStartOf(hour);
  const now = useMemo(() => new Date(at), [at]);
  const today = at - (at % day);
  const period = readCostPeriod(view.period, now) ?? "month";
  const bounds = boundsOf(period, now);
  const common = {
    environmentId: view.everywhere ? undefined : environment.id,
    unitId: unit?.id,
    groupBy: [view.by] as [Dimension],
    ...askedFilter(view),
  };
  const ask = ({ from, to }: { from: Date; to: Date }) => ({
    ...common,
    ...{ from: from.toISOString(), to: to.toISOString(), limit: mostGroups },
  });
  const current = useQuery(
    trpc.insights.costs.queryOptions(ask(bounds), {
      refetchInterval: 30_000,
      placeholderData: keepPreviousData,
    }),
  );
  const previous = useQuery(
    trpc.insights.costs.queryOptions(ask(bounds.before), {
      staleTime: 300_000,
      placeholderData: keepPreviousData,
    }),
  );
  // The course of those alone that the chart tells apart.
  const course = useQuery(
    trpc.insights.costs.queryOptions(
      { ...ask(bounds), interval: bounds.interval, limit: drawnGroups, currency: view.in ?? undefined },
      { refetchInterval: 30_000, placeholderData: keepPreviousData },
    ),
  );
  const recent = useQuery(
    trpc.insights.costs.queryOptions(
      {
        ...ask({ from: new Date(today - 14 * day), to: new Date(today + day) }),
        ...{ interval: "day", groupBy: undefined, limit: undefined },
      },
      // Today is among its days, and the forecast takes off what today has come to.
      {
        enabled: period === "month",
        refetchInterval: 30_000,
        placeholderData: keepPreviousData,
      },
    ),
  );
  // What it is narrowed to has ids; groups of it have names.
  const named = (["provider", "template"] as const).filter((name) => view[name] !== null);
  const names = useQuery(
    trpc.insights.costs.queryOptions(
      { ...ask(bounds), groupBy: named, limit: 1 },
      { enabled: named.length > 0, staleTime: 300_000 },
    ),
  );
  return {
    ...{ view, setView, now, period, bounds, current, previous, course, recent },
    names: names.data?.groups[0]?.key,
  };
}

/** Figures in one currency: `in` names it; null: the organisation's own. */
export interface Shown {
  currency: string;
  own: boolean;
}

/** In which currency a report is shown. */
export function currencyOf(report: CostReport, asked: string | null): Shown | null {
  if (asked !== null && report.totals.some(({ currency }) => currency === asked))
    return { currency: asked, own: false };
  if (report.own && report.totals.length > 0) return { currency: report.own.currency, own: true };
  const [first] = report.totals;
  return first ? { currency: first.currency, own: false } : null;
}

type Sums = Pick<CostReport["series"][number], "costs" | "own">;

/** An amount of sums in the shown currency, a decimal string. */
export function amountOf(
  { costs, own }: Sums,
  shown: Shown,
  what: "total" | "messages" | "platformFees" = "total",
): string {
  if (shown.own) return own?.[what] ?? "0";
  return costs.find(({ currency }) => currency === shown.currency)?.[what] ?? "0";
}

/** Whether two periods can be held against each other: in the own currency only where all of both has a rate. */
export function areComparable(now: Pick<Sums, "own">, then: Pick<Sums, "own">, shown: Shown): boolean {
  return !shown.own || [now, then].every(({ own }) => own?.withoutRate.length === 0);
}

/** What a charged try cost on average; null: none was charged, or a part of them has no rate to the shown currency. */
export function averageOf(sums: Sums, shown: Shown): number | null {
  const charged = chargedOf(sums, shown);
  if (charged === 0 || (shown.own && sums.own?.withoutRate.length !== 0)) return null;
  return Number(amountOf(sums, shown, "messages")) / charged;
}

/** How many tries were charged, in whatever currency the figures are. */
export function chargedOf({ costs }: Sums, shown: Shown): number {
  return costs
    .filter(({ currency }) => shown.own || currency === shown.currency)
    .reduce((sum, { charged }) => sum + charged, 0);
}
