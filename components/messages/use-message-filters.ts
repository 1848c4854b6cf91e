"use client";

import {
  createParser,
  parseAsArrayOf,
  parseAsBoolean,
  parseAsString,
  parseAsStringLiteral,
  useQueryStates,
  type inferParserType,
} from "nuqs";
import { useEffect, useMemo, useState } from "react";
import { absentees } from "../../server/sending/vocabulary.ts";
import { periodLength, startOfMinute } from "../charts/period.ts";
import { useDrawnAt } from "../portal/use-drawn-at.ts";
import { statusNames } from "./status.ts";
import { channels } from "./channel.tsx";

export const ranges = ["1h", "24h", "7d", "30d", "all"] as const;
export type Range = (typeof ranges)[number];

export const rangeLabels: Record<Range, string> = {
  "1h": "Last hour",
  "24h": "Last 24 hours",
  "7d": "Last 7 days",
  "30d": "Last 30 days",
  all: "All time",
};

/** A moment as links say it; nothing where it cannot be read, as in a link that was cut off. */
const parseAsInstant = createParser({
  parse: (text) => (Number.isFinite(Date.parse(text)) ? text : null),
  serialize: String,
});

/** How the page's address says its filters. */
export const messageParsers = {
  q: parseAsString.withDefault(""),
  status: parseAsArrayOf(parseAsStringLiteral(statusNames)).withDefault([]),
  channel: parseAsStringLiteral(channels),
  application: parseAsString,
  template: parseAsString,
  /** Id of the connection: names may change. */
  provider: parseAsString,
  type: parseAsString,
  /** From a row or a point of a report, as the report names them. */
  subtype: parseAsString,
  templateId: parseAsString,
  country: parseAsString,
  mailDomain: parseAsStringLiteral(["gmail", "yahoo", "microsoft", "other"]),
  providerCode: parseAsString,
  sent: parseAsBoolean,
  final: parseAsBoolean,
  simulated: parseAsBoolean,
  /** Only messages that have none of it. */
  without: parseAsArrayOf(parseAsStringLiteral(absentees)),
  /** Failure or reason code, from a chart or a message. */
  code: parseAsString,
  range: parseAsStringLiteral(ranges).withDefault("7d"),
  /** Exact bounds, from a click in a chart; they win over `range`. */
  from: parseAsInstant,
  to: parseAsInstant,
  /** By when messages were accepted. */
  sort: parseAsStringLiteral(["newest", "oldest"]).withDefault("newest"),
  cursor: parseAsString,
  open: parseAsString,
};

export type MessageValues = inferParserType<typeof messageParsers>;
type Values = MessageValues;
type Change = { [Key in Exclude<keyof Values, "cursor" | "open">]?: Values[Key] | null };

const nothingChosen = {
  q: null,
  status: null,
  channel: null,
  application: null,
  template: null,
  provider: null,
  type: null,
  code: null,
  subtype: null,
  templateId: null,
  country: null,
  mailDomain: null,
  providerCode: null,
  sent: null,
  final: null,
  simulated: null,
  without: null,
  range: null,
  from: null,
  to: null,
  cursor: null,
};

/** Whether anything narrows the list but the range. A filter that asks for "no" is one as well. */
export function isNarrowed({
  range: _range,
  sort: _sort,
  cursor: _cursor,
  open: _open,
  ...chosen
}: Values): boolean {
  return Object.values(chosen).some((value) =>
    Array.isArray(value) ? value.length > 0 : value !== null && value !== "",
  );
}

const rangeLength = (range: Exclude<Range, "all">) => (range === "1h" ? 3_600_000 : periodLength(range));

/**
 * Up to when a range is that was last counted up to `anchor`: it stays until a sixtieth of the range has passed, so that a page that is
 * left open shows the last hour and yet asks no new question each time it looks.
 */
export function anchorAt(anchor: number, range: Range, now: number): number {
  return range === "all" || now - anchor < rangeLength(range) / 60 ? anchor : startOfMinute(now);
}

/**
 * Filters of the Messages page, all of them in the URL. A change of filter goes back to the newest page.
 * The lower time bound is rounded to the minute, so that it can be a cache key. On the newest page it moves on with the clock.
 */
export function useMessageFilters() {
  const [values, setValues] = useQueryStates(messageParsers, { history: "push" });
  const drawnAt = useDrawnAt();
  const [anchor, setAnchor] = useState(() => startOfMinute(drawnAt));

  const createdFrom = useMemo(() => {
    if (values.from) return values.from;
    if (values.range === "all") return undefined;
    return new Date(anchor - rangeLength(values.range)).toISOString();
  }, [values.from, values.range, anchor]);

  const { range, sort, cursor } = values;
  const isNewest = sort === "newest" && cursor === null;
  useEffect(() => {
    if (!isNewest) return undefined;
    const timer = setInterval(() => {
      if (!document.hidden) setAnchor((last) => anchorAt(last, range, Date.now()));
    }, 60_000);
    return () => clearInterval(timer);
  }, [isNewest, range]);

  function change(next: Change) {
    setAnchor(startOfMinute(Date.now()));
    void setValues({ ...next, cursor: null, open: null });
  }

  return {
    values,
    /** What the server is asked for. */
    createdFrom,
    createdTo: values.to ?? undefined,
    /** True when anything but the range is set. */
    narrowed: isNarrowed(values),
    change,
    setCursor: (cursor: string | null) => void setValues({ cursor, open: null }),
    setOpen: (open: string | null) => void setValues({ open }, { history: values.open ? "replace" : "push" }),
    setSort: (sort: Values["sort"]) => void setValues({ sort, cursor: null, open: null }),
    clear: () => void setValues({ ...nothingChosen, range: values.range, open: null }),
  };
}

export type MessageFilters = ReturnType<typeof useMessageFilters>;
