"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { parseAsString, parseAsStringLiteral, useQueryStates } from "nuqs";
import { useEffect, useState } from "react";
import { periodLength, periods } from "../charts/period.ts";
import { channels } from "../messages/channel.tsx";
import { usePortal } from "../portal/portal-context.tsx";
import { useTRPC } from "../trpc/client.tsx";

const hour = 3_600_000;
const nextHour = () => Math.ceil(Date.now() / hour) * hour;

/** The hour that the present period ends in; moves on while the page stays open. */
function useEndOfPeriod(): number {
  const [end, setEnd] = useState(nextHour);
  useEffect(() => {
    const timer = setInterval(() => setEnd(nextHour()), 60_000);
    return () => clearInterval(timer);
  }, []);
  return end;
}

/** The figures of the chosen period and of the one before it, with the filters that are in the URL. */
export function useOverview() {
  const { environment, unit } = usePortal();
  const trpc = useTRPC();
  const [view, setView] = useQueryStates(
    {
      period: parseAsStringLiteral(periods).withDefault("24h"),
      application: parseAsString,
      channel: parseAsStringLiteral(channels),
    },
    { history: "push" },
  );
  const end = useEndOfPeriod();
  const length = periodLength(view.period);
  const common = {
    environmentId: environment.id,
    unitId: unit?.id,
    application: view.application ?? undefined,
    channel: view.channel ?? undefined,
  };
  const iso = (moment: number) => new Date(moment).toISOString();

  const current = useQuery(
    trpc.insights.delivery.queryOptions(
      { ...common, from: iso(end - length), to: iso(end), groupBy: ["channel"] },
      { refetchInterval: 10_000, placeholderData: keepPreviousData },
    ),
  );
  const previous = useQuery(
    trpc.insights.delivery.queryOptions(
      { ...common, from: iso(end - 2 * length), to: iso(end - length) },
      { staleTime: 300_000, placeholderData: keepPreviousData },
    ),
  );
  return { view, setView, current, previous };
}
