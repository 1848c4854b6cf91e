"use client";

import { X } from "lucide-react";
import { parseAsString, parseAsStringLiteral } from "nuqs";
import type { Dimension, GroupKey } from "../../server/insights/schemas.ts";
import { dimensions } from "../../server/insights/vocabulary.ts";
import { channelLabel, channels } from "../messages/channel.tsx";
import { usePortal } from "../portal/portal-context.tsx";
import { Button } from "../ui/button.tsx";
import { Select } from "../ui/select.tsx";

/** What narrows a report, as its address says it; the values are those that groups of the report have. */
export const filterParsers = {
  application: parseAsString,
  channel: parseAsStringLiteral(channels),
  provider: parseAsString,
  country: parseAsString,
  notificationType: parseAsString,
  notificationSubtype: parseAsString,
  template: parseAsString,
  mailDomain: parseAsStringLiteral(["gmail", "yahoo", "microsoft", "other"]),
};
export type FilterName = keyof typeof filterParsers;
export const filterNames = Object.keys(filterParsers) as FilterName[];
export type ReportFilters = Record<FilterName, string | null>;

/** Whether a report can be narrowed to a group of this dimension. */
export const canNarrow = (dimension: Dimension): dimension is FilterName =>
  (filterNames as readonly string[]).includes(dimension);

/** A filter as reports are asked for it. */
export function askedFilter(view: ReportFilters): object {
  return Object.fromEntries(filterNames.map((name) => [name, view[name] ?? undefined]));
}

export const dimensionLabel: Record<Dimension, string> = {
  channel: "Channel",
  application: "Application",
  environment: "Environment",
  unit: "Team",
  provider: "Provider",
  country: "Country",
  notificationType: "Type",
  notificationSubtype: "Subtype",
  template: "Template",
  mailDomain: "Mail domain",
};

/** By what a report is told apart, and what it is narrowed to. */
export function ReportFilterBar({
  by,
  filters,
  names,
  onBy,
  onFilter,
}: {
  by: Dimension;
  filters: ReportFilters;
  /** What provider and template are called that it is narrowed to; the report knows. */
  names: GroupKey | undefined;
  onBy: (by: Dimension) => void;
  onFilter: (name: FilterName, value: null) => void;
}) {
  return (
    <div className="mb-4 flex flex-wrap items-center gap-2">
      <span className="text-sm text-ink-muted print:hidden">By</span>
      <Select
        aria-label="By"
        className="w-40 print:hidden"
        value={by}
        onValueChange={(value) => {
          const chosen = dimensions.find((each) => each === value);
          if (chosen) onBy(chosen);
        }}
        options={dimensions.map((each) => ({ value: each, label: dimensionLabel[each] }))}
      />
      <FilterChips filters={filters} names={names} onFilter={onFilter} />
    </div>
  );
}

/** What a report is narrowed to; a click takes it away. */
export function FilterChips({
  filters,
  names,
  onFilter,
}: {
  filters: ReportFilters;
  names: GroupKey | undefined;
  onFilter: (name: FilterName, value: null) => void;
}) {
  const { applications } = usePortal();
  const labelOf = (name: FilterName, value: string): string => {
    if (name === "channel") return channelLabel(value);
    if (name === "application") return applications.find((each) => each.name === value)?.title ?? value;
    if (name === "country") return /^[A-Z]{2}$/.test(value) ? (countryNames.of(value) ?? value) : value;
    if (name === "mailDomain") return mailDomainNames[value] ?? value;
    if (name === "provider" || name === "template") return names?.[name]?.label ?? "…";
    return value;
  };
  return filterNames.map((name) => {
    const value = filters[name];
    return value === null ? null : (
      <Button
        key={name}
        size="sm"
        className="max-w-full"
        onClick={() => onFilter(name, null)}
        aria-label={`Remove the filter ${dimensionLabel[name]}`}
      >
        {dimensionLabel[name]}:{" "}
        <bdi className="max-w-64 truncate" title={labelOf(name, value)}>
          {labelOf(name, value)}
        </bdi>{" "}
        <X className="print:hidden" aria-hidden />
      </Button>
    );
  });
}

const countryNames = new Intl.DisplayNames("en", { type: "region", fallback: "code" });
const mailDomainNames: Record<string, string> = {
  gmail: "Gmail",
  yahoo: "Yahoo",
  microsoft: "Microsoft",
  other: "Other mailboxes",
};
