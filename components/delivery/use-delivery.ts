"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { parseAsString, parseAsStringLiteral, useQueryStates } from "nuqs";
import type { Dimension, Interval } from "../../server/insights/schemas.ts";
import { dimensions } from "../../server/insights/vocabulary.ts";
import { usePortal } from "../portal/portal-context.tsx";
import { useStartOf } from "../portal/use-drawn-at.ts";
import { askedFilter, filterParsers } from "../reports/report-filters.tsx";
import { useTRPC } from "../trpc/client.tsx";

const hour = 3_600_000;
const day = 24 * hour;

/** Periods up to now, with how fine their course is. */
export const deliveryPeriods = {
  "24h": { label: "Last 24 hours", length: day, interval: "hour" },
  "7d": { label: "Last 7 days", length: 7 * day, interval: "hour" },
  "30d": { label: "Last 30 days", length: 30 * day, interval: "day" },
  "90d": { label: "Last 90 days", length: 90 * day, interval: "day" },
  // Whole weeks, so that each lies over its like in the period before.
  "12m": { label: "Last 12 months", length: 52 * 7 * day, interval: "week" },
} as const satisfies Record<string, { label: string; length: number; interval: Interval }>;
export type DeliveryPeriod = keyof typeof deliveryPeriods;
const periodNames = Object.keys(deliveryPeriods) as DeliveryPeriod[];

const parsers = {
  period: parseAsStringLiteral(periodNames).withDefault("24h"),
  by: parseAsStringLiteral(dimensions).withDefault("provider"),
  /** Exact bounds, from a click in a chart; they win over the period. */
  from: parseAsString,
  to: parseAsString,
  ...filterParsers,
};

/** Deliveries of the chosen period and of the one before it, with the filters that are in the address. */
export function useDelivery() {
  const { environment, unit } = usePortal();
  const trpc = useTRPC();
  const [view, setView] = useQueryStates(parsers, { history: "push" });
  const end = useStartOf(hour) + hour;
  const chosen = deliveryPeriods[view.period];
  const exact = view.from !== null && view.to !== null ? [Date.parse(view.from), Date.parse(view.to)] : null;
  const [from, to] = exact?.every(Number.isFinite) ? exact : [end - chosen.length, end];
  const bounds = { from: from ?? 0, to: to ?? 0 };
  const length = bounds.to - bounds.from;
  const interval: Interval = exact ? (length <= 7 * day ? "hour" : "day") : chosen.interval;
  const common = {
    ...{ environmentId: environment.id, unitId: unit?.id, groupBy: [view.by] as [Dimension], limit: 100 },
    // Only the course of all of them is drawn.
    courses: false,
    ...askedFilter(view),
  };
  const iso = (moment: number) => new Date(moment).toISOString();
  const current = useQuery(
    trpc.insights.delivery.queryOptions(
      { ...common, from: iso(bounds.from), to: iso(bounds.to), interval },
      { refetchInterval: 10_000, placeholderData: keepPreviousData },
    ),
  );
  const previous = useQuery(
    trpc.insights.delivery.queryOptions(
      // As fine as the present one, as the two courses lie under one axis.
      { ...common, from: iso(bounds.from - length), to: iso(bounds.from), interval },
      { staleTime: 300_000, placeholderData: keepPreviousData },
    ),
  );
  // What it is narrowed to has ids; groups of it have names.
  const named = (["provider", "template"] as const).filter((name) => view[name] !== null);
  const names = useQuery(
    trpc.insights.delivery.queryOptions(
      { ...common, from: iso(bounds.from), to: iso(bounds.to), groupBy: named, limit: 1 },
      { enabled: named.length > 0, staleTime: 300_000 },
    ),
  );
  return {
    view,
    setView,
    bounds,
    endOfHour: end,
    interval,
    current,
    previous,
    names: names.data?.groups[0]?.key,
  };
}
