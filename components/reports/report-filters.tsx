"use client";

import { X } from "lucide-react";
import { parseAsString, parseAsStringLiteral } from "nuqs";
import { dimensions, type Dimension, type GroupKey } from "../../server/insights/schemas.ts";
import { channels } from "../messages/channel.tsx";
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
  groups,
  onBy,
  onFilter,
}: {
  by: Dimension;
  filters: ReportFilters;
  /** Of the report as it is, to call what it is narrowed to by its name. */
  groups: readonly { key: GroupKey }[];
  onBy: (by: Dimension) => void;
  onFilter: (name: FilterName, value: null) => void;
}) {
  const only = groups.length === 1 ? groups[0]?.key : undefined;
  return (
    <div className="mb-4 flex flex-wrap items-center gap-2 print:hidden">
      <span className="text-sm text-ink-muted">By</span>
      <Select
        aria-label="By"
        className="w-40"
        value={by}
        onValueChange={(value) => {
          const chosen = dimensions.find((each) => each === value);
          if (chosen) onBy(chosen);
        }}
        options={dimensions.map((each) => ({ value: each, label: dimensionLabel[each] }))}
      />
      {filterNames
        .filter((name) => filters[name] !== null)
        .map((name) => (
          <Button
            key={name}
            size="sm"
            onClick={() => onFilter(name, null)}
            aria-label={`Remove the filter ${dimensionLabel[name]}`}
          >
            {dimensionLabel[name]}: <bdi>{only?.[name]?.label ?? filters[name]}</bdi> <X aria-hidden />
          </Button>
        ))}
    </div>
  );
}
