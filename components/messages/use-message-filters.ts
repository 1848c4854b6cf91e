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
import { useMemo, useState } from "react";
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

/**
 * Filters of the Messages page, all of them in the URL. A change of filter goes back to the newest page.
 * The lower time bound is fixed when the range is chosen and rounded to the minute, so that it can be a cache key.
 */
export function useMessageFilters() {
  const [values, setValues] = useQueryStates(messageParsers, { history: "push" });
  const drawnAt = useDrawnAt();
  const [anchor, setAnchor] = useState(() => startOfMinute(drawnAt));

  const createdFrom = useMemo(() => {
    if (values.from) return values.from;
    if (values.range === "all") return undefined;
    const length = values.range === "1h" ? 3_600_000 : periodLength(values.range);
    return new Date(anchor - length).toISOString();
  }, [values.from, values.range, anchor]);

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
