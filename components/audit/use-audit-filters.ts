"use client";

import { parseAsString, parseAsStringLiteral, useQueryStates, type inferParserType } from "nuqs";
import { useMemo, useState } from "react";
import { startOfMinute } from "../charts/period.ts";
import { useDrawnAt } from "../portal/use-drawn-at.ts";
import { useHydrated } from "../ui/use-hydrated.ts";

export const ranges = ["24h", "7d", "30d", "90d", "all", "custom"] as const;
export type Range = (typeof ranges)[number];

export const rangeLabels: Record<Range, string> = {
  "24h": "Last 24 hours",
  "7d": "Last 7 days",
  "30d": "Last 30 days",
  "90d": "Last 90 days",
  all: "All time",
  custom: "From … to …",
};

const days: Partial<Record<Range, number>> = { "24h": 1, "7d": 7, "30d": 30, "90d": 90 };
const dayMs = 86_400_000;

const parsers = {
  q: parseAsString.withDefault(""),
  action: parseAsString,
  /** Id of a person or key, or "system". */
  actor: parseAsString,
  target: parseAsString,
  /** One thing, from its page or from an entry. */
  thing: parseAsString,
  environment: parseAsString,
  range: parseAsStringLiteral(ranges).withDefault("30d"),
  /** Days, of a range of one's own, both included. */
  from: parseAsString,
  to: parseAsString,
  cursor: parseAsString,
  open: parseAsString,
};
type Values = inferParserType<typeof parsers>;
type Change = { [Key in Exclude<keyof Values, "cursor" | "open">]?: Values[Key] | null };

/** Midnight of a day ("2027-01-31") where the reader is, some days later; undefined for what is no day. */
function midnight(day: string | null, later = 0): string | undefined {
  const match = day === null ? null : /^(\d{4})-(\d{2})-(\d{2})$/.exec(day);
  if (!match) return undefined;
  const [year, month, date] = match.slice(1).map(Number) as [number, number, number];
  const moment = new Date(year, month - 1, date + later);
  return Number.isNaN(moment.getTime()) ? undefined : moment.toISOString();
}

/** Filters of the audit trail, all of them in the URL. A change of filter goes back to the newest page. */
export function useAuditFilters() {
  const [values, setValues] = useQueryStates(parsers, { history: "push" });
  const drawnAt = useDrawnAt();
  const hydrated = useHydrated();
  const [anchor, setAnchor] = useState(() => startOfMinute(drawnAt));
  const length = days[values.range];
  const period = useMemo(
    () =>
      length === undefined
        ? values.range === "custom"
          ? { from: midnight(values.from), to: midnight(values.to, 1) }
          : {}
        : { from: new Date(anchor - length * dayMs).toISOString() },
    [length, anchor, values.range, values.from, values.to],
  );

  function change(next: Change) {
    setAnchor(startOfMinute(Date.now()));
    void setValues({ ...next, cursor: null, open: null });
  }

  return {
    values,
    period,
    /** False while the period is not known: only the browser can tell when the reader's days begin. */
    periodKnown: values.range !== "custom" || hydrated,
    /** True when anything but the range is set. */
    narrowed:
      values.q !== "" ||
      Boolean(values.action ?? values.actor ?? values.target ?? values.thing ?? values.environment),
    change,
    setCursor: (cursor: string | null) => void setValues({ cursor, open: null }),
    setOpen: (open: string | null) => void setValues({ open }, { history: values.open ? "replace" : "push" }),
    clear: () =>
      void setValues({
        q: null,
        action: null,
        actor: null,
        target: null,
        thing: null,
        environment: null,
        cursor: null,
        open: null,
      }),
  };
}

export type AuditFilters = ReturnType<typeof useAuditFilters>;
